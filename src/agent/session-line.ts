import { SessionEntry } from "../contract/runs/session.ts";
import type { FolderReader } from "../store/files/folder-reader.ts";
import { durableLines } from "../store/logs/durable-line.ts";
import { parseLine } from "../store/logs/log-reader.ts";

/** Characters of one text that are held and told; the file has all of it. */
const LONGEST_TEXT = 400_000;

const sessionLines = durableLines(SessionEntry);

/** Reads the entries of a session's file, their texts cut to what a model can use; undefined for a line that is broken. */
export function sessionReader(files: FolderReader, path: string): (bytes: Buffer) => SessionEntry | undefined {
  const read = sessionLines(files, path);
  return (bytes) => {
    const entry = read(parseLine(bytes));
    return entry === undefined ? undefined : shortened(entry);
  };
}

/** Of its texts only what a model can use. */
export function shortened(entry: SessionEntry): SessionEntry {
  if (entry.type === "result") return isShort(entry.output) ? entry : { ...entry, output: cut(entry.output) };
  return !("text" in entry) || entry.text === undefined || isShort(entry.text)
    ? entry
    : { ...entry, text: cut(entry.text) };
}

function isShort(given: string): boolean {
  return given.length <= LONGEST_TEXT;
}

/** A copy: a slice would hold the whole text for as long as it lives. */
function cut(given: string): string {
  const kept = Buffer.from(given.slice(0, LONGEST_TEXT), "utf8").toString("utf8");
  return `${kept}\n(${given.length - LONGEST_TEXT} characters omitted; see the session)`;
}
