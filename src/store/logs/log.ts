import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  open,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { HallError } from "../../contract/errors.ts";
import { noteChange } from "../files/change-watch.ts";
import { type LogTail, parseLine, readTail, readTorn } from "./log-reader.ts";

const fdatasyncFile = promisify(fdatasync);
const _openFile = promisify(open);
const _NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

const NOTHING = Buffer.alloc(0);

/** How long a line that nobody waits for may be in the file before it is synced. */
const UNAWAITED_MS = 25;

/** Resolves when everything written to the descriptor is on disk. */
type Sync = (fd: number) => Promise<void>;

/** What becomes of a line that is written. */
export interface LineUse {
  /** Nothing comes of it before it is on disk, unless it says otherwise: then it is synced with the next that does, or a moment later. */
  isAwaited?: boolean;
  /** Called when the line is in the file, where everybody can read it, and may not be on disk yet. Must not throw. */
  onWritten?: (() => void) | undefined;
}

interface Waiting {
  bytes: Buffer;
  isAwaited: boolean;
  onWritten: (() => void) | undefined;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * An append-only JSONL file with one writer. `append` resolves when the line is on disk; lines that wait together are
 * written and synced together. After a failed write or sync the log refuses everything until it recovers or is opened
 * again, because a second sync may report success for data that is gone.
 */
export class Log {
  readonly #fd: number;
  readonly #sync: Sync;
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  /** Lines in the file that are not synced, and how long it was before them. */
  #unsynced: { from: number; lines: Waiting[] } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isSyncDue = false;
  #failure: unknown;
  /** How long the file was before the lines that could not be written. */
  #failedAt: number | undefined;

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

  /**
   * Opens the log only to append, without reading more than its end, however long it is. A last line without its newline
   * was never acknowledged and is kept beside the log as a torn tail; where `last` says so, it counts when it is whole but
   * for its newline. Answers where the next line will start.
   */
  static openEnd(
    path: string,
    last: "acknowledged" | "whole" = "acknowledged",
    sync: Sync = fdatasyncFile,
  ): { log: Log; end: number } {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
    try {
      const { end, torn } = readTorn(fd);
      const isWhole = last === "whole" && parseLine(torn) !== undefined;
      repair(fd, path, { end, torn: isWhole ? NOTHING : torn, lacksNewline: isWhole });
      return { log: new Log(fd, sync), end: isWhole ? end + torn.length + 1 : end };
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /**
   * Whether its file was removed or replaced: nobody would ever read what is written there, so it takes nothing more.
   * Opened again, the log is the file that has taken its place.
   */
  get isGone(): boolean {
    return fstatSync(this.#fd).nlink === 0;
  }

  /** Whether a write or sync failed, and nothing is taken until it recovers. */
  get hasFailed(): boolean {
    return this.#failedAt !== undefined;
  }

  append(line: string, { isAwaited = true, onWritten }: LineUse = {}): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ bytes: Buffer.from(`${line}\n`, "utf8"), isAwaited, onWritten, resolve, reject });
      this.#flushing ??= this.#flush();
    });
    return written.then(noteChange);
  }

  /**
   * Takes lines again after a write or sync that failed. What that left behind is cut off first, so that the lines can be
   * written anew, and what is synced then is new to the disk. Throws when the disk does not let it.
   */
  recover(): void {
    if (this.#failedAt === undefined) return;
    ftruncateSync(this.#fd, this.#failedAt);
    fdatasyncSync(this.#fd);
    this.#failedAt = undefined;
    this.#failure = undefined;
  }

  async close(): Promise<void> {
    await this.#flushing;
    if (this.#unsynced !== undefined) await this.#syncNow();
    this.#failure ??= new HallError("stopping", "The log is closed.");
    this.#failedAt = undefined;
    closeSync(this.#fd);
  }

  async #flush(): Promise<void> {
    // Lets every append of this turn of the event loop join the first batch, whichever callback it comes from.
    await nextTurn();
    while (this.#waiting.length > 0 || this.#isSyncDue) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#commit(batch);
    }
    this.#flushing = undefined;
  }

  async #commit(written: Waiting[]): Promise<void> {
    let before = this.#unsynced?.from;
    const batch = [...(this.#unsynced?.lines ?? []), ...written];
    this.#unsynced = undefined;
    try {
      const { size, nlink } = fstatSync(this.#fd);
      before ??= size;
      if (nlink === 0) throw Object.assign(new Error("The log's file was removed or replaced."), { code: "EIO" });
      if (written.length > 0) writeWhole(this.#fd, Buffer.concat(written.map((entry) => entry.bytes)));
      const isPutOff = !this.#isSyncDue && batch.every(({ isAwaited }) => !isAwaited);
      if (!isPutOff) this.#endWait();
      const synced = isPutOff ? undefined : this.#sync(this.#fd);
      for (const entry of written) entry.onWritten?.();
      if (synced === undefined) {
        this.#unsynced = { from: before, lines: batch };
        this.#timer ??= setTimeout(() => void this.#syncNow(), UNAWAITED_MS);
        return;
      }
      await synced;
      for (const entry of batch) entry.resolve();
    } catch (error) {
      this.#endWait();
      // Nothing was written where not even the end could be found: the next line may be.
      if (before !== undefined) {
        this.#failure = error;
        this.#failedAt = before;
        cut(this.#fd, before);
      }
      for (const entry of [...batch, ...this.#waiting]) entry.reject(error);
      this.#waiting = [];
    }
  }

  /** Never rejects. */
  #syncNow(): Promise<void> {
    this.#isSyncDue = true;
    this.#flushing ??= this.#flush();
    return this.#flushing;
  }

  #endWait(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isSyncDue = false;
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

function repair(fd: number, path: string, tail: Pick<LogTail, "end" | "torn" | "lacksNewline">): void {
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
