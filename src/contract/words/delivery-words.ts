import type { Delivery, DeliveryState } from "../runs/delivery.ts";

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

/** What became of what a run changed, as commands and pages show it, within a sentence. */
export function deliveryWords({ kind, state }: Pick<Delivery, "kind" | "state">): string {
  return kind === "branch" && state === "delivered" ? "merged" : WORDS[state];
}
