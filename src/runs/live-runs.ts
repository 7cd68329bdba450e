import type { Delta } from "../contract/model-call.ts";
import type { Run } from "../contract/run.ts";

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

  forget(runId: string): void {
    this.#doing.delete(runId);
  }

  /** The run with what it is doing now. */
  shown(run: Run): Run {
    const doing = run.status === "running" ? this.#doing.get(run.id) : undefined;
    return doing === undefined ? run : { ...run, ...doing };
  }
}
