import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

/**
 * Tells later whether anyone else wrote to a file: its size, time and inode, kept beside it. Whoever writes to the file
 * lifts the seal first and sets it again afterwards; a crash in between leaves none.
 */
export class Seal {
  readonly #file: string;
  readonly #path: string;

  constructor(file: string) {
    this.#file = file;
    this.#path = `${file}.seal`;
  }

  state(): "whole" | "broken" | "none" {
    try {
      return readFileSync(this.#path, "utf8") === this.#mark() ? "whole" : "broken";
    } catch {
      return "none";
    }
  }

  lift(): void {
    rmSync(this.#path, { force: true });
  }

  /** A seal that cannot be written, because the disk is full, is none. */
  set(): void {
    try {
      writeFileSync(this.#path, this.#mark(), { mode: 0o600 });
    } catch {
      this.lift();
    }
  }

  #mark(): string {
    const stats = statSync(this.#file, { throwIfNoEntry: false });
    return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
  }
}
