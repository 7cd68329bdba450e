import { join } from "node:path";
import { isFolder, isThere } from "../folders.ts";
import { entriesOf } from "./folder-listing.ts";

/** Entries that are looked at before the rest is left out unseen. */
const MOST_ENTRIES = 50_000;

export interface ChoiceFolder {
  name: string;
  path: string;
  isGit: boolean;
}

/** Whether somebody keeps a folder in git: its own or, as a worktree or a submodule, that of another. */
export function isGitFolder(absolute: string): boolean {
  return isThere(join(absolute, ".git"));
}

/**
 * The folders in a folder of the machine, followed through links, by name. Throws what the system says of a folder that
 * cannot be read.
 */
export function foldersToChoose(
  absolute: string,
  { hidden, limit }: { hidden: boolean; limit: number },
): { folders: ChoiceFolder[]; isCut: boolean } {
  const found: string[] = [];
  let seen = 0;
  for (const { name, kind } of entriesOf(absolute)) {
    if (++seen > MOST_ENTRIES) break;
    if (!hidden && name.startsWith(".")) continue;
    if (kind === "folder" || (kind === "link" && isFolder(join(absolute, name)))) found.push(name);
  }
  const names = found.sort((one, other) => one.localeCompare(other, "en", { sensitivity: "base", numeric: true }));
  const folders = names.slice(0, limit).map((name) => {
    const path = join(absolute, name);
    return { name, path, isGit: isGitFolder(path) };
  });
  return { folders, isCut: names.length > limit || seen > MOST_ENTRIES };
}
