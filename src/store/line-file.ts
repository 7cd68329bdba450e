import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";

const sync = promisify(fdatasync);
const SYNC_MS = 25;

/**
 * A JSONL file whose lines are in the file when `append` returns, so that they outlive the process, and on the disk a
 * moment later, many with one sync. For what must not be waited for; `Log` is for what must be on disk first.
 */
export class LineFile {
  readonly #fd: number;
  readonly #onTrouble: (error: unknown) => void;
  #lacksNewline: boolean;
  #syncing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(path: string, onTrouble: (error: unknown) => void) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
    this.#onTrouble = onTrouble;
    this.#lacksNewline = lacksNewline(this.#fd);
  }

  /** Whether its file was removed or replaced: nobody would ever read what is written there. */
  get isGone(): boolean {
    return fstatSync(this.#fd).nlink === 0;
  }

  /** Throws when the line could not be written whole. A torn one is left behind as a line that nobody can read. */
  append(line: string): void {
    const bytes = Buffer.from(`${this.#lacksNewline ? "\n" : ""}${line}\n`, "utf8");
    this.#lacksNewline = true;
    if (writeSync(this.#fd, bytes) < bytes.length)
      throw Object.assign(new Error("The line could not be written whole."), { code: "ENOSPC" });
    this.#lacksNewline = false;
    this.#timer ??= setTimeout(() => this.#flush(), SYNC_MS).unref();
  }

  /** Everything is on disk when it resolves. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    await this.#syncing;
    closeSync(this.#fd);
  }

  #flush(): void {
    this.#timer = undefined;
    const before = this.#syncing ?? Promise.resolve();
    this.#syncing = before.then(() => sync(this.#fd)).catch(this.#onTrouble);
  }
}

function lacksNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
