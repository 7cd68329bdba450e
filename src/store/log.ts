import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { HallError } from "../contract/errors.ts";

const fdatasyncFile = promisify(fdatasync);
const NEWLINE = 0x0a;

export interface LogLine {
  /** 1-based line in the file. */
  line: number;
  text: string;
  value: Record<string, unknown>;
}

export interface LogContent {
  lines: LogLine[];
  bad: { line: number; reason: string }[];
  /** Where the last complete line ends; bytes after it are a torn tail. */
  end: number;
  bytes: number;
}

/** Reads a JSONL file: every well-formed line is kept, every other is reported. Lines end at byte 0x0A only. */
export function parseLog(bytes: Buffer): LogContent {
  const content: LogContent = { lines: [], bad: [], end: 0, bytes: bytes.length };
  let start = bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
  for (let line = 1; start < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const stop = newline === -1 ? bytes.length : newline;
    const outcome = parseLine(bytes.subarray(start, stop));
    if (outcome.kind === "object") content.lines.push({ line, text: outcome.text, value: outcome.value });
    if (outcome.kind === "bad" && newline !== -1) content.bad.push({ line, reason: outcome.reason });
    if (newline === -1) {
      // A last line without its newline counts only when it is whole; the newline is added on repair.
      if (outcome.kind === "object") content.end = bytes.length;
      return content;
    }
    content.end = newline + 1;
    start = newline + 1;
  }
  return content;
}

type LineOutcome =
  | { kind: "object"; text: string; value: Record<string, unknown> }
  | { kind: "blank" }
  | { kind: "bad"; reason: string };

const decoder = new TextDecoder("utf-8", { fatal: true });

function parseLine(bytes: Buffer): LineOutcome {
  try {
    const text = decoder.decode(bytes);
    if (text.trim() === "") return { kind: "blank" };
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { kind: "bad", reason: "not a JSON object" };
    return { kind: "object", text, value: value as Record<string, unknown> };
  } catch (error) {
    return { kind: "bad", reason: error instanceof SyntaxError ? "not JSON" : "not UTF-8" };
  }
}

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
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #failure: unknown;

  private constructor(fd: number) {
    this.#fd = fd;
  }

  /** Opens the log, keeping a torn tail beside it as `<path>.torn-<size>`. Opening twice changes nothing the second time. */
  static open(path: string): { log: Log; content: LogContent } {
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
    const bytes = readFileSync(path);
    const content = parseLog(bytes);
    if (content.end < bytes.length) {
      writeFileSync(`${path}.torn-${content.end}`, bytes.subarray(content.end), { mode: 0o600 });
      ftruncateSync(fd, content.end);
    }
    if (content.end > 0 && bytes[content.end - 1] !== NEWLINE) writeSync(fd, "\n");
    return { log: new Log(fd), content };
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
    try {
      this.#write(Buffer.concat(batch.map((entry) => entry.bytes)));
      await fdatasyncFile(this.#fd);
      for (const entry of batch) entry.resolve();
    } catch (error) {
      this.#failure = error;
      for (const entry of [...batch, ...this.#waiting]) entry.reject(error);
      this.#waiting = [];
    }
  }

  #write(bytes: Buffer): void {
    const before = fstatSync(this.#fd).size;
    let written = 0;
    try {
      written = writeSync(this.#fd, bytes);
      if (written < bytes.length)
        throw Object.assign(new Error("The log could not be written whole."), { code: "ENOSPC" });
    } catch (error) {
      ftruncateSync(this.#fd, before);
      throw error;
    }
  }
}

const CHUNK = 256 * 1024;

/**
 * Visits the complete lines of a log from a byte offset on, in bounded memory, until the visitor answers false.
 * The visitor gets the line's text and the offset at which the line starts.
 */
export function scanLog(path: string, from: number, visit: (text: string, offset: number) => boolean): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    let rest = Buffer.alloc(0);
    let offset = from;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const count = readSync(fd, chunk, 0, CHUNK, offset + rest.length);
      if (count === 0) return;
      const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
      let start = 0;
      for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
        if (!visit(bytes.toString("utf8", start, newline), offset + start)) return;
        start = newline + 1;
      }
      offset += start;
      rest = bytes.subarray(start);
    }
  } finally {
    closeSync(fd);
  }
}
