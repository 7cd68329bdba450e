import { HallError } from "../../contract/errors.ts";
import type { Workplace } from "../../contract/run.ts";
import { Files } from "../../store/files.ts";
import { isThere, removeFolder } from "../../store/folders.ts";
import { type Git, GitFailure, type GitPlace } from "./git.ts";

const GITLINK = "160000";
/** Lies beside the worktree's other records in the repository once its files are all there. */
const READY = "guildhall-ready";

/** What a run's commits say. */
export interface Wording {
  subject: string;
  runId: string;
}

/** The worktrees in which runs work: made, saved to their branch, and removed. Every step may be done again. */
export class Worktrees {
  readonly #git: Git;

  constructor(git: Git) {
    this.#git = git;
  }

  /** Makes the worktree on its branch, or finds it as it was left. */
  async prepare(place: Workplace): Promise<void> {
    const { repository, worktree, branch, target } = place;
    const records = recordsOf(place);
    if (!(isThere(worktree) && isThere(`${records}/${READY}`))) {
      // Nobody has worked in one that is not ready: it was being made.
      await this.remove(place, {});
      const start = await this.#tip(repository, target);
      const known = await this.#git.resolve({ gitDir: repository }, `refs/heads/${branch}^{commit}`);
      const how = known === undefined ? ["-b", branch, "--no-track", worktree, start] : [worktree, branch];
      await this.#git.run({ gitDir: repository }, ["worktree", "add", "--quiet", ...how]);
      await new Files(records, "kept").replace(READY, "");
    }
    if (!isThere(place.workdir))
      await new Files(worktree, "kept").ensureFolder(place.workdir.slice(worktree.length + 1));
  }

  /** Commits everything in the worktree that is not ignored; answers the branch's newest commit, if it has one. */
  async save(place: Workplace, wording: Wording): Promise<string | undefined> {
    const tip = await this.#git.resolve({ gitDir: place.repository }, `refs/heads/${place.branch}^{commit}`);
    if (!isThere(place.worktree) || !isThere(`${recordsOf(place)}/${READY}`)) return tip;
    const at = placeOf(place);
    await this.#git.run(at, ["add", "--all", "--", "."]);
    const tree = await this.#git.text(at, ["write-tree"]);
    const before = tip ?? (await this.#tip(place.repository, place.target));
    if (tree === (await this.#git.resolve(at, `${before}^{tree}`))) return tip;
    await this.#assertWhole(at, before, tree);
    const commit = await this.#git.text(at, ["commit-tree", tree, "-p", before], { input: messageOf(wording) });
    await this.#git.run(at, ["update-ref", "-m", "guildhall: save", `refs/heads/${place.branch}`, commit, tip ?? ""]);
    return commit;
  }

  /** Takes worktree and branch away; what they held must be elsewhere. The folder goes last: by it a start finds them. */
  async remove(place: Workplace, { branchAt }: { branchAt?: string | undefined }): Promise<void> {
    await removeFolder(recordsOf(place));
    const ref = `refs/heads/${place.branch}`;
    // Unless something came to it meanwhile.
    if (branchAt !== undefined)
      await this.#git.run({ gitDir: place.repository }, ["update-ref", "-d", ref, branchAt], { allowed: [1, 128] });
    await removeFolder(place.worktree);
  }

  async #tip(repository: string, target: string): Promise<string> {
    const tip = await this.#git.resolve({ gitDir: repository }, `refs/heads/${target}^{commit}`);
    if (tip === undefined) throw new HallError("repository_refused", `There is no branch '${target}' any more.`);
    return tip;
  }

  /** A repository inside the worktree would be kept as a mere name. */
  async #assertWhole(at: GitPlace, before: string, tree: string): Promise<void> {
    const changes = await this.#git.list(at, ["diff-tree", "-r", "-z", "--no-renames", before, tree]);
    const nested = changes.findIndex((text) => text.split(" ")[1] === GITLINK);
    if (nested !== -1) throw new GitFailure(`'${changes[nested + 1]}' is a repository of its own and cannot be saved`);
  }
}

/** The name under which the repository knows the worktree. */
function nameOf({ worktree }: Workplace): string {
  return worktree.slice(worktree.lastIndexOf("/") + 1);
}

function recordsOf(place: Workplace): string {
  return `${place.repository}/worktrees/${nameOf(place)}`;
}

/** An agent may have rewritten the file .git of its worktree: what it says does not count. */
function placeOf(place: Workplace): GitPlace {
  return { gitDir: recordsOf(place), workTree: place.worktree };
}

export function messageOf({ subject, runId }: Wording): string {
  const line = subject
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, 200);
  return `${line}\n\nGuildhall-Run: ${runId}\n`;
}
