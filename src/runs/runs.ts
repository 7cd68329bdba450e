import { planIn } from "../agent/journal-entries.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import { hint } from "../contract/hint.ts";
import type { JournalEntry, RunEnd } from "../contract/journal.ts";
import type { RunLine } from "../contract/now.ts";
import type { Run, SpawnRequest, SpawnResponse } from "../contract/run.ts";
import { runLine } from "../contract/run-line.ts";
import { isOver } from "../contract/run-status.ts";
import type { Ledger } from "../models/ledger.ts";
import { storageTrouble } from "../store/storage-failure.ts";
import type { Change } from "../workspace/change.ts";
import type { Core } from "../workspace/core.ts";
import { projectRoot } from "../workspace/layout.ts";
import type { ProjectSecrets } from "../workspace/project-secrets.ts";
import type { IndexedRun, RunQuery, UseQuery, UseSum } from "../workspace/records.ts";
import { childrenOf } from "./child-runs.ts";
import type { Turn } from "./engine.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { Continued } from "./planning.ts";
import { sendBackAgain } from "./returned-result.ts";
import type { RunBook } from "./run-book.ts";
import { callsOf, contextOf, responseOf, usageOf, withLedger } from "./run-facts.ts";
import type { RunProgress } from "./run-progress.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SpawnedHow, Spawning } from "./spawning.ts";
import { turnOf } from "./writing-turn.ts";

const PRIORITY = { low: 0, medium: 1, high: 2, urgent: 3 };
const STOPPED = "It was stopped.";

interface Parts {
  core: Core;
  book: RunBook;
  live: LiveRuns;
  spawning: Spawning;
  progress: RunProgress;
  scheduler: Scheduler;
  ledger: Pick<Ledger, "runSum">;
  /** Where the project's agents work; undefined when they cannot. */
  workdirOf: (projectId: string) => string | undefined;
  secrets: Pick<ProjectSecrets, "of">;
}

/** What people and agents can do with runs. */
export class Runs {
  readonly #parts: Parts;
  /** Messages whose process has not said yet whether they will reach the model. */
  readonly #messages = new Map<string, (ok: boolean) => void>();
  /** How those who wait for something are told that the hall stops. */
  readonly #waiting = new Set<(stopping: HallError) => void>();
  readonly #beginning = new Set<Promise<Run>>();
  #isStopping = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async spawn(request: SpawnRequest, change: Change, how: SpawnedHow = {}): Promise<SpawnResponse> {
    const run = await this.#begin(request, change, how);
    return request.options.waitForCompletion ? this.spawned(run.id, { wait: true }) : responseOf(run);
  }

  async #begin(request: SpawnRequest, change: Change, how: SpawnedHow): Promise<Run> {
    const begun = this.#parts.spawning.create(request, change, how).then(async (run) => {
      await this.enqueue(run);
      return run;
    });
    this.#beginning.add(begun);
    return begun.finally(() => this.#beginning.delete(begun));
  }

  /** Resolves when every run that is being made by now is on its way, or refused. */
  async begun(): Promise<void> {
    await Promise.allSettled(this.#beginning);
  }

  /** The answer to a spawn that was asked for before; with `wait`, when the run is over. */
  async spawned(id: string, { wait }: { wait: boolean }): Promise<SpawnResponse> {
    return responseOf(wait ? await this.#unlessStopping(this.#parts.progress.ended(id)) : this.#find(id).run);
  }

  /** Whoever waits for a run is told that it goes on another time. */
  stopWaiting(): void {
    this.#isStopping = true;
    for (const tell of this.#waiting) tell(stopping());
  }

  /** A promise of its own for each: one for all would keep every answer in memory until the hall stops. */
  #unlessStopping<Value>(work: Promise<Value>): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    if (this.#isStopping) reject(stopping());
    return Promise.race([work, promise]).finally(() => this.#waiting.delete(reject));
  }

  get(id: string): Run {
    return this.#parts.live.shown(this.#find(id).run);
  }

  list(query: RunQuery): Run[] {
    const { core, live, ledger } = this.#parts;
    return core.runs.list(query).map(({ run }) => {
      return live.shown(isOver(run) ? run : { ...run, usage: withLedger(run.usage, ledger.runSum(run.id)) });
    });
  }

  /** What it does, how far it is and what it has cost so far, without a look into its journal. */
  line(run: Run): RunLine {
    const { live, ledger } = this.#parts;
    if (isOver(run)) return runLine(run);
    const usage = withLedger(run.usage, ledger.runSum(run.id));
    const turns = Math.max(usage.turns, live.turnOf(run.id));
    return runLine(live.shown({ ...run, usage: { ...usage, turns } }));
  }

  /** As get, with what it has used so far, which the book has only when it is over; reads its whole journal. */
  getUsed(id: string): Run {
    return this.#parts.live.shown(this.#used(this.#find(id)));
  }

  /** Those that go on, with what they have used so far; of one project, or of all. */
  unsettledUsed(projectId: string | undefined): Run[] {
    return this.#parts.core.runs.unsettled(projectId).map((known) => this.#used(known));
  }

  /** What those that are over have used, summed by one side of it. */
  settledUse(query: UseQuery): UseSum[] {
    return this.#parts.core.uses.sums(query);
  }

  #used(known: IndexedRun): Run {
    const { run } = known;
    if (isOver(run)) return run;
    const { book, ledger } = this.#parts;
    const entries = book.journalOf(known);
    return {
      ...run,
      ...contextOf(entries),
      ...callsOf(entries),
      usage: withLedger(usageOf(entries), ledger.runSum(run.id)),
    };
  }

  journal(id: string): JournalEntry[] {
    return this.#parts.book.journalOf(this.#find(id));
  }

  /** Ends a run and all it has started; `by`: whoever wanted that, if it was not the hall. Resolves when it is over. */
  async cancel(id: string, reason = STOPPED, by?: Actor): Promise<Run> {
    const { progress, scheduler } = this.#parts;
    const { run, epoch } = this.#find(id);
    if (isOver(run)) throw endedAlready(run);
    await progress.cancelling(id, { reason, by }).catch((error: unknown) => this.#cancelUnwritten(id, reason, error));
    const isTold = await scheduler.cancel(id, reason);
    await this.cancelChildren(id, reason);
    const end: RunEnd = { status: "cancelled", cause: "cancelled", error: reason };
    if (!isTold) await progress.finished({ runId: id, epoch }, end);
    return this.#unlessStopping(progress.ended(id));
  }

  /** It cannot be written down that the run is to end. One that is at work stops all the same: what it does costs money. */
  async #cancelUnwritten(id: string, reason: string, error: unknown): Promise<never> {
    const { scheduler } = this.#parts;
    const trouble = storageTrouble(error);
    if (trouble === undefined || !scheduler.isAtWork(id)) throw error;
    await scheduler.cancel(id, reason);
    throw new HallError("storage_failed", `That the run is cancelled cannot be written down, because ${trouble}.`, {
      hint: "The run does nothing more, and ends when the disk can be written. Cancel it again if the daemon restarts before.",
    });
  }

  /** For a run that is over or to end, and therefore gets no more of them. */
  async cancelChildren(id: string, reason: string): Promise<void> {
    const { runs, locks } = this.#parts.core;
    const all = await locks.run(childrenOf(id), async () => runs.childrenOf(id));
    const children = all.filter((child) => !isOver(child.run));
    await Promise.all(children.map((child) => this.cancel(child.run.id, reason).catch(ignoreEnded)));
  }

  async retry(id: string, change: Change): Promise<SpawnResponse> {
    const { run } = this.#find(id);
    if (!isOver(run))
      throw new HallError("illegal_move", `Run '${id}' is still ${run.status}.`, { hint: "Cancel it first." });
    if (run.parentRunId !== undefined) {
      throw new HallError("illegal_move", `Run '${id}' was started by another agent.`, {
        hint: `Retry '${run.parentRunId}' instead.`,
      });
    }
    const plan = planIn(this.journal(id));
    const sentBack = plan?.continues && this.#parts.core.runs.get(plan.continues.runId);
    // A result that was approved meanwhile is where it belongs, and its branch is gone.
    const isDone = ["merged", "applied"].includes((sentBack?.run.branch ?? sentBack?.run.changes)?.state ?? "");
    const continues = isDone ? undefined : plan?.continues && { ...plan.continues, branch: plan.workplace?.branch };
    const response = await this.#onceMore(id, change, { continues });
    if (continues !== undefined && sentBack !== undefined)
      await sendBackAgain(this.#parts, sentBack, this.#find(response.sessionId).run);
    return response;
  }

  /** The same request once more, of a result that was sent back. */
  again(id: string, change: Change, continues: Continued): Promise<SpawnResponse> {
    return this.#onceMore(id, change, { continues });
  }

  #onceMore(id: string, change: Change, how: SpawnedHow): Promise<SpawnResponse> {
    return this.spawn(againOf(this.#find(id).run, this.journal(id)), change, how);
  }

  /** Durable when it resolves: it reaches the model with its next turn, or its first. Under one key it is said once. */
  async message(id: string, said: string, { request }: Change): Promise<void> {
    const { core, book, progress, scheduler, secrets } = this.#parts;
    const known = this.#find(id);
    const text = secrets.of(known.run.projectId).text(said);
    const message = { id: request === undefined ? core.nextId() : `key-${request.key}`, text };
    if (known.messages.some((earlier) => earlier.id === message.id)) return;
    if (isOver(known.run)) throw endedAlready(known.run);
    await book.messaged(known, { ...message, at: core.clock().toISOString() });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#messages.set(keyOf(id, message.id), resolve);
    if (!scheduler.deliver(id, message)) resolve(true);
    const ended = progress.ended(id).then(() => false);
    const isHeard = await this.#unlessStopping(Promise.race([promise, ended])).finally(() =>
      this.#messages.delete(keyOf(id, message.id)),
    );
    if (!isHeard) throw endedAlready(await progress.ended(id));
  }

  heard({ runId, id, ok }: { runId: string; id: string; ok: boolean }): void {
    this.#messages.get(keyOf(runId, id))?.(ok);
  }

  /** What a process has to know to take a run up. */
  orderOf(id: string): { journal: string; messages: { id: string; text: string }[] } {
    const { run, journal, messages } = this.#find(id);
    for (const message of messages) this.heard({ runId: id, id: message.id, ok: true });
    return { journal: journal.slice(projectRoot(run.projectId).length + 1), messages };
  }

  /** The project may have changed since the run was asked for: it holds the run until it is active again, or ends it. */
  async enqueue(run: Run): Promise<void> {
    const { core, scheduler } = this.#parts;
    const status = core.projects.status(run.projectId);
    if (status === "completed" || status === "archived")
      await this.cancel(run.id, `The project is ${status}.`).catch(ignoreEnded);
    if (status !== "active") return;
    const task = core.tasks.record(run.projectId, run.taskId);
    // What was begun is finished first: a child before any run that is not one.
    const priority = PRIORITY[task?.priority ?? "medium"] * 2 + (run.parentRunId === undefined ? 0 : 1);
    const { epoch } = this.#find(run.id);
    const turn = this.#turnOf(run);
    if (turn !== undefined) this.#showTurn(run, turn);
    await scheduler.enqueue({ runId: run.id, projectId: run.projectId, priority, epoch, turn });
  }

  #showTurn(run: Run, turn: Turn): void {
    const { live } = this.#parts;
    live.turns.queued(run.id, { ...turn, projectId: run.projectId, hasBegun: run.status === "running" });
    const shown = live.shown(run);
    if (shown.waitingFor === "turn") live.tell({ runId: run.id, projectId: run.projectId, run: shown });
  }

  #turnOf(run: Run): Turn | undefined {
    const { core, book, workdirOf } = this.#parts;
    const workdir = workdirOf(run.projectId);
    if (workdir === undefined) return undefined;
    return turnOf(run, { plan: book.planOf(this.#find(run.id)), workdir, runs: core.runs });
  }

  #find(id: string): IndexedRun {
    return this.#parts.progress.find(id);
  }
}

/** Ids of messages are of those who sent them. */
function keyOf(runId: string, messageId: string): string {
  return `${runId} ${messageId}`;
}

function stopping(): HallError {
  return new HallError("stopping", "The hall is stopping; the run goes on when it is up again.");
}

export function ignoreEnded(error: unknown): void {
  if (!(error instanceof HallError && error.code === "run_ended")) throw error;
}

/** The same request once more, for the task it made or took. */
function againOf(run: Run, entries: readonly JournalEntry[]): SpawnRequest {
  const first = entries.find((entry) => entry.type === "plan");
  const plan = planIn(entries);
  const options = { notifyOnComplete: true, createArtifact: true, ...plan?.options, waitForCompletion: false };
  const asked = first?.request ?? { overrides: {}, variables: {}, contextFiles: [] };
  const { overrides, variables, contextFiles } = asked;
  return {
    projectId: run.projectId,
    roleId: run.roleId,
    taskId: run.taskId,
    purpose: run.purpose,
    overrides,
    variables,
    contextFiles,
    options,
  };
}

function endedAlready({ id, status }: Run): HallError {
  return new HallError("run_ended", `Run '${id}' is already ${status}.`, { hint: hint("run-retry", { run: id }) });
}
