import { HallError } from "../../contract/errors.ts";
import type { BranchDelivery, DeliveryState } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import { advice, type Hint, hint } from "../../contract/words/hint.ts";
import type { Merged } from "../git/merging.ts";
import type { Decision } from "./lifecycle-events.ts";

const STANDS: Record<DeliveryState, string> = {
  working: "the run is still at work",
  unchanged: "the run changed nothing",
  delivered: "it is delivered already",
  review: "it waits for your review",
  kept: "it is only kept, as the run left it",
  rejected: "it was sent back",
  reverted: "it was taken back",
};

export function noResult({ id }: Pick<Run, "id">): HallError {
  return new HallError("illegal_move", `Run '${id}' has no result of its own in any files.`, {
    hint: "It could not write, or what it did belongs to the run that started it.",
  });
}

/** A decision about a result that is not in a state for it. */
export function notDecidable(run: Run, decision: Decision): HallError {
  if (run.delivery === undefined) return noResult(run);
  const wanted = decision === "revert" ? "cannot be taken back" : "waits for no decision";
  const message = `The result of run '${run.id}' ${wanted}: ${STANDS[run.delivery.state]}.`;
  return new HallError("illegal_move", message, { hint: hintFor(run) });
}

function hintFor({ id: run, delivery }: Run): Hint {
  const { state, next } = delivery ?? {};
  if (state === "delivered") return hint("run-revert", { run });
  if (state === "rejected" && next !== undefined) return advice(`Run '${next}' goes on with it.`);
  const branch = delivery?.kind === "branch" ? delivery.name : undefined;
  if (state === "review" || state === "kept") return hint("run-decide", { run, branch });
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

type Refused = Extract<Merged, { obstacle: string }> & { run: Run; branch: BranchDelivery };
