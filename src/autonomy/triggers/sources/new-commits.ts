import type { Git } from "../../../runs/git/git.ts";

/** Commits that are looked through one by one. */
const MOST = 200;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

interface Commits {
  gitDir: string;
  /** Undefined, or no commit any more: nothing is known of what is new. */
  since: string | undefined;
  tip: string;
}

export interface NewCommit {
  id: string;
  /** Made by Guildhall for a run. */
  isOwn: boolean;
}

/** What a branch has now and had not before, the newest first; undefined where that can't be told. */
export async function newCommits(
  git: Pick<Git, "run">,
  { gitDir, since, tip }: Commits,
  ownEmail: string,
): Promise<NewCommit[] | undefined> {
  if (since === undefined || !COMMIT.test(since)) return undefined;
  const format = ["rev-list", `--max-count=${MOST}`, "--pretty=tformat:%H %ce", tip, "--not", since];
  const { code, out } = await git.run({ gitDir }, format, { allowed: [128] });
  if (code !== 0) return undefined;
  return out.split("\n").flatMap((line) => {
    const [id = "", ...email] = line.split(" ");
    return COMMIT.test(id) ? [{ id, isOwn: email.join(" ") === ownEmail }] : [];
  });
}

/** The files that Guildhall's own among them changed, as paths in the repository. */
export async function ownPaths(
  git: Pick<Git, "run">,
  gitDir: string,
  commits: readonly NewCommit[],
): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const { id, isOwn } of commits) {
    if (!isOwn) continue;
    const args = ["diff-tree", "-r", "--name-only", "-z", `${id}^1`, id];
    // A first commit changes no file.
    const { code, out } = await git.run({ gitDir }, args, { allowed: [128] });
    if (code === 0) for (const path of out.split("\0")) paths.add(path);
  }
  return paths;
}
