import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { HallError } from "../../../contract/errors.ts";
import { contentsOf } from "../../../store/files/listing/folder-listing.ts";
import { linkStatOf } from "../../../store/files/regular-file.ts";
import type { PathScope } from "./path-scope.ts";

/** More folders or files than these are no subject for a trigger. */
const MOST_FOLDERS = 2_000;
const MOST_FILES = 5_000;

/** What the files of a trigger were when it looked last. */
export const SeenFiles = z.strictObject({
  /** What the trigger waited for then, as a hash. */
  source: z.string(),
  at: z.string(),
  /** The newest commit of the target then, where there is a repository. */
  commit: z.string().optional(),
  /** By path, what changes with the file. */
  files: z.record(z.string(), z.string()),
});
export type SeenFiles = z.infer<typeof SeenFiles>;

/** Of a state of the files, by which the history names it. */
export function markOf(seen: SeenFiles): string {
  const { source, files } = seen;
  return `files ${createHash("sha256")
    .update(JSON.stringify([source, Object.entries(files).sort()]))
    .digest("hex")}`;
}

/** Size and time of every file below a folder that is in scope. Names that begin with a dot are left out. */
export function filesBelow(root: string, scope: PathScope): Record<string, string> {
  const files: Record<string, string> = {};
  const folders = ["."];
  let count = 0;
  for (const folder of folders) {
    const { files: names, folders: inside } = contentsOf(join(root, folder));
    const paths = (of: readonly string[]) =>
      of.filter((name) => !name.startsWith(".")).map((name) => (folder === "." ? name : `${folder}/${name}`));
    for (const path of paths(names)) {
      const stats = scope.has(path) ? linkStatOf(join(root, path)) : undefined;
      if (!stats?.isFile()) continue;
      if (++count > MOST_FILES) throw tooMany(`${MOST_FILES} files`);
      files[path] = `${stats.size} ${stats.mtimeMs}`;
    }
    folders.push(...paths(inside).filter((path) => scope.mayHold(path)));
    if (folders.length > MOST_FOLDERS) throw tooMany(`${MOST_FOLDERS} folders`);
  }
  return files;
}

function tooMany(what: string): HallError {
  return new HallError("invalid", `on.files: the patterns cover more than ${what}. Name fewer.`);
}

/** Paths that came, went or changed, in order. */
export function changedBetween(before: Record<string, string>, after: Record<string, string>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .sort();
}
