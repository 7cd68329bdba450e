import { HallError } from "../../contract/errors.ts";
import type { BranchDelivery, DeliveryState, Discard, MergeBlocker } from "../../contract/runs/delivery.ts";
import type { Run, RunDiff, Workplace } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { isThere } from "../../store/files/folders.ts";
import type { ControlFiles } from "../../store/git/control-files.ts";
import { trackedRemote } from "../../store/git/git-remote.ts";
import type { Core } from "../../workspace/core.ts";
import type { RunBook } from "../record/run-book.ts";
import type { Around } from "../results/checkpoints.ts";
import type { Approval, Approved, Delivered, DeliveryPlace, Discarded, Reverted } from "../results/delivery-place.ts";
import { decide } from "../results/lifecycle.ts";
import type { Moved, Passed, ResultPolicy } from "../results/lifecycle-events.ts";
import { noDiff } from "../results/no-changes.ts";
import { branchTaken, commitGone, mergeRefused, noResult } from "../results/review-refusals.ts";
import { assertNotCheckedOut, otherUser } from "./branch-use.ts";
import { type Git, GitFailure } from "./git.ts";
import type { HiddenRefs } from "./hidden-refs.ts";
import { onlyJudged } from "./judged-merge.ts";
import { conflictOf, isNothing, type Reviewed, spanOf, tipOf } from "./left-branch.ts";
import type { Merged, Merging } from "./merging.ts";
import { type RepositoryHealth, refusalOf } from "./repository-health.ts";
import { diffOf, forkOf } from "./run-diff.ts";
import { doubtOf, type LeftWorktrees, orderOf, type Trusted } from "./worktrees/left-worktrees.ts";
import type { Worktrees } from "./worktrees/worktrees.ts";

interface Parts {
  aroundMerge: <Result>(runId: string, merge: (around: Around) => Promise<Result>, deed?: "revert") => Promise<Result>;
  core: Core;
  book: Pick<RunBook, "hindered">;
  git: Git;
  worktrees: Pick<Worktrees, "glance">;
  trusted: Trusted;
  merging: Merging;
  health: Pick<RepositoryHealth, "examine" | "knownDamage">;
  control: ControlFiles;
  hidden: Pick<HiddenRefs, "hide" | "commitOf" | "restore">;
  left: Pick<LeftWorktrees, "save">;
  placeOf: (runId: string) => Workplace | undefined;
  policyOf: (run: Run) => ResultPolicy;
}

type OnBranch = Delivered<"branch">;

const WAITING: readonly DeliveryState[] = ["review", "kept"];
const MOST_PATHS = 100;

/** The results of runs that work on a branch of their own: git shows them, merges them and takes them back. */
export class BranchResults implements DeliveryPlace<"branch"> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async diff(run: OnBranch): Promise<RunDiff> {
    const reviewed = this.#reviewed(run);
    const { place } = reviewed;
    if (!isOver(run)) return this.#git(place, () => this.#underWay(reviewed));
    if (await this.#git(place, () => isNothing(this.#parts, reviewed))) return noDiff(run);
    const span = await this.#git(place, () => spanOf(this.#parts, reviewed));
    const shown = await this.#git(place, () => diffOf(this.#parts, { repository: place.repository, ...span }));
    const blockers = WAITING.includes(run.delivery.state) ? await this.#blockersOf(place, span.to) : [];
    const remote = trackedRemote(place.repository, place.target);
    return {
      ...{ runId: run.id, delivery: run.delivery, ...shown },
      ...(blockers.length === 0 ? {} : { blockers }),
      ...(remote === undefined ? {} : { remote, subject: `${run.taskId}: ${run.title}` }),
    };
  }

  /** The commits that a result is between. */
  async span(run: OnBranch): Promise<{ repository: string; from: string; to: string }> {
    const reviewed = this.#reviewed(run);
    const { place } = reviewed;
    const span = await this.#git(place, () => spanOf(this.#parts, reviewed));
    return { repository: place.repository, ...span };
  }

  /** Looked at without a lock: it may have changed when the result is approved, and is looked at again then. */
  async #blockersOf(place: Workplace, head: string): Promise<MergeBlocker[]> {
    try {
      return (await this.#parts.merging.blockersOf(place, head)).map(({ code, paths }) => ({
        code,
        paths: paths.slice(0, MOST_PATHS),
      }));
    } catch (error) {
      if (error instanceof GitFailure) return [];
      throw error;
    }
  }

  /** What its worktree holds at this moment. */
  async #underWay({ run, branch, place }: Reviewed): Promise<RunDiff> {
    const { git, worktrees } = this.#parts;
    const { repository, target } = place;
    const doubt = doubtOf(place, this.#parts.trusted);
    if (doubt !== undefined) throw new GitFailure(doubt);
    const about = { runId: run.id, delivery: branch, isLive: true } as const;
    const shown = await worktrees.glance(place, async ({ tree, objects, leftOut }) => {
      const head = `refs/heads/${place.branch}`;
      const from = await forkOf(git, repository, { target: `refs/heads/${target}`, head });
      const { files, ...diff } = await diffOf(this.#parts, { repository, from, to: tree, objects });
      const unread = leftOut.map((path) => ({ path, additions: 0, deletions: 0, binary: false, unshown: true }));
      return { ...diff, head: "", files: [...files, ...unread] };
    });
    return { ...(shown ?? noDiff({ id: run.id, delivery: branch })), ...about };
  }

  async deliver(
    run: OnBranch,
    { hash, mergeMethod, keepBranch }: Approval,
    passed?: Passed,
  ): Promise<Approved | { moved: Moved }> {
    const { place } = this.#reviewed(run);
    const { merging, aroundMerge, policyOf } = this.#parts;
    const shown = await this.diff(run);
    const order = orderOf(place, run, mergeMethod ?? policyOf(run).mergeMethod);
    const isNothing = shown.head === "";
    // Merged by hand: nothing comes into the branch by this, and what there was to see is no difference any more.
    const isIn = !isNothing && (await this.#git(place, () => merging.isIn(order, shown.head)));
    if (!isIn && shown.hash !== hash)
      throw new HallError("diff_changed", `The diff of run '${run.id}' does not match this hash.`);
    if (isNothing) return { type: "approved", isNothing };
    if (!isIn && passed !== undefined && passed.head !== shown.head)
      return { moved: { head: shown.head, base: shown.base } };
    const merged = isIn
      ? undefined
      : await this.#alone(place, async () => {
          const check = passed && (await onlyJudged(merging, order, passed));
          return aroundMerge(run.id, (around) => merging.merge({ ...order, around }, shown.head, check));
        });
    if (merged !== undefined && "moved" in merged && merged.moved !== undefined)
      return { moved: { onto: merged.moved } };
    if (merged !== undefined && "obstacle" in merged) {
      await this.#assertSound(place, merged);
      throw await this.#hindered(run, merged);
    }
    const merge = merged?.commit ?? (await merging.mergeOf(order, shown.head));
    if (merged === undefined && merge !== undefined) await this.#git(place, () => merging.confirm(order, merge));
    const squashed = order.method === "squash" && !isIn ? { squashed: shown.head } : {};
    return { type: "approved", merge, ...squashed, ...(keepBranch ? { keepsBranch: true } : {}) };
  }

  /** What keeps it from being merged now stands with the run, in place of what did before. */
  async #hindered(run: OnBranch, why: Extract<Merged, { obstacle: string }>): Promise<HallError> {
    const { core, book } = this.#parts;
    const reasonCode = why.conflicts === undefined ? "merge-blocked" : "merge-conflict";
    const { delivery } = decide({ run }, { type: "blocked", reasonCode, reason: why.obstacle });
    const known = core.runs.get(run.id);
    if (known !== undefined && delivery !== undefined && run.delivery.reason !== why.obstacle)
      await book.hindered(known, { delivery, at: core.clock().toISOString() });
    return mergeRefused("merged", { run, branch: run.delivery, ...why });
  }

  async takeBack(run: OnBranch): Promise<{ event: Reverted }> {
    const { place } = this.#reviewed(run);
    const branch: BranchDelivery = run.delivery;
    const { merging, aroundMerge } = this.#parts;
    const { merge } = branch;
    if (merge === undefined)
      throw new HallError(
        "merge_refused",
        `The result of run '${run.id}' was merged into '${branch.target}' outside Guildhall. Revert it with git.`,
      );
    const order = orderOf(place, run);
    const wording = { ...order.wording, subject: `Revert ${branch.name} (${run.taskId}: ${run.title})` };
    const revert = () =>
      aroundMerge(run.id, (around) => merging.revert({ ...order, wording, around }, merge), "revert");
    const made = await this.#alone(place, revert);
    if ("obstacle" in made) {
      await this.#assertSound(place, made);
      throw mergeRefused("reverted", { run, branch, ...made });
    }
    return { event: { type: "reverted", commit: made.commit } };
  }

  /** Has an undo find the branch. Deleting it follows, when the decision is on disk. */
  async discard(run: OnBranch): Promise<Discarded> {
    const { place } = this.#reviewed(run);
    const { hidden, left, core } = this.#parts;
    // Without its repository there is nothing to delete, and nothing to be lost.
    if (!isThere(place.repository)) return { reason: "its repository no longer exists" };
    const user = otherUser(core.runs, run);
    if (user !== undefined) return { reason: `${user} uses its branch` };
    return this.#git(place, async () => {
      const commit = await left.save(run, place);
      if (commit === undefined) return run.delivery.files === 0 ? {} : { reason: "its branch was already deleted" };
      await assertNotCheckedOut(this.#parts.git, place);
      await hidden.hide(run.id, place, commit);
      return { commit };
    });
  }

  async assertRestorable(run: OnBranch): Promise<void> {
    const { place } = this.#reviewed(run);
    const { commit } = run.delivery.discard ?? {};
    if (commit === undefined) return;
    const [found, kept] = await this.#git(place, () =>
      Promise.all([tipOf(this.#parts.git, place), this.#parts.hidden.commitOf(place, run.id)]),
    );
    if (found !== undefined && found !== commit) throw branchTaken(run);
    if (kept === undefined && found === undefined) throw commitGone(run, commit);
  }

  async restore(run: Run, { commit }: Discard): Promise<void> {
    const place = this.#parts.placeOf(run.id);
    if (commit !== undefined && place !== undefined)
      await this.#git(place, () => this.#parts.hidden.restore(run.id, place));
  }

  async forNext(run: OnBranch): ReturnType<DeliveryPlace<"branch">["forNext"]> {
    return { branch: run.delivery.name, ...(await conflictOf(this.#parts, this.#reviewed(run))) };
  }

  #reviewed(run: OnBranch): Reviewed {
    const place = this.#parts.placeOf(run.id);
    if (place === undefined) throw noResult(run);
    return { run, branch: run.delivery, place };
  }

  /** Merges into one repository take turns. Nothing is merged into one that is damaged. */
  #alone<Value>(place: Workplace, work: () => Promise<Value>): Promise<Value> {
    const { repository } = place;
    return this.#git(place, async () => {
      const refusal = refusalOf(repository, await this.#parts.health.knownDamage(repository));
      if (refusal !== undefined) throw refusal;
      return this.#parts.core.locks.run(`repository ${repository}`, work);
    });
  }

  /** Refuses where what is in the way is not the person's work but damage. */
  async #assertSound(place: Workplace, { conflicts }: { conflicts?: string[] | undefined }): Promise<void> {
    const damage = conflicts === undefined ? await this.#parts.health.examine(place) : undefined;
    const refusal = refusalOf(place.repository, damage);
    if (refusal !== undefined) throw refusal;
  }

  async #git<Value>(place: Workplace, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      await this.#assertSound(place, {});
      throw new HallError("merge_refused", `git failed: ${error.message}`);
    }
  }
}
