import type { Run } from "../contract/run.ts";
import { isOver } from "../contract/run-status.ts";
import type { LiveListener } from "../runs/live-runs.ts";
import { ClientStream, ClientStreams, type CutOff, everyInterval, type StreamSettings } from "./client-stream.ts";

type Live = Parameters<LiveListener>[0];

export interface LiveSource {
  subscribe(listener: LiveListener): () => void;
  /** Throws run_not_found. */
  get(id: string): Run;
}

export interface LiveQuery {
  readonly run?: string | undefined;
  readonly project?: string | undefined;
}

/**
 * Deltas, activities and states of runs as they come. Nothing is replayed: the transcript has everything. A stream of one
 * run begins with the run as it is and ends with it.
 */
export class LiveStreams {
  readonly #runs: LiveSource;
  readonly #settings: StreamSettings;
  readonly #streams = new ClientStreams();

  constructor(runs: LiveSource, settings: Partial<StreamSettings> = {}) {
    this.#runs = runs;
    this.#settings = { every: everyInterval, heartbeatMs: 15_000, maxWaiting: 2_000, ...settings };
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Throws run_not_found for an unknown run. */
  open(query: LiveQuery, cutOff: CutOff = () => {}): ReadableStream<Uint8Array> {
    const { every, heartbeatMs, maxWaiting } = this.#settings;
    const state = query.run === undefined ? undefined : this.#runs.get(query.run);
    const waiting: string[] = [];
    let isLast = false;
    const stream = new ClientStream({ every, heartbeatMs }, cutOff);
    const hear = (live: Live) => {
      if (isLast || !isWanted(live, query)) return;
      // Whoever does not keep up misses deltas; the states that matter follow.
      if (live.run === undefined && waiting.length >= maxWaiting) return;
      waiting.push(frame(live));
      isLast = query.run !== undefined && live.run !== undefined && isOver(live.run);
      stream.wake();
    };
    if (state !== undefined) hear({ runId: state.id, projectId: state.projectId, run: state });
    return this.#streams.start(stream, {
      first: waiting.splice(0).join(""),
      listen: () => this.#runs.subscribe(hear),
      next: () => (waiting.length === 0 ? undefined : waiting.splice(0).join("")),
      isLast: () => isLast,
    });
  }

  endAll(): void {
    this.#streams.endAll();
  }
}

function isWanted(live: Live, { run, project }: LiveQuery): boolean {
  return (run === undefined || live.runId === run) && (project === undefined || live.projectId === project);
}

function frame(live: Live): string {
  return `event: ${live.run === undefined ? "delta" : "run"}\ndata: ${JSON.stringify(live)}\n\n`;
}
