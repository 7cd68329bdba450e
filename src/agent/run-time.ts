import type { JournalEntry } from "../contract/runs/journal.ts";
import { WAITS_FOR_AGENT } from "../contract/words/tool-names.ts";

/**
 * Milliseconds a run has used in its earlier lives, as far as its journal tells. Time in which it did nothing, because the
 * hall was down or because it waited for agents it had started, for money or for a quota, does not count.
 */
export function timeUsed(entries: readonly JournalEntry[]): number {
  let used = 0;
  let isWaiting = false;
  for (const { entry, took } of momentsIn(entries)) {
    if (entry.type === "ended") continue;
    if (!isWaiting) used += took;
    isWaiting =
      entry.type === "waiting" ||
      (entry.type === "answer" && entry.calls?.some((call) => WAITS_FOR_AGENT.includes(call.name)) === true);
  }
  return used;
}

/** Milliseconds in which a process had the run, whether it worked or waited; never the time in between. */
export function timeTaken(entries: readonly JournalEntry[]): number {
  return momentsIn(entries).reduce((sum, { took }) => sum + took, 0);
}

/** An entry with how long the process had been at the run by then. */
export function stamped(entry: JournalEntry, up: number): JournalEntry {
  return isMoment(entry) && entry.type !== "started" ? { ...entry, up: Math.round(up) } : entry;
}

const MOMENTS = ["started", "answer", "waiting", "resumed", "ended"] as const;
type Moment = Extract<JournalEntry, { type: (typeof MOMENTS)[number] }>;

/** Each with the milliseconds since the one before in the same life of the run. */
function momentsIn(entries: readonly JournalEntry[]): { entry: Moment; took: number }[] {
  let last: { at: number; up: number } | undefined;
  return entries.filter(isMoment).map((entry) => {
    const at = Date.parse(entry.at);
    const before = last;
    const up = entry.type === "started" ? 0 : entry.up;
    last = { at, up: up ?? before?.up ?? 0 };
    if (entry.type === "started" || before === undefined) return { entry, took: 0 };
    // Only the clock on the wall is known of older journals, and it may have been set.
    return { entry, took: Math.max(0, up === undefined ? at - before.at : up - before.up) };
  });
}

function isMoment(entry: JournalEntry): entry is Moment {
  return MOMENTS.some((type) => type === entry.type);
}

/** What a run may still take. It stands still while the run waits for others. */
export class Deadline {
  readonly #onOver: () => void;
  #left: number;
  #since = 0;
  #pauses = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, onOver: () => void) {
    this.#left = Math.max(1, milliseconds);
    this.#onOver = onOver;
    this.#run();
  }

  /** Milliseconds. */
  get left(): number {
    return this.#pauses > 0 ? this.#left : Math.max(0, this.#left - (performance.now() - this.#since));
  }

  /** Pauses may overlap; time runs again when the last one is over. */
  async pauseDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#pauses++ === 0) this.#stand();
    try {
      return await work();
    } finally {
      if (--this.#pauses === 0) this.#run();
    }
  }

  clear(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
  }

  #stand(): void {
    clearTimeout(this.#timer);
    this.#left = Math.max(1, this.#left - (performance.now() - this.#since));
  }

  #run(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onOver, this.#left);
    this.#timer.unref();
  }
}
