import type { ModelWait } from "../contract/budget.ts";
import type { Delta } from "../contract/model-call.ts";
import type { Run } from "../contract/run.ts";
import { WritingTurns } from "./writing-turns.ts";

export type LiveListener = (live: {
  runId: string;
  projectId: string;
  delta?: Delta;
  activity?: string;
  run?: Run;
}) => void;

/** What runs are doing at the moment. It is kept in memory only: the journals have everything that matters later. */
export class LiveRuns {
  readonly #listeners = new Set<LiveListener>();
  readonly #doing = new Map<string, { activity: string; progress: number }>();

  /** Of runs that write in one folder. */
  readonly turns = new WritingTurns();

  readonly #waiting = new Map<string, { projectId: string; wait: ModelWait; since: Date }>();

  /** The listener must not throw. */
  subscribe(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(live: Parameters<LiveListener>[0]): void {
    for (const listener of this.#listeners) listener(live);
  }

  /** Without a progress, that of before. */
  does({ runId, projectId }: { runId: string; projectId: string }, activity: string, progress?: number): void {
    this.#doing.set(runId, { activity, progress: progress ?? this.#doing.get(runId)?.progress ?? 0 });
    this.tell({ runId, projectId, activity });
  }

  /** The run has begun; whoever waits for the turn it has is told that it is this one's. */
  begins(runId: string): void {
    this.turns.begun(runId);
    if (this.#listeners.size === 0) return;
    for (const of of this.turns.waitingFor(runId)) {
      const { activity } = this.turns.waitOf(of.runId);
      if (activity !== undefined) this.tell({ ...of, activity });
    }
  }

  /** The run stands still; undefined when it goes on. */
  waits(of: { runId: string; projectId: string }, wait: ModelWait | undefined, since: Date): void {
    if (wait === undefined) this.#waiting.delete(of.runId);
    else this.#waiting.set(of.runId, { projectId: of.projectId, wait, since });
    this.does(of, wait === undefined ? "thinking" : `waiting for ${wait.reason}: ${wait.text}`);
  }

  /** Runs that stand still, and what for. */
  waiting() {
    return [...this.#waiting].map(([runId, { projectId, wait, since }]) => ({
      runId,
      projectId,
      ...wait,
      since: since.toISOString(),
    }));
  }

  /** How many runs carry out a command. */
  commands(): number {
    return [...this.#doing.values()].filter(({ activity }) => activity.startsWith("exec ")).length;
  }

  forget(runId: string): void {
    this.turns.left(runId);
    this.#waiting.delete(runId);
    this.#doing.delete(runId);
  }

  /** The run with what it is doing now. */
  shown(run: Run): Run {
    if (run.status === "pending") return { ...run, ...this.turns.waitOf(run.id) };
    const doing = run.status === "running" ? this.#doing.get(run.id) : undefined;
    const wait = this.#waiting.get(run.id)?.wait;
    return doing === undefined ? run : { ...run, ...doing, ...(wait === undefined ? {} : { waitingFor: wait.reason }) };
  }
}
