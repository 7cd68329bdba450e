import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

const NEWLINE = 0x0a;
/** How much of the end of a log is read where only the end is wanted. */
const TAIL_BYTES = 2 * 1024 * 1024;
const CHUNK = 256 * 1024;

export type LogValue = Record<string, unknown>;

/** The last lines of a log: every well-formed one, in order. */
export interface LogTail {
  values: LogValue[];
  /** Whether this is all the log holds. */
  isWhole: boolean;
  /** Where the last complete line ends; bytes after it are torn. */
  end: number;
  torn: Buffer;
  /** A last line that is whole but for its newline counts, and has to get it before the next is written. */
  lacksNewline: boolean;
}

/** Reads a log from its end, which costs the same however long it is: as far back as holds `atLeast` lines, one or more. */
export function readTail(path: string, atLeast: number): LogTail {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    const { size } = fstatSync(fd);
    for (let wanted = TAIL_BYTES; ; wanted *= 4) {
      const from = Math.max(0, size - wanted);
      const tail = parseTail(readRange(fd, from, size), from);
      if (tail.isWhole || tail.values.length >= atLeast) return tail;
    }
  } finally {
    closeSync(fd);
  }
}

/** Lines end at byte 0x0A only. A line whose beginning lies before the bytes is passed over. */
function parseTail(bytes: Buffer, from: number): LogTail {
  const values: LogValue[] = [];
  const first = from === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
  if (from > 0 && first === 0) return { values, isWhole: false, end: from, torn: bytes, lacksNewline: false };
  let start = first;
  let end = from === 0 ? 0 : first;
  for (let newline = bytes.indexOf(NEWLINE, start); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
    const value = parseLine(bytes.subarray(start, newline));
    if (value !== undefined) values.push(value);
    start = end = newline + 1;
  }
  const last = parseLine(bytes.subarray(start));
  if (last !== undefined) {
    values.push(last);
    end = bytes.length;
  }
  return { values, isWhole: from === 0, end: from + end, torn: bytes.subarray(end), lacksNewline: last !== undefined };
}

// A byte order mark is no part of JSON, and the line that begins with one was not written by us.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined for anything but one JSON object. */
export function parseLine(bytes: Buffer): LogValue | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LogValue) : undefined;
  } catch {
    return undefined;
  }
}

function readRange(fd: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Where the last complete line ends, and what stands behind it. Reads no more than that. */
export function readTorn(fd: number): { end: number; torn: Buffer } {
  const { size } = fstatSync(fd);
  const end = endOfLines(fd, size);
  return { end, torn: readRange(fd, end, size) };
}

/** Where the last complete line ends. */
function endOfLines(fd: number, size: number): number {
  const chunk = Buffer.allocUnsafe(4_096);
  for (let end = size; end > 0; end -= Math.min(end, chunk.length)) {
    const start = end - Math.min(end, chunk.length);
    const count = readSync(fd, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, count).lastIndexOf(NEWLINE);
    if (newline !== -1) return start + newline + 1;
  }
  return 0;
}

/** The complete lines of a log that was read whole. */
export function linesIn(bytes: Buffer): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.toString("utf8", start, newline));
    start = newline + 1;
  }
  return lines;
}

/**
 * Visits the complete lines of a log from a byte offset on, in bounded memory, until the visitor answers false.
 * The visitor gets the line's text and the offset at which the line starts.
 */
export function scanLog(path: string, from: number, visit: (text: string, offset: number) => boolean): void {
  const fd = openSync(path, constants.O_RDONLY);
  try {
    const left = Math.max(0, fstatSync(fd).size - from);
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, left + 1));
    let rest = Buffer.alloc(0);
    let offset = from;
    for (;;) {
      const count = readSync(fd, chunk, 0, chunk.length, offset + rest.length);
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
