import type { Project } from "../../contract/documents/project.ts";
import type { RunSandbox } from "../../contract/documents/sandbox.ts";
import { HallError } from "../../contract/errors.ts";
import type { Delivery } from "../../contract/runs/delivery.ts";
import type { RecordedEnd } from "../../contract/runs/journal.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { hintText } from "../../contract/words/hint.ts";
import { isThere, realPlaceOf } from "../../store/files/folders.ts";
import type { ControlFiles } from "../../store/git/control-files.ts";
import { wayOut } from "../../store/git/git-checkout.ts";
import { assertWritable } from "../../store/host/disk-room.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { Around } from "../results/checkpoints.ts";
import { controlReason } from "../results/control-standing.ts";
import { type Gatekeeper, judged } from "../results/gatekeeper.ts";
import { decide } from "../results/lifecycle.ts";
import type { AfterJudgement, EndedStatus, Judgement, Late, ResultPolicy } from "../results/lifecycle-events.ts";
import type { Leased } from "../schedule/scheduler-ports.ts";
import { controlFilesBetween } from "./control-changes.ts";
import { type Git, GitFailure } from "./git.ts";
import { onlyJudged } from "./judged-merge.ts";
import { tipOf } from "./left-branch.ts";
import type { MergeCheck, Merged, MergeOrder, Merging } from "./merging.ts";
import type { PlaceNotes } from "./place-notes.ts";
import { type Found, findRepository } from "./repository.ts";
import type { Damage } from "./repository-check.ts";
import type { RepositoryHealth } from "./repository-health.ts";
import { changedFiles, forkOf } from "./run-diff.ts";
import { doubtOf, type LeftWorktrees, orderOf, type Trusted, wordingOf } from "./worktrees/left-worktrees.ts";
import type { Prepared, SetUp, WorktreeSetups } from "./worktrees/worktree-setups.ts";
import type { Worktrees } from "./worktrees/worktrees.ts";

interface Parts {
  core: Core;
  git: Git;
  worktrees: Worktrees;
  merging: Merging;
  health: Pick<RepositoryHealth, "examine" | "knownDamage" | "refusal">;
  control: ControlFiles;
  workdirs: Pick<Hall["workdirs"], "noteFilters">;
  notes: PlaceNotes;
  trusted: Trusted;
  left: Pick<LeftWorktrees, "cleanUp">;
  /** Where a run works, from the first line of its journal. */
  placeOf: (runId: string) => Workplace | undefined;
  /** The run whose result it goes on with. */
  continuedBy: (runId: string) => string | undefined;
  setups: Pick<WorktreeSetups, "prepare" | "signalFor" | "end">;
  /** How the commands of a run are kept in; undefined where it runs none. */
  sandboxOf: (runId: string) => RunSandbox | undefined;
  policyOf: (run: Run) => ResultPolicy;
  gates: Gatekeeper;
  /** Keeps the person's folder as it is before and after a merge. */
  aroundMerge: <Result>(runId: string, merge: (around: Around) => Promise<Result>, deed?: "revert") => Promise<Result>;
}

interface Settled {
  delivery: Delivery | undefined;
  /** What it changed, by git's word. */
  files?: string[];
}

interface Outcome {
  order: MergeOrder;
  fork: string;
  head: string;
  status: EndedStatus;
  counts: Pick<Delivery, "files" | "additions" | "deletions">;
  files: string[];
}

interface Judged {
  judgement: Judgement;
  order: MergeOrder;
  head: string;
  /** Finds whether something else than what was judged would be merged. */
  check?: MergeCheck | undefined;
}

const BRANCH_GONE = "Its branch was deleted.";

/** Where runs work that may write in a git repository, and what becomes of what they did there. */
export class Workplaces {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async repositoryOf(project: Project): Promise<Found> {
    const { git, core, health, workdirs } = this.#parts;
    const found = await findRepository(git, project, core.workdirRecords.look(project));
    if (found !== undefined && "filters" in found) workdirs.noteFilters(project.id, found.filters);
    return (await health.refusal(found, project)) ?? found;
  }

  /** Merges the newest commit of a branch into another one, which gets both sides of what conflicts. On disk when it resolves. */
  async bringIn(
    project: Project,
    { from, branch, runId }: { from: string; branch: string; runId: string },
  ): Promise<void> {
    const found = await this.repositoryOf(project);
    if (found instanceof HallError) throw found;
    if (found === undefined) return;
    const { merging, git } = this.#parts;
    const repository = found.gitDir;
    const order = { repository, target: branch, wording: { subject: `Merge ${from} into ${branch}`, runId } };
    try {
      const commit = await git.resolve({ gitDir: repository }, `refs/heads/${from}^{commit}`);
      if (commit === undefined) return;
      const merged = await this.#alone({ repository }, () => merging.bringIn(order, commit));
      if ("obstacle" in merged)
        throw new HallError("repository_refused", `'${from}' can't be merged into '${branch}': ${merged.obstacle}.`);
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      throw new HallError("repository_refused", `'${from}' can't be merged into '${branch}': ${error.message}.`);
    }
  }

  /** A branch for what is made together, off the base where it is not there yet. It is on disk when it resolves. */
  async ensureBranch(
    project: Project,
    { branch, base }: { branch: string; base: string },
  ): Promise<{ commit: string }> {
    const found = await this.repositoryOf(project);
    if (found instanceof HallError) throw found;
    if (found === undefined)
      throw new HallError("repository_refused", `Project '${project.id}' has no git repository.`);
    const repository = found.gitDir;
    try {
      return {
        commit: await this.#alone({ repository }, () => this.#parts.worktrees.branch(repository, { branch, base })),
      };
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      throw new HallError("repository_refused", `The branch '${branch}' can't be made: ${error.message}.`);
    }
  }

  tipOf(place: Pick<Workplace, "repository" | "branch">): Promise<string | undefined> {
    return tipOf(this.#parts.git, place);
  }

  /** Everything in a worktree that is not ignored; undefined where it is not ready, or too large to be seen as a whole. */
  async treeOf(place: Workplace): Promise<string | undefined> {
    try {
      return await this.#parts.worktrees.glance(place, async ({ tree, leftOut }) =>
        leftOut.length > 0 ? undefined : tree,
      );
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return undefined;
    }
  }

  /** Makes ready what the run needs before its agent starts; answers where it works, if not where its project does. */
  async ready(runId: string): Promise<Leased> {
    const folder = this.#folderOf(runId);
    if (folder instanceof HallError) {
      const cause = folder.code === "project_not_found" ? "project" : "folder";
      return { go: false, refused: { cause, error: `${folder.message} ${hintText(folder.hint)}` } };
    }
    const place = this.#parts.placeOf(runId);
    if (place === undefined) return { go: true, workdir: folder };
    const refused = (why: string) => {
      const error = `The run has no working folder: ${why.replace(/\.$/, "")}.`;
      return { go: false, refused: { cause: "repository" as const, error } };
    };
    const identity = this.#parts.trusted(place.repository);
    const doubt = doubtOf(place, this.#parts.trusted);
    if (doubt !== undefined) return refused(doubt);
    const way = wayOut(place.repository);
    if (way !== undefined) return refused(`'${way}' leads outside it`);
    try {
      await this.#parts.notes.write(place, identity);
      if (place.owner === runId) await this.#freeBranch(runId);
      await this.#alone(place, () => this.#parts.worktrees.prepare(place));
      const set = await this.#setUp(runId, place);
      if ("failed" in set) return { go: false, refused: { cause: "setup", error: set.failed } };
      const workdir = `${realPlaceOf(place.worktree)}${place.workdir.slice(place.worktree.length)}`;
      return { go: true, workdir, outfit: set.outfit };
    } catch (error) {
      if (!(error instanceof GitFailure || error instanceof HallError)) throw error;
      // The disk may confirm it the next time.
      if (error instanceof HallError && error.code === "storage_failed") throw error;
      this.#assertDisk(place);
      const damage = await this.#parts.health.examine(place);
      return refused(damage === undefined ? error.message : waitingFor(damage).reason);
    }
  }

  /** Only where its agent can run commands. */
  async #setUp(runId: string, place: Workplace): Promise<Prepared> {
    const { setups, sandboxOf, core } = this.#parts;
    const policy = sandboxOf(runId);
    if (policy === undefined) return {};
    const { signal, end } = setups.signalFor(runId);
    try {
      return await setups.prepare({ projectId: core.runs.get(runId)?.run.projectId ?? "", place, policy, signal });
    } finally {
      end();
    }
  }

  /** Sets up a worktree that is thrown away; answers why that failed, if so. A crash leaves nothing that a start does not find. */
  async trial(order: SetUp): Promise<string | undefined> {
    const { notes, worktrees, setups, trusted } = this.#parts;
    const { projectId, place, policy } = order;
    const doubt = doubtOf(place, trusted);
    if (doubt !== undefined) throw new HallError("repository_refused", `No worktree can be made: ${doubt}.`);
    await notes.write(place, trusted(place.repository));
    try {
      await this.#alone(place, () => worktrees.prepare(place));
      const set = await setups.prepare(order);
      return "failed" in set ? set.failed : undefined;
    } finally {
      await setups.end(projectId, place, policy);
      await this.#alone(place, () => worktrees.remove(place, {}));
      notes.discard(place.owner);
    }
  }

  /** Throws when git may have failed only because the disk cannot be written: the run waits for that. */
  #assertDisk({ repository, worktree }: Workplace): void {
    const { files } = this.#parts.core;
    assertWritable(files.root);
    for (const folder of [repository, worktree]) if (isThere(folder)) assertWritable(folder);
  }

  /** The working folder of the run's project, looked at again: it may have been changed since the run was planned. */
  #folderOf(runId: string): string | HallError {
    const { projects, runs, workdirRecords } = this.#parts.core;
    const project = projects.get(runs.get(runId)?.run.projectId ?? "");
    return project === undefined
      ? new HallError("project_not_found", "The project no longer exists.")
      : workdirRecords.placeOf(project);
  }

  /** A branch is in one worktree at a time: that of the run which was sent back may still be on its way out. */
  async #freeBranch(runId: string): Promise<void> {
    const sentBack = this.#parts.continuedBy(runId);
    const before = sentBack && this.#parts.core.runs.get(sentBack)?.run;
    if (before) await this.#parts.left.cleanUp(before);
  }

  /** What becomes of a run's result; undefined when it has no branch of its own. Doing it again changes nothing. */
  async settle(run: Run, { status }: RecordedEnd): Promise<Settled | undefined> {
    const place = run.delivery?.kind === "branch" ? this.#parts.placeOf(run.id) : undefined;
    if (place === undefined) return undefined;
    try {
      return await this.#settle(run, { place, status });
    } catch (error) {
      if (!(error instanceof GitFailure || isRefused(error))) throw error;
      this.#assertDisk(place);
      // What cannot be saved stays in its worktree, where a person can look at it.
      const damage = await this.#parts.health.examine(place);
      const { reasonCode, reason } =
        damage === undefined ? { reason: error.message, reasonCode: "not-saved" as const } : waitingFor(damage);
      const where = `${reason} (the work is in '${place.worktree}')`;
      return { delivery: decide({ run }, { type: "unsaved", status, reasonCode, reason: where }).delivery };
    }
  }

  async #settle(run: Run, { place, status }: { place: Workplace; status: EndedStatus }): Promise<Settled> {
    const { git, worktrees, merging } = this.#parts;
    const doubt = doubtOf(place, this.#parts.trusted);
    if (doubt !== undefined) throw new GitFailure(doubt);
    const head = await worktrees.save(place, wordingOf(run));
    const order = orderOf(place, run, this.#policyFor(run).mergeMethod);
    const { repository } = place;
    const fork = head && (await forkOf(git, repository, { target: `refs/heads/${place.target}`, head }));
    if (head !== undefined && fork !== undefined && fork !== head) {
      const counted = await this.#counted(repository, [fork, head]);
      return { ...counted, delivery: await this.#outcome(run, { order, fork, head, status, ...counted }) };
    }
    const merge = head && (await merging.mergeOf(order, head));
    if (merge === undefined) {
      const nothing = { changed: "nothing", controlFiles: [] } as const;
      const { delivery } = decide({ run }, { type: "handed-in", status, ...nothing }, this.#policyFor(run));
      return { delivery, files: [] };
    }
    await merging.confirm(order, merge);
    const { counts, files } = await this.#counted(repository, [`${merge}^1`, merge]);
    const { delivery } = decide({ run }, { type: "merged", commit: merge });
    return { delivery: delivery && { ...delivery, ...counts }, files };
  }

  async #outcome(run: Run, of: Outcome): Promise<Delivery | undefined> {
    const { gates } = this.#parts;
    const { order, fork, head, status, counts, files } = of;
    const { repository } = order;
    const policy = this.#policyFor(run);
    const controlFiles =
      policy.target === "team" ? [] : await controlFilesBetween(this.#parts, { repository, from: fork, to: head });
    const submitted = { type: "handed-in", status, changed: "something", controlFiles, counts } as const;
    const begun = decide({ run }, submitted, policy);
    if (!begun.effects.includes("judge")) return begun.delivery;
    const judgement = await judged(gates, run, { kind: "branch", repository, base: fork, head, files });
    const after = await this.#afterJudgement({ ...run, ...begun }, { judgement, order, head });
    return after !== undefined && "kind" in after ? after : undefined;
  }

  /**
   * What becomes of a result that was judged after its run was over. What was judged is the commit `head`, alone or as it would be
   * merged into `onto`: where the branch has another commit by now, or another tree would come into its target, that was not
   * judged. Doing it again changes nothing.
   */
  async judgedLate(run: Run, { judgement, head, onto }: Late): Promise<AfterJudgement | undefined> {
    const { git, merging } = this.#parts;
    const place = run.delivery?.kind === "branch" ? this.#parts.placeOf(run.id) : undefined;
    if (place === undefined || judgement.is === "unable")
      return decide({ run }, { type: "judged", judgement }, this.#policyFor(run)).delivery;
    const order = orderOf(place, run, this.#policyFor(run).mergeMethod);
    try {
      const merge = await merging.mergeOf(order, head);
      if (merge !== undefined && judgement.is === "pass") {
        await merging.confirm(order, merge);
        const { delivery } = decide({ run }, { type: "merged", commit: merge });
        return delivery && judgement.gate !== undefined ? { ...delivery, gate: judgement.gate } : delivery;
      }
      const tip = await tipOf(git, place);
      if (tip === undefined) return { unable: BRANCH_GONE };
      if (tip !== head) {
        const { repository, target } = place;
        return {
          moved: { head: tip, base: await forkOf(git, repository, { target: `refs/heads/${target}`, head: tip }) },
        };
      }
      const check = await onlyJudged(merging, order, { head, onto });
      return await this.#afterJudgement(run, { judgement, order, head, check });
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      this.#assertDisk(place);
      return { unable: error.message };
    }
  }

  /** The commit that the target of its branch has now; undefined where that can't be told. */
  async targetOf({ id }: Pick<Run, "id">): Promise<string | undefined> {
    const place = this.#parts.placeOf(id);
    if (place === undefined) return undefined;
    try {
      return await tipOf(this.#parts.git, { ...place, branch: place.target });
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return undefined;
    }
  }

  async #afterJudgement(run: Run, { judgement, order, head, check }: Judged): Promise<AfterJudgement | undefined> {
    const { merging, aroundMerge, health } = this.#parts;
    const { repository } = order;
    const policy = this.#policyFor(run);
    const next = decide({ run }, { type: "judged", judgement }, policy);
    if (!next.effects.includes("deliver")) return next.delivery;
    const { reason: _, reasonCode: _code, findings: _found, ...open } = run.delivery as Delivery;
    const gate = judgement.gate === undefined ? {} : { gate: judgement.gate };
    const subject = { run: { ...run, delivery: { ...open, ...gate } as Delivery } };
    const known = await health.knownDamage(repository);
    if (known !== undefined) return decide(subject, { type: "blocked", ...waitingFor(known) }).delivery;
    const allowed: MergeCheck = async (span) =>
      (await check?.(span)) ?? (policy.target === "team" ? undefined : await this.#unapproved(span));
    const merge = (around: Around) => merging.merge({ ...order, around }, head, allowed);
    const merged = await this.#alone(order, () => aroundMerge(run.id, merge));
    const how = order.method === "squash" ? { squashed: head } : {};
    if ("commit" in merged) return decide(subject, { type: "merged", commit: merged.commit, ...how }).delivery;
    if (merged.moved !== undefined) return { moved: { onto: merged.moved } };
    return decide(subject, { type: "blocked", ...(await this.#obstacle(order, merged)) }).delivery;
  }

  /** Without an approval of the person, nothing comes into the branch that steers their tools. */
  async #unapproved(span: Parameters<MergeCheck>[0]): ReturnType<MergeCheck> {
    const unapproved = await controlFilesBetween(this.#parts, span);
    return unapproved.length === 0 ? undefined : { obstacle: controlReason(unapproved), unapproved };
  }

  async #obstacle(
    order: MergeOrder,
    { obstacle: reason, unapproved, conflicts }: Extract<Merged, { obstacle: string }>,
  ) {
    if (unapproved !== undefined) return { reasonCode: "control-files" as const, reason, controlFiles: unapproved };
    if (conflicts !== undefined) return { reasonCode: "merge-conflict" as const, reason };
    const damage = await this.#parts.health.examine(order);
    return damage === undefined ? { reasonCode: "merge-blocked" as const, reason } : waitingFor(damage);
  }

  #policyFor(run: Run): ResultPolicy {
    return this.#parts.policyOf(run);
  }

  async #counted(repository: string, [from, to]: [string, string]) {
    const files = await changedFiles(this.#parts.git, { repository, from, to });
    const sum = (side: "additions" | "deletions") => files.reduce((total, file) => total + file[side], 0);
    const counts = { files: files.length, additions: sum("additions"), deletions: sum("deletions") };
    return { counts, files: files.map(({ path }) => path) };
  }

  /** Merges into one repository take turns, and so do worktrees that come and go: git reads the records of all of them. */
  #alone<Result>({ repository }: { repository: string }, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`repository ${repository}`, work);
  }
}

function isRefused(error: unknown): error is HallError {
  return error instanceof HallError && (error.code === "repository_refused" || error.code === "repository_empty");
}

function waitingFor({ detail }: Damage) {
  return { reason: `the repository is damaged: ${detail}`, reasonCode: "repository-damaged" as const };
}
