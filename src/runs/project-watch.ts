import { setImmediate as nextTurn } from "node:timers/promises";
import type { HallEvent } from "../contract/event.ts";
import { isOver } from "../contract/runs/run-status.ts";
import type { Processes } from "../processes/processes.ts";
import type { Core } from "../workspace/core.ts";
import type { IndexedRun } from "../workspace/records.ts";
import type { BookLoading } from "./record/book-loading.ts";
import type { RunBook } from "./record/run-book.ts";
import type { RunProgress } from "./record/run-progress.ts";
import type { Runs } from "./runs.ts";
import { ignoreEnded } from "./schedule/cancelling.ts";
import type { Scheduler } from "./schedule/scheduler.ts";

interface Parts {
  core: Core;
  book: RunBook;
  books: Pick<BookLoading, "load">;
  progress: RunProgress;
  runs: Runs;
  scheduler: Scheduler;
  processes: Pick<Processes, "stop">;
  onTrouble: (what: string, error: unknown) => void;
}

const HEEDED = new Set(["project.created", "project.moved", "project.removed", "file.mended", "file.invalid"]);

/** Lets runs follow what becomes of their project: they are held while it is suspended and cancelled when it is closed. */
export class ProjectWatch {
  readonly #parts: Parts;
  #unsubscribe: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes up what an earlier life left unfinished, and follows every project from then on. */
  async start(): Promise<void> {
    const { core } = this.#parts;
    this.#unsubscribe = core.events.subscribe((event) => this.#heed(event));
    for (const projectId of this.#withUnsettled()) await this.#follow(projectId);
  }

  /** The index was lost for a while: what was refused meanwhile is taken up, and those who wait are told what they missed. */
  restored(): void {
    this.#lookAgain().catch((error) => this.#parts.onTrouble("runs could not be resumed", error));
  }

  async #lookAgain(): Promise<void> {
    const { progress, runs } = this.#parts;
    progress.lookAgain();
    // A run that is still being made is no one's to take up.
    await runs.begun();
    for (const projectId of this.#withUnsettled()) this.#followSoon(projectId);
  }

  #withUnsettled(): Set<string> {
    return new Set(this.#parts.core.runs.unsettled().map(({ run }) => run.projectId));
  }

  close(): void {
    this.#unsubscribe();
  }

  #heed({ type, projectId }: HallEvent): void {
    if (projectId !== undefined && HEEDED.has(type)) this.#followSoon(projectId);
  }

  #followSoon(projectId: string): void {
    const { core, onTrouble } = this.#parts;
    const follow = async () => {
      // The index shows a change only after the log has told of it.
      await nextTurn();
      await this.#follow(projectId);
    };
    core.locks
      .run(`runs of ${projectId}`, follow)
      .catch((error) => onTrouble(`the runs of project ${projectId} could not be updated`, error));
  }

  async #follow(projectId: string): Promise<void> {
    const { core, book, books, progress, processes } = this.#parts;
    const status = core.projects.status(projectId);
    if (status !== undefined) await this.#endCancelled(projectId);
    switch (status) {
      case undefined:
        progress.gone(projectId);
        await processes.stop(projectId);
        return book.forget(projectId);
      case "active":
        (await books.load(projectId)).seen();
        return this.#takeUp(projectId);
      case "suspended":
        return this.#hold(projectId);
      case "invalid":
        return this.#withdraw(projectId);
      case "completed":
      case "archived":
        return this.#cancelAll(projectId, `The project is ${status}.`);
    }
  }

  /** What was cancelled in an earlier life, and had not ended when that came to its end. */
  async #endCancelled(projectId: string): Promise<void> {
    const { core, runs, scheduler } = this.#parts;
    const isLeft = ({ run, cancelling }: IndexedRun) => cancelling !== undefined && !scheduler.isAtWork(run.id);
    for (const { run, cancelling } of core.runs.unsettled(projectId).filter(isLeft))
      await runs.cancel(run.id, cancelling).catch(ignoreEnded);
  }

  async #takeUp(projectId: string): Promise<void> {
    const { core, runs, scheduler } = this.#parts;
    for (const { run } of core.runs.unsettled(projectId)) {
      const parent = run.parentRunId === undefined ? undefined : core.runs.get(run.parentRunId);
      if (parent !== undefined && isOver(parent.run) && run.purpose === "work")
        await runs.cancel(run.id, "The agent that started it has ended.");
      else if (!scheduler.isAtWork(run.id)) await runs.enqueue(run);
    }
  }

  /** Its runs are handed back and wait until the project is resumed. */
  async #hold(projectId: string): Promise<void> {
    const { core, scheduler, processes } = this.#parts;
    for (const { run } of core.runs.unsettled(projectId)) await scheduler.withdraw(run.id);
    await processes.stop(projectId);
  }

  /** Nothing more is started; what is at work goes on. */
  async #withdraw(projectId: string): Promise<void> {
    const { core, scheduler } = this.#parts;
    const waiting = core.runs.unsettled(projectId).filter(({ run }) => !scheduler.isAtWork(run.id));
    for (const { run } of waiting) await scheduler.withdraw(run.id);
  }

  async #cancelAll(projectId: string, reason: string): Promise<void> {
    const { core, runs, processes } = this.#parts;
    const cancel = (id: string) => runs.cancel(id, reason).catch(() => undefined);
    await Promise.all(core.runs.unsettled(projectId).map(({ run }) => cancel(run.id)));
    await processes.stop(projectId);
  }

  /** Its folder is about to leave its place. */
  async leave(projectId: string): Promise<void> {
    await this.#cancelAll(projectId, "The project was removed.");
    this.#parts.book.forget(projectId);
  }
}
