import { isOver } from "../../contract/runs/run-status.ts";
import type { LaterAnswer, Parked } from "../../contract/runs/waiting.ts";
import type { Core } from "../../workspace/core.ts";
import type { LiveRuns } from "../record/live-runs.ts";
import type { RunBook } from "../record/run-book.ts";
import type { RunProgress } from "../record/run-progress.ts";
import type { Scheduler } from "./scheduler.ts";

interface Parts {
  core: Core;
  book: Pick<RunBook, "waiting" | "resumed">;
  progress: Pick<RunProgress, "find">;
  live: LiveRuns;
  scheduler: Pick<Scheduler, "park" | "wake">;
}

/**
 * Runs that wait for something that may take days. The book says so; they hold no process, no lease and no place in a limit, and
 * time spent waiting does not count. A run that writes in a folder without git keeps its turn there.
 */
export class Waits {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Has a run that is at work wait, until `resume`. Durable when it resolves; false when it does not wait, because it is about to
   * end, or was answered already. With a call that is to be answered later, that must be one that may be repeated; without one, the
   * run must be waiting for its model call, which is asked again when it continues.
   */
  async park(runId: string, parked: Parked): Promise<boolean> {
    const { core, book, progress, live, scheduler } = this.#parts;
    const write = () =>
      this.#alone(runId, async () => {
        const known = progress.find(runId);
        if (isOver(known.run) || known.cancelling !== undefined) return false;
        if (parked.callId !== undefined && this.answerTo(runId, parked.callId) !== undefined) return false;
        await book.waiting(known, { parked, at: core.clock().toISOString() });
        return true;
      });
    const atModel = parked.callId === undefined;
    if (!(await scheduler.park(runId, write, { atModel }))) {
      if (atModel) await this.#takeBack(runId);
      return false;
    }
    const { waiting, run } = progress.find(runId);
    this.show(runId);
    live.tell({ runId, projectId: run.projectId, run: live.shown(run) });
    // It may have been answered before anybody could be told that it waits.
    if (waiting === undefined) await scheduler.wake(runId);
    return true;
  }

  /** Has it continue, with the answer to its call; under one call id the first answer counts. False when it is over. */
  async resume(runId: string, { callId, answer }: { callId?: string; answer?: LaterAnswer } = {}): Promise<boolean> {
    const { core, book, progress, live, scheduler } = this.#parts;
    const isResumed = await this.#alone(runId, async () => {
      const known = progress.find(runId);
      if (isOver(known.run)) return false;
      const isAnswered = callId !== undefined && this.answerTo(runId, callId) !== undefined;
      const told = { ...(callId === undefined ? {} : { callId }), ...(answer === undefined ? {} : { answer }) };
      if (!isAnswered) await book.resumed(known, { ...told, at: core.clock().toISOString() });
      return true;
    });
    if (!isResumed) return false;
    const { run } = progress.find(runId);
    live.waits(keyOf(run), { by: "parked", wait: undefined, at: core.clock() });
    await scheduler.wake(runId);
    return true;
  }

  /** Its model call was sent after all while this was written down: the book must not say that it waits. */
  #takeBack(runId: string): Promise<void> {
    const { core, book, progress } = this.#parts;
    return this.#alone(runId, async () => {
      const known = progress.find(runId);
      if (known.waiting === undefined || isOver(known.run)) return;
      await book.resumed(known, { at: core.clock().toISOString() });
    });
  }

  answerTo(runId: string, callId: string): LaterAnswer | undefined {
    return this.#parts.progress.find(runId).answers?.find((answer) => answer.callId === callId);
  }

  /** Has those who watch see what it waits for; also after a restart. */
  show(runId: string): void {
    const { progress, live } = this.#parts;
    const { run, waiting } = progress.find(runId);
    if (waiting === undefined) return;
    const { since, callId: _, escalationId, needs: _needs, ...wait } = waiting;
    live.waits(keyOf(run), { by: "parked", wait, at: new Date(since), escalationId });
  }

  #alone<Result>(runId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`run ${runId}`, work);
  }
}

function keyOf({ id: runId, projectId }: { id: string; projectId: string }) {
  return { runId, projectId };
}
