import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";

const sync = promisify(fdatasync);
const SYNC_MS = 25;
/** More than any line is likely to have; read as an empty line, should it be left behind. */
const PROBE = Buffer.alloc(8_192, " ");

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

  /** Throws when the line could not be written whole. A torn one is cut off, or else left as a line that nobody can read. */
  append(line: string): void {
    const before = fstatSync(this.#fd).size;
    const wasTorn = this.#lacksNewline;
    this.#lacksNewline = true;
    try {
      this.#write(Buffer.from(`${wasTorn ? "\n" : ""}${line}\n`, "utf8"));
    } catch (error) {
      if (this.#cut(before)) this.#lacksNewline = wasTorn;
      throw error;
    }
    this.#lacksNewline = false;
    this.#timer ??= setTimeout(() => this.#flush(), SYNC_MS).unref();
  }

  /** Throws when there is no room for a line, or it cannot be written. Leaves the file as it was. */
  probe(): void {
    const before = fstatSync(this.#fd).size;
    try {
      this.#write(PROBE);
    } finally {
      if (!this.#cut(before)) this.#lacksNewline = true;
    }
  }

  #write(bytes: Buffer): void {
    if (writeSync(this.#fd, bytes) < bytes.length)
      throw Object.assign(new Error("The line could not be written whole."), { code: "ENOSPC" });
  }

  #cut(size: number): boolean {
    try {
      ftruncateSync(this.#fd, size);
      return true;
    } catch {
      return false;
    }
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
