import { z } from "zod";
import { HallError } from "../../contract/errors.ts";
import { FORMAT } from "../../contract/format.ts";
import type { Files } from "../../store/files/files.ts";
import type { FolderReader } from "../../store/files/folder-reader.ts";
import { assertEndReadable, newerFormat } from "../../store/logs/durable-line.ts";
import { DURABLE_FOLDER, PROJECTS_FOLDER, projectRoot } from "../layout.ts";

export const FORMAT_FILE = `${DURABLE_FOLDER}/format.json`;

/** Which format the workspace has, and what is known of how it got it. */
const WorkspaceFormat = z.looseObject({
  format: z.int().min(1),
  /** The version of the program that wrote this. */
  writtenBy: z.string(),
  /** A migration that has begun and is completed by the next start. */
  migrating: z.looseObject({ to: z.int(), copies: z.string() }).optional(),
  /** The last migration, and where it keeps copies of the files it changed. */
  migrated: z.looseObject({ from: z.int(), at: z.string(), copies: z.string() }).optional(),
});
export type WorkspaceFormat = z.infer<typeof WorkspaceFormat>;

/** A workspace without a number has format 1. */
const FIRST: WorkspaceFormat = { format: 1, writtenBy: "" };

/** Throws when the file cannot be understood: a workspace of unknown format is not touched. */
export function readFormat(files: Pick<FolderReader, "exists" | "text">): WorkspaceFormat {
  if (!files.exists(FORMAT_FILE)) return FIRST;
  try {
    return WorkspaceFormat.parse(JSON.parse(files.text(FORMAT_FILE)));
  } catch {
    throw new HallError("file_invalid", `${FORMAT_FILE} is damaged: it must say which format the workspace has.`, {
      file: FORMAT_FILE,
      hint: "Restore it from a backup. If only this version of Guildhall used the workspace, delete the file.",
    });
  }
}

/** Refuses a workspace that a newer program wrote. Changes nothing. */
export function assertReadable(files: Pick<FolderReader, "exists" | "text">): void {
  const { format, writtenBy } = readFormat(files);
  if (format > FORMAT)
    throw newerFormat(`The workspace, last written by Guildhall ${writtenBy},`, format, { file: FORMAT_FILE });
}

/**
 * Refuses to start over lines that a newer program wrote, as in a project's folder that was copied from elsewhere. Looks at
 * the ends of channels and sessions; books and the ledger are read at a start anyway, and journals are checked when they are.
 */
export function assertLinesReadable(files: Files): void {
  const within = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}`);
  const channels = foldersIn(files, "channels").flatMap((type) =>
    within(`channels/${type}`, ...files.names(`channels/${type}`).filter((name) => name.endsWith(".jsonl"))),
  );
  const projects = foldersIn(files, PROJECTS_FOLDER).flatMap((id) =>
    within(projectRoot(id), "channel.jsonl", "session/current.jsonl"),
  );
  for (const path of ["session/current.jsonl", ...channels, ...projects])
    if (files.exists(path)) assertEndReadable(files, path);
}

function foldersIn(files: Files, path: string): string[] {
  return files.exists(path) ? files.folders(path) : [];
}

/** Durable when it resolves. */
export async function writeFormat(files: Files, format: WorkspaceFormat): Promise<void> {
  await files.ensureFolder(DURABLE_FOLDER);
  await files.replace(FORMAT_FILE, formatText(format));
}

export function formatText(format: WorkspaceFormat): string {
  return `${JSON.stringify(format, null, 2)}\n`;
}
