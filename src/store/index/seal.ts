import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

/**
 * Tells later whether anyone else wrote to a file: its size, time and inode, kept beside it. Whoever writes to the file
 * lifts the seal first and sets it again afterwards; a crash in between leaves none.
 */
export class Seal {
  readonly #file: string;
  readonly #path: string;
  /** The state in which the file was last left; undefined while it is being written to. */
  #left: string | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#path = `${file}.seal`;
  }

  state(): "whole" | "broken" | "none" {
    try {
      const mark = this.#mark();
      if (mark === undefined) return "none";
      return readFileSync(this.#path, "utf8") === mark ? "whole" : "broken";
    } catch {
      return "none";
    }
  }

  /** The file is as it should be, whether or not there is a seal. */
  watch(): void {
    this.#left = this.#mark();
  }

  /** Whether anyone else wrote to the file since it was sealed, or watched. No while the disk does not say. */
  isBroken(): boolean {
    const mark = this.#left === undefined ? undefined : this.#mark();
    return mark !== undefined && mark !== this.#left;
  }

  lift(): void {
    this.#left = undefined;
    rmSync(this.#path, { force: true });
  }

  /** A seal that cannot be written, because the disk is full, is none. */
  set(): void {
    const mark = this.#mark();
    try {
      if (mark !== undefined) writeFileSync(this.#path, mark, { mode: 0o600 });
    } catch {
      rmSync(this.#path, { force: true });
    }
    this.#left = mark;
  }

  /** Undefined where the disk fails. */
  #mark(): string | undefined {
    try {
      const stats = statSync(this.#file, { throwIfNoEntry: false });
      return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
    } catch {
      return undefined;
    }
  }
}
