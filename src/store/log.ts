import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { HallError } from "../contract/errors.ts";
import { type LogTail, readTail } from "./log-reader.ts";

const fdatasyncFile = promisify(fdatasync);

/** Resolves when everything written to the descriptor is on disk. */
type Sync = (fd: number) => Promise<void>;

interface Waiting {
  bytes: Buffer;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * An append-only JSONL file with one writer. `append` resolves when the line is on disk; lines that wait together are
 * written and synced together. After a failed sync the log refuses everything until it is opened again, because a second
 * sync may report success for data that is gone.
 */
export class Log {
  readonly #fd: number;
  readonly #sync: Sync;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #failure: unknown;

  private constructor(fd: number, sync: Sync) {
    this.#fd = fd;
    this.#sync = sync;
  }

  /**
   * Opens the log and answers its last lines, `atLeast` so many if it has them. A torn tail is kept beside it as
   * `<path>.torn-<size>`. Opening twice changes nothing the second time.
   */
  static open(path: string, atLeast: number, sync: Sync = fdatasyncFile): { log: Log; tail: LogTail } {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
    try {
      const tail = readTail(path, atLeast);
      repair(fd, path, tail);
      return { log: new Log(fd, sync), tail };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  append(line: string): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: Buffer.from(`${line}\n`, "utf8"), resolve, reject });
      this.#flushing ??= this.#flush();
    });
  }

  async close(): Promise<void> {
    await this.#flushing;
    this.#failure ??= new HallError("stopping", "The log is closed.");
    closeSync(this.#fd);
  }

  async #flush(): Promise<void> {
    // Lets every append of this turn of the event loop join the first batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#commit(batch);
    }
    this.#flushing = undefined;
  }

  async #commit(batch: Waiting[]): Promise<void> {
    const before = fstatSync(this.#fd).size;
    try {
      writeWhole(this.#fd, Buffer.concat(batch.map((entry) => entry.bytes)));
      await this.#sync(this.#fd);
      for (const entry of batch) entry.resolve();
    } catch (error) {
      this.#failure = error;
      cut(this.#fd, before);
      for (const entry of [...batch, ...this.#waiting]) entry.reject(error);
      this.#waiting = [];
    }
  }
}

function writeWhole(fd: number, bytes: Buffer): void {
  if (writeSync(fd, bytes) < bytes.length)
    throw Object.assign(new Error("The log could not be written whole."), { code: "ENOSPC" });
}

/** Takes away lines that their writers were told are not there. Where even that fails, the next start finds them whole or torn. */
function cut(fd: number, size: number): void {
  try {
    ftruncateSync(fd, size);
  } catch {}
}

function repair(fd: number, path: string, tail: LogTail): void {
  if (tail.torn.length > 0) {
    keepAside(`${path}.torn-${tail.end}`, tail.torn);
    ftruncateSync(fd, tail.end);
  }
  if (tail.lacksNewline) writeSync(fd, "\n");
  if (tail.torn.length > 0 || tail.lacksNewline) fdatasyncSync(fd);
}

/** What was torn at the same place before, and was something else, stays. */
function keepAside(path: string, bytes: Buffer): void {
  let name = path;
  for (let number = 2; existsSync(name) && !readFileSync(name).equals(bytes); number++) name = `${path}-${number}`;
  writeFileSync(name, bytes, { mode: 0o600, flush: true });
}
