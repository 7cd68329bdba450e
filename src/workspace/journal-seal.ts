import { createHash } from "node:crypto";
import { HallError } from "../contract/errors.ts";
import type { Files } from "../store/files.ts";
import type { OpenFile } from "../store/regular-file.ts";

const CHUNK = 256 * 1024;

/** What the log says of the journal of a run that is over: with it the chain of hashes covers every step of the run. */
export interface JournalSeal {
  /** Relative to the workspace. */
  path: string;
  bytes: number;
  sha256: string;
}

export interface SealedJournal extends JournalSeal {
  /** The line of the log that says so. */
  event: { file: string; line: number };
}

/** Undefined when there is no journal any more. */
export function sealOf(files: Files, path: string): JournalSeal | undefined {
  try {
    const file = files.openContained(path, ".");
    try {
      return { path, ...digestOf(file) };
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof HallError && error.code === "file_not_found") return undefined;
    throw error;
  }
}

function digestOf(file: Pick<OpenFile, "read">): Omit<JournalSeal, "path"> {
  const digest = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK);
  let bytes = 0;
  for (let count = file.read(chunk, 0); count > 0; count = file.read(chunk, bytes)) {
    digest.update(chunk.subarray(0, count));
    bytes += count;
  }
  return { bytes, sha256: digest.digest("hex") };
}

/** The seal in a line of the log. Most lines have none, and are not parsed for it. */
export function sealIn(text: string): JournalSeal | undefined {
  if (!text.includes('"type":"run.ended"') || !text.includes('"journal":{')) return undefined;
  try {
    const seal = (JSON.parse(text) as { after?: { journal?: Partial<JournalSeal> } }).after?.journal;
    return typeof seal?.path === "string" && typeof seal.sha256 === "string" ? (seal as JournalSeal) : undefined;
  } catch {
    return undefined;
  }
}

/** What is wrong with a journal. One that left with its whole project is not missed. */
export function journalFault(files: Files, { path, bytes, sha256, event }: SealedJournal): string | undefined {
  const now = sealOf(files, path);
  const told = `line ${event.line} of ${event.file}`;
  if (now === undefined) {
    const project = path.split("/").slice(0, 2).join("/");
    return files.exists(project) ? `this journal is gone, which ${told} tells of` : undefined;
  }
  if (now.bytes === bytes && now.sha256 === sha256) return undefined;
  return `this journal was changed after its run had ended: it has ${now.bytes} bytes, and ${bytes} others according to ${told}`;
}
