import { HallError } from "../../contract/errors.ts";
import type { BranchDelivery } from "../../contract/runs/delivery.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { hint } from "../../contract/words/hint.ts";
import { type Git, GitFailure } from "./git.ts";
import type { Merging } from "./merging.ts";
import { forkOf } from "./run-diff.ts";

const MOST_NAMED = 20;

interface Parts {
  git: Git;
  merging: Merging;
}

/** A result on a branch. */
export interface Reviewed {
  run: Run;
  branch: BranchDelivery;
  place: Workplace;
}

/** Whether the run left nothing, and nobody has put anything on its branch since. */
export async function isNothing({ git, merging }: Parts, { branch, place }: Reviewed): Promise<boolean> {
  if (branch.state === "unchanged") return true;
  if (branch.files !== 0) return false;
  const tip = await tipOf(git, place);
  return tip === undefined || merging.isIn(place, tip);
}

/** What the branch has beyond its target; of a result that was merged, what the merge brought. */
export async function spanOf({ git, merging }: Parts, of: Reviewed): Promise<{ from: string; to: string }> {
  const { run, branch, place } = of;
  const { repository, target } = place;
  const tip = await tipOf(git, place);
  // The commits that were squashed may be gone; what came of them is in the target.
  if (tip === undefined && branch.squashed !== undefined && branch.merge !== undefined)
    return { from: `${branch.merge}^1`, to: branch.merge };
  const head = tip ?? (await lastKnown(git, of));
  if (head === undefined)
    throw new HallError("file_not_found", `The branch '${place.branch}' was deleted.`, {
      hint: hint("run-unwanted", { run: run.id }),
    });
  const merge = branch.merge ?? (await merging.mergeOf({ repository, target }, head));
  const from =
    merge === undefined
      ? await forkOf(git, repository, { target: `refs/heads/${target}`, head })
      : await forkOf(git, repository, { target: `${merge}^1`, head });
  return { from, to: head };
}

/** The commit that a branch had which is not there any more. */
async function lastKnown(git: Git, { branch, place: { repository } }: Reviewed): Promise<string | undefined> {
  const { merge, discard } = branch;
  const name = discard?.commit === undefined ? merge && `${merge}^2` : `${discard.commit}^{commit}`;
  return name === undefined ? undefined : git.resolve({ gitDir: repository }, name);
}

/** What keeps it from being merged now, and the commit of the target, for whoever goes on with it; nothing where git cannot tell. */
export async function conflictOf(
  { git, merging }: Parts,
  { place }: Reviewed,
): Promise<{ conflict?: string; onto?: string }> {
  try {
    const tip = await tipOf(git, place);
    const onto = await tipOf(git, { ...place, branch: place.target });
    const paths = tip === undefined ? [] : await merging.conflictsOf(place, tip);
    if (paths.length === 0 || onto === undefined) return {};
    const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
    return { conflict: `${paths.slice(0, MOST_NAMED).join(", ")}${more}`, onto };
  } catch (error) {
    if (error instanceof GitFailure) return {};
    throw error;
  }
}

export function tipOf(
  git: Git,
  { repository, branch }: Pick<Workplace, "repository" | "branch">,
): Promise<string | undefined> {
  return git.resolve({ gitDir: repository }, `refs/heads/${branch}^{commit}`);
}
