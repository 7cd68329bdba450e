import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import type { SessionEntry } from "../../contract/runs/session.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { FolderReader } from "../../store/files/folder-reader.ts";
import { CURRENT, readSession, type SessionArchive, type SessionLine, sessionArchives } from "../session-files.ts";
import { speakerOf } from "../session-talk.ts";
import { defineTool, type Tool } from "../tool.ts";
import { Room } from "./page.ts";

const PAGE_LINES = 200;
const LISTED = 30;
/** Characters of one text that are shown. */
const SHOWN_TEXT = 2_000;
const SHOWN_RESULT = 500;

const Input = z.strictObject({
  file: z.string().max(200).optional().describe(`Session file; defaults to the newest before ${CURRENT}.`),
  before: z.int().min(0).optional().describe("Position given by the previous page."),
});

/** Reaches what an agent said and was told before its summary; of its own session alone. */
export function sessionArchiveTool(files: FolderReader): Tool {
  return defineTool({
    name: "session_archive_read",
    description:
      "Read your earlier conversation in full, page by page, latest first. Without input: the list of files and the end of the newest.",
    input: Input,
    changes: false,
    run: ({ file, before }) => {
      const archives = sessionArchives(files);
      const chosen = file ?? archives[0]?.file ?? CURRENT;
      try {
        const page = readSession(files, { file: chosen, before, limit: PAGE_LINES });
        const listing = file === undefined ? [listOf(archives), ""] : [];
        return { output: [...listing, ...pageText(chosen, page)].join("\n") };
      } catch (error) {
        if (error instanceof HallError) return { output: error.message, failed: true };
        throw error;
      }
    },
  });
}

function listOf(archives: readonly SessionArchive[]): string {
  if (archives.length === 0) return `Your session has one file so far, ${CURRENT}.`;
  const shown = archives.slice(0, LISTED).map(({ file, size }) => `${file} (${size} bytes)`);
  const more = archives.length > LISTED ? [`(and ${archives.length - LISTED} older ones)`] : [];
  return ["Earlier session files, newest first:", ...shown, ...more].join("\n");
}

/** As many lines from the end of the page as there is room for. */
function pageText(file: string, { lines, before }: { lines: SessionLine[]; before: number | undefined }): string[] {
  const room = new Room();
  const shown: string[] = [];
  let first = before;
  for (const line of lines.toReversed()) {
    const text = textOf(line.entry);
    if (text === undefined) continue;
    if (!room.take(text)) {
      first = shownFrom(lines, line);
      break;
    }
    shown.unshift(text);
  }
  if (shown.length === 0) return [`(nothing more in ${file})`];
  const more = first === undefined ? "(start of the file)" : `(previous page: file ${file}, before ${first})`;
  return [`${file}:`, more, ...shown];
}

/** Where the line after this one starts. */
function shownFrom(lines: readonly SessionLine[], line: SessionLine): number | undefined {
  return lines[lines.indexOf(line) + 1]?.offset;
}

function textOf(entry: SessionEntry): string | undefined {
  switch (entry.type) {
    case "message":
      return `${entry.at} ${speakerOf(entry)}: ${short(entry.text, SHOWN_TEXT)}`;
    case "answer": {
      const calls = (entry.calls ?? []).map(({ name, input }) => `  → ${name} ${short(input, SHOWN_RESULT)}`);
      return [`${entry.at} you: ${short(entry.text, SHOWN_TEXT)}`, ...calls].join("\n");
    }
    case "result":
      return `  ${entry.name}${entry.failed === true ? " failed" : ""}: ${short(entry.output, SHOWN_RESULT)}`;
    case "summary":
      return `${entry.at} summary of ${entry.previous}: ${short(entry.text, SHOWN_TEXT)}`;
    case "ended":
      return entry.outcome === "answered"
        ? undefined
        : `${entry.at} (${entry.outcome}${entry.error === undefined ? "" : `: ${short(entry.error, SHOWN_RESULT)}`})`;
    default:
      return undefined;
  }
}

function short(text: string, most: number): string {
  return cutText(text, most, (rest) => `… (${rest} more characters)`);
}
