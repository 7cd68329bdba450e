import { createHash } from "node:crypto";
import type {
  FolderGit,
  FolderState,
  PathIdentity,
  RepositoryIdentity,
  WorkdirRecord,
} from "../../contract/documents/workdir.ts";
import { isSameIdentity } from "../../store/files/path-identity.ts";

/** A working folder, compared with what was recorded when a person named it. */
export type WorkdirSight =
  /** `git`: what may be used; none where a repository appeared that nobody confirmed. */
  | { state: "ok" | "git_appeared"; path: string; git: FolderGit; changes: string[] }
  | { state: "git_changed"; path: string; changes: string[] }
  | { state: "folder_changed" | "missing" | "unrecorded"; changes: string[] };

const NO_GIT: FolderGit = { state: "none" };

/** `now`: undefined while there is no folder. */
export function compareWorkdir(record: WorkdirRecord, now: FolderState | undefined): WorkdirSight {
  const { folder, git } = record;
  if (now === undefined) return { state: "missing", changes: [`There is no folder '${record.workdir}'.`] };
  if (folder === undefined)
    return { state: "folder_changed", changes: [`'${now.folder.path}' did not exist when the folder was set.`] };
  if (!isSameIdentity(folder, now.folder)) return { state: "folder_changed", changes: folderChanges(folder, now) };
  const { path } = folder;
  const changes = gitChanges(git, now.git);
  if (changes.length === 0) return { state: "ok", path, git: now.git, changes };
  return git.state === "none"
    ? { state: "git_appeared", path, git: NO_GIT, changes }
    : { state: "git_changed", path, changes };
}

function folderChanges(folder: PathIdentity, { folder: now }: FolderState): string[] {
  return folder.path === now.path
    ? [`'${now.path}' is a different folder: the original was moved or deleted.`]
    : [`The path now leads to '${now.path}'; it led to '${folder.path}' when the folder was set.`];
}

function gitChanges(before: FolderGit, now: FolderGit): string[] {
  if (before.state === "none") return now.state === "none" ? [] : [`A git repository appeared in '${placeOf(now)}'.`];
  if (now.state === "none") return [`The git repository in '${placeOf(before)}' no longer exists.`];
  if (before.state === "repository" && now.state === "repository") return repositoryChanges(before, now);
  if (before.state === "unusable" && now.state === "unusable" && before.at === now.at) return [];
  const shown = now.state === "unusable" ? `: it ${now.reason}` : "";
  return [`The git repository in '${placeOf(now)}' is not the original one${shown}.`];
}

function repositoryChanges(before: RepositoryIdentity, now: RepositoryIdentity): string[] {
  if (before.checkout.path !== now.checkout.path)
    return [`A git repository appeared in '${now.checkout.path}', nearer than that in '${before.checkout.path}'.`];
  if (before.kind !== now.kind) return [`'${now.dotGit.path}' is a ${now.kind} now, and was a ${before.kind}.`];
  if (before.records.path !== now.records.path || before.repository.path !== now.repository.path)
    return [`'${now.dotGit.path}' names '${now.records.path}' now, and named '${before.records.path}'.`];
  const other = (["checkout", "dotGit", "records", "repository"] as const).filter(
    (part) => !isSameIdentity(before[part], now[part]),
  );
  if (other.length > 0) return [...new Set(other.map((part) => `'${now[part].path}' was replaced by another one.`))];
  if (JSON.stringify(before.alternates) === JSON.stringify(now.alternates)) return [];
  return [`The repository reads objects from other folders now: ${now.alternates.join(", ") || "none"}.`];
}

function placeOf(git: Exclude<FolderGit, { state: "none" }>): string {
  return git.state === "unusable" ? git.at : git.checkout.path;
}

/** Of what a person was shown: what is recorded, and what is there now. */
export function fingerprintOf(record: WorkdirRecord | undefined, workdir: string, now: FolderState): string {
  const shown = JSON.stringify([workdir, record?.folder ?? null, record?.git ?? null, now]);
  return createHash("sha256").update(shown).digest("hex").slice(0, 32);
}
