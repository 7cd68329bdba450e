import { dirname } from "node:path/posix";
import { type ErrorCode, errorTable, HallError } from "../../../contract/errors.ts";
import { hintText } from "../../../contract/words/hint.ts";
import { ChangedMeanwhile } from "../../../store/files/draft-file.ts";
import type { Files } from "../../../store/files/files.ts";
import type { Standing } from "../../../store/files/folder-reader.ts";
import { checkPath, groundOf, hiddenTop, maySharedBeRead, type PathUse } from "../../../store/files/paths.ts";
import { bareFolderWith } from "../../../store/git/bare-layout.ts";
import type { ToolOutcome, ToolUse } from "../../tool.ts";

/** What the house tells people to do is not always what an agent can do. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  file_not_found: "Use list to see what exists.",
  path_refused: "Use a path relative to the working folder, without '..', links and protected names.",
  invalid: "",
};

const REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  ENAMETOOLONG: "the name is too long",
};

/** A folder, or a file to read, at a path, cleaned; the working folder itself is ".". */
export function reach(files: Files, given: string): { path: string; kind: "folder" | "file" } {
  if (/^(?:\.?\/?)?$/.test(given) && given !== "/") return { path: ".", kind: "folder" };
  const path = checkPath(given, "read");
  const standing = files.standing(path);
  if (standing === undefined) throw new HallError("file_not_found", `There is no file or folder '${path}'.`);
  const isFolder = standing.kind === "folder" || files.stat(path)?.isDirectory() === true;
  const refusal = isFolder ? undefined : refusalOf(standing, maySharedBeRead(path));
  if (refusal !== undefined) throw new HallError("path_refused", `'${path}' ${refusal}.`);
  assertDirect(files, isFolder ? path : dirname(path));
  return { path, kind: isFolder ? "folder" : "file" };
}

/** As reach, of a folder. */
export function reachFolder(files: Files, given: string): string {
  const { path, kind } = reach(files, given);
  if (kind === "file") throw new HallError("invalid", `'${path}' is a file, not a folder.`);
  return path;
}

/** A path of a file, cleaned, and what stands there now: a regular file with one name, or nothing. */
export function reachFile(files: Files, given: string, use: PathUse): { path: string; standing: Standing | undefined } {
  // Whose folder it is decides what may be written there, and nothing about what may be read.
  const path =
    use === "write"
      ? checkPath(
          given,
          use,
          groundOf((name) => files.exists(name)),
        )
      : checkPath(given, use);
  const folder = nearestFolder(files, dirname(path));
  assertDirect(files, folder);
  if (use === "write") {
    assertOwnTop(files, path);
    assertNoRepository(files, path);
  }
  const standing = folder === dirname(path) ? files.standing(path) : undefined;
  const refusal = standing && refusalOf(standing, use === "read" && maySharedBeRead(path));
  if (refusal !== undefined) throw new HallError("path_refused", `'${path}' ${refusal}.`);
  return { path, standing };
}

/** As reachFile, of a file that must be there. */
export function reachExisting(files: Files, given: string, use: PathUse): { path: string; standing: Standing } {
  const { path, standing } = reachFile(files, given, use);
  if (standing === undefined) throw new HallError("file_not_found", `There is no file '${path}'.`);
  return { path, standing };
}

/** Whether there is a regular file that agents may read. */
export function hasFile(files: Files, path: string): boolean {
  try {
    return reach(files, path).kind === "file";
  } catch (error) {
    if (error instanceof HallError) return false;
    throw error;
  }
}

function refusalOf({ kind, names }: Standing, mayBeShared: boolean): string | undefined {
  if (kind === "folder") return "is a folder, not a file";
  if (kind === "link") return "is a link, and links are not followed";
  if (kind === "special") return "is a pipe, a socket or a device, not a regular file";
  return names > 1 && !mayBeShared ? "is a hard link; its other names may be outside the working folder" : undefined;
}

/** The lowest folder of a path that is there. */
function nearestFolder(files: Files, folder: string): string {
  let nearest = folder;
  while (nearest !== "." && !files.exists(nearest)) nearest = dirname(nearest);
  return nearest;
}

/** On some disks `tasks` is the folder that has been made as `TASKS`: then it has no entry of its own. */
function assertOwnTop(files: Files, path: string): void {
  const hidden = hiddenTop(path);
  if (hidden === undefined || !files.exists(hidden)) return;
  const [top] = path.split("/");
  for (const { name } of files.entries(".")) if (name === top) return;
  throw new HallError("path_refused", `The path '${path}' is refused: files in '${hidden}' can't be written this way.`);
}

/** Commands leave no repository behind either: git would follow its settings when somebody enters the folder. */
function assertNoRepository(files: Files, path: string): void {
  const folder = bareFolderWith(path, (around) => namesIn(files, around));
  if (folder === undefined) return;
  throw new HallError("path_refused", `The path '${path}' is refused: git would take '${folder}' for a repository.`);
}

function namesIn(files: Files, folder: string): string[] {
  return files.exists(folder) ? [...files.entries(folder)].map(({ name }) => name) : [];
}

/** What a path's names say must be what it leads to: names decide what is protected. */
function assertDirect(files: Files, folder: string): void {
  const place = files.placeOf(folder);
  if (place !== folder)
    throw new HallError("path_refused", `'${folder}' leads through a link to '${place}'.`, {
      hint: "Links are not followed; use the target path.",
    });
}

/** Refusals of the house reach the agent as text it can act on; anything else is a defect and ends the run. */
export async function attempt(use: ToolUse, work: () => ToolOutcome | Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (use.signal.aborted) throw error;
    const output = refusalText(error);
    if (output === undefined) throw error;
    return { output, failed: true };
  }
}

function refusalText(error: unknown): string | undefined {
  if (error instanceof HallError) {
    const isCommon = error.hint === errorTable[error.code].hint;
    return `${error.message} ${(isCommon ? HINTS[error.code] : undefined) ?? hintText(error.hint)}`.trim();
  }
  if (error instanceof ChangedMeanwhile)
    return "Nothing was changed: the file changed at the same moment. Read it again.";
  if (error instanceof Error && "syscall" in error && "code" in error)
    return `File system error: ${REASONS[String(error.code)] ?? String(error.code)}.`;
  return undefined;
}
