import type { MergeMethod } from "../../../contract/documents/merge-method.ts";
import type { RunSandbox } from "../../../contract/documents/sandbox.ts";
import type { Problem } from "../../../contract/problem.ts";
import type { Run, Workplace } from "../../../contract/runs/run.ts";
import { isOver } from "../../../contract/runs/run-status.ts";
import { errorText } from "../../../contract/words/error-text.ts";
import { isThere } from "../../../store/files/folders.ts";
import type { Core } from "../../../workspace/core.ts";
import { WORKTREES_FOLDER } from "../../../workspace/layout.ts";
import { GitFailure } from "../git.ts";
import type { MergeOrder, Merging } from "../merging.ts";
import type { PlaceNotes, TrustedRepository } from "../place-notes.ts";
import type { WorktreeSetups } from "./worktree-setups.ts";
import type { Worktrees } from "./worktrees.ts";

/** For files that are needed for a moment. */
export const SCRATCH_FOLDER = `${WORKTREES_FOLDER}/.scratch`;

/**
 * The repository at a path, or whose checkout records are at it, if git may be run on it: a person has confirmed it for a project
 * that is there, or it was when a worktree was made in it that is left.
 */
export type Trusted = (path: string) => TrustedRepository | undefined;

interface Parts {
  core: Core;
  worktrees: Worktrees;
  merging: Merging;
  notes: PlaceNotes;
  trusted: Trusted;
  /** Where a run works, from the first line of its journal. */
  placeOf: (runId: string) => Workplace | undefined;
  setups: Pick<WorktreeSetups, "end">;
  /** How the commands of a run were kept in; undefined where it ran none. */
  sandboxOf: (runId: string) => RunSandbox | undefined;
  onTrouble: (what: string, error: unknown) => void;
}

/** The worktrees of runs that are over: what they hold is saved, then they are removed. */
export class LeftWorktrees {
  readonly #parts: Parts;
  /** Worktrees that hold what could not be saved, and why. */
  readonly #stuck = new Map<string, string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  problems(): Problem[] {
    const isLeft = (id: string) => this.#parts.core.files.exists(`${WORKTREES_FOLDER}/${id}`);
    return [...this.#stuck].flatMap(([id, why]) => (isLeft(id) ? stuckProblem(id, why) : []));
  }

  /** Takes away what a run that is over needs no more. Whatever is not yet on its branch is saved there first. */
  async cleanUp(run: Run): Promise<void> {
    const place = this.#parts.placeOf(run.id);
    if (place === undefined || place.owner !== run.id || !isThere(place.repository)) return;
    const { worktrees, setups, sandboxOf } = this.#parts;
    const tearDown = () => setups.end(run.projectId, place, sandboxOf(run.id));
    if (place.commit !== undefined)
      return this.#orStuck(place, async () => {
        await tearDown();
        await this.#throwAway(place);
      });
    if (run.delivery === undefined) return;
    await this.#orStuck(place, async () => {
      const branchAt = await this.#branchToRemove(run, { place, tip: await this.#saved(run, place) });
      await tearDown();
      await this.#alone(place, () => worktrees.remove(place, { branchAt }));
    });
  }

  /** Saves to the branch whatever the worktree holds; answers the branch's newest commit, if it is there. */
  save(run: Run, place: Workplace): Promise<string | undefined> {
    return this.#parts.core.locks.run(`worktree ${place.owner}`, () => this.#saved(run, place));
  }

  async #saved(run: Run, place: Workplace): Promise<string | undefined> {
    const doubt = doubtOf(place, this.#parts.trusted);
    if (doubt !== undefined) throw new GitFailure(doubt);
    return this.#parts.worktrees.save(place, wordingOf(run));
  }

  /** The commit of a branch that is not needed any more; undefined where it stays. */
  async #branchToRemove(run: Run, { place, tip }: { place: Workplace; tip: string | undefined }) {
    const { state, files, discard } = run.delivery ?? {};
    if (state === "discarded") return discard?.commit;
    if (run.delivery?.kind === "branch" && run.delivery.keepsBranch) return undefined;
    if (run.delivery?.kind === "branch" && tip !== undefined && run.delivery.squashed === tip) return tip;
    const isDone = state === "delivered" || state === "unchanged" || (state === "review" && files === 0);
    return isDone && tip !== undefined && (await this.#parts.merging.isIn(orderOf(place, run), tip)) ? tip : undefined;
  }

  /** Nobody has worked in it. */
  #throwAway(place: Workplace): Promise<void> {
    return this.#alone(place, () => this.#parts.worktrees.remove(place, {}));
  }

  /** The worktree of a run that no project knows any more: what it holds goes to its branch, which stays. */
  async #rescue(id: string): Promise<void> {
    const place = this.#parts.notes.read(id);
    const { worktrees, setups } = this.#parts;
    if (place === undefined || !isThere(place.repository)) {
      const where = place === undefined ? "its repository is unknown" : `'${place.repository}' no longer exists`;
      this.#stuck.set(id, `its run belongs to no known project, and ${where}`);
      return;
    }
    await setups.end(undefined, place, undefined);
    if (place.commit !== undefined) return this.#orStuck(place, () => this.#throwAway(place));
    await this.#orStuck(place, async () => {
      const doubt = doubtOf(place, this.#parts.trusted);
      if (doubt !== undefined) throw new GitFailure(doubt);
      await worktrees.save(place, { subject: `Work of ${id} (project removed)`, runId: id });
      await this.#alone(place, () => worktrees.remove(place, {}));
    });
  }

  async #orStuck(place: Workplace, cleanUp: () => Promise<void>): Promise<void> {
    const { owner } = place;
    try {
      // A person may decide about a result while what it was made in is still being cleared away.
      await this.#parts.core.locks.run(`worktree ${owner}`, cleanUp);
      this.#stuck.delete(owner);
      this.#parts.notes.discard(owner);
    } catch (error) {
      this.#stuck.set(owner, `its content could not be saved: ${errorText(error)}`);
      this.#parts.onTrouble(`the worktree of run ${owner} was kept`, error);
    }
  }

  /** What a crash left of runs that are over, or unknown. Those of others are used again. */
  async sweep(): Promise<void> {
    const { core } = this.#parts;
    core.files.discard(SCRATCH_FOLDER);
    core.files.makeFolder(SCRATCH_FOLDER);
    for (const id of core.files.folders(WORKTREES_FOLDER)) {
      const run = core.runs.get(id)?.run;
      if (run === undefined) await this.#rescue(id);
      else if (isOver(run)) await this.cleanUp(run);
    }
    for (const id of this.#parts.notes.all()) {
      const run = core.runs.get(id)?.run;
      if ((run === undefined || isOver(run)) && !this.#stuck.has(id)) this.#parts.notes.discard(id);
    }
  }

  /** The repository was damaged and is sound again: what could not be saved is saved now. */
  async recovered(repository: string): Promise<void> {
    for (const id of [...this.#stuck.keys()]) {
      if (this.#parts.notes.read(id)?.repository !== repository) continue;
      const run = this.#parts.core.runs.get(id)?.run;
      if (run === undefined) await this.#rescue(id);
      else if (isOver(run)) await this.cleanUp(run);
    }
  }

  /** Worktrees of one repository come and go one at a time: git reads the records of all of them. */
  #alone<Result>({ repository }: { repository: string }, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(`repository ${repository}`, work);
  }
}

/** Why git is not run for a worktree, if so. */
export function doubtOf({ repository }: Workplace, trusted: Trusted): string | undefined {
  if (!isThere(repository)) return `the repository '${repository}' no longer exists`;
  if (trusted(repository) === undefined)
    return `'${repository}' is not the repository that a person confirmed for the project`;
  return undefined;
}

function stuckProblem(id: string, why: string): Problem {
  const file = `${WORKTREES_FOLDER}/${id}`;
  const remedy = "Copy what you want to keep, then delete the folder";
  return { file, kind: "document", severity: "warning", reason: `a worktree was left behind: ${why}. ${remedy}` };
}

export function wordingOf(run: Pick<Run, "id" | "taskId" | "title">) {
  return { subject: `${run.taskId}: ${run.title}`, runId: run.id };
}

export function orderOf(
  { repository, target, branch }: Workplace,
  run: Run,
  method: MergeMethod = "merge",
): MergeOrder {
  const { subject, runId } = wordingOf(run);
  const message = method === "squash" ? subject : `Merge ${branch} (${subject})`;
  return { repository, target, method, wording: { subject: message, runId } };
}
