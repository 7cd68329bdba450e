import { AcceptedInstructions } from "../../contract/documents/instruction.ts";
import type { Put } from "../../store/changes/change.ts";
import type { Files } from "../../store/files/files.ts";
import { KeptReading } from "../../store/files/kept-reading.ts";
import type { Guide } from "./code-guide.ts";

const FOLDER = "skills/.accepted";

/** Relative to the workspace. People may read it, and take an entry out. */
export function acceptedFile(projectId: string): string {
  return `${FOLDER}/${projectId}.json`;
}

/** `none`: the folder was never named. `damaged`: nobody knows what was accepted, so nothing is. */
export type AcceptedRecord = { is: "known"; record: AcceptedInstructions } | { is: "none" } | { is: "damaged" };

const readings = new KeptReading<AcceptedRecord>(1_000);

export function readAccepted(files: Files, projectId: string): AcceptedRecord {
  const path = acceptedFile(projectId);
  try {
    return readings.of(`${files.root}/${path}`, () => recordIn(files, path), { is: "none" });
  } catch {
    return { is: "damaged" };
  }
}

function recordIn(files: Files, path: string): AcceptedRecord {
  const parsed = AcceptedInstructions.safeParse(JSON.parse(files.read(path).toString("utf8")));
  return parsed.success ? { is: "known", record: parsed.data } : { is: "damaged" };
}

/** To be written with the change that it belongs to. */
export function acceptedWrite(projectId: string, record: AcceptedInstructions): Put {
  return { kind: "put", path: acceptedFile(projectId), content: `${JSON.stringify(record, null, 2)}\n` };
}

type Entry = AcceptedInstructions["files"][string];

export function entryOf(record: AcceptedInstructions, file: string): Entry | undefined {
  return Object.hasOwn(record.files, file) ? record.files[file] : undefined;
}

export function withGuides(
  record: AcceptedInstructions,
  guides: readonly Pick<Guide, "file" | "hash" | "text">[],
  { by, at }: Pick<Entry, "by" | "at">,
): AcceptedInstructions {
  const entries = guides.map(({ file, hash, text }) => [file, { hash, at, by, text }]);
  return { ...record, files: { ...record.files, ...Object.fromEntries(entries) } };
}
