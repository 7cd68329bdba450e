interface Waiting {
  owner: string;
  resolve: (release: () => void) => void;
  giveUp: () => void;
  signal: AbortSignal | undefined;
}

/**
 * A semaphore that is fair between owners: whoever holds the fewest slots is served first, among those whoever was served
 * longest ago, and each owner's own requests in their order. So one owner with a long queue delays another by one turn.
 */
export class Slots {
  readonly #size: number;
  readonly #held = new Map<string, number>();
  readonly #served = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  #used = 0;
  #turns = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get used(): number {
    return this.#used;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves with the function that gives the slot back; calling it twice does nothing more. */
  take(owner: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#used < this.#size) return Promise.resolve(this.#grant(owner));
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason);
      };
      const waiting: Waiting = { owner, resolve, giveUp, signal };
      this.#waiting.push(waiting);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  #grant(owner: string): () => void {
    this.#used++;
    this.#held.set(owner, this.#heldBy(owner) + 1);
    this.#served.set(owner, ++this.#turns);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#used--;
      this.#giveBack(owner);
      this.#next();
    };
  }

  #giveBack(owner: string): void {
    const left = this.#heldBy(owner) - 1;
    if (left === 0) this.#held.delete(owner);
    else this.#held.set(owner, left);
    if (this.#held.size === 0 && this.#waiting.length === 0) this.#served.clear();
  }

  #next(): void {
    const [first, ...others] = this.#waiting;
    if (first === undefined) return;
    const next = others.reduce((best, candidate) => (this.#goesBefore(candidate, best) ? candidate : best), first);
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    next.signal?.removeEventListener("abort", next.giveUp);
    next.resolve(this.#grant(next.owner));
  }

  #goesBefore(left: Waiting, right: Waiting): boolean {
    const held = this.#heldBy(left.owner) - this.#heldBy(right.owner);
    const served = (this.#served.get(left.owner) ?? 0) - (this.#served.get(right.owner) ?? 0);
    return held < 0 || (held === 0 && served < 0);
  }

  #heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }
}
