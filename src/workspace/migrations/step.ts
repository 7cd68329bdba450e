import type { Files } from "../../store/files/files.ts";
import { parseLine } from "../../store/logs/log-reader.ts";
import type { EventLog } from "../events/event-log.ts";
import type { KeptCopies } from "./kept-copies.ts";

const NEWLINE = 0x0a;

export interface MigrationParts {
  files: Files;
  events: Pick<EventLog, "read">;
  copies: KeptCopies;
}

/**
 * One change to what a format left behind. A crash may come at any moment and the step is then run again from its start, so
 * it changes nothing that it has changed before, and keeps a copy of each file before it changes it. Steps know the shapes of
 * both formats by themselves: the schemas of the contract are those of the newest.
 */
export type MigrationStep = (parts: MigrationParts) => Promise<void>;

export type OldLine = Record<string, unknown>;

/** Rewrites the lines for which `change` answers a new one; all other bytes of the file stay. */
export async function rewriteLines(
  { files, copies }: Pick<MigrationParts, "files" | "copies">,
  path: string,
  change: (line: OldLine) => OldLine | undefined,
): Promise<void> {
  const content = changedLines(files.read(path), change);
  if (content === undefined) return;
  await copies.keep(path);
  await files.replace(path, content);
}

/** Undefined when no line is changed. */
export function changedLines(bytes: Buffer, change: (line: OldLine) => OldLine | undefined): Buffer | undefined {
  const pieces: Buffer[] = [];
  let start = 0;
  let changed = false;
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    const line = parseLine(bytes.subarray(start, end));
    const next = line === undefined ? undefined : change(line);
    changed ||= next !== undefined;
    pieces.push(next === undefined ? bytes.subarray(start, end + 1) : Buffer.from(`${JSON.stringify(next)}\n`));
    start = end + 1;
  }
  return changed ? Buffer.concat([...pieces, bytes.subarray(start)]) : undefined;
}
