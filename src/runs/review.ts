import type { Rollback } from "../contract/checkpoint.ts";
import { HallError } from "../contract/errors.ts";
import type { Run, RunBranch, RunChanges, RunDiff, SpawnResponse, Workplace } from "../contract/run.ts";
import type { Core } from "../workspace/core.ts";
import type { Change } from "../workspace/hall.ts";
import { type FolderResults, isInFolder } from "./folder-results.ts";
import { type Git, GitFailure } from "./git/git.ts";
import type { Merged, Merging } from "./git/merging.ts";
import { diffOf, forkOf } from "./git/run-diff.ts";
import { orderOf } from "./git/workplaces.ts";
import type { RunProgress } from "./run-progress.ts";
import type { Runs } from "./runs.ts";
import type { Verdicts } from "./verdicts.ts";

interface Parts {
  aroundMerge: <Result>(runId: string, merge: () => Promise<Result>) => Promise<Result>;
  core: Core;
  progress: RunProgress;
  verdicts: Verdicts;
  runs: Pick<Runs, "again">;
  git: Git;
  merging: Merging;
  folders: FolderResults;
  placeOf: (runId: string) => Workplace | undefined;
}

/** What is on a branch; what is in the folder itself is a run with `changes`. */
interface Reviewed {
  run: Run;
  branch: RunBranch;
  place: Workplace;
}

type InFolder = Run & { changes: RunChanges };

interface Decisions<Result> {
  onBranch: (reviewed: Reviewed) => Promise<Result>;
  inFolder: (run: InFolder) => Promise<Result>;
}

/** A run as it stands after its result was taken back; in a folder, with what was restored there and what was not. */
interface Reverted {
  run: Run;
  rollback?: Rollback;
}

/** What a person decides about the result of a run. Every decision is an event with that person as its actor. */
export class Review {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async diff(id: string): Promise<RunDiff> {
    const known = this.#parts.progress.find(id).run;
    if (isInFolder(known)) return this.#parts.folders.diff(known);
    const { run, branch, place } = this.#find(id);
    const span = await this.#git(() => this.#spanOf({ run, branch, place }));
    const shown = await this.#git(() => diffOf(this.#parts.git, { repository: place.repository, ...span }));
    return { runId: id, branch, ...shown };
  }

  /** Merges what was shown; anything else than what the hash was taken of must be looked at first. */
  approve(id: string, hash: string, change: Change): Promise<Run> {
    return this.#decide(id, change, {
      onBranch: async (reviewed) => {
        const branch = await this.#merged(reviewed, hash);
        return this.#parts.verdicts.record(reviewed.run, { verdict: "approved", branch, hash }, change);
      },
      inFolder: async (run) => {
        const changes = await this.#parts.folders.approved(run, hash);
        return this.#parts.verdicts.record(run, { verdict: "approved", changes, hash }, change);
      },
    });
  }

  async #merged(reviewed: Reviewed, hash: string): Promise<RunBranch> {
    this.#assertState(reviewed, "review");
    const { run, place, branch } = reviewed;
    const { merging, aroundMerge } = this.#parts;
    const shown = await this.diff(run.id);
    const order = orderOf(place, run);
    // Merged by hand: nothing comes into the branch by this, and what there was to see is no difference any more.
    const isThere = await this.#git(() => merging.isIn(order, shown.head));
    if (!isThere && shown.hash !== hash)
      throw new HallError("diff_changed", `The diff of run '${run.id}' is not, or no longer, the one with this hash.`);
    const merged = isThere
      ? undefined
      : await this.#alone(place, () => aroundMerge(run.id, () => merging.merge(order, shown.head)));
    const merge = merged === undefined ? await merging.mergeOf(order, shown.head) : commitOf(merged);
    const { reason, ...rest } = branch;
    return { ...rest, state: "merged", ...(merge === undefined ? {} : { merge }) };
  }

  /** A new run goes on with the branch, or the folder as it is, and is told what the person said. */
  reject(id: string, feedback: string, change: Change): Promise<SpawnResponse> {
    const { runs, folders } = this.#parts;
    // The key of the request stands with the run it made.
    const by = { actor: change.actor };
    return this.#decide(id, change, {
      onBranch: async (reviewed) => {
        this.#assertState(reviewed, "review");
        const { run, branch } = reviewed;
        const response = await runs.again(id, change, { runId: id, feedback, branch: branch.name });
        const after: RunBranch = { ...branch, state: "rejected", next: response.sessionId };
        await this.#parts.verdicts.record(run, { verdict: "rejected", branch: after, feedback }, by);
        return response;
      },
      inFolder: async (run) => {
        folders.assertState(run, ["review"]);
        const response = await runs.again(id, change, { runId: id, feedback });
        const after: RunChanges = { ...run.changes, state: "rejected", next: response.sessionId };
        await this.#parts.verdicts.record(run, { verdict: "rejected", changes: after, feedback }, by);
        return response;
      },
    });
  }

  revert(id: string, change: Change): Promise<Reverted> {
    return this.#decide<Reverted>(id, change, {
      onBranch: async (reviewed) => {
        const branch = await this.#reverted(reviewed);
        const run = await this.#parts.verdicts.record(reviewed.run, { verdict: "reverted", branch }, change);
        return { run };
      },
      inFolder: async (known) => {
        const { changes, rollback } = await this.#parts.folders.reverted(known, change);
        if (changes.state !== "reverted") return { run: known, rollback };
        const run = await this.#parts.verdicts.record(known, { verdict: "reverted", changes }, change);
        return { run, rollback };
      },
    });
  }

  async #reverted(reviewed: Reviewed): Promise<RunBranch> {
    this.#assertState(reviewed, "merged");
    const { run, place, branch } = reviewed;
    const { merging, aroundMerge } = this.#parts;
    const { merge } = branch;
    if (merge === undefined)
      throw new HallError(
        "merge_refused",
        `The result of run '${run.id}' came into '${branch.target}' by another hand.`,
      );
    const order = orderOf(place, run);
    const wording = { ...order.wording, subject: `Revert ${branch.name} (${run.taskId}: ${run.title})` };
    const revert = () => aroundMerge(run.id, () => merging.revert({ ...order, wording }, merge));
    return { ...branch, state: "reverted", revert: commitOf(await this.#alone(place, revert)) };
  }

  /** What the branch has beyond its target; of a result that was merged, what the merge brought. */
  async #spanOf({ run, branch, place }: Reviewed): Promise<{ from: string; to: string }> {
    const { git, merging } = this.#parts;
    const { repository, target } = place;
    const at = { gitDir: repository };
    const tip = await git.resolve(at, `refs/heads/${place.branch}^{commit}`);
    const head = tip ?? (branch.merge && (await git.resolve(at, `${branch.merge}^2`)));
    if (head === undefined) throw new HallError("file_not_found", `Run '${run.id}' left nothing on a branch.`);
    const merge = branch.merge ?? (await merging.mergeOf({ repository, target }, head));
    const from =
      merge === undefined
        ? await forkOf(git, repository, { target: `refs/heads/${target}`, head })
        : await forkOf(git, repository, { target: `${merge}^1`, head });
    return { from, to: head };
  }

  #find(id: string): Reviewed {
    const { run } = this.#parts.progress.find(id);
    const place = run.branch === undefined ? undefined : this.#parts.placeOf(id);
    if (run.branch === undefined || place === undefined)
      throw new HallError("illegal_move", `Run '${id}' has no result of its own in any files.`, {
        hint: "It could not write, or what it did belongs to the run that started it.",
      });
    return { run, branch: run.branch, place };
  }

  #assertState({ run, branch }: Reviewed, state: RunBranch["state"]): void {
    if (branch.state === state) return;
    const wanted = state === "review" ? "waits for no review" : "is not merged";
    throw new HallError("illegal_move", `The result of run '${run.id}' ${wanted}: it is ${branch.state}.`, {
      hint: `See 'guildhall run show ${run.id}'.`,
    });
  }

  /** Merges into one repository take turns. */
  #alone<Value>({ repository }: Workplace, work: () => Promise<Value>): Promise<Value> {
    return this.#git(() => this.#parts.core.locks.run(`repository ${repository}`, work));
  }

  /** One decision about a run at a time. Only a person decides. */
  #decide<Result>(id: string, { actor }: Change, { onBranch, inFolder }: Decisions<Result>): Promise<Result> {
    if (actor.kind !== "person") throw new HallError("forbidden", "Only a person decides about the result of a run.");
    return this.#parts.core.locks.run(`review ${id}`, async () => {
      const { run } = this.#parts.progress.find(id);
      return isInFolder(run) ? inFolder(run) : onBranch(this.#find(id));
    });
  }

  async #git<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GitFailure) throw new HallError("merge_refused", `git could not do it: ${error.message}`);
      throw error;
    }
  }
}

function commitOf(merged: Merged): string {
  if ("commit" in merged) return merged.commit;
  throw new HallError("merge_refused", `It cannot be merged: ${merged.obstacle}.`);
}
