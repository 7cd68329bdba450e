import type { OpenFile } from "../files/regular-file.ts";

const NEWLINE = 0x0a;
const CHUNK = 256 * 1024;

export interface FileLine {
  /** Where it starts. */
  offset: number;
  /** Without its newline. */
  length: number;
  /** Undefined when it is longer than was asked for. */
  bytes: Buffer | undefined;
}

/**
 * The complete lines of a file that end at or before a position, the last one first. No more is held than one line of
 * `longest` bytes and a piece of the file. What stands behind the last newline before the position is passed over.
 */
export function* linesBackwards(file: OpenFile, from: { before: number; longest: number }): Generator<FileLine> {
  let line: Gathering | undefined;
  for (let end = Math.min(from.before, file.size); end > 0; ) {
    const start = Math.max(0, end - CHUNK);
    const chunk = readRange(file, start, end);
    let rest = chunk.length;
    for (let newline = lastNewline(chunk, rest); newline !== -1; newline = lastNewline(chunk, rest)) {
      line?.put(chunk.subarray(newline + 1, rest));
      if (line !== undefined) yield line.at(start + newline + 1);
      line = new Gathering(from.longest);
      rest = newline;
    }
    line?.put(chunk.subarray(0, rest));
    end = start;
  }
  if (line !== undefined && line.length > 0) yield line.at(0);
}

/** The pieces of one line, the last one first. */
class Gathering {
  readonly #longest: number;
  #pieces: Buffer[] = [];
  length = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  put(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > this.#longest) this.#pieces = [];
    else this.#pieces.unshift(piece);
  }

  at(offset: number): FileLine {
    const bytes = this.length > this.#longest ? undefined : Buffer.concat(this.#pieces);
    return { offset, length: this.length, bytes };
  }
}

function lastNewline(chunk: Buffer, before: number): number {
  return before === 0 ? -1 : chunk.lastIndexOf(NEWLINE, before - 1);
}

function readRange(file: OpenFile, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let filled = 0;
  while (filled < bytes.length) {
    const count = file.read(bytes.subarray(filled), from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
