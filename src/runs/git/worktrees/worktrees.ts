import { basename, dirname, join } from "node:path";
import { HallError } from "../../../contract/errors.ts";
import type { Workplace } from "../../../contract/runs/run.ts";
import { syncAll, syncFiles } from "../../../store/files/durable-paths.ts";
import { Files } from "../../../store/files/files.ts";
import { copyWithTime, isThere, makeFolder, removeFolder, removeLargeFolder } from "../../../store/files/folders.ts";
import { removeLeftovers } from "../../../store/files/leftovers.ts";
import type { GitSync } from "../../../store/git/git-sync.ts";
import type { CommitLimits } from "../commit-limits.ts";
import { restoreEmptied } from "../emptied-files.ts";
import { type Git, GitFailure, type GitPlace } from "../git.ts";
import { type WholeTree, wholeTree } from "../whole-tree.ts";

/** Lies beside the worktree's other records in the repository once its files are all there. */
const READY = "guildhall-ready";

/** What is read of a worktree in which an agent is at work: more than this is named and not shown. */
const GLANCE: CommitLimits = { file: 2_000_000, total: 20_000_000 };

/** The trailer by which a squashed commit is found again after a crash. */
export const SQUASHED = "Guildhall-Squashed";

/** What a run's commits say. */
export interface Wording {
  subject: string;
  runId: string;
  /** The commit that was squashed into this one. */
  squashed?: string;
}

interface Parts {
  git: Git;
  disk: GitSync;
  /** A path for a file that is needed for a moment. */
  scratch: () => string;
  limits: CommitLimits;
}

/** The worktrees in which runs work: made, saved to their branch, and removed. Every step may be done again. */
export class Worktrees {
  readonly #git: Git;
  readonly #disk: GitSync;
  readonly #scratch: () => string;
  /** What was last saved of a worktree: an index that has it all, and the branch's newest commit then. */
  readonly #saved = new Map<string, { index: string; tip: string | undefined }>();

  readonly #limits: CommitLimits;

  constructor({ git, disk, scratch, limits }: Parts) {
    this.#git = git;
    this.#disk = disk;
    this.#scratch = scratch;
    this.#limits = limits;
  }

  /** Makes the worktree on its branch, or on the commit that is looked at, or finds it as it was left. */
  async prepare(place: Workplace): Promise<void> {
    const { repository, worktree } = place;
    const records = recordsOf(place);
    if (!(isThere(worktree) && isThere(`${records}/${READY}`))) {
      // Nobody has worked in one that is not ready: it was being made.
      await this.remove(place, {});
      await this.#bringIn(place);
      const how = await this.#startOf(place);
      makeFolder(worktree);
      const made = { folders: [worktree], records };
      await this.#git.run({ gitDir: repository }, ["worktree", "add", "--quiet", ...how], made);
      await this.#secure(place);
      await new Files(records, "kept").replace(READY, "");
    } else {
      await this.#sweep(place);
      await restoreEmptied(this.#git, { gitDir: records, workTree: worktree });
    }
    if (!isThere(place.workdir))
      await new Files(worktree, "kept").ensureFolder(place.workdir.slice(worktree.length + 1));
  }

  /**
   * Merges the target into the branch, where the run has to work with it; not again where the branch has it. Of files that conflict, it
   * gets both sides between markers: once they are resolved, nothing is left that keeps the branch from its target.
   */
  async #bringIn({ repository, branch, target, onto, commit }: Workplace): Promise<void> {
    const at = { gitDir: repository };
    const ref = `refs/heads/${branch}`;
    const tip = await this.#git.resolve(at, `${ref}^{commit}`);
    if (onto === undefined || commit !== undefined || tip === undefined) return;
    const isIn = await this.#git.run(at, ["merge-base", "--is-ancestor", onto, tip], { allowed: [1] });
    if (isIn.code === 0) return;
    const args = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", tip, onto];
    const { out } = await this.#git.run(at, args, { allowed: [1] });
    const tree = out.split("\0")[0] ?? "";
    const input = `Merge ${target} into ${branch}\n`;
    const merge = await this.#git.text(at, ["commit-tree", tree, "-p", tip, "-p", onto], { input });
    await this.#disk.objects(repository);
    await this.#git.run(at, ["update-ref", "-m", "guildhall: merge", ref, merge, tip]);
    await this.#disk.ref(repository, ref, merge);
  }

  /** The newest commit of a branch, which is made off another one where it is not there. */
  async branch(repository: string, { branch, base }: { branch: string; base: string }): Promise<string> {
    const at = { gitDir: repository };
    const ref = `refs/heads/${branch}`;
    const known = await this.#git.resolve(at, `${ref}^{commit}`);
    const commit = known ?? (await this.#tip(repository, base));
    // Only where it is not there: the empty old value says so to git.
    if (known === undefined) await this.#git.run(at, ["update-ref", "-m", "guildhall: team", ref, commit, ""]);
    await this.#disk.ref(repository, ref, commit);
    return commit;
  }

  /** Removes what an interrupted write left. What git knows by such a name is the person's. */
  async #sweep(place: Workplace): Promise<void> {
    const args = ["ls-files", "-z", "--others", "--", ":(glob)**/.tmp-*"];
    const found = await this.#git.list(placeOf(place), args);
    removeLeftovers(found.map((path) => join(place.worktree, path)));
  }

  async #startOf({ repository, worktree, branch, target, commit }: Workplace): Promise<string[]> {
    if (commit !== undefined) return ["--detach", worktree, commit];
    const start = await this.#tip(repository, target);
    const known = await this.#git.resolve({ gitDir: repository }, `refs/heads/${branch}^{commit}`);
    return known === undefined ? ["-b", branch, "--no-track", worktree, start] : [worktree, branch];
  }

  /**
   * Brings to disk the names of all files of a new worktree, and the records that tell git of it. Not the contents: syncing
   * each of many files takes longer than making them, and the repository has them.
   */
  async #secure(place: Workplace): Promise<void> {
    const records = new Files(recordsOf(place), "kept");
    await syncFiles(records.root, records.names("."));
    // What a journal of the disk holds before this, it holds for good afterwards.
    // Git wrote the name under which it saw the repository in its sandbox.
    await new Files(place.worktree, "kept").replace(".git", `gitdir: ${recordsOf(place)}\n`);
    await syncAll([dirname(place.worktree)]);
  }

  /**
   * Commits everything in the worktree that is not ignored; answers the branch's newest commit, if it has one. It is on disk
   * when it resolves.
   */
  async save(place: Workplace, wording: Wording): Promise<string | undefined> {
    const saved = await this.#save(place, wording);
    if (saved !== undefined) await this.#disk.ref(place.repository, `refs/heads/${place.branch}`, saved);
    return saved;
  }

  async #save(place: Workplace, wording: Wording): Promise<string | undefined> {
    const known = this.#saved.get(place.worktree);
    if (known !== undefined && (await this.#isUnchanged(place, known.index))) return known.tip;
    this.#forget(place);
    const tip = await this.#git.resolve({ gitDir: place.repository }, `refs/heads/${place.branch}^{commit}`);
    if (!isThere(place.worktree) || !isThere(`${recordsOf(place)}/${READY}`)) return tip;
    const index = this.#scratch();
    this.#saved.set(place.worktree, { index, tip: undefined });
    try {
      const { tree, submodules } = await this.#treeOf(place, index);
      const saved = await this.#commit(place, { tree, tip, wording });
      // All else is on the branch by now.
      if (submodules.length > 0)
        throw new GitFailure(`changes in submodule '${submodules.join("', '")}' can't be saved`);
      this.#saved.set(place.worktree, { index, tip: saved });
      return saved;
    } catch (error) {
      this.#forget(place);
      throw error;
    }
  }

  /** Whether everything in the worktree is as it was when it was last saved; where git cannot tell, it is not. */
  async #isUnchanged(place: Workplace, index: string): Promise<boolean> {
    if (!isThere(place.worktree)) return false;
    const changed = ["ls-files", "-z", "--modified", "--others", "--exclude-standard"];
    const call = { index, bytes: true, allowed: [1, 128] };
    const { code, out } = await this.#git.run(placeOf(place), changed, call);
    return code === 0 && out === "";
  }

  /** What is in a worktree that its branch has not, as far as git does not ignore it. */
  async leftIn(place: Workplace): Promise<string[]> {
    return this.#git.list(placeOf(place), ["ls-files", "-z", "--modified", "--others", "--exclude-standard"]);
  }

  #forget({ worktree }: Workplace): void {
    const { index } = this.#saved.get(worktree) ?? {};
    this.#saved.delete(worktree);
    if (index !== undefined) new Files(dirname(index)).discard(basename(index));
  }

  async #commit(
    place: Workplace,
    { tree, tip, wording }: { tree: string; tip: string | undefined; wording: Wording },
  ): Promise<string | undefined> {
    const at = placeOf(place);
    const before = tip ?? (await this.#tip(place.repository, place.target));
    if (tree === (await this.#git.resolve(at, `${before}^{tree}`))) return tip;
    const commit = await this.#git.text(at, ["commit-tree", tree, "-p", before], { input: messageOf(wording) });
    await this.#disk.objects(place.repository);
    await this.#git.run(at, ["update-ref", "-m", "guildhall: save", `refs/heads/${place.branch}`, commit, tip ?? ""]);
    return commit;
  }

  /** Shows everything in the worktree as a tree, without a trace in it or in the repository; undefined where it is not ready. */
  async glance<Result>(
    place: Workplace,
    show: (seen: { tree: string; objects: string; leftOut: string[] }) => Promise<Result>,
  ): Promise<Result | undefined> {
    const records = recordsOf(place);
    if (!isThere(place.worktree) || !isThere(`${records}/${READY}`)) return undefined;
    const index = this.#scratch();
    const objects = `${index}-objects`;
    try {
      makeFolder(objects);
      copyWithTime(`${records}/index`, index);
      const at = { ...placeOf(place), objects };
      const looked = { at, folder: place.worktree, index, limits: GLANCE, isGlance: true };
      return await show({ objects, ...(await wholeTree(this.#git, looked)) });
    } finally {
      new Files(dirname(index)).discard(basename(index));
      await removeFolder(objects);
    }
  }

  /**
   * Works on a copy of the index: a git that was killed may have left the worktree's own locked. By the time of the index
   * git knows which files it cannot tell from changed ones without reading them.
   */
  #treeOf(place: Workplace, index: string): Promise<WholeTree> {
    copyWithTime(`${recordsOf(place)}/index`, index);
    return wholeTree(this.#git, { at: placeOf(place), folder: place.worktree, index, limits: this.#limits });
  }

  /** Takes worktree and branch away; what they held must be elsewhere. The folder goes last: by it a start finds them. */
  async remove(place: Workplace, { branchAt }: { branchAt?: string | undefined }): Promise<void> {
    await removeFolder(recordsOf(place));
    const ref = `refs/heads/${place.branch}`;
    // Unless something came to it meanwhile.
    if (branchAt !== undefined)
      await this.#git.run({ gitDir: place.repository }, ["update-ref", "-d", ref, branchAt], { allowed: [1, 128] });
    this.#forget(place);
    await removeLargeFolder(place.worktree);
  }

  async #tip(repository: string, target: string): Promise<string> {
    const tip = await this.#git.resolve({ gitDir: repository }, `refs/heads/${target}^{commit}`);
    if (tip === undefined) throw new HallError("repository_refused", `The branch '${target}' no longer exists.`);
    return tip;
  }
}

/** The name under which the repository knows the worktree. */
function nameOf({ worktree }: Pick<Workplace, "worktree">): string {
  return worktree.slice(worktree.lastIndexOf("/") + 1);
}

/** Where git keeps what it knows of the worktree. */
export function recordsOf(place: Pick<Workplace, "repository" | "worktree">): string {
  return `${place.repository}/worktrees/${nameOf(place)}`;
}

/** An agent may have rewritten the file .git of its worktree: what it says does not count. */
function placeOf(place: Workplace): GitPlace {
  return { gitDir: recordsOf(place), workTree: place.worktree };
}

export function messageOf({ subject, runId, squashed }: Wording): string {
  const line = subject
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, 200);
  return `${line}\n\nGuildhall-Run: ${runId}\n${squashed === undefined ? "" : `${SQUASHED}: ${squashed}\n`}`;
}
