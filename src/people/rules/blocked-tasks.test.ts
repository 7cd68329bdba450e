import { expect, it } from "vitest";
import { TASK_STATUSES, type TaskStatus } from "../../contract/documents/task-status.ts";
import { canBlock, taskStanding } from "./blocked-tasks.ts";
import { type AskedAt, CAP_WINDOW_MS, capReached, MOST_QUESTIONS } from "./question-cap.ts";

const none = { state: "none" } as const;
const base = { status: "in-progress" as TaskStatus, escalations: [], from: undefined, open: [], run: none };
const blocked = { ...base, status: "blocked" as TaskStatus, escalations: ["esc-001"] };

it("blocks a task while an open escalation blocks it, and names it", () => {
  expect(taskStanding({ ...base, open: ["esc-001"] })).toEqual({ status: "blocked", escalations: ["esc-001"] });
  expect(taskStanding({ ...blocked, open: ["esc-001"] })).toBeUndefined();
  expect(taskStanding({ ...blocked, open: ["esc-001", "esc-002"] })).toEqual({ escalations: ["esc-001", "esc-002"] });
  expect(taskStanding({ ...base, status: "done", open: ["esc-001"] })).toEqual({ escalations: ["esc-001"] });
  expect(taskStanding(base)).toBeUndefined();
});

it("blocks only a task that is still to do or in work", () => {
  for (const status of TASK_STATUSES) {
    const isBlocked = ["pending", "assigned", "in-progress", "blocked"].includes(status);
    expect(canBlock(status), status).toBe(isBlocked);
    const next = taskStanding({ ...base, status, open: ["esc-001"] });
    expect(next?.status ?? status, status).toBe(isBlocked ? "blocked" : status);
  }
});

it.each<[TaskStatus, Partial<Parameters<typeof taskStanding>[0]>]>([
  ["pending", { from: "pending" }],
  ["pending", { from: "assigned" }],
  ["in-progress", { from: "in-progress", run: { state: "working" } }],
  ["in-progress", { from: "pending", run: { state: "working" } }],
  ["review", { from: "review" }],
  ["review", { from: "in-progress", run: { state: "ended", goes: "review", isDecided: false } }],
  ["review", { from: "review", run: { state: "ended", goes: "failed", isDecided: false } }],
  ["done", { from: "review", run: { state: "ended", goes: "done", isDecided: true } }],
  ["pending", { from: "in-progress", run: { state: "ended", goes: "pending", isDecided: true } }],
  ["pending", { from: "pending", run: { state: "ended", goes: "done", isDecided: true } }],
  ["pending", { from: "in-progress" }],
  ["pending", { from: undefined }],
])("frees a task to %s with the last escalation that blocked it (%o)", (status, task) => {
  expect(taskStanding({ ...blocked, ...task })).toEqual({ status, escalations: [] });
});

it("leaves a task alone that a person blocked, or moved, by hand", () => {
  const moved = { ...base, status: "pending" as TaskStatus, escalations: ["esc-001"] };
  expect(taskStanding({ ...moved, open: ["esc-001"] })).toBeUndefined();
  expect(taskStanding(moved)).toEqual({ escalations: [] });
  expect(taskStanding({ ...blocked, escalations: [] })).toBeUndefined();
});

it("caps the questions of a run and of a project within an hour", () => {
  const asked = (count: number, by: string): AskedAt[] =>
    Array.from({ length: count }, () => ({ by, projectId: "shop", at: 0 }));
  const next = { by: "run-1", projectId: "shop" };
  expect(capReached(asked(MOST_QUESTIONS.run - 1, "run-1"), next, 1)).toBeUndefined();
  expect(capReached(asked(MOST_QUESTIONS.run, "run-1"), next, 1)).toBe("run");
  expect(capReached(asked(MOST_QUESTIONS.project, "run-2"), next, 1)).toBe("project");
  expect(capReached(asked(MOST_QUESTIONS.run, "run-1"), next, CAP_WINDOW_MS)).toBeUndefined();
});
