import { HallError } from "../../contract/errors.ts";
import type { Checkpoint, Rollback } from "../../contract/runs/checkpoint.ts";
import type { BranchDelivery } from "../../contract/runs/delivery.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { isThere } from "../../store/files/folders.ts";
import type { GitSync } from "../../store/git/git-sync.ts";
import type { Change } from "../../workspace/change.ts";
import { byChange, type Core, commit } from "../../workspace/core.ts";
import { assertNotCheckedOut } from "../git/branch-use.ts";
import { type Git, GitFailure } from "../git/git.ts";
import type { HiddenRefs, Marked } from "../git/hidden-refs.ts";
import { tipOf } from "../git/left-branch.ts";

interface Parts {
  core: Core;
  git: Git;
  disk: GitSync;
  hidden: Pick<HiddenRefs, "mark" | "marked">;
  placeOf: (runId: string) => Workplace | undefined;
}

type Reviewed = Run & { delivery: BranchDelivery };

/** A commit that a review keeps, and the run whose branch can go back to it. */
interface Kept {
  checkpoint: Checkpoint;
  run: Reviewed;
  place: Workplace;
  commit: string;
  reviewId: string;
}

/** Runs of a project that are looked through for results in review. */
const MOST_RUNS = 500;
const MOST_LOGGED = 50;
const REASONS = ["pre-work", "pre-review", "rollback"] as const;
const HOW = { A: "created", D: "removed" } as const;

/** The commits of results in review: what the work began with, and what each gate judged. A branch can be set back to one. */
export class BranchCheckpoints {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The newest first. */
  async list(projectId: string): Promise<Checkpoint[]> {
    return (await this.#all(projectId)).map(({ checkpoint }) => checkpoint);
  }

  /** Undefined where no review keeps such a commit. */
  async rollback(
    projectId: string,
    id: string,
    { dryRun, change }: { dryRun: boolean; change: Change },
  ): Promise<Rollback | undefined> {
    const found = (await this.#all(projectId)).find(({ checkpoint }) => checkpoint.id === id);
    if (found === undefined) return undefined;
    const { core } = this.#parts;
    const { run, place } = found;
    // Nobody decides about the result, and no gate begins to judge it, meanwhile.
    return core.locks.run(`review ${run.id}`, () =>
      core.locks.run(`repository ${place.repository}`, () => this.#rollback(found, { dryRun, change })),
    );
  }

  async #rollback(kept: Kept, { dryRun, change }: { dryRun: boolean; change: Change }): Promise<Rollback> {
    const { core, git, disk, hidden } = this.#parts;
    const { checkpoint, place, commit: to, reviewId } = kept;
    const { repository, branch } = place;
    const run = core.runs.get(kept.run.id)?.run;
    const tip = await tipOf(git, place);
    if (tip === undefined) throw new HallError("file_not_found", `The branch '${branch}' was deleted.`);
    const restored = tip === to ? [] : await this.#changes(repository, tip, to);
    const planned = { to: checkpoint.id, dryRun, restored, left: [], runs: [kept.run.id], conflicts: [] };
    const note = `Branch '${branch}' goes back from ${tip.slice(0, 12)} to ${to.slice(0, 12)}. Your checkout stays as it is.`;
    if (dryRun) return { ...planned, note };
    assertDecidable(run, branch);
    if (tip === to) return planned;
    // A checkout would show the way back as uncommitted changes.
    await assertNotCheckedOut(git, { ...place, worktree: "" });
    const { ref } = await hidden.mark(place, `${reviewId}/rollback-${tip.slice(0, 12)}`, tip);
    await git.run({ gitDir: repository }, ["update-ref", "-m", "guildhall: rollback", `refs/heads/${branch}`, to, tip]);
    await disk.ref(repository, `refs/heads/${branch}`, to);
    const checkpointId = idOf(ref, tip);
    const paths = restored.slice(0, MOST_LOGGED).map(({ path }) => path);
    const told = { to: checkpoint.id, checkpointId, restored: restored.length, left: 0, paths, branch, from: tip };
    const { actor } = byChange(change);
    const subject = { kind: "checkpoint" as const, id: checkpoint.id };
    const after = { ...told, commit: to, runId: kept.run.id };
    await commit(
      core,
      { type: "checkpoint.rolledback", actor, projectId: kept.run.projectId, subject, after },
      () => undefined,
    );
    return { ...planned, checkpointId, note };
  }

  async #changes(repository: string, from: string, to: string): Promise<Rollback["restored"]> {
    const fields = await this.#parts.git.list({ gitDir: repository }, [
      ...["diff", "--no-ext-diff", "--no-renames", "--name-status", "-z", from, to],
    ]);
    return fields.flatMap((status, at) => {
      const path = fields[at + 1];
      return at % 2 === 1 || path === undefined ? [] : [{ path, how: HOW[status as keyof typeof HOW] ?? "changed" }];
    });
  }

  /** A repository that is gone, or that git can't read, has nothing to go back to. */
  async #marked(place: Workplace): Promise<Map<string, Marked[]>> {
    try {
      return isThere(place.repository) ? await this.#parts.hidden.marked(place) : new Map();
    } catch (error) {
      if (error instanceof GitFailure) return new Map();
      throw error;
    }
  }

  async #all(projectId: string): Promise<Kept[]> {
    const { core, placeOf } = this.#parts;
    const kept: Kept[] = [];
    const repositories = new Map<string, Map<string, Marked[]>>();
    for (const { run } of core.runs.list({ projectId, limit: MOST_RUNS })) {
      const reviewId = run.delivery?.gate?.reviewId;
      const place = isReviewed(run) && reviewId !== undefined ? placeOf(run.id) : undefined;
      if (!isReviewed(run) || reviewId === undefined || place === undefined) continue;
      const marked = repositories.get(place.repository) ?? (await this.#marked(place));
      repositories.set(place.repository, marked);
      for (const { ref, commit: of, at } of marked.get(reviewId) ?? []) {
        const reason = REASONS.find((each) => ref.split("/").at(-1)?.startsWith(each));
        if (reason === undefined) continue;
        const about = { runId: run.id, task: { id: run.taskId, title: run.title }, workdir: place.repository };
        const nothing = { files: 0, bytes: 0, notKept: [], changed: [], changedCount: 0 };
        const branch = { name: place.branch, commit: of };
        const checkpoint = { id: idOf(ref, of), at, reason, ...about, ...nothing, branch };
        kept.push({ checkpoint, run, place, commit: of, reviewId });
      }
    }
    return kept.sort((left, right) => (left.checkpoint.at < right.checkpoint.at ? 1 : -1));
  }
}

function isReviewed(run: Run): run is Reviewed {
  return run.delivery?.kind === "branch" && (run.delivery.state === "review" || run.delivery.state === "kept");
}

function assertDecidable(run: Run | undefined, branch: string): void {
  if (run === undefined || !isReviewed(run))
    throw new HallError("illegal_move", `The result on branch '${branch}' is no longer in review.`);
  if (run.delivery.reasonCode === "gate-running")
    throw new HallError("illegal_move", `The quality gates are checking branch '${branch}'.`, {
      hint: "Wait until they are done, then retry.",
    });
}

/** The end of a commit's hash tells checkpoints of one review apart. */
function idOf(ref: string, of: string): string {
  return `${ref.split("/").slice(-2).join(".")}.${of.slice(0, 8)}`;
}
