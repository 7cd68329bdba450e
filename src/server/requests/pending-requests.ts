import type { ServerResponse } from "node:http";

/** Counts the requests that have not been answered to the end. */
export class PendingRequests {
  readonly #answers = new Set<ServerResponse>();
  #whenDone: (() => void) | undefined;

  get closing(): boolean {
    return this.#whenDone !== undefined;
  }

  add(answer: ServerResponse): void {
    this.#answers.add(answer);
    answer.once("close", () => {
      this.#answers.delete(answer);
      if (this.#answers.size === 0) this.#whenDone?.();
    });
  }

  /** Resolves when all are answered, or after `within` milliseconds. From now on the server is closing. */
  finish(within: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, within);
      this.#whenDone = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#answers.size === 0) this.#whenDone();
    });
  }
}
