import type { Clock } from "../../store/ids.ts";

/** The longest sleep: a clock that was set, and a machine that slept, are noticed after this. */
const LONGEST_MS = 2_000;
const SET_BACK_MS = 60_000;

interface Parts {
  clock: Clock;
  onDue: (names: string[]) => void;
}

/** When each trigger is to be looked at, over one timer. Nothing is done while none has a time. */
export class DueTimes {
  readonly #parts: Parts;
  readonly #times = new Map<string, number>();
  #earliest = Number.POSITIVE_INFINITY;
  #lastNow = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  of(name: string): number | undefined {
    return this.#times.get(name);
  }

  set(name: string, at: number | undefined): void {
    if (this.#isClosed) return;
    const before = this.#times.get(name);
    if (at === undefined) this.#times.delete(name);
    else this.#times.set(name, at);
    if (at !== undefined && at < this.#earliest) this.#earliest = at;
    // Who was the earliest and is later now: the others are only looked through when that time comes.
    if (before === undefined || at === undefined || at < before || this.#timer === undefined) this.#arm();
  }

  /** Something happened: after a sleep of the machine, what is due need not wait for the timer. */
  heed(): void {
    if (!this.#isClosed && this.#parts.clock().getTime() >= this.#earliest) this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#times.size === 0 || this.#isClosed) return;
    const wait = Math.min(LONGEST_MS, Math.max(0, this.#earliest - this.#parts.clock().getTime()));
    this.#timer = setTimeout(() => this.#wake(), wait).unref();
  }

  #wake(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = this.#parts.clock().getTime();
    // A clock that was far ahead: what it made wait for years may be due now.
    if (now < this.#lastNow - SET_BACK_MS) this.#earliest = Number.NEGATIVE_INFINITY;
    const isSetBack = this.#earliest === Number.NEGATIVE_INFINITY;
    this.#lastNow = now;
    if (now >= this.#earliest) {
      const due = [...this.#times].filter(([, at]) => isSetBack || at <= now).map(([name]) => name);
      for (const name of due) this.#times.delete(name);
      this.#earliest = Math.min(Number.POSITIVE_INFINITY, ...this.#times.values());
      this.#parts.onDue(due);
    }
    this.#arm();
  }
}
