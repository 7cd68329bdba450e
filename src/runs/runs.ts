import { planIn } from "../agent/journal-entries.ts";
import type { Task } from "../contract/documents/task.ts";
import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { RunLine } from "../contract/now.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { Run, RunPlan, SpawnRequest, SpawnResponse } from "../contract/runs/run.ts";
import { runLine } from "../contract/runs/run-line.ts";
import { isOver } from "../contract/runs/run-status.ts";
import { hint } from "../contract/words/hint.ts";
import type { Ledger } from "../models/budget/ledger.ts";
import type { Change } from "../workspace/change.ts";
import type { Core } from "../workspace/core.ts";
import type { ProjectSecrets } from "../workspace/projects/project-secrets.ts";
import type { IndexedRun, RunQuery, UseQuery, UseSum } from "../workspace/records.ts";
import type { SpawnedHow, Spawning } from "./plan/spawning.ts";
import { teamPartOf } from "./plan/team-part.ts";
import type { LiveRuns } from "./record/live-runs.ts";
import type { RunBook } from "./record/run-book.ts";
import { callsOf, contextOf, responseOf, usageOf, withLedger } from "./record/run-facts.ts";
import type { RunMessages } from "./record/run-messages.ts";
import type { RunProgress } from "./record/run-progress.ts";
import { decide } from "./results/lifecycle.ts";
import { sendBackAgain } from "./results/returned-result.ts";
import { type Cancelling, endedAlready, ignoreEnded } from "./schedule/cancelling.ts";
import type { Lease, Turn } from "./schedule/engine.ts";
import type { Scheduler } from "./schedule/scheduler.ts";
import type { NewRunOrder } from "./schedule/scheduler-ports.ts";
import type { Waiters } from "./schedule/waiters.ts";
import type { Waits } from "./schedule/waits.ts";
import { turnOf, writesInPlace } from "./schedule/writing-turn.ts";
import type { SaidToRun } from "./team-mail.ts";

const PRIORITY = { low: 0, medium: 1, high: 2, urgent: 3 };
const STOPPED = "It was stopped.";

interface Parts {
  core: Core;
  book: RunBook;
  live: LiveRuns;
  spawning: Spawning;
  progress: RunProgress;
  messages: RunMessages;
  waiters: Waiters;
  cancelling: Cancelling;
  scheduler: Scheduler;
  waits: Pick<Waits, "show">;
  ledger: Pick<Ledger, "runSum">;
  /** Where the project's agents work; undefined when they cannot. */
  workdirOf: (projectId: string) => string | undefined;
  secrets: Pick<ProjectSecrets, "of">;
  newOrderOf: (run: Run, plan: RunPlan) => NewRunOrder;
}

/** What people and agents can do with runs. */
export class Runs {
  readonly #parts: Parts;
  readonly #beginning = new Set<Promise<Run>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async spawn(request: SpawnRequest, change: Change, how: SpawnedHow = {}): Promise<SpawnResponse> {
    const run = await this.#begin(request, change, how);
    return request.options.waitForCompletion ? this.spawned(run.id, { wait: true }) : responseOf(run);
  }

  async #begin(request: SpawnRequest, change: Change, how: SpawnedHow): Promise<Run> {
    const begun = this.#create(request, change, how);
    this.#beginning.add(begun);
    return begun.finally(() => this.#beginning.delete(begun));
  }

  /** A run that may start at once is created with its lease, in one change; any other one waits in the queue. */
  async #create(request: SpawnRequest, change: Change, how: SpawnedHow): Promise<Run> {
    const { core, scheduler, spawning, newOrderOf } = this.#parts;
    let lease: Lease | undefined;
    let made: Run | undefined;
    const reserve = async (run: Run, plan: RunPlan, { priority }: Pick<Task, "priority">) => {
      made = run;
      // Those who take turns on a folder show that they wait before they begin.
      if (writesInPlace(plan)) return undefined;
      const { id: runId, projectId } = run;
      lease = await scheduler.reserve({ runId, projectId, priority: priorityOf(run, priority), epoch: 0 });
      // A worktree, a message of its team: what some runs need first can only be made ready when they are created.
      if (lease !== undefined && plan.workplace === undefined && run.team === undefined)
        scheduler.prepare(lease, newOrderOf(run, plan));
      return lease;
    };
    try {
      const run = await spawning.create(request, change, { ...how, reserve });
      if (lease !== undefined && core.projects.status(run.projectId) === "active") {
        scheduler.begin(lease);
        return run;
      }
      if (lease !== undefined) await scheduler.withdraw(run.id);
      await this.enqueue(run);
      return run;
    } catch (error) {
      if (lease !== undefined) await scheduler.withdraw(lease.runId);
      // Recorded with its lease and refused by a later step, it must start as well.
      if (made !== undefined && (isMaybeKept(error) || core.runs.get(made.id) !== undefined))
        this.#startWhenShown(made);
      throw error;
    }
  }

  /** A run that was planned, on disk and on its way: what runs, teams and gates start. */
  async enter(plan: RunPlan, entered: Parameters<Spawning["enter"]>[1]): Promise<Run> {
    const { core, spawning } = this.#parts;
    try {
      const run = await spawning.enter(plan, entered);
      await this.enqueue(run);
      return run;
    } catch (error) {
      const { runId: id, projectId } = plan;
      if (isMaybeKept(error) || core.runs.get(id) !== undefined) this.#startWhenShown({ id, projectId });
      throw error;
    }
  }

  /** A full disk may take the log's line of a run and not its files, which follow when there is room. */
  #startWhenShown({ id, projectId }: Pick<Run, "id" | "projectId">): void {
    const { core, book, scheduler } = this.#parts;
    scheduler.repeat(async () => {
      if (core.runs.get(id) === undefined) book.catchUp(projectId);
      const run = core.runs.get(id)?.run;
      if (run !== undefined && !isOver(run) && !scheduler.isAtWork(id)) await this.enqueue(run);
      return run !== undefined;
    });
  }

  /** Resolves when every run that is being made by now is on its way, or refused. */
  async begun(): Promise<void> {
    await Promise.allSettled(this.#beginning);
  }

  /** The answer to a spawn that was asked for before; with `wait`, when the run is over. */
  async spawned(id: string, { wait }: { wait: boolean }): Promise<SpawnResponse> {
    return responseOf(
      wait ? await this.#parts.waiters.unlessStopping(this.#parts.progress.ended(id)) : this.#find(id).run,
    );
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

  journal(id: string): readonly JournalEntry[] {
    return this.#parts.book.journalOf(this.#find(id));
  }

  /** Ends a run and all it has started; `by`: whoever wanted that, if it was not the hall. Resolves when it is over. */
  cancel(id: string, reason = STOPPED, by?: Actor): Promise<Run> {
    const { cancelling, scheduler } = this.#parts;
    return cancelling.cancel(id, { reason, by }, scheduler);
  }

  /** From its next turn on. */
  changeModel(id: string, model: string): Promise<void> {
    return this.#parts.progress.changeModel(id, model);
  }

  async retry(id: string, change: Change): Promise<SpawnResponse> {
    const { run } = this.#find(id);
    if (run.team !== undefined) throw retriedByTeam(run, run.team.id);
    const plan = isOver(run) ? planIn(this.journal(id)) : undefined;
    const sentBack = plan?.continues && this.#parts.core.runs.get(plan.continues.runId);
    const { refused, effects } = decide({ run }, { type: "retry", before: sentBack?.run });
    if (refused !== undefined) throw notRetried(run);
    const continues = effects.includes("continue")
      ? plan?.continues && { ...plan.continues, branch: plan.workplace?.branch, onto: plan.workplace?.onto }
      : undefined;
    const response = await this.#onceMore(id, change, { continues });
    if (continues !== undefined && sentBack !== undefined)
      await sendBackAgain(this.#parts, sentBack, this.#find(response.sessionId).run);
    return response;
  }

  /** The same request once more: of a result that was sent back, or with answers to what it asked. */
  again(id: string, change: Change, how: SpawnedHow): Promise<SpawnResponse> {
    return this.#onceMore(id, change, how);
  }

  #onceMore(id: string, change: Change, how: SpawnedHow): Promise<SpawnResponse> {
    const { overrides, ...rest } = how;
    const entries = this.journal(id);
    const request = againOf(this.#find(id).run, entries);
    const plan = planIn(entries);
    // What it was given does not become more trustworthy by being repeated.
    const of = { team: teamPartOf(plan), trigger: plan?.trigger };
    return this.spawn({ ...request, overrides: { ...request.overrides, ...overrides } }, change, { ...rest, ...of });
  }

  /** Durable when it resolves: it reaches the model with its next turn, or its first. Under one key it is said once. */
  async message(id: string, said: string, { request }: Change): Promise<void> {
    const { core, secrets } = this.#parts;
    const known = this.#find(id);
    const text = secrets.of(known.run.projectId).text(said);
    await this.say(id, { id: request === undefined ? core.nextId() : `key-${request.key}`, text });
  }

  /** As a message, of whoever says it. */
  async say(id: string, message: SaidToRun): Promise<void> {
    const { messages, progress, scheduler } = this.#parts;
    const known = this.#find(id);
    if (known.messages.some((earlier) => earlier.id === message.id)) return;
    if (isOver(known.run)) throw endedAlready(known.run);
    const sent = messages.send(id, message, () => scheduler.deliver(id, message));
    if (!(await this.#parts.waiters.unlessStopping(sent))) throw endedAlready(await progress.ended(id));
  }

  /** Said by the hall; under one id once. Durable when it resolves. False: the run is over, and was not told. */
  async tell(id: string, { id: messageId, text: said }: { id: string; text: string }): Promise<boolean> {
    const { messages, scheduler, secrets } = this.#parts;
    const { run, messages: earlier } = this.#find(id);
    if (earlier.some((message) => message.id === messageId)) return true;
    if (isOver(run)) return false;
    const message: SaidToRun = { id: messageId, text: secrets.of(run.projectId).text(said), from: "hall" };
    await messages.note(id, message);
    scheduler.deliver(id, message);
    return true;
  }

  /**
   * Takes a run from its process as it stands and has it continue from its journal, unless that happened since `epoch`. `waits`: it
   * is not at work now.
   */
  async restart(id: string, epoch: number): Promise<"done" | "over" | "waits"> {
    const { scheduler } = this.#parts;
    const known = this.#find(id);
    if (isOver(known.run) || known.cancelling !== undefined) return "over";
    if (known.epoch > epoch) return "done";
    if (!(await scheduler.park(id, async () => true, { atModel: false }))) return "waits";
    await scheduler.wake(id);
    return "done";
  }

  /** The project may have changed since the run was asked for: it holds the run until it is active again, or ends it. */
  async enqueue(run: Run): Promise<void> {
    const { core, scheduler } = this.#parts;
    const status = core.projects.status(run.projectId);
    if (status === "completed" || status === "archived")
      await this.cancel(run.id, `The project is ${status}.`).catch(ignoreEnded);
    if (status !== "active") return;
    const task = core.tasks.record(run.projectId, run.taskId);
    const priority = priorityOf(run, task?.priority);
    const { epoch, waiting } = this.#find(run.id);
    const turn = this.#turnOf(run);
    if (turn !== undefined) this.#showTurn(run, turn);
    const parked = waiting !== undefined;
    if (parked) this.#parts.waits.show(run.id);
    await scheduler.enqueue({ runId: run.id, projectId: run.projectId, priority, epoch, turn, parked });
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

/** Whether a change may have been saved although it failed. */
function isMaybeKept(error: unknown): boolean {
  return error instanceof HallError && error.code === "storage_failed" && error.changed === "unknown";
}

/** What was begun is finished first: a child before any run that is not one. */
function priorityOf({ parentRunId }: Run, priority: Task["priority"] = "medium"): number {
  return PRIORITY[priority] * 2 + (parentRunId === undefined ? 0 : 1);
}

/** The same request once more, for the task it made or took. */
function againOf(run: Run, entries: readonly JournalEntry[]): SpawnRequest {
  const first = entries.find((entry) => entry.type === "plan");
  const plan = planIn(entries);
  const options = { notifyOnComplete: true, createArtifact: true, ...plan?.options, waitForCompletion: false };
  const asked = first?.request ?? { overrides: {}, variables: {}, contextFiles: [] };
  const { variables, contextFiles } = asked;
  // A model that a person chose on the way stays.
  const overrides = run.firstModel === undefined ? asked.overrides : { ...asked.overrides, model: run.model };
  return {
    projectId: run.projectId,
    roleId: run.roleId,
    taskId: run.taskId,
    purpose: run.purpose === "review" ? "review" : "work",
    overrides,
    variables,
    contextFiles,
    options,
  };
}

function retriedByTeam({ id }: Run, teamId: string): HallError {
  return new HallError("illegal_move", `Run '${id}' belongs to team '${teamId}', which retries automatically.`, {
    hint: hint("team-list"),
  });
}

function notRetried({ id, status, parentRunId }: Run): HallError {
  if (parentRunId === undefined)
    return new HallError("illegal_move", `Run '${id}' is still ${status}.`, { hint: "Stop it first." });
  return new HallError("illegal_move", `Run '${id}' was started by another agent.`, {
    hint: `Retry '${parentRunId}' instead.`,
  });
}
