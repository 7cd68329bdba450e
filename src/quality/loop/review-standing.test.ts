import { expect, it } from "vitest";
import type { GateReview } from "../../contract/documents/quality/review.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Run } from "../../contract/runs/run.ts";
import { standingOf } from "./review-standing.ts";

const review = (state: GateReview["state"]) => ({ state, runId: "run-1" }) as GateReview;
const run = (state: string, more: object = {}) =>
  ({ id: "run-1", status: "completed", delivery: { kind: "branch", state, ...more } }) as unknown as Run;

it.each<[string, GateReview["state"], Run | undefined, TaskStatus | undefined, string | undefined]>([
  ["waits while its result does", "pending", run("review"), "review", undefined],
  ["is over when somebody decided", "running", run("delivered"), "review", "decided"],
  ["is over when its task is gone", "escalated", run("review"), undefined, "stopped"],
  ["is over when its run is gone", "pending", undefined, "review", "stopped"],
  ["waits for a rework", "awaiting-rework", run("rejected"), "in-progress", undefined],
  ["hears of a rework that changed nothing", "awaiting-rework", run("review"), "review", "not-reworked"],
  ["is over when the task was cancelled", "awaiting-rework", run("rejected"), "cancelled", "stopped"],
  ["is over when the result was merged instead", "awaiting-rework", run("delivered"), "done", "decided"],
])("a review %s", (_, state, current, task, wanted) => {
  expect(standingOf(review(state), { run: (id) => (id === "run-1" ? current : undefined), task })?.type).toBe(wanted);
});

it("a review is over when its rework ended with a result that is not for the gates", () => {
  const next = { ...run("review"), id: "run-2" };
  const facts = {
    run: (id: string) => (id === "run-2" ? next : run("rejected", { next: "run-2" })),
    task: "review" as const,
  };
  expect(standingOf(review("awaiting-rework"), facts)?.type).toBe("decided");
});
