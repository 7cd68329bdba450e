import type { Delivery, DeliveryState, ReviewCode } from "../runs/delivery.ts";

const WORDS: Record<DeliveryState, string> = {
  working: "in progress",
  unchanged: "no changes",
  delivered: "applied to the folder",
  review: "in review",
  kept: "kept",
  rejected: "changes requested",
  reverted: "reverted",
  discarded: "discarded",
};

/** Of a result in review, where it does not wait for the person's approval alone. */
const REVIEW_WORDS: Partial<Record<ReviewCode, string>> = {
  "gate-running": "being checked",
  "gate-failed": "in review, quality gate failed",
  "gate-unable": "in review, quality gate could not run",
};

/** What became of what a run changed, as commands and pages show it, within a sentence. */
export function deliveryWords({
  kind,
  state,
  reasonCode,
}: Pick<Delivery, "kind" | "state"> & Partial<Pick<Delivery, "reasonCode">>): string {
  const judged = state === "review" && reasonCode !== undefined ? REVIEW_WORDS[reasonCode] : undefined;
  if (judged !== undefined) return judged;
  return kind === "branch" && state === "delivered" ? "merged" : WORDS[state];
}
