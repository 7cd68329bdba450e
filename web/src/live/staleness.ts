import type { QueryKey } from "@tanstack/react-query";

export interface StalenessPort {
  /** Asks again for what is shown under a key. Resolves when the answers are there, or failed. */
  refetch(key: QueryKey): Promise<unknown>;
  isHidden(): boolean;
  now(): number;
  after(ms: number, task: () => void): void;
}

/** How long a key rests after it was asked for: once, and at most while it is made stale again and again. */
const REST_MS = { first: 100, most: 1_000, hidden: 2_000 };
/** Whatever takes the daemon long rests that many times longer. */
const REST_PER_MS = 4;

interface Rest {
  key: QueryKey;
  /** How often it was asked for without having been left in peace in between. */
  rounds: number;
  isStaleAgain: boolean;
}

/**
 * What events have made untrue. A first event is answered at once; where events do not end, each key is asked for less and
 * less often, and never while an answer is on its way, which would be thrown away.
 */
export class Staleness {
  readonly #port: StalenessPort;
  readonly #resting = new Map<string, Rest>();

  constructor(port: StalenessPort) {
    this.#port = port;
  }

  mark(keys: readonly QueryKey[]): void {
    for (const key of keys) {
      const name = JSON.stringify(key);
      const rest = this.#resting.get(name);
      if (rest !== undefined) rest.isStaleAgain = true;
      else void this.#ask(name, { key, rounds: 0, isStaleAgain: false });
    }
  }

  async #ask(name: string, rest: Rest): Promise<void> {
    this.#resting.set(name, rest);
    const { refetch, now, after, isHidden } = this.#port;
    const began = now();
    await refetch(rest.key).catch(() => undefined);
    const least = isHidden() ? REST_MS.hidden : Math.min(REST_MS.first * 2 ** rest.rounds, REST_MS.most);
    after(Math.max(least, (now() - began) * REST_PER_MS), () => this.#rested(name, rest));
  }

  #rested(name: string, { key, rounds, isStaleAgain }: Rest): void {
    this.#resting.delete(name);
    if (isStaleAgain) void this.#ask(name, { key, rounds: rounds + 1, isStaleAgain: false });
  }
}
