import { HallError } from "../contract/errors.ts";
import type { Run, RunBranch, RunChanges } from "../contract/run.ts";
import type { Merged } from "./git/merging.ts";

type State = RunBranch["state"] | RunChanges["state"];

/** What a person can still decide about: what waits for them, and what a run left that did not complete. */
export const OPEN = ["review", "kept"] as const;

const STANDS: Record<State, string> = {
  working: "the run is still at work",
  unchanged: "the run changed nothing",
  merged: "it is merged",
  applied: "it is in the folder already, and waits for nobody",
  review: "it waits for your review",
  kept: "it is only kept, as the run left it",
  rejected: "it was sent back",
  reverted: "it was taken back",
};

/** Refuses a decision about a result that does not stand as it should. */
export function assertStands(run: Run, states: readonly State[]): void {
  const standing = run.branch ?? run.changes;
  if (standing === undefined || states.includes(standing.state)) return;
  const isRevert = states.includes("merged") || states.includes("applied");
  const wanted = isRevert ? "cannot be taken back" : "waits for no decision";
  const message = `The result of run '${run.id}' ${wanted}: ${STANDS[standing.state]}.`;
  throw new HallError("illegal_move", message, { hint: hintFor(run) });
}

function hintFor({ id, branch, changes }: Run): string {
  const { state, next } = branch ?? changes ?? {};
  if (state === "merged" || state === "applied") return `Take it back with 'guildhall run revert ${id}'.`;
  if (state === "rejected" && next !== undefined) return `Run '${next}' goes on with it.`;
  if (state === "review" || state === "kept")
    return `Take it with 'guildhall run approve ${id}', or send it back with 'guildhall run reject ${id}'${thrownAway(branch)}.`;
  if (state === "working") return `See what it does with 'guildhall run logs -f ${id}'.`;
  return `Start it anew with 'guildhall run retry ${id}'.`;
}

function thrownAway(branch: RunBranch | undefined): string {
  return branch === undefined
    ? ""
    : `, or throw it away with 'git branch -D ${branch.name}' and say so with 'guildhall run revert'`;
}

/** Refused because of what is in the way, with what can be done about it. */
export function mergeRefused(deed: "merged" | "taken back", of: Refused): HallError {
  const { run, branch, obstacle, conflicts } = of;
  if (deed === "taken back" && conflicts === undefined)
    return new HallError("merge_refused", `It cannot be taken back: ${obstacle}.`, {
      hint: "Commit or put away what is named, then try again.",
    });
  const byHand =
    deed === "merged"
      ? `Merge it by hand with 'git merge ${branch.name}' on ${branch.target}, then approve it again; or send it back with 'guildhall run reject ${run.id}'.`
      : `Take it back by hand, with 'git revert -m 1 ${branch.merge?.slice(0, 12)}' on ${branch.target}.`;
  const hint = conflicts === undefined ? {} : { hint: byHand };
  return new HallError("merge_refused", `It cannot be ${deed}: ${obstacle}.`, hint);
}

type Refused = Extract<Merged, { obstacle: string }> & { run: Run; branch: RunBranch };
