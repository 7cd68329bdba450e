import type { RunWait } from "../../contract/documents/budget.ts";
import type { Activity } from "../../contract/runs/activity.ts";
import type { RunFigures } from "../../contract/runs/live.ts";
import type { Delta } from "../../contract/runs/model-call.ts";
import type { Run, RunContext, RunUsage } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { activityOf } from "../../contract/words/activity-words.ts";
import { hint, toldHint } from "../../contract/words/hint.ts";
import { WritingTurns } from "../schedule/writing-turns.ts";

export type LiveListener = (live: {
  runId: string;
  projectId: string;
  delta?: Delta;
  activity?: Activity;
  /** With the activity, when they are others than were told before. */
  figures?: RunFigures;
  run?: Run;
}) => void;

/** How far a run is. */
export interface Doing {
  progress: number;
  /** The turn that it is at, or has just ended. */
  turn: number;
  context?: RunContext | undefined;
  /** What it has cost so far. */
  cost?: Pick<RunUsage, "costUsd" | "costKnown"> | undefined;
}

/** Who says that a run waits: the gate of its model calls, the process that writes its journal, the scheduler, or the book. */
type WaitSource = "model" | "journal" | "scheduler" | "parked";

export interface Wait {
  by: WaitSource;
  wait: RunWait | undefined;
  at: Date;
  /** The question that it waits for an answer to. */
  escalationId?: string | undefined;
}

interface Waiting extends Pick<Wait, "escalationId"> {
  projectId: string;
  wait: RunWait;
  since: Date;
}

/** What runs are doing at the moment. It is kept in memory only: the journals have everything that matters later. */
export class LiveRuns {
  readonly #listeners = new Set<LiveListener>();
  readonly #doing = new Map<string, Doing & { activity: Activity }>();

  /** Of runs that write in one folder. */
  readonly turns = new WritingTurns();

  /** What a run waits for, by who says so; the last to say it is shown. */
  readonly #waiting = new Map<string, Map<WaitSource, Waiting>>();

  /** The listener must not throw. */
  subscribe(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(live: Parameters<LiveListener>[0]): void {
    for (const listener of this.#listeners) listener(live);
  }

  /** Without a word of how far it is, as far as before. A run that waits shows that, whatever it reported on its way there. */
  does({ runId, projectId }: { runId: string; projectId: string }, reported: Activity, doing?: Doing): void {
    const wait = this.#waitOf(runId)?.wait;
    const activity = wait === undefined ? reported : activityOf(wait);
    const before = this.#doing.get(runId) ?? { progress: 0, turn: 0 };
    const now = { ...before, ...doing, activity };
    this.#doing.set(runId, now);
    if (this.#listeners.size > 0) this.tell({ runId, projectId, activity, ...newFigures(before, now) });
  }

  /** The run has begun; whoever waits for the turn it has is told that it is this one's. */
  begins(runId: string): void {
    this.turns.begun(runId);
    this.#waiting.delete(runId);
    this.#tellWaiting(runId);
  }

  #tellWaiting(runId: string): void {
    if (this.#listeners.size === 0) return;
    for (const of of this.turns.waitingFor(runId)) {
      const { activity } = this.#turnWait(of.runId);
      if (activity !== undefined) this.tell({ ...of, activity });
    }
  }

  /** What a run waits for that has not begun. A run that waits for an answer keeps the folder until it has it. */
  #turnWait(runId: string): Pick<Run, "waitingFor" | "waitingForRun" | "activity"> {
    const { activity, ...turn } = this.turns.waitOf(runId);
    if (activity?.kind !== "waiting") return turn;
    const { wait, escalationId } = this.#waitOf(turn.waitingForRun ?? "") ?? {};
    if (wait?.reason !== "answer") return { ...turn, activity };
    const question = escalationId === undefined ? "" : ` to ${escalationId}`;
    const detail = `${turn.waitingForRun} waits for an answer${question} and holds the folder`;
    const hintAction = escalationId === undefined ? wait.hintAction : hint("escalation-answer", { text: escalationId });
    return { ...turn, activity: { ...activity, detail, ...(hintAction === undefined ? {} : { hintAction }) } };
  }

  /** The run stands still; without a wait it goes on, unless somebody else still says that it waits. */
  waits(of: { runId: string; projectId: string }, { by, wait: said, at, escalationId }: Wait): void {
    // Of a run that no process has, only the book tells what it waits for.
    const known = by === "parked" ? undefined : this.#waiting.get(of.runId);
    const waits = known ?? new Map<WaitSource, Waiting>();
    const before = waits.get(by);
    waits.delete(by);
    // It may wait for the same thing with another word of why.
    const since = before?.wait.reason === said?.reason ? (before?.since ?? at) : at;
    if (said !== undefined) waits.set(by, { projectId: of.projectId, wait: said, since, escalationId });
    if (waits.size === 0) this.#waiting.delete(of.runId);
    else this.#waiting.set(of.runId, waits);
    const wait = this.#waitOf(of.runId)?.wait;
    this.does(of, activityOf(wait));
    this.#tellWaiting(of.runId);
  }

  /** Runs whose model call waits, and runs that no process has, oldest first. */
  held(by: "model" | "parked") {
    return [...this.#waiting].flatMap(([runId, waits]) => {
      const waiting = waits.get(by);
      return waiting === undefined ? [] : [{ runId, ...waiting }];
    });
  }

  /** Runs that stand still, and what for. */
  waiting() {
    return [...this.#waiting.keys()].flatMap((runId) => {
      const waiting = this.#waitOf(runId);
      if (waiting === undefined) return [];
      const { projectId, wait, since } = waiting;
      return [{ runId, projectId, ...wait, ...toldHint(wait.hintAction), since: since.toISOString() }];
    });
  }

  #waitOf(runId: string): Waiting | undefined {
    return [...(this.#waiting.get(runId)?.values() ?? [])].at(-1);
  }

  /** The turn that a run at work is at; 0 when nothing was heard of it. */
  turnOf(runId: string): number {
    return this.#doing.get(runId)?.turn ?? 0;
  }

  /** How many runs carry out a command. */
  commands(): number {
    return [...this.#doing.values()].filter(({ activity }) => activity.kind === "tool" && activity.name === "exec")
      .length;
  }

  forget(runId: string): void {
    this.turns.left(runId);
    this.#waiting.delete(runId);
    this.#doing.delete(runId);
  }

  /** The run with what it is doing now. */
  shown(run: Run): Run {
    const waiting = this.#waitOf(run.id);
    if (run.status === "pending" && waiting === undefined) return { ...run, ...this.#turnWait(run.id) };
    const doing = isOver(run) ? undefined : this.#doing.get(run.id);
    if (doing === undefined) return run;
    const { activity, progress, context = run.context } = doing;
    return {
      ...run,
      activity,
      progress,
      ...(context === undefined ? {} : { context }),
      ...(waiting === undefined ? {} : { waitingFor: waiting.wait.reason, waitingSince: waiting.since.toISOString() }),
    };
  }
}

/** Most of what an agent does is one of several calls of a turn, which costs nothing more. */
function newFigures(before: Doing, { turn, progress, context, cost }: Doing): { figures?: RunFigures } {
  if (cost === undefined) return {};
  const isSame =
    before.turn === turn && before.cost?.costUsd === cost.costUsd && before.context?.used === context?.used;
  return isSame ? {} : { figures: { turns: turn, ...cost, progress, ...(context === undefined ? {} : { context }) } };
}
