import type { ControlFile } from "../../contract/control-file.ts";
import { errorText } from "../../contract/error-text.ts";
import { HallError } from "../../contract/errors.ts";
import { hintText } from "../../contract/hint.ts";
import type { RecordedEnd } from "../../contract/journal.ts";
import type { Problem } from "../../contract/problem.ts";
import type { Project } from "../../contract/project.ts";
import type { Run, RunBranch, Workplace } from "../../contract/run.ts";
import { isOver } from "../../contract/run-status.ts";
import type { Refusal } from "../../processes/whereabouts.ts";
import type { ControlFiles } from "../../store/control-files.ts";
import { assertWritable } from "../../store/disk-room.ts";
import { isThere, realPlaceOf } from "../../store/folders.ts";
import { wayOut } from "../../store/git-checkout.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall.ts";
import { WORKTREES_FOLDER } from "../../workspace/layout.ts";
import type { Around } from "../checkpoints.ts";
import { controlStanding } from "../control-standing.ts";
import { type Gatekeeper, judged } from "../gatekeeper.ts";
import { afterGates, handedIn, type ResultPolicy } from "../lifecycle.ts";
import { controlFilesBetween } from "./control-changes.ts";
import { type Git, GitFailure } from "./git.ts";
import type { ControlCheck, MergeOrder, Merging } from "./merging.ts";
import { PlaceNotes, type TrustedRepository } from "./place-notes.ts";
import { type Found, findRepository } from "./repository.ts";
import type { Damage } from "./repository-check.ts";
import type { RepositoryHealth } from "./repository-health.ts";
import { changedFiles, forkOf } from "./run-diff.ts";
import type { Worktrees } from "./worktrees.ts";

/** For files that are needed for a moment. */
export const SCRATCH_FOLDER = `${WORKTREES_FOLDER}/.scratch`;

interface Parts {
  core: Core;
  git: Git;
  worktrees: Worktrees;
  merging: Merging;
  health: Pick<RepositoryHealth, "examine" | "knownDamage" | "refusal">;
  control: ControlFiles;
  workdirs: Pick<Hall["workdirs"], "trustedRepository" | "noteFilters">;
  /** Where a run works, from the first line of its journal. */
  placeOf: (runId: string) => Workplace | undefined;
  /** The run whose result it goes on with. */
  continuedBy: (runId: string) => string | undefined;
  policyOf: (projectId: string) => ResultPolicy;
  gates: Gatekeeper;
  /** Keeps the person's folder as it is before and after a merge. */
  aroundMerge: <Result>(runId: string, merge: (around: Around) => Promise<Result>, deed?: "revert") => Promise<Result>;
  onTrouble: (what: string, error: unknown) => void;
}

interface Settled {
  branch: RunBranch;
  /** What it changed, by git's word. */
  files?: string[];
}

/** Where runs work that may write in a git repository, and what becomes of what they did there. */
export class Workplaces {
  readonly #parts: Parts;
  readonly #notes: PlaceNotes;
  /** Worktrees that hold what could not be saved, and why. */
  readonly #stuck = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#notes = new PlaceNotes(parts.core.files);
  }

  problems(): Problem[] {
    const isLeft = (id: string) => this.#parts.core.files.exists(`${WORKTREES_FOLDER}/${id}`);
    return [...this.#stuck].flatMap(([id, why]) => (isLeft(id) ? stuckProblem(id, why) : []));
  }

  async repositoryOf(project: Project): Promise<Found> {
    const { git, core, health, workdirs } = this.#parts;
    const found = await findRepository(git, project, core.workdirRecords.look(project));
    if (found !== undefined && "filters" in found) workdirs.noteFilters(project.id, found.filters);
    return (await health.refusal(found, project)) ?? found;
  }

  /**
   * The repository at a path, or whose checkout records are at it, if git may be run on it: a person has confirmed it for a
   * project that is there, or it was when a worktree was made in it that is left.
   */
  trustedRepository(path: string): TrustedRepository | undefined {
    return this.#parts.workdirs.trustedRepository(path) ?? this.#notes.trustedRepository(path);
  }

  /** Makes ready what the run needs before its agent starts; answers where it works, if not where its project does. */
  async ready(runId: string): Promise<{ go: boolean; workdir?: string; refused?: Refusal }> {
    const folder = this.#folderOf(runId);
    if (folder instanceof HallError) {
      const cause = folder.code === "project_not_found" ? "project" : "folder";
      return { go: false, refused: { cause, error: `${folder.message} ${hintText(folder.hint)}` } };
    }
    const place = this.#parts.placeOf(runId);
    if (place === undefined) return { go: true, workdir: folder };
    const refused = (why: string) => {
      const error = `The run has no place to work: ${why}.`;
      return { go: false, refused: { cause: "repository" as const, error } };
    };
    const identity = this.trustedRepository(place.repository);
    const doubt = this.#doubtOf(place);
    if (doubt !== undefined) return refused(doubt);
    const way = wayOut(place.repository);
    if (way !== undefined) return refused(`'${way}' leads elsewhere`);
    try {
      await this.#notes.write(place, identity);
      if (place.owner === runId) await this.#freeBranch(runId);
      await this.#alone(place, () => this.#parts.worktrees.prepare(place));
      return { go: true, workdir: `${realPlaceOf(place.worktree)}${place.workdir.slice(place.worktree.length)}` };
    } catch (error) {
      if (!(error instanceof GitFailure || error instanceof HallError)) throw error;
      // The disk may confirm it the next time.
      if (error instanceof HallError && error.code === "storage_failed") throw error;
      this.#assertDisk(place);
      const damage = await this.#parts.health.examine(place);
      return refused(damage === undefined ? error.message : waitingFor(damage).reason);
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
    const { index, workdirRecords } = this.#parts.core;
    const project = index.projects.get(index.runs.get(runId)?.run.projectId ?? "");
    return project === undefined
      ? new HallError("project_not_found", "The project is gone.")
      : workdirRecords.placeOf(project);
  }

  /** Why git is not run for a worktree, if so. */
  #doubtOf({ repository }: Workplace): string | undefined {
    if (!isThere(repository)) return `the repository '${repository}' is gone`;
    if (this.trustedRepository(repository) === undefined)
      return `'${repository}' is not the repository that a person confirmed for the project`;
    return undefined;
  }

  /** A branch is in one worktree at a time: that of the run which was sent back may still be on its way out. */
  async #freeBranch(runId: string): Promise<void> {
    const sentBack = this.#parts.continuedBy(runId);
    const before = sentBack && this.#parts.core.index.runs.get(sentBack)?.run;
    if (before) await this.cleanUp(before);
  }

  /** What becomes of a run's result; undefined when it has no branch of its own. Doing it again changes nothing. */
  async settle(run: Run, end: RecordedEnd): Promise<Settled | undefined> {
    const place = run.branch === undefined ? undefined : this.#parts.placeOf(run.id);
    if (place === undefined || run.branch === undefined) return undefined;
    const known = run.branch;
    try {
      return await this.#settle(run, { place, known, end });
    } catch (error) {
      if (!(error instanceof GitFailure || isRefused(error))) throw error;
      this.#assertDisk(place);
      // What cannot be saved stays in its worktree, where a person can look at it.
      const state = end.status === "completed" ? ("review" as const) : ("kept" as const);
      const damage = await this.#parts.health.examine(place);
      const why =
        damage === undefined ? { reason: error.message, reasonCode: "not-saved" as const } : waitingFor(damage);
      const { reasonCode, reason } = why;
      const code = state === "review" ? { reasonCode } : {};
      return { branch: { ...known, ...code, state, reason: `${reason} (the work is in '${place.worktree}')` } };
    }
  }

  async #settle(run: Run, of: { place: Workplace; known: RunBranch; end: RecordedEnd }): Promise<Settled> {
    const { git, worktrees, merging } = this.#parts;
    const { place, known, end } = of;
    const doubt = this.#doubtOf(place);
    if (doubt !== undefined) throw new GitFailure(doubt);
    const head = await worktrees.save(place, wordingOf(run));
    const order = orderOf(place, run);
    if (head === undefined) return this.#nothing(run, of);
    const fork = await forkOf(git, place.repository, { target: `refs/heads/${place.target}`, head });
    if (fork === head) {
      const merge = await merging.mergeOf(order, head);
      if (merge === undefined) return this.#nothing(run, of);
      await merging.confirm(order, merge);
      return this.#counted(place, { ...known, state: "merged", merge }, [`${merge}^1`, merge]);
    }
    const control = await controlFilesBetween(this.#parts, { repository: place.repository, from: fork, to: head });
    const outcome = await this.#outcome(run, { order, fork, head, end, control });
    return this.#counted(place, { ...known, ...controlStanding(control), ...outcome }, [fork, head]);
  }

  #nothing({ projectId }: Run, { known, end }: { known: RunBranch; end: RecordedEnd }): Settled {
    const evidence = { place: "branch", changed: "nothing", controlFiles: [] } as const;
    const how = handedIn(end.status, evidence, this.#parts.policyOf(projectId));
    return { branch: { ...known, ...(how === "judge" ? {} : how) }, files: [] };
  }

  async #outcome(
    run: Run,
    of: { order: MergeOrder; fork: string; head: string; end: RecordedEnd; control: ControlFile[] },
  ): Promise<Omit<RunBranch, "name" | "target">> {
    const { merging, aroundMerge, health, policyOf, gates } = this.#parts;
    const evidence = { place: "branch", changed: "something", controlFiles: of.control } as const;
    const policy = policyOf(run.projectId);
    const begun = handedIn(of.end.status, evidence, policy);
    if (begun !== "judge") return begun;
    const { repository } = of.order;
    const tree = { kind: "branch", repository, base: of.fork, head: of.head } as const;
    const next = afterGates(await judged(gates, run, tree), policy);
    if (next !== "deliver") return next;
    const known = await health.knownDamage(of.order.repository);
    if (known !== undefined) return { state: "review", ...waitingFor(known) };
    const check: ControlCheck = (span) => controlFilesBetween(this.#parts, span);
    const merge = (around: Around) => merging.merge({ ...of.order, around }, of.head, check);
    const merged = await this.#alone(of.order, () => aroundMerge(run.id, merge));
    if ("commit" in merged) return { state: "merged", merge: merged.commit };
    if (merged.unapproved !== undefined)
      return {
        state: "review",
        reasonCode: "control-files",
        reason: merged.obstacle,
        ...controlStanding(merged.unapproved),
      };
    const damage = merged.conflicts === undefined ? await health.examine(of.order) : undefined;
    return {
      state: "review",
      ...(damage === undefined ? { reasonCode: "merge-blocked", reason: merged.obstacle } : waitingFor(damage)),
    };
  }

  async #counted({ repository }: Workplace, branch: RunBranch, [from, to]: [string, string]): Promise<Settled> {
    const files = await changedFiles(this.#parts.git, { repository, from, to });
    const sum = (side: "additions" | "deletions") => files.reduce((total, file) => total + file[side], 0);
    const counts = { files: files.length, additions: sum("additions"), deletions: sum("deletions") };
    return { branch: { ...branch, ...counts }, files: files.map(({ path }) => path) };
  }

  /** Takes away what a run that is over needs no more. Whatever is not yet on its branch is saved there first. */
  async cleanUp(run: Run): Promise<void> {
    const place = this.#parts.placeOf(run.id);
    if (place === undefined || place.owner !== run.id || !isThere(place.repository)) return;
    if (place.commit !== undefined) return this.#orStuck(place, () => this.#throwAway(place));
    if (run.branch === undefined) return;
    const { state } = run.branch;
    const { worktrees, merging } = this.#parts;
    await this.#orStuck(place, async () => {
      const doubt = this.#doubtOf(place);
      if (doubt !== undefined) throw new GitFailure(doubt);
      const tip = await worktrees.save(place, wordingOf(run));
      const isDone = state === "merged" || state === "unchanged" || (state === "review" && run.branch?.files === 0);
      const isIn = isDone && tip !== undefined && (await merging.isIn(orderOf(place, run), tip));
      await this.#alone(place, () => worktrees.remove(place, { branchAt: isIn ? tip : undefined }));
    });
  }

  /** Nobody has worked in it. */
  #throwAway(place: Workplace): Promise<void> {
    return this.#alone(place, () => this.#parts.worktrees.remove(place, {}));
  }

  /** The worktree of a run that no project knows any more: what it holds goes to its branch, which stays. */
  async #rescue(id: string): Promise<void> {
    const place = this.#notes.read(id);
    const { worktrees } = this.#parts;
    if (place === undefined || !isThere(place.repository)) {
      const where = place === undefined ? "nobody knows of which repository" : `'${place.repository}' is gone`;
      this.#stuck.set(id, `it belongs to a run that no project knows any more, and ${where}`);
      return;
    }
    if (place.commit !== undefined) return this.#orStuck(place, () => this.#throwAway(place));
    await this.#orStuck(place, async () => {
      const doubt = this.#doubtOf(place);
      if (doubt !== undefined) throw new GitFailure(doubt);
      await worktrees.save(place, { subject: `Work of ${id}, whose project is gone`, runId: id });
      await this.#alone(place, () => worktrees.remove(place, {}));
    });
  }

  async #orStuck(place: Workplace, cleanUp: () => Promise<void>): Promise<void> {
    const { owner } = place;
    try {
      // A person may decide about a result while what it was made in is still being cleared away.
      await this.#parts.core.locks.run(`worktree ${owner}`, cleanUp);
      this.#stuck.delete(owner);
      this.#notes.discard(owner);
    } catch (error) {
      this.#stuck.set(owner, `what it holds could not be saved: ${errorText(error)}`);
      this.#parts.onTrouble(`the worktree of run ${owner} stays where it is`, error);
    }
  }

  /** What a crash left of runs that are over, or unknown. Those of others are used again. */
  async sweep(): Promise<void> {
    const { core } = this.#parts;
    core.files.discard(SCRATCH_FOLDER);
    core.files.makeFolder(SCRATCH_FOLDER);
    for (const id of core.files.folders(WORKTREES_FOLDER)) {
      const run = core.index.runs.get(id)?.run;
      if (run === undefined) await this.#rescue(id);
      else if (isOver(run)) await this.cleanUp(run);
    }
    for (const id of this.#notes.all()) {
      const run = core.index.runs.get(id)?.run;
      if ((run === undefined || isOver(run)) && !this.#stuck.has(id)) this.#notes.discard(id);
    }
  }

  /** The repository was damaged and is sound again: what could not be saved is saved now. */
  async recovered(repository: string): Promise<void> {
    for (const id of [...this.#stuck.keys()]) {
      if (this.#notes.read(id)?.repository !== repository) continue;
      const run = this.#parts.core.index.runs.get(id)?.run;
      if (run === undefined) await this.#rescue(id);
      else if (isOver(run)) await this.cleanUp(run);
    }
  }

  /** Merges into one repository take turns, and so do worktrees that come and go: git reads the records of all of them. */
  #alone<Result>({ repository }: { repository: string }, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`repository ${repository}`, work);
  }
}

function isRefused(error: unknown): error is HallError {
  return error instanceof HallError && error.code === "repository_refused";
}

function waitingFor({ detail }: Damage) {
  return { reason: `the repository is damaged: ${detail}`, reasonCode: "repository-damaged" as const };
}

function stuckProblem(id: string, why: string): Problem {
  const file = `${WORKTREES_FOLDER}/${id}`;
  const remedy = "Take out of it what you want to keep, and delete the folder";
  return { file, kind: "document", severity: "warning", reason: `a worktree is left there: ${why}. ${remedy}` };
}

function wordingOf(run: Pick<Run, "id" | "taskId" | "title">) {
  return { subject: `${run.taskId}: ${run.title}`, runId: run.id };
}

export function orderOf({ repository, target, branch }: Workplace, run: Run): MergeOrder {
  const { subject, runId } = wordingOf(run);
  return { repository, target, wording: { subject: `Merge ${branch} (${subject})`, runId } };
}
