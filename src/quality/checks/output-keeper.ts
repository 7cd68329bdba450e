/** What a command printed, in bounded memory: its beginning, for those who parse it, and its end, for people. */
export class OutputKeeper {
  readonly #most: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const part = chunk.subarray(0, this.#most - this.#headBytes);
    if (part.length > 0) {
      this.#head.push(part);
      this.#headBytes += part.length;
    }
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    if (this.#tailBytes < 2 * TAIL) return;
    // Copied, so that the chunks it is cut from can go.
    this.#tail = [Buffer.from(Buffer.concat(this.#tail).subarray(-TAIL))];
    this.#tailBytes = TAIL;
  }

  /** Whether the beginning is all there is. */
  get isWhole(): boolean {
    return this.#total === this.#headBytes;
  }

  /** Bytes that the end lacks. */
  get leftOut(): number {
    return Math.max(0, this.#total - TAIL);
  }

  beginning(): string {
    return Buffer.concat(this.#head).toString("utf8");
  }

  end(): string {
    const text = Buffer.concat(this.#tail).subarray(-TAIL).toString("utf8");
    return this.leftOut === 0 ? text : `(${this.leftOut} bytes left out)\n${text}`;
  }
}

const TAIL = 64 * 1024;
