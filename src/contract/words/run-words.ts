import type { RunLine } from "../now.ts";
import type { DeliveryState } from "../runs/delivery.ts";
import type { RUN_STATUSES } from "../runs/run-status.ts";
import { GATE_CODE_WORDS, isGateCode } from "./gate-words.ts";
import { VERDICT_WORDS } from "./review-words.ts";
import { WAIT_WORDS } from "./wait-words.ts";

type RunStatus = (typeof RUN_STATUSES)[number];

/** What people do with runs and results: one verb each, in pages, commands and documents. */
export const RUN_ACTIONS = {
  approve: { label: "Approve", done: "Approved" },
  requestChanges: { label: "Request changes", done: "Changes requested" },
  discard: { label: "Discard", done: "Discarded" },
  revert: { label: "Revert", done: "Reverted" },
  rollBack: { label: "Roll back", done: "Rolled back" },
  retry: { label: "Retry", done: "Retried" },
  stop: { label: "Stop", done: "Stopped" },
} as const;

/** The status of a run that is the same whatever became of its result. */
export const RUN_STATUS_WORDS: Record<RunStatus, string> = {
  pending: "Queued",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: RUN_ACTIONS.stop.done,
};

/** Of a run that completed: what became of its result. */
const RESULT_WORDS: Record<DeliveryState, string> = {
  working: RUN_STATUS_WORDS.completed,
  unchanged: "No changes",
  delivered: RUN_STATUS_WORDS.completed,
  review: "In review",
  kept: "Superseded",
  rejected: RUN_ACTIONS.requestChanges.done,
  reverted: RUN_ACTIONS.revert.done,
  discarded: RUN_ACTIONS.discard.done,
};

type Shown = Pick<RunLine, "status"> &
  Partial<Pick<RunLine, "waitingFor" | "purpose" | "verdict">> & {
    delivery?: Pick<NonNullable<RunLine["delivery"]>, "kind" | "state" | "reasonCode"> | undefined;
  };

/** The state of a run, the same in pages and commands. */
export function runStateWord({ status, waitingFor, delivery, purpose, verdict }: Shown): string {
  if (status === "running" && waitingFor !== undefined) return `Waiting for ${WAIT_WORDS[waitingFor]}`;
  if (status === "pending" || status === "running") return RUN_STATUS_WORDS[status];
  if (delivery?.state === "review" && isGateCode(delivery.reasonCode)) return GATE_CODE_WORDS[delivery.reasonCode];
  if (delivery?.state === "review" || delivery?.state === "discarded") return RESULT_WORDS[delivery.state];
  if (status !== "completed") return RUN_STATUS_WORDS[status];
  if (purpose === "review") return verdict === undefined ? "Reviewed" : VERDICT_WORDS[verdict];
  if (delivery === undefined) return RUN_STATUS_WORDS.completed;
  return delivery.kind === "branch" && delivery.state === "delivered" ? "Merged" : RESULT_WORDS[delivery.state];
}
