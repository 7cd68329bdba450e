import { HallError } from "../contract/errors.ts";
import { advice, type Hint, hint } from "../contract/hint.ts";
import type { Run, RunBranch } from "../contract/run.ts";
import type { Merged } from "./git/merging.ts";
import { canDecide, type Decision, type ResultState } from "./lifecycle.ts";

const STANDS: Record<ResultState, string> = {
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
export function assertDecidable(run: Run, decision: Decision): void {
  const standing = run.branch ?? run.changes;
  const place = run.branch === undefined ? "folder" : "branch";
  if (standing === undefined || canDecide(decision, { place, state: standing.state })) return;
  const wanted = decision === "reverted" ? "cannot be taken back" : "waits for no decision";
  const message = `The result of run '${run.id}' ${wanted}: ${STANDS[standing.state]}.`;
  throw new HallError("illegal_move", message, { hint: hintFor(run) });
}

function hintFor({ id: run, branch, changes }: Run): Hint {
  const { state, next } = branch ?? changes ?? {};
  if (state === "merged" || state === "applied") return hint("run-revert", { run });
  if (state === "rejected" && next !== undefined) return advice(`Run '${next}' goes on with it.`);
  if (state === "review" || state === "kept") return hint("run-decide", { run, branch: branch?.name });
  return hint(state === "working" ? "run-watch" : "run-retry", { run });
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
      ? hint("merge-by-hand", { run: run.id, branch: branch.name, target: branch.target })
      : hint("revert-by-hand", { commit: branch.merge?.slice(0, 12), target: branch.target });
  const help = conflicts === undefined ? {} : { hint: byHand };
  return new HallError("merge_refused", `It cannot be ${deed}: ${obstacle}.`, help);
}

type Refused = Extract<Merged, { obstacle: string }> & { run: Run; branch: RunBranch };
