import type { Rollback } from "../contract/checkpoint.ts";
import { HallError } from "../contract/errors.ts";
import type { Run, RunBranch, RunChanges, RunDiff, SpawnResponse, Workplace } from "../contract/run.ts";
import type { Verdict } from "../contract/run-book.ts";
import { isOver } from "../contract/run-status.ts";
import type { ControlFiles } from "../store/control-files.ts";
import type { Core } from "../workspace/core.ts";
import type { Change } from "../workspace/hall.ts";
import type { ProjectSecrets } from "../workspace/project-secrets.ts";
import type { Around } from "./checkpoints.ts";
import { decided } from "./control-standing.ts";
import { type FolderResults, isInFolder } from "./folder-results.ts";
import { type Git, GitFailure } from "./git/git.ts";
import { conflictOf, isNothing, isThrownAway, type Reviewed, spanOf } from "./git/left-branch.ts";
import type { Merged, Merging } from "./git/merging.ts";
import { type RepositoryHealth, refusalOf } from "./git/repository-health.ts";
import { diffOf } from "./git/run-diff.ts";
import { orderOf } from "./git/workplaces.ts";
import type { Instructions } from "./instructions.ts";
import { didNotContinue } from "./lifecycle.ts";
import { noDiff } from "./no-changes.ts";
import { returnResult } from "./returned-result.ts";
import { assertDecidable, mergeRefused } from "./review-refusals.ts";
import type { RunBook } from "./run-book.ts";
import type { RunProgress } from "./run-progress.ts";
import type { Runs } from "./runs.ts";
import { unlessRefused } from "./settlement.ts";
import type { Verdicts } from "./verdicts.ts";
import type { WorkLog } from "./work-log.ts";

interface Parts {
  aroundMerge: <Result>(runId: string, merge: (around: Around) => Promise<Result>, deed?: "revert") => Promise<Result>;
  core: Core;
  book: RunBook;
  progress: RunProgress;
  verdicts: Verdicts;
  runs: Pick<Runs, "again">;
  git: Git;
  merging: Merging;
  health: Pick<RepositoryHealth, "examine" | "knownDamage">;
  control: ControlFiles;
  folders: FolderResults;
  instructions: Pick<Instructions, "acceptApproved">;
  workLog: Pick<WorkLog, "note">;
  secrets: Pick<ProjectSecrets, "of">;
  placeOf: (runId: string) => Workplace | undefined;
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
    if (await this.#git(place, () => isNothing(this.#parts, { run, branch, place }))) return noDiff(run);
    const span = await this.#git(place, () => spanOf(this.#parts, { run, branch, place }));
    const shown = await this.#git(place, () => diffOf(this.#parts, { repository: place.repository, ...span }));
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
        await this.#parts.instructions.acceptApproved(run.projectId, await this.#parts.folders.guidesIn(run));
        return this.#parts.verdicts.record(run, { verdict: "approved", changes, hash }, change);
      },
    });
  }

  async #merged(reviewed: Reviewed, hash: string): Promise<RunBranch> {
    const { run, place, branch } = reviewed;
    assertDecidable(run, "approved");
    const { merging, aroundMerge } = this.#parts;
    const shown = await this.diff(run.id);
    const order = orderOf(place, run);
    const isNothing = shown.head === "";
    // Merged by hand: nothing comes into the branch by this, and what there was to see is no difference any more.
    const isThere = !isNothing && (await this.#git(place, () => merging.isIn(order, shown.head)));
    if (!isThere && shown.hash !== hash)
      throw new HallError("diff_changed", `The diff of run '${run.id}' is not, or no longer, the one with this hash.`);
    const rest = decided(branch);
    if (isNothing) return { ...rest, state: "unchanged" };
    const merged = isThere
      ? undefined
      : await this.#alone(place, () =>
          aroundMerge(run.id, (around) => merging.merge({ ...order, around }, shown.head, "approved")),
        );
    if (merged !== undefined && "obstacle" in merged) {
      await this.#assertSound(place, merged);
      throw await this.#hindered(reviewed, merged);
    }
    const merge = merged?.commit ?? (await merging.mergeOf(order, shown.head));
    if (merged === undefined && merge !== undefined) await this.#git(place, () => merging.confirm(order, merge));
    return { ...rest, state: "merged", ...(merge === undefined ? {} : { merge }) };
  }

  /** What keeps it from being merged now stands with the run, in place of what did before. */
  async #hindered({ run, branch }: Reviewed, why: Extract<Merged, { obstacle: string }>): Promise<HallError> {
    const { core, book, progress } = this.#parts;
    const hindrance = { reason: why.obstacle, reasonCode: "merge-blocked" as const };
    const told = { branch: { ...branch, ...hindrance }, at: core.clock().toISOString() };
    if (branch.reason !== why.obstacle) await book.hindered(progress.find(run.id), told);
    return mergeRefused("merged", { run, branch, ...why });
  }

  /** A new run goes on with the branch, or the folder as it is, and is told what the person said. */
  reject(id: string, feedback: string, change: Change): Promise<SpawnResponse> {
    const { runs } = this.#parts;
    // The key of the request stands with the run it made.
    const by = { actor: change.actor };
    return this.#decide(id, change, {
      onBranch: async (reviewed) => {
        const { run, branch } = reviewed;
        assertDecidable(run, "rejected");
        const conflict = await conflictOf(this.#parts, reviewed);
        const response = await runs.again(id, change, { runId: id, feedback, branch: branch.name, ...conflict });
        const after: RunBranch = { ...decided(branch), state: "rejected", next: response.sessionId };
        await this.#sentBack(run, { branch: after, feedback }, by);
        return response;
      },
      inFolder: async (run) => {
        assertDecidable(run, "rejected");
        const response = await runs.again(id, change, { runId: id, feedback });
        const after: RunChanges = { ...decided(run.changes), state: "rejected", next: response.sessionId };
        await this.#sentBack(run, { changes: after, feedback }, by);
        return response;
      },
    });
  }

  async #sentBack(run: Run, after: Omit<Verdict, "verdict">, by: Change): Promise<void> {
    await this.#remember(run, "sent back", after.feedback);
    await this.#parts.verdicts.record(run, { verdict: "rejected", ...after }, by);
    // The run that is to continue it may have been cancelled before this was written down.
    const { run: next } = this.#parts.progress.find((after.branch ?? after.changes)?.next ?? "");
    if (isOver(next) && didNotContinue(next)) await returnResult(this.#parts, run.id, next);
  }

  /** Before it is noted: after a crash in between it is done again, and not twice. */
  #remember(run: Run, verdict: "sent back" | "taken back", words = ""): Promise<unknown> {
    const { workLog, secrets, core } = this.#parts;
    const text = words === "" ? "" : secrets.of(run.projectId).text(words);
    return unlessRefused(workLog.note(run, { verdict, words: text, at: core.clock().toISOString() }));
  }

  revert(id: string, change: Change): Promise<Reverted> {
    return this.#decide<Reverted>(id, change, {
      onBranch: async (reviewed) => {
        const branch = await this.#reverted(reviewed);
        await this.#remember(reviewed.run, "taken back");
        const run = await this.#parts.verdicts.record(reviewed.run, { verdict: "reverted", branch }, change);
        return { run };
      },
      inFolder: async (known) => {
        const { changes, rollback } = await this.#parts.folders.reverted(known, change);
        if (changes === known.changes) return { run: known, rollback };
        await this.#remember(known, "taken back");
        const run = await this.#parts.verdicts.record(known, { verdict: "reverted", changes }, change);
        return { run, rollback };
      },
    });
  }

  async #reverted(reviewed: Reviewed): Promise<RunBranch> {
    const { run, place, branch } = reviewed;
    if (await this.#git(place, () => isThrownAway(this.#parts, reviewed)))
      return { ...decided(branch), state: "reverted", reason: "its branch was removed" };
    assertDecidable(run, "reverted");
    const { merging, aroundMerge } = this.#parts;
    const { merge } = branch;
    if (merge === undefined)
      throw new HallError(
        "merge_refused",
        `The result of run '${run.id}' came into '${branch.target}' by another hand.`,
      );
    const order = orderOf(place, run);
    const wording = { ...order.wording, subject: `Revert ${branch.name} (${run.taskId}: ${run.title})` };
    const revert = () =>
      aroundMerge(run.id, (around) => merging.revert({ ...order, wording, around }, merge), "revert");
    const made = await this.#alone(place, revert);
    if ("obstacle" in made) {
      await this.#assertSound(place, made);
      throw mergeRefused("taken back", { run, branch, ...made });
    }
    return { ...branch, state: "reverted", revert: made.commit };
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

  /** One decision about a run at a time. Only a person decides. */
  #decide<Result>(id: string, { actor }: Change, { onBranch, inFolder }: Decisions<Result>): Promise<Result> {
    if (actor.kind !== "person") throw new HallError("forbidden", "Only a person decides about the result of a run.");
    return this.#parts.core.locks.run(`review ${id}`, async () => {
      const { run } = this.#parts.progress.find(id);
      return isInFolder(run) ? inFolder(run) : onBranch(this.#find(id));
    });
  }

  async #git<Value>(place: Workplace, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      await this.#assertSound(place, {});
      throw new HallError("merge_refused", `git could not do it: ${error.message}`);
    }
  }
}
