import { dirname } from "node:path";
import type { Files } from "../files/files.ts";
import { isTorn } from "./torn-content.ts";

/** A line that was appended at a place of its file. */
export interface LoggedLine {
  at: number;
  line: string;
}

/**
 * Appends lines that a file lacks. A file that had lines before these and is gone was removed by a person; what a
 * person made of the lines stands.
 */
export function replayLines(files: Files, path: string, lines: readonly LoggedLine[]): void {
  if (!files.exists(path) && lines[0]?.at !== 0) return;
  let left = lines.map(({ at, line }) => ({ at, bytes: Buffer.from(`${line}\n`, "utf8") }));
  while (left.length > 0) {
    const content = read(files, path);
    if (content === undefined) return;
    const missing = left.findIndex(({ at, bytes }) => !content.subarray(at, at + bytes.length).equals(bytes));
    if (missing === -1) return;
    left = left.slice(missing);
    const expected = Buffer.concat(left.map(({ bytes }) => bytes));
    const at = left[0]?.at ?? 0;
    if (content.length >= at && isTorn(content.subarray(at), expected)) {
      if (content.length > at) files.cutFile(path, at);
      files.makeFolder(dirname(path));
      files.appendBytes(path, expected);
      return;
    }
    const [first] = left;
    // Where something else is at the beginning of the file, the first line was changed or damaged there, and did not get lost.
    const isLost = first !== undefined && first.at > 0 && !hasLine(content, first.bytes);
    if (isLost) files.appendBytes(path, withBreak(content, first.bytes));
    left = left.slice(1);
  }
}

function hasLine(content: Buffer, line: Buffer): boolean {
  return content.subarray(0, line.length).equals(line) || content.includes(Buffer.concat([Buffer.from("\n"), line]));
}

/** A last line without its newline is not ours to go on with. */
function withBreak(content: Buffer, line: Buffer): Buffer {
  const isEnded = content.length === 0 || content.at(-1) === 0x0a;
  return isEnded ? line : Buffer.concat([Buffer.from("\n"), line]);
}

function read(files: Files, path: string): Buffer | undefined {
  if (!files.exists(path)) return Buffer.alloc(0);
  try {
    const file = files.openContained(path, ".");
    try {
      return file.all();
    } finally {
      file.close();
    }
  } catch {
    return undefined;
  }
}
