import { isThere } from "../../store/files/folders.ts";
import { isBrokenRef, lastLogged } from "../../store/git/git-refs.ts";
import { type Git, GitFailure } from "./git.ts";
import { changedFiles } from "./run-diff.ts";

/** How far back the history of the branch is read. */
const MOST_COMMITS = 50;
const EMPTY_OBJECTS = "find objects -type f -empty -delete";

/** What is wrong with a repository, and what a person can do about it. */
export interface Damage {
  part: "branch" | "objects" | "repository";
  detail: string;
  remedy: string;
}

export interface Checked {
  repository: string;
  /** Undefined where nobody knows which branch it would be. */
  target: string | undefined;
  /** Merge commits whose contents are read, as far as the branch still has them. */
  merges?: readonly string[] | undefined;
}

/** Reads what a merge into the branch needs, and what the merges named brought; answers what cannot be read. */
export async function damageIn(git: Git, checked: Checked): Promise<Damage | undefined> {
  const { repository, target } = checked;
  if (!isThere(repository)) return undefined;
  const opened = await failureOf(() => git.run({ gitDir: repository }, ["rev-parse", "--git-dir"]));
  if (opened !== undefined) return unusable(repository, opened);
  if (target === undefined) return undefined;
  const ref = `refs/heads/${target}`;
  if (isBrokenRef(repository, ref)) return brokenBranch(repository, ref);
  const tip = await git.resolve({ gitDir: repository }, ref);
  // No such branch: not damage, a person may have removed it.
  if (tip === undefined) return undefined;
  const unread = await failureOf(() => readAll(git, { ...checked, tip }));
  return unread === undefined ? undefined : unreadable(repository, { ref, detail: unread });
}

async function readAll(git: Git, { repository, tip, merges = [] }: Checked & { tip: string }): Promise<void> {
  const at = { gitDir: repository };
  const history = await git.text(at, ["rev-list", "--first-parent", `--max-count=${MOST_COMMITS}`, tip]);
  await git.run(at, ["ls-tree", "-r", "-d", "-z", tip]);
  const known = new Set(history.split("\n"));
  // The difference of two commits reads their trees, and every file that differs.
  for (const merge of merges)
    if (known.has(merge)) await changedFiles(git, { repository, from: `${merge}^1`, to: merge });
}

async function failureOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof GitFailure) || error.why !== "failed") throw error;
    return error.message.replaceAll(/\s*\n\s*/g, "; ");
  }
}

function brokenBranch(repository: string, ref: string): Damage {
  const last = lastLogged(repository, ref);
  const restore =
    last === undefined
      ? "find the commit with 'git fsck --lost-found'"
      : `its log names ${last.slice(0, 12)} last; restore it with 'rm ${repository}/${ref} && git update-ref ${ref} ${last}'`;
  return {
    part: "branch",
    detail: `the file of the branch '${ref}' does not hold a commit id`,
    remedy: `To repair it, ${restore}, or fetch the branch from its remote.`,
  };
}

function unreadable(repository: string, { ref, detail }: { ref: string; detail: string }): Damage {
  return {
    part: "objects",
    detail,
    remedy: `To repair it, list what is damaged with 'git fsck --full'. If a remote or a backup has the commits, remove the empty files (in '${repository}': ${EMPTY_OBJECTS}) and fetch them. Otherwise move the branch back to a commit that can be read: 'git reflog ${ref.slice("refs/heads/".length)}' lists them.`,
  };
}

function unusable(repository: string, detail: string): Damage {
  return {
    part: "repository",
    detail,
    remedy: `To repair it, look at the files HEAD and config in '${repository}': a power cut may have emptied them. Restore them from a backup or from another clone.`,
  };
}
