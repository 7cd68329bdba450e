import type { JournalEntry } from "../contract/journal.ts";

/**
 * Milliseconds a run has used in its earlier lives, as far as its journal tells. Time in which it did nothing, because the
 * hall was down or because it waited for agents it had started, for money or for a quota, does not count.
 */
export function timeUsed(entries: readonly JournalEntry[]): number {
  let used = 0;
  let last: { at: number; isWaiting: boolean } | undefined;
  for (const entry of entries) {
    if (!isMoment(entry)) continue;
    const at = Date.parse(entry.at);
    if (entry.type !== "started" && last !== undefined && !last.isWaiting) used += Math.max(0, at - last.at);
    last = {
      at,
      isWaiting:
        entry.type === "waiting" ||
        (entry.type === "answer" && entry.calls?.some((call) => call.name === "spawn_subagent") === true),
    };
  }
  return used;
}

type Moment = Extract<JournalEntry, { type: "started" | "answer" | "waiting" | "resumed" }>;

function isMoment(entry: JournalEntry): entry is Moment {
  return ["started", "answer", "waiting", "resumed"].includes(entry.type);
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
