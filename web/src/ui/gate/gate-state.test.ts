import { expect, test } from "vitest";
import type { TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import type { RunLine } from "../../../../src/contract/now.ts";
import { runGateState, type TaskGate, taskGateState } from "./gate-state.ts";

test.each<[Partial<TaskGate>, TaskStatus, string | undefined]>([
  [{}, "review", "Checking"],
  [{ verdict: "fail" }, "in-progress", "Rework after cycle 2"],
  [{ verdict: "fail" }, "review", "Gate failed"],
  [{ verdict: "fail" }, "blocked", "Gate failed"],
  [{ verdict: "pass" }, "review", "Gate passed"],
  [{ verdict: "pass" }, "in-progress", undefined],
  [{ verdict: "unable" }, "review", "Not judged"],
  [{ verdict: "skipped" }, "review", undefined],
  [{ verdict: "fail" }, "done", undefined],
])("a task with the gate %j in %s says %s", (gate, status, word) => {
  expect(taskGateState({ cycle: 2, ...gate }, status)?.word).toBe(word);
});

test.each([
  ["review", "pass", "Gate passed"],
  ["rejected", "fail", "Gate failed"],
  ["rejected", "pass", undefined],
  ["delivered", "pass", undefined],
  ["review", "fail", undefined],
] as const)("a result in %s whose gate came to %s says %s beside its state", (state, verdict, word) => {
  const delivery = { kind: "branch", state, gate: { reviewId: "r", id: "g", cycle: 1, verdict } } as const;
  expect(runGateState({ delivery } as Pick<RunLine, "delivery">)?.word).toBe(word);
});
