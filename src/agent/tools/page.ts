import { charactersIn } from "../../contract/words/tokens.ts";

/** What one answer of a tool may take up: enough to work with, little enough not to crowd out the rest. */
const ANSWER_TOKENS = 10_000;
/** In bytes: letters that take several of them are about as many tokens. */
const ROOM = charactersIn(ANSWER_TOKENS);

/** Room in an answer, used up line by line. */
export class Room {
  #left = ROOM;

  /** Whether the line has a place; the first always has. */
  take(line: string): boolean {
    const isFirst = this.#left === ROOM;
    const size = Buffer.byteLength(line) + 1;
    if (size > this.#left && !isFirst) return false;
    this.#left -= size;
    return true;
  }
}

/** A stretch of a long list, and how to get the next one. */
export class Page {
  readonly #offset: number;
  readonly #most: number;
  readonly #room = new Room();
  readonly #shown: string[] = [];
  #seen = 0;
  #isFull = false;

  /** `offset` counts from 1. */
  constructor({ offset, most }: { offset: number; most: number }) {
    this.#offset = offset;
    this.#most = most;
  }

  /** How many more it can use at most: what comes before it, what it shows, and one to know that there are others. */
  get wanted(): number {
    return this.#offset + this.#most - this.#seen;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  add(item: string): void {
    this.#seen++;
    if (this.#isFull || this.#seen < this.#offset) return;
    if (this.#shown.length < this.#most && this.#room.take(item)) this.#shown.push(item);
    else this.#isFull = true;
  }

  /** `what` in the plural. */
  text(what: string): string {
    if (this.#seen === 0) return `(no ${what})`;
    if (this.#shown.length === 0) return `(there are only ${this.#seen} ${what})`;
    const last = this.#offset + this.#shown.length - 1;
    const more = this.#isFull ? [`(${what} ${this.#offset} to ${last}; continue with offset ${last + 1})`] : [];
    return [...this.#shown, ...more].join("\n");
  }
}
