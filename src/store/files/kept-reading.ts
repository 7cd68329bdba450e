import { type Stats, statSync } from "node:fs";

/** Changed so recently, a file may change again without getting another time: file systems count in ticks of their clock. */
const SETTLED_MS = 100;
/** Some have ticks of a second or two. */
const LONG_TICK_MS = 1_000;
const LONG_SETTLED_MS = 3_000;

/**
 * What was made of files and folders, kept for as long as they stay the same. Of a folder that is what it contains, not
 * what is in it. One look at the file's state takes the place of opening and reading it.
 */
export class KeptReading<Value> {
  readonly #most: number;
  readonly #now: () => number;
  readonly #kept = new Map<string, { stats: Stats; value: Value }>();

  /** `most`: how many are kept. */
  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  /**
   * `path`: absolute. What a path led to before, and leads to again, is the same whatever links are on the way. `read` throws
   * where it failed: nothing is kept of that, because the next attempt may succeed. `nothing`: of a path that leads to none.
   */
  of(path: string, read: () => Value, nothing?: Value): Value {
    const stats = stateOf(path);
    if (stats === undefined && nothing !== undefined) return nothing;
    const kept = this.#kept.get(path);
    if (kept !== undefined && typeof stats === "object" && isSame(kept.stats, stats)) return kept.value;
    const value = read();
    this.#kept.delete(path);
    if (stats === undefined || stats === "hidden" || !this.#isSettled(stats)) return value;
    if (this.#kept.size >= this.#most) this.#kept.clear();
    this.#kept.set(path, { stats, value });
    return value;
  }

  #isSettled({ mtimeMs, ctimeMs }: Stats): boolean {
    const at = Math.max(mtimeMs, ctimeMs);
    return this.#now() - at > (at % LONG_TICK_MS === 0 ? LONG_SETTLED_MS : SETTLED_MS);
  }
}

/** Undefined where there is nothing, `hidden` where it may not be looked at. */
function stateOf(path: string): Stats | "hidden" | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return "hidden";
  }
}

/** The time of the last change of its state too, which nobody can set back. */
function isSame(left: Stats, right: Stats): boolean {
  return (
    left.ino === right.ino &&
    left.size === right.size &&
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.dev === right.dev
  );
}
