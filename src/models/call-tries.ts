import type { ModelFailure } from "../contract/runs/model-call.ts";
import type { Trouble } from "./provider-pauses.ts";

const TRIES = 4;

/** The tries of one call. Those before it waited for its provider do not count: that they failed was not its fault. */
export class CallTries {
  readonly #call: object;
  readonly #uptime: () => number;
  #since: number | undefined;
  #recently: number | undefined;
  #waitedSince: number | undefined;
  #rounds = 0;
  #texts: string[] = [];

  constructor(call: object, uptime: () => number) {
    this.#call = call;
    this.#uptime = uptime;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  get isLast(): boolean {
    return this.#texts.length + 1 >= TRIES;
  }

  /** A try failed, and there will be another. */
  count(failure: ModelFailure): void {
    this.#texts.push(failure.message);
  }

  /** A try failed. `wasAnswered`: whether the provider answered anybody since that time. */
  met(wasAnswered: (since: number) => boolean): Trouble {
    const now = this.#uptime();
    this.#since ??= now;
    this.#recently ??= now;
    if (this.#waitedSince !== undefined && wasAnswered(this.#waitedSince)) this.#rounds++;
    this.#waitedSince = undefined;
    return {
      call: this.#call,
      since: this.#since,
      recently: this.#recently,
      rounds: this.#rounds,
      isLast: this.isLast,
    };
  }

  /** It waits until its provider takes calls, and begins anew then. */
  wait(): void {
    this.#waitedSince = this.#uptime();
    this.#recently = undefined;
    this.#texts = [];
  }
}
