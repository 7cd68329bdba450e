import type { TurnStep } from "../contract/documents/channel.ts";
import type { SessionEntry, SessionMessage, TurnOutcome } from "../contract/runs/session.ts";
import type { FolderReader } from "../store/files/folder-reader.ts";
import { CURRENT, entriesBackwards, rawLinesBackwards, sessionArchives, sessionPath } from "./session-files.ts";
import { sessionReader } from "./session-line.ts";
import { stepsIn } from "./turn-steps.ts";

/** Bytes from the end after which the next message that is met is where the loaded part begins; long lines are held cut. */
const ENOUGH_BYTES = 8 * 1024 * 1024;
const LONGEST_COUNTED = 1024 * 1024;
/** Bytes that are looked at, whatever they hold. */
const MOST_BYTES = 40 * 1024 * 1024;
/** Bytes of what was not loaded in which a message is still looked for, in this file and in the one before it. */
const LOOK_BYTES = 2 * 1024 * 1024;

export interface Tail {
  entries: SessionEntry[];
  /** Bytes from where each begins to where the next one does. */
  sizes: number[];
  /** Where the first of them stands. */
  start: number;
}

/** How the turn of a message ended, and what was said. */
export interface TurnEnd {
  outcome: TurnOutcome;
  text: string;
  error?: string | undefined;
  /** What was done before the answer. */
  steps?: TurnStep[] | undefined;
}

/** The end of the current file: from its newest summary on, or else from a message on. */
export function loadTail(files: FolderReader): Tail {
  const entries: SessionEntry[] = [];
  const sizes: number[] = [];
  let start = files.stat(sessionPath(CURRENT))?.size ?? 0;
  const end = start;
  let held = 0;
  const read = sessionReader(files, sessionPath(CURRENT));
  for (const { offset, length, bytes } of rawLinesBackwards(files, CURRENT)) {
    const entry = bytes === undefined ? undefined : read(bytes);
    if (entry !== undefined) {
      entries.push(entry);
      sizes.push(start - offset);
      start = offset;
      if (entry.type === "summary") break;
    }
    held += Math.min(length, LONGEST_COUNTED);
    if (end - offset >= MOST_BYTES || (held >= ENOUGH_BYTES && entry?.type === "message")) break;
  }
  return { entries: entries.reverse(), sizes: sizes.reverse(), start };
}

/** The messages among the lines with the ends of their turns; undefined for one that is not over. */
export function turnsIn(entries: readonly SessionEntry[]): Map<string, { message: SessionMessage; end?: TurnEnd }> {
  const turns = new Map<string, { message: SessionMessage; end?: TurnEnd }>();
  let text = "";
  let begun = 0;
  for (const [at, entry] of entries.entries()) {
    if (entry.type === "message") {
      const { type: _, ...message } = entry;
      if (!turns.has(entry.id)) turns.set(entry.id, { message });
      if (entry.quiet !== true) text = "";
    } else if (entry.type === "answer") {
      if (entry.text.trim() !== "") text = entry.text;
    } else if (entry.type === "ended") {
      const turn = turns.get(entry.messageId);
      if (turn !== undefined) turn.end = endOf(entry, text, stepsIn(entries.slice(begun, at)));
      text = "";
      begun = at + 1;
    }
  }
  return turns;
}

export function endOf(
  { outcome, error }: Extract<SessionEntry, { type: "ended" }>,
  text: string,
  steps: TurnStep[],
): TurnEnd {
  return {
    outcome,
    text,
    ...(error === undefined ? {} : { error }),
    ...(steps.length === 0 || outcome !== "answered" ? {} : { steps }),
  };
}

/** The lines shortly before those that were loaded, oldest first, those of the file before included. */
export function earlierEntries(files: FolderReader, start: number): SessionEntry[] {
  const here = lookBack(files, CURRENT, start);
  const [archive] = sessionArchives(files);
  return archive === undefined ? here : [...lookBack(files, archive.file, archive.size), ...here];
}

function lookBack(files: FolderReader, file: string, before: number): SessionEntry[] {
  const entries: SessionEntry[] = [];
  for (const { offset, entry } of entriesBackwards(files, file, before)) {
    entries.push(entry);
    if (before - offset >= LOOK_BYTES) break;
  }
  return entries.reverse();
}
