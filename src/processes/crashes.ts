import { backoffMs, NO_JITTER } from "../contract/backoff.ts";

const WITHIN_MS = 60_000;
const MOST = 3;
const RESTART = { firstMs: 250, longestMs: 1_000, factor: 4 };
/** When there were too many and the project could not be suspended, as on a full disk: what it tries again costs money. */
const LATE_PAUSE_MS = 10_000;

/**
 * How often the processes of projects have died lately. Runs that come to their end in between show that the process works
 * in principle, so only crashes since the last of them count.
 */
export class Crashes {
  readonly #now: () => number;
  readonly #times = new Map<string, number[]>();

  /** `now`: milliseconds of a clock that never jumps. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a crash down. Answers how many that makes, and whether they are too many. */
  note(projectId: string): { crashes: number; tooMany: boolean } {
    const times = [...this.#recent(projectId), this.#now()];
    this.#times.set(projectId, times);
    return { crashes: times.length, tooMany: times.length >= MOST };
  }

  forget(projectId: string): void {
    this.#times.delete(projectId);
  }

  /** How long to wait before a process of the project is started again. */
  pauseMs(projectId: string): number {
    const times = this.#recent(projectId);
    const last = times.at(-1);
    if (last === undefined) return 0;
    const early = backoffMs(RESTART, times.length, NO_JITTER);
    const pauseMs = times.length >= MOST ? LATE_PAUSE_MS : early;
    return Math.max(0, last + pauseMs - this.#now());
  }

  #recent(projectId: string): number[] {
    return this.#times.get(projectId)?.filter((time) => time > this.#now() - WITHIN_MS) ?? [];
  }
}
