import type { OpenFile } from "../../../store/files/regular-file.ts";

const BLOCK_BYTES = 64 * 1024;
const SMALLEST_BLOCK = 1_024;
const NEWLINE = 0x0a;
/** How much of a file is looked at to tell text from other things. */
const SAMPLE_BYTES = 8_000;

/** Something to read text from: a file, or bytes that were made from one. */
export type Source = Pick<OpenFile, "size" | "read">;

/** Whole lines of a file, the last with its line break; or a piece of a line that is too long for one block. */
export interface Block {
  bytes: Buffer;
  /** The number of its first line, from 1. */
  line: number;
  /** Whether it goes on with a line that an earlier block began. */
  isContinued: boolean;
  /** Where it ends in the file. */
  end: number;
}

/** A file from its beginning, in bounded memory. A block is good until the next one is asked for. */
export function* blocksOf(source: Source): Generator<Block> {
  const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(SMALLEST_BLOCK, source.size + 1)));
  let filled = 0;
  let position = 0;
  let line = 1;
  let isContinued = false;
  for (;;) {
    const count = source.read(buffer.subarray(filled), position);
    position += count;
    filled += count;
    const isLast = count === 0;
    if (isLast && filled === 0) return;
    if (!isLast && filled < buffer.length) continue;
    const used = isLast ? filled : usable(buffer.subarray(0, filled));
    const bytes = buffer.subarray(0, used);
    yield { bytes, line, isContinued, end: position - filled + used };
    if (isLast) return;
    line += linesIn(bytes);
    isContinued = bytes[used - 1] !== NEWLINE;
    buffer.copyWithin(0, used, filled);
    filled -= used;
  }
}

/** Line breaks in some bytes. */
export function linesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** Up to the last line break; without one, up to the last whole character. */
function usable(bytes: Buffer): number {
  const newline = bytes.lastIndexOf(NEWLINE);
  if (newline !== -1) return newline + 1;
  let end = bytes.length;
  while (end > bytes.length - 4 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end--;
  const isStart = ((bytes[end - 1] as number) & 0xc0) === 0xc0;
  return isStart ? end - 1 : bytes.length;
}

export type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** How the text of a file is encoded; undefined when it is no text. */
export function encodingOf(source: Source): Encoding | undefined {
  const sample = Buffer.allocUnsafe(Math.min(SAMPLE_BYTES, Math.max(SMALLEST_BLOCK, source.size)));
  const bytes = sample.subarray(0, source.read(sample, 0));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes.includes(0) ? undefined : "utf-8";
}

/** Text in memory, as if it were a file. */
export function sourceOf(text: string): Source {
  const bytes = Buffer.from(text);
  return { size: bytes.length, read: (into, position) => bytes.subarray(position).copy(into) };
}
