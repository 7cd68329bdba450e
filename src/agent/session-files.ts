import { HallError } from "../contract/errors.ts";
import type { SessionEntry } from "../contract/runs/session.ts";
import type { FolderReader } from "../store/files/folder-reader.ts";
import { type FileLine, linesBackwards } from "../store/logs/lines-backwards.ts";
import { sessionReader } from "./session-line.ts";

export const SESSION_FOLDER = "session";
export const CURRENT = "current.jsonl";
/** What a switch under way has ready to become the current file. */
export const NEXT = "next.jsonl";

/** A longer line is passed over; nothing that is written comes near it. */
const LONGEST_LINE = 48 * 1024 * 1024;
/** Bytes of the file that one page may be made from, when it has more than one line. */
const PAGE_BYTES = 2 * 1024 * 1024;
const ARCHIVE = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)(?:-(\d+))?(?:\.poisoned)?\.jsonl$/;

export interface SessionLine {
  /** Where the line starts in its file. */
  offset: number;
  /** Bytes of the line. */
  length: number;
  entry: SessionEntry;
}

export interface SessionArchive {
  file: string;
  size: number;
  /** When it was last written to. */
  at: string;
}

export interface SessionPage {
  file: string;
  /** Oldest first. */
  lines: SessionLine[];
  /** Ask with it for what came before; undefined when this is where the file begins. */
  before: number | undefined;
  /** Newest first. */
  archives: SessionArchive[];
}

export function sessionPath(file: string): string {
  return `${SESSION_FOLDER}/${file}`;
}

/** The files that were current once, newest first. */
export function sessionArchives(files: FolderReader): SessionArchive[] {
  return files
    .names(SESSION_FOLDER)
    .filter((name) => ARCHIVE.test(name))
    .sort((left, right) => (orderOf(left) < orderOf(right) ? 1 : -1))
    .flatMap((file) => {
      const stats = files.stat(sessionPath(file));
      return stats === undefined ? [] : [{ file, size: stats.size, at: stats.mtime.toISOString() }];
    });
}

/** A name for the file that is current now, as no other has it. */
export function archiveName(files: FolderReader, at: Date, ending: ".jsonl" | ".poisoned.jsonl"): string {
  const stamp = at.toISOString().replaceAll(":", "-");
  const taken = files.names(SESSION_FOLDER).flatMap((name) => {
    const [, when, number = "1"] = ARCHIVE.exec(name) ?? [];
    return when === stamp ? [Number(number)] : [];
  });
  return taken.length === 0 ? `${stamp}${ending}` : `${stamp}-${Math.max(...taken) + 1}${ending}`;
}

/** The last lines of a file of a session that stand before a position, the end when none is said. Holds no more than a page. */
export function readSession(
  files: FolderReader,
  { file = CURRENT, before, limit }: { file?: string | undefined; before?: number | undefined; limit: number },
): SessionPage {
  const archives = sessionArchives(files);
  const lines: SessionLine[] = [];
  let room = PAGE_BYTES;
  let earlier: number | undefined;
  for (const line of entriesBackwards(files, file, before)) {
    if (lines.length === limit || (lines.length > 0 && line.length > room)) {
      earlier = lines[0]?.offset;
      break;
    }
    room -= line.length;
    lines.unshift(line);
  }
  return { file, lines, before: earlier, archives };
}

/** Nothing when there is no such file. */
export function* entriesBackwards(files: FolderReader, file: string, before?: number): Generator<SessionLine> {
  const read = sessionReader(files, sessionPath(file));
  for (const { offset, length, bytes } of rawLinesBackwards(files, file, before)) {
    const entry = bytes === undefined ? undefined : read(bytes);
    if (entry !== undefined) yield { offset, length, entry };
  }
}

export function* rawLinesBackwards(files: FolderReader, file: string, before?: number): Generator<FileLine> {
  if (!isSessionFile(file))
    throw new HallError("file_not_found", `A session has no file '${file}'.`, {
      hint: `Session files are '${CURRENT}' and archives named by their end time.`,
    });
  if (!files.exists(SESSION_FOLDER)) return;
  const path = sessionPath(files.standing(sessionPath(file)) === undefined && file === CURRENT ? NEXT : file);
  if (files.standing(path) === undefined) return;
  const opened = files.openContained(path, SESSION_FOLDER);
  try {
    yield* linesBackwards(opened, { before: before ?? opened.size, longest: LONGEST_LINE });
  } finally {
    opened.close();
  }
}

function isSessionFile(file: string): boolean {
  return file === CURRENT || ARCHIVE.test(file);
}

function orderOf(name: string): string {
  const [, stamp = "", number = "1"] = ARCHIVE.exec(name) ?? [];
  return `${stamp} ${number.padStart(12, "0")}`;
}
