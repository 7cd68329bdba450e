import type { RunDiff } from "../../contract/runs/run.ts";

/** How long an answer counts at least. */
const SHORTEST_MS = 1_000;
/** Looking takes at most a fifth of the time, however many pages ask. */
const REST_FACTOR = 4;

interface Kept {
  diff: Promise<RunDiff>;
  /** When it counts no more; undefined while it is being made. */
  until?: number;
}

/** The diffs of runs that are not over, each made once for all who ask within a moment. */
export class LiveDiffs {
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();

  constructor(now: () => number) {
    this.#now = now;
  }

  of(runId: string, make: () => Promise<RunDiff>): Promise<RunDiff> {
    this.#forgetOld();
    const known = this.#kept.get(runId);
    if (known !== undefined) return known.diff;
    const begun = this.#now();
    const kept: Kept = { diff: make() };
    this.#kept.set(runId, kept);
    const rest = () => {
      const ended = this.#now();
      kept.until = ended + Math.max(SHORTEST_MS, REST_FACTOR * (ended - begun));
    };
    kept.diff.then(rest, () => this.#kept.delete(runId));
    return kept.diff;
  }

  #forgetOld(): void {
    const now = this.#now();
    for (const [runId, { until = Number.POSITIVE_INFINITY }] of this.#kept) if (until <= now) this.#kept.delete(runId);
  }
}
