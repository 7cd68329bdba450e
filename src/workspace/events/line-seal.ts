import { createHash, type Hash } from "node:crypto";
import { HallError } from "../../contract/errors.ts";
import type { Files } from "../../store/files/files.ts";
import type { OpenFile } from "../../store/files/regular-file.ts";

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;
/** How many places of a file a seal can tell apart; of a file with fewer new lines, each line. */
const MOST_MARKS = 64;
/** The same where only what came since the last seal is sealed, which is done often. */
const MOST_MARKS_SINCE = 8;
const MARK_LENGTH = 6;
/** Filled and used up between two pauses, so that all can share it. */
const chunk = Buffer.allocUnsafe(CHUNK);

/** What the log says of a file of lines, or of its beginning: with it the chain of hashes covers every one of them. */
export interface LineSeal {
  /** Relative to the workspace. */
  path: string;
  bytes: number;
  lines: number;
  sha256: string;
  /** Beginnings of hashes: of all up to the line `from + every`, up to `from + 2 * every`, and so on. They find the line that differs. */
  from: number;
  every: number;
  marks: string;
}

/** The hash of everything up to each line of a file. */
export class LineDigests {
  readonly #hash: Hash = createHash("sha256");
  /** Where each line ends and the hash of all up to there. */
  readonly #ends: { bytes: number; sha256: string }[] = [];
  /** Where the last line ends. */
  #read = 0;

  get lines(): number {
    return this.#ends.length;
  }

  get bytes(): number {
    return this.#read;
  }

  /** What stands after the last newline counts as a line too. */
  read(file: Pick<OpenFile, "read">): void {
    for (const _ of this.readInSlices(file));
  }

  /** As read, with a pause wherever whoever asks wants one. */
  *readInSlices(file: Pick<OpenFile, "read">): Generator<void> {
    let open: Buffer[] = [];
    let position = 0;
    for (let count = file.read(chunk, position); count > 0; count = file.read(chunk, position)) {
      let start = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < count; at = chunk.indexOf(NEWLINE, start)) {
        this.#end([...open, chunk.subarray(start, at + 1)]);
        open = [];
        start = at + 1;
      }
      open.push(Buffer.from(chunk.subarray(start, count)));
      position += count;
      yield;
    }
    if (open.some(({ length }) => length > 0)) this.#end(open);
  }

  seal(path: string): LineSeal {
    const every = Math.max(1, Math.ceil(this.lines / MOST_MARKS));
    let marks = "";
    for (let line = every; line < this.lines + every; line += every) marks += this.#markAt(line);
    return { path, bytes: this.bytes, lines: this.lines, sha256: this.#upTo(this.lines), from: 0, every, marks };
  }

  /** The lines, counted from 1, among which the first is that is not as sealed. */
  differs({ lines, bytes, sha256, from, every, marks }: LineSeal): { first: number; last: number } | undefined {
    for (let at = 0; at * MARK_LENGTH < marks.length; at++) {
      const last = Math.min(from + (at + 1) * every, lines);
      const mark = marks.slice(at * MARK_LENGTH, (at + 1) * MARK_LENGTH);
      if (last > this.lines || this.#upTo(last).slice(0, MARK_LENGTH) !== mark)
        return { first: from + at * every + 1, last };
    }
    const isSame = this.#upTo(lines) === sha256 && this.#ends[lines - 1]?.bytes === bytes;
    return isSame ? undefined : { first: 1, last: Math.max(1, lines) };
  }

  #upTo(line: number): string {
    return this.#ends[line - 1]?.sha256 ?? "";
  }

  #markAt(line: number): string {
    return this.#upTo(Math.min(line, this.lines)).slice(0, MARK_LENGTH);
  }

  #end(parts: readonly Buffer[]): void {
    for (const part of parts) {
      this.#hash.update(part);
      this.#read += part.length;
    }
    this.#ends.push({ bytes: this.#read, sha256: this.#hash.copy().digest("hex") });
  }
}

/** Seals a file that grows: each time what came since. Hashes are only taken where a seal has a mark, which each take a copy. */
export class GrowingSeal {
  readonly #hash: Hash = createHash("sha256");
  #lines = 0;
  #bytes = 0;

  /** How much of the file is sealed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Up to the last whole line; undefined when none came. */
  next(path: string, file: Pick<OpenFile, "read" | "size">): LineSeal | undefined {
    const added = readFrom(file, this.#bytes);
    const ends = lineEnds(added);
    if (ends.length === 0) return undefined;
    const from = this.#lines;
    const every = Math.ceil(ends.length / (from === 0 ? MOST_MARKS : MOST_MARKS_SINCE));
    let [sha256, marks, hashed] = ["", "", 0];
    for (let line = every; line < ends.length + every; line += every) {
      const end = ends[Math.min(line, ends.length) - 1] ?? hashed;
      sha256 = this.#hash.update(added.subarray(hashed, end)).copy().digest("hex");
      marks += sha256.slice(0, MARK_LENGTH);
      hashed = end;
    }
    this.#lines += ends.length;
    this.#bytes += hashed;
    return { path, bytes: this.#bytes, lines: this.#lines, sha256, from, every, marks };
  }
}

function readFrom(file: Pick<OpenFile, "read" | "size">, position: number): Buffer {
  const into = Buffer.allocUnsafe(Math.max(0, file.size - position));
  let filled = 0;
  while (filled < into.length) {
    const count = file.read(into.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return into.subarray(0, filled);
}

/** Right after each newline. */
function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) ends.push(at + 1);
  return ends;
}

/** Undefined when there is no such file. */
export function digestsOf(files: Files, path: string): LineDigests | undefined {
  const file = openIfThere(files, path);
  if (file === undefined) return undefined;
  try {
    const digests = new LineDigests();
    digests.read(file);
    return digests;
  } finally {
    file.close();
  }
}

/** As digestsOf, of what a file holds. */
export function digestsIn(bytes: Buffer): LineDigests {
  const digests = new LineDigests();
  digests.read({ read: (into, position) => bytes.copy(into, 0, position) });
  return digests;
}

/** As digestsOf, of a file of any size: between its parts, `pause` is waited for. */
export async function digestsInSlices(
  files: Files,
  path: string,
  pause: () => Promise<void>,
): Promise<LineDigests | undefined> {
  const file = openIfThere(files, path);
  if (file === undefined) return undefined;
  try {
    const digests = new LineDigests();
    for (const _ of digests.readInSlices(file)) await pause();
    return digests;
  } finally {
    file.close();
  }
}

function openIfThere(files: Files, path: string): OpenFile | undefined {
  try {
    return files.openContained(path, ".");
  } catch (error) {
    if (error instanceof HallError && error.code === "file_not_found") return undefined;
    throw error;
  }
}
