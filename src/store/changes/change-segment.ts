import { HallError } from "../../contract/errors.ts";
import type { Files } from "../files/files.ts";
import type { Log } from "../logs/log.ts";
import { CHANGE_FORMAT, LoggedChange, type SegmentHead } from "./change.ts";

export const CHANGES_FOLDER = "state/changes";
const SEGMENT = /^\d{8}\.jsonl$/;

/** One file of the change log. */
export interface Segment {
  number: number;
  path: string;
  log: Log;
  /** Resolves when the file itself cannot be lost. */
  durable: Promise<void>;
  bytes: number;
  changes: number;
  /** Paths whose files and folders hold what the segment tells, and may not be on the disk yet. */
  touched: Set<string>;
}

/** What a segment on the disk holds. */
export interface ReadSegment {
  number: number;
  path: string;
  changes: LoggedChange[];
}

export function segmentPaths(files: Files): string[] {
  return files
    .names(CHANGES_FOLDER)
    .filter((name) => SEGMENT.test(name))
    .map((name) => `${CHANGES_FOLDER}/${name}`);
}

export function createSegment(files: Files, number: number): Segment {
  const path = `${CHANGES_FOLDER}/${String(number).padStart(8, "0")}.jsonl`;
  const { log } = files.openLogEnd(path);
  const head: SegmentHead = { format: CHANGE_FORMAT, segment: number };
  // In this order: the first line is written before the folder is synced, so that one commit of the disk has both.
  const durable = Promise.all([log.append(JSON.stringify(head)), files.syncFolder(CHANGES_FOLDER)]).then(
    () => undefined,
  );
  durable.catch(() => undefined);
  return { number, path, log, durable, bytes: 0, changes: 0, touched: new Set() };
}

/** Throws where a line was written by a newer program. A torn last line was never acknowledged and is left out. */
export function readSegment(files: Files, path: string): ReadSegment {
  const number = Number(path.slice(CHANGES_FOLDER.length + 1, -".jsonl".length));
  const segment: ReadSegment = { number, path, changes: [] };
  files.scanLog(path, 0, (text) => {
    const value = parsed(text);
    assertKnownFormat(path, value);
    const change = LoggedChange.safeParse(value);
    if (change.success) segment.changes.push(change.data);
    return true;
  });
  return segment;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function assertKnownFormat(path: string, value: unknown): void {
  const format = typeof value === "object" && value !== null && "format" in value ? Number(value.format) : 0;
  if (format <= CHANGE_FORMAT) return;
  throw new HallError(
    "file_invalid",
    `'${path}' was written by a newer version of Guildhall (format ${format}; this version reads up to ${CHANGE_FORMAT}).`,
    { file: path, hint: "Start the workspace with the version that wrote it, or a newer one." },
  );
}
