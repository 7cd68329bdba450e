import { basename, join } from "node:path";
import { entriesIn, isWithin, realPlaceOf } from "../files/folders.ts";
import { smallText } from "../files/regular-file.ts";
import { placeKind } from "../host/host-places.ts";
import { hasGitSecrets, withoutGitSecrets } from "./git-settings.ts";

/** What git needs of its folder to look at history and state. */
const NEEDED = new Set([
  "BISECT_LOG",
  "CHERRY_PICK_HEAD",
  "HEAD",
  "MERGE_HEAD",
  "ORIG_HEAD",
  "REBASE_HEAD",
  "REVERT_HEAD",
  "commondir",
  "gitdir",
  "index",
  "info",
  "objects",
  "packed-refs",
  "rebase-apply",
  "rebase-merge",
  "refs",
  "reftable",
  "sequencer",
  "shallow",
]);
const SHARED_INDEX = /^sharedindex\.[0-9a-f]+$/;
const SETTINGS = ["config", "config.worktree"];

/** A configuration file that is shown as a copy without secrets. */
export interface CoveredSettings {
  path: string;
  text: string;
  /** Whether the original holds something that must not be shown. */
  hasSecrets: boolean;
}

/** What is shown of a git folder. Paths are absolute. */
export interface GitView {
  shown: string[];
  settings: CoveredSettings[];
}

/**
 * Of the repository of a worktree: what git needs, each by itself, and the worktree's own folder in it. Everything else may
 * hold passwords (`FETCH_HEAD`, `logs`, `credentials`, hooks, keys of git-crypt) or is another's.
 */
export function repositoryView(repository: string, worktree: string): GitView {
  const folders = [repository, ...ownFolder(repository, worktree)];
  return {
    shown: folders.flatMap((folder) =>
      entriesIn(folder).flatMap(({ name }) => (isNeeded(name) ? [join(folder, name)] : [])),
    ),
    settings: folders.flatMap((folder) => settingsIn(folder, repository)),
  };
}

/** Of a git folder that is shown with what is around it: what must be found empty, and what is shown as a copy. */
export function coveredInGitFolder(folder: string, root: string): { hidden: string[]; settings: CoveredSettings[] } {
  const isShown = (name: string) => isShownOfGit(name) || SETTINGS.includes(name);
  const others = entriesIn(folder).filter((entry) => !isShown(entry.name) && !entry.isSymbolicLink());
  return { hidden: others.map(({ name }) => join(folder, name)), settings: settingsIn(folder, root) };
}

/** Whether something in a git folder is shown as it is; what is in `modules` are git folders again. */
export function isShownOfGit(name: string): boolean {
  return isNeeded(name) || name === "modules";
}

function isNeeded(name: string): boolean {
  return NEEDED.has(name) || SHARED_INDEX.test(name);
}

function ownFolder(repository: string, worktree: string): string[] {
  const name = basename(smallText(join(worktree, ".git"))?.trim() ?? "");
  const folder = join(repository, "worktrees", name);
  return name !== "" && !name.startsWith(".") && placeKind(folder) === "folder" ? [folder] : [];
}

function settingsIn(folder: string, root: string): CoveredSettings[] {
  return SETTINGS.flatMap((name) => {
    const path = realPlaceOf(join(folder, name));
    if (placeKind(path) !== "file" || !isWithin(path, realPlaceOf(root))) return [];
    const text = smallText(path);
    // What cannot be read, or is too large to be settings, is not shown.
    if (text === undefined) return [{ path, text: "", hasSecrets: true }];
    return [{ path, text: withoutGitSecrets(text), hasSecrets: hasGitSecrets(text) }];
  });
}
