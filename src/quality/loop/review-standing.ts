import type { GateReview } from "../../contract/documents/quality/review.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { ReviewEvent } from "./review-events.ts";

interface Facts {
  run: (runId: string) => Run | undefined;
  /** Undefined where the task is gone. */
  task: TaskStatus | undefined;
}

const GONE: ReviewEvent = { type: "stopped", reason: "its task or run is gone" };
const DECIDED: ReviewEvent = { type: "decided", reason: "a person decided about the result" };

/** Whether something else has decided about what a review that has nothing to do waits for. Undefined: it goes on. */
export function standingOf(review: GateReview, { run, task }: Facts): ReviewEvent | undefined {
  const current = run(review.runId);
  if (current === undefined || task === undefined) return GONE;
  const { delivery } = current;
  switch (review.state) {
    case "pending":
    case "running":
    case "escalated":
      // It was handed in, and is not on disk yet.
      if (!isOver(current)) return undefined;
      return delivery?.state === "review" ? undefined : DECIDED;
    case "awaiting-rework":
      return reworkStanding(delivery, { run, task });
    default:
      return undefined;
  }
}

function reworkStanding(delivery: Run["delivery"], { run, task }: Facts): ReviewEvent | undefined {
  if (task === "cancelled") return { type: "stopped", reason: "its task was cancelled" };
  // The run that was to improve it ended without a change, and gave it back.
  if (delivery?.state === "review") return { type: "not-reworked", reason: "The next run changed nothing." };
  if (delivery?.state !== "rejected") return DECIDED;
  const next = run(delivery.next ?? "");
  if (next === undefined || !isOver(next) || next.status !== "completed") return undefined;
  // Its result waits for the person for a reason that no gate has a say in, or was decided about.
  return { type: "decided", reason: `the result of ${next.id} is not for the gates` };
}
