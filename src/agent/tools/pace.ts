import { setImmediate as nextTurn } from "node:timers/promises";

/** How long work may hold the thread before others get a turn. */
const STRETCH_MS = 10;

/** Milliseconds of a clock that only goes forward. */
export type Now = () => number;

/** Keeps long work from holding up everything else in the process, and ends it when nobody wants it any more. */
export class Pace {
  readonly #signal: AbortSignal;
  readonly #now: Now;
  readonly #start: number;
  #rested: number;

  constructor(signal: AbortSignal, now: Now) {
    this.#signal = signal;
    this.#now = now;
    this.#start = this.#rested = now();
  }

  get elapsedMs(): number {
    return this.#now() - this.#start;
  }

  /** To be asked often; it takes next to no time while no rest is due. */
  get isRestDue(): boolean {
    return this.#signal.aborted || this.#now() - this.#rested >= STRETCH_MS;
  }

  /** Rejects with the signal's reason. */
  async rest(): Promise<void> {
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#rested = this.#now();
  }
}
