import { HallError } from "../../contract/errors.ts";
import type { BranchDelivery, Delivery, DeliveryState } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import { advice, type Hint, hint } from "../../contract/words/hint.ts";
import type { Merged } from "../git/merging.ts";
import type { Delivered } from "./delivery-place.ts";
import type { Decision, Refusal } from "./lifecycle-events.ts";

/** Why a decision is refused; what waits for one is never refused because of its state, except a revert. */
const STANDS: Record<DeliveryState, (delivery: Delivery) => string> = {
  working: () => "the run is still working",
  unchanged: () => "the run changed nothing",
  delivered: ({ kind }) => (kind === "branch" ? "it is already merged" : "it is already approved"),
  review: () => "it is in review",
  kept: () => "it was not approved",
  rejected: () => "you requested changes",
  reverted: () => "it was reverted",
  discarded: () => "it was discarded",
};
const WANTED: Record<Decision, string> = {
  approve: "approve",
  reject: "request changes to",
  revert: "revert",
  discard: "discard",
  restore: "restore",
};

export function noResult({ id }: Pick<Run, "id">): HallError {
  return new HallError("illegal_move", `Run '${id}' has no result of its own.`, {
    hint: "It could not write files, or its changes belong to the run that started it.",
  });
}

/** A decision about a result that is not in a state for it. */
export function notDecidable(run: Run, decision: Decision, refused: Refusal): HallError {
  if (run.delivery === undefined) return noResult(run);
  if (refused === "expired") return undoExpired(run);
  const why = STANDS[run.delivery.state](run.delivery);
  const message = `Can't ${WANTED[decision]} the result of run '${run.id}': ${why}.`;
  return new HallError("illegal_move", message, { hint: hintFor(run) });
}

function undoExpired({ id, delivery }: Run): HallError {
  const { until, commit } = delivery?.discard ?? {};
  const why = until === undefined ? "the discard can't be undone" : `the time to undo ended at ${until}`;
  const found = commit === undefined ? "" : ` The commit was ${commit.slice(0, 12)}.`;
  return new HallError("illegal_move", `Can't restore the result of run '${id}': ${why}.${found}`, {
    hint: hint("run-retry", { run: id }),
  });
}

/** Someone made a branch of the same name since. */
export function branchTaken({ id, delivery }: Delivered<"branch">): HallError {
  const { name } = delivery;
  return new HallError("illegal_move", `Can't restore the result of run '${id}': the branch '${name}' exists.`, {
    hint: "Rename that branch, then undo again.",
  });
}

export function commitGone({ id }: Pick<Run, "id">, commit: string): HallError {
  const message = `Can't restore the result of run '${id}': its commit ${commit.slice(0, 12)} no longer exists.`;
  return new HallError("illegal_move", message, { hint: hint("run-retry", { run: id }) });
}

function hintFor({ id: run, delivery }: Run): Hint {
  const { state, next } = delivery ?? {};
  if (state === "delivered") return hint("run-revert", { run });
  if (state === "rejected" && next !== undefined) return advice(`Run '${next}' continues it.`);
  if (state === "review" || state === "kept") return hint("run-decide", { run });
  return hint(state === "working" ? "run-watch" : "run-retry", { run });
}

/** Refused because of what is in the way, with what can be done about it. */
export function mergeRefused(deed: "merged" | "reverted", of: Refused): HallError {
  const { run, branch, obstacle, conflicts } = of;
  if (deed === "reverted" && conflicts === undefined)
    return new HallError("merge_refused", `It can't be reverted: ${obstacle}.`, {
      hint: "Commit or stash those changes, then retry.",
    });
  const byHand =
    deed === "merged"
      ? hint("merge-by-hand", { run: run.id, branch: branch.name, target: branch.target })
      : hint("revert-by-hand", {
          commit: branch.merge?.slice(0, 12),
          target: branch.target,
          ...(branch.squashed === undefined ? { text: "-m 1 " } : {}),
        });
  const help = conflicts === undefined ? {} : { hint: byHand };
  return new HallError("merge_refused", `It can't be ${deed}: ${obstacle}.`, help);
}

type Refused = Extract<Merged, { obstacle: string }> & { run: Run; branch: BranchDelivery };
