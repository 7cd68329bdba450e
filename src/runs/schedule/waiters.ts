import { HallError } from "../../contract/errors.ts";

/** Those who wait for a run: when the hall stops they are told that it goes on another time. */
export class Waiters {
  readonly #waiting = new Set<(stopping: HallError) => void>();
  #isStopping = false;

  stop(): void {
    this.#isStopping = true;
    for (const tell of this.#waiting) tell(stopping());
  }

  /** A promise of its own for each: one for all would keep every answer in memory until the hall stops. */
  unlessStopping<Value>(work: Promise<Value>): Promise<Value> {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#waiting.add(reject);
    if (this.#isStopping) reject(stopping());
    return Promise.race([work, promise]).finally(() => this.#waiting.delete(reject));
  }
}

function stopping(): HallError {
  return new HallError("stopping", "Guildhall is stopping; the run continues after the restart.");
}
