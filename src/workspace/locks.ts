/** Runs work on one key in the order it was asked for; different keys do not wait for each other. */
export class Locks {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const tail = this.#tails.get(key) ?? Promise.resolve();
    const result = tail.then(work, work);
    const settled: Promise<void> = result.then(
      () => this.#leave(key, settled),
      () => this.#leave(key, settled),
    );
    this.#tails.set(key, settled);
    return result;
  }

  /** Takes several keys, always in the same order, so that two callers never wait for each other. */
  runAll<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const [first, ...rest] = [...new Set(keys)].sort();
    if (first === undefined) return work();
    return this.run(first, () => this.runAll(rest, work));
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }

  #leave(key: string, settled: Promise<unknown>): void {
    if (this.#tails.get(key) === settled) this.#tails.delete(key);
  }
}
