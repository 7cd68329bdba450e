import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const { O_CREAT, O_NOFOLLOW, O_TRUNC, O_WRONLY } = constants;

/** Takes what a program says, up to a size; the rest is counted only. Not synced: it serves those who look now. */
export class OutputFile {
  readonly #absolute: string;
  readonly #most: number;
  #fd: number | undefined;
  #kept = 0;
  #isBroken = false;

  /** Nothing is made before there is something to keep. */
  constructor(absolute: string, most: number) {
    this.#absolute = absolute;
    this.#most = most;
  }

  /** Bytes that are in the file. */
  get kept(): number {
    return this.#kept;
  }

  /** Whether it takes no more. */
  get isFull(): boolean {
    return this.#isBroken || this.#kept >= this.#most;
  }

  /** A disk that takes no more must not keep the program from running: what is kept is then less. */
  add(chunk: Uint8Array): void {
    const part = chunk.subarray(0, this.#most - this.#kept);
    if (part.length === 0 || this.#isBroken) return;
    try {
      this.#fd ??= this.#open();
      this.#kept += writeSync(this.#fd, part);
    } catch {
      this.#isBroken = true;
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): number {
    mkdirSync(dirname(this.#absolute), { recursive: true, mode: 0o700 });
    return openSync(this.#absolute, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  }
}
