interface Queue {
  /** Ends when the last work that was to have the key alone has ended. Never rejects, nor do the others. */
  alone: Promise<unknown>;
  /** Shared work asked for since then. */
  shared: Set<Promise<unknown>>;
  /** How much work has not ended. */
  size: number;
}

/** Runs work on one key in the order it was asked for; different keys do not wait for each other. */
export class Locks {
  readonly #queues = new Map<string, Queue>();

  /** Has the key alone. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queueOf(key);
    const before = queue.shared.size === 0 ? queue.alone : Promise.all([queue.alone, ...queue.shared]);
    const result = before.then(work);
    queue.shared.clear();
    queue.alone = this.#end(key, queue, result);
    return result;
  }

  /** Has the key together with other shared work, but never beside work that has it alone. */
  share<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queueOf(key);
    const result = queue.alone.then(work);
    const ended: Promise<unknown> = this.#end(key, queue, result).then(() => queue.shared.delete(ended));
    queue.shared.add(ended);
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
    while (this.#queues.size > 0)
      await Promise.all([...this.#queues.values()].flatMap((queue) => [queue.alone, ...queue.shared]));
  }

  #queueOf(key: string): Queue {
    const queue = this.#queues.get(key) ?? { alone: Promise.resolve(), shared: new Set(), size: 0 };
    this.#queues.set(key, queue);
    return queue;
  }

  #end(key: string, queue: Queue, result: Promise<unknown>): Promise<void> {
    queue.size++;
    const leave = () => {
      if (--queue.size === 0) this.#queues.delete(key);
    };
    return result.then(leave, leave);
  }
}
