import type { Pace } from "../pace.ts";
import { Room } from "../page.ts";
import { type Block, blocksOf, linesIn, type Source } from "./text-blocks.ts";

/** A line is shown up to here. */
const LINE_CHARACTERS = 2_000;
/** What has to be kept of a line to show that much of it. */
const LINE_BYTES = LINE_CHARACTERS * 4;
/** Beyond this, the lines after those that were wanted are not counted. */
const COUNTED_BYTES = 16 * 1024 * 1024;
const MOST_MS = 10_000;

export interface LineRange {
  /** The first line, from 1. */
  offset: number;
  limit: number;
}

interface Line {
  number: number;
  /** Its beginning. */
  bytes: Buffer;
  size: number;
}

/** Lines of a file as an agent sees them, numbered, with a word on what is not shown. */
export async function showLines(source: Source, range: LineRange, pace: Pace): Promise<string> {
  const view = new LineView(range);
  for (const block of blocksOf(source)) {
    if (pace.isRestDue) await pace.rest();
    view.add(block);
    const isLate = pace.elapsedMs > MOST_MS;
    if (isLate && view.isEmpty) return tooFar(block.line, range.offset);
    if (isLate || (view.isDone && source.size - block.end > COUNTED_BYTES)) return view.text({ bytes: source.size });
  }
  view.end();
  return view.text({ lines: view.total });
}

function tooFar(line: number, offset: number): string {
  return `(stopped after ${MOST_MS / 1_000} seconds at line ${line}, before line ${offset}; use search, or a smaller offset)`;
}

class LineView {
  readonly #range: LineRange;
  readonly #room = new Room();
  readonly #shown: string[] = [];
  /** The line that is being put together from blocks. */
  #open: Line | undefined;
  #isDone = false;
  #hasReturns = false;
  #hasMark = false;
  #hasBadBytes = false;
  #breaks = 0;
  #endsOpen = false;

  constructor(range: LineRange) {
    this.#range = range;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get isEmpty(): boolean {
    return this.#shown.length === 0;
  }

  get total(): number {
    return this.#breaks + (this.#endsOpen ? 1 : 0);
  }

  add({ bytes, line, end }: Block): void {
    const breaks = linesIn(bytes);
    this.#breaks += breaks;
    this.#endsOpen = bytes.at(-1) !== 0x0a;
    if (end === bytes.length && bytes.subarray(0, 3).equals(MARK)) this.#hasMark = true;
    if (this.#isDone || line + breaks < this.#range.offset) return;
    let number = line;
    for (let start = 0; start < bytes.length && !this.#isDone; number++) {
      const newline = bytes.indexOf(0x0a, start);
      const stop = newline === -1 ? bytes.length : newline;
      if (number >= this.#range.offset) this.#take(number, bytes.subarray(start, stop), newline !== -1);
      start = stop + 1;
    }
  }

  /** The last line may lack its line break. */
  end(): void {
    if (this.#open !== undefined && !this.#isDone) this.#show(this.#open);
  }

  #take(number: number, bytes: Buffer, isWhole: boolean): void {
    const before = this.#open ?? { number, bytes: Buffer.alloc(0), size: 0 };
    const kept = bytes.subarray(0, Math.max(0, LINE_BYTES - before.bytes.length));
    const line = { number, bytes: Buffer.concat([before.bytes, kept]), size: before.size + bytes.length };
    this.#open = isWhole ? undefined : line;
    if (isWhole) this.#show(line);
  }

  #show({ number, bytes, size }: Line): void {
    const { limit } = this.#range;
    const hasReturn = bytes.at(-1) === 0x0d && size === bytes.length;
    const all = this.#plain(hasReturn ? bytes.subarray(0, -1) : bytes, number);
    const cut = all.slice(0, LINE_CHARACTERS).toWellFormed();
    const isCut = all.length > LINE_CHARACTERS || size > bytes.length;
    const shown = isCut ? `${cut}… (cut; the line has ${size} bytes; search shows the text around a match)` : all;
    const text = `${String(number).padStart(6)}\t${shown}`;
    if (this.#shown.length >= limit || !this.#room.take(text)) {
      this.#isDone = true;
      return;
    }
    this.#shown.push(text);
    this.#hasReturns ||= hasReturn;
  }

  #plain(bytes: Buffer, number: number): string {
    const text = bytes.toString("utf8");
    // A character that was cut at the end of what is kept is no bad byte.
    if (text.slice(0, LINE_CHARACTERS).includes("\ufffd") && !bytes.includes("\ufffd")) this.#hasBadBytes = true;
    const unmarked = number === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
    return unmarked.replaceAll("\0", "␀");
  }

  text(whole: { lines: number } | { bytes: number }): string {
    const { offset } = this.#range;
    const total = "lines" in whole ? whole.lines : undefined;
    if (total === 0) return "(the file is empty)";
    if (this.isEmpty) return `(the file has only ${total} lines)`;
    const last = offset + this.#shown.length - 1;
    const size = "lines" in whole ? whole.lines : `a file of ${whole.bytes} bytes`;
    const notes = [
      ...(last === total ? [] : [`(lines ${offset} to ${last} of ${size}; continue with offset ${last + 1})`]),
      ...(this.#hasReturns ? ["(lines end with CRLF; edit keeps that)"] : []),
      ...(this.#hasMark ? ["(starts with a byte order mark, not shown; edit keeps it)"] : []),
      ...(this.#hasBadBytes ? ["(bytes that are not UTF-8 are shown as \ufffd; edit refuses this file)"] : []),
    ];
    return [...this.#shown, ...notes].join("\n");
  }
}

const MARK = Buffer.from("\ufeff");
