import { dirname } from "node:path";
import type { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import { FORMAT } from "../../contract/format.ts";
import { knownShape } from "../../contract/known-shape.ts";
import type { FolderReader } from "../files/folder-reader.ts";
import { linesBackwards } from "./lines-backwards.ts";
import { parseLine } from "./log-reader.ts";

/** Bytes of a last line that are looked at; whoever reads a longer one checks it then. */
const LONGEST_END = 64 * 1024;

/** A line as it is written to a durable file: the entry, with the number of its format last. */
export function lineText(entry: object): string {
  return `${JSON.stringify(entry).slice(0, -1)},"format":${FORMAT}}`;
}

/** What a line holds, given as text or parsed; undefined when it is broken. Throws when a newer program wrote it. */
export type ReadLine<Entry> = (line: unknown) => Entry | undefined;

/** Lines of one kind. A field of the wrong type makes a line broken. One in a newer format is not: skipping it would undo what it says. */
export function durableLines<Schema extends z.ZodType>(schema: Schema) {
  return (files: Pick<FolderReader, "scanLog">, path: string): ReadLine<z.infer<Schema>> =>
    (line) => {
      const value = typeof line === "string" ? jsonOf(line) : line;
      if (typeof value !== "object" || value === null) return undefined;
      const { format, ...entry } = value as { format?: unknown };
      if (isNewer(format)) throw newerLine(files, path);
      return knownShape(schema, entry);
    };
}

/** Throws when the last line of a file is in a newer format. Formats only grow, so the last line has the highest. */
export function assertEndReadable(files: FolderReader, path: string): void {
  if (files.standing(path)?.kind !== "file") return;
  const opened = files.openContained(path, dirname(path));
  try {
    for (const { bytes } of linesBackwards(opened, { before: opened.size, longest: LONGEST_END })) {
      const line = bytes === undefined ? undefined : parseLine(bytes);
      if (isNewer(line?.format)) throw newerLine(files, path);
      if (line !== undefined) return;
    }
  } finally {
    opened.close();
  }
}

export function newerFormat(what: string, format: number, place: { file: string; line?: number }): HallError {
  return new HallError("newer_format", `${what} ${newerWords(format)}.`, place);
}

export function newerWords(format: number): string {
  return `has format ${format}; this version of Guildhall reads up to format ${FORMAT}`;
}

export function isNewer(format: unknown): format is number {
  return typeof format === "number" && format > FORMAT;
}

/** Looks for the line only now: those who read from the end of a file do not count lines. */
function newerLine(files: Pick<FolderReader, "scanLog">, file: string): HallError {
  let line = 0;
  let format: unknown;
  files.scanLog(file, 0, (text) => {
    line++;
    format = (jsonOf(text) as { format?: unknown } | null | undefined)?.format;
    return !isNewer(format);
  });
  return newerFormat(`${file}, line ${line},`, isNewer(format) ? format : FORMAT + 1, { file, line });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
