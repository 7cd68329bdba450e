import { isAway } from "./failure.ts";

/** Random enough to be nobody else's. Not `randomUUID`, which there is none of where the page comes over the network. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}

/** Gives a request the key that it had before while its answer is not known, so that the daemon does it once. */
export class Repeats {
  #open: { asked: string; key: string } | undefined;

  keyFor(ask: unknown): string {
    const asked = JSON.stringify(ask) ?? "";
    if (this.#open?.asked !== asked) this.#open = { asked, key: randomKey() };
    return this.#open.key;
  }

  /** What is asked from now on is meant anew, unless nobody can know whether it was done. */
  settled(error: unknown): void {
    if (!isAway(error)) this.#open = undefined;
  }
}
