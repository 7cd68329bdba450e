import { describe, expect, it } from "vitest";
import { TaskCreate, TaskUpdate } from "../../contract/documents/task.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import { applyUpdate, newTask } from "./task-change.ts";

const NOON = "2026-03-01T12:00:00.000Z";
const LATER = "2026-03-02T09:30:00.000Z";

const made = (body: unknown): TaskRecord =>
  newTask({ body: TaskCreate.parse(body), id: "TASK-001", projectId: "alpha", at: NOON, by: "person" });
const changed = (task: TaskRecord, body: unknown) =>
  applyUpdate(task, TaskUpdate.parse(body), { at: LATER, by: "agent", request: "key-1" });

describe("a new task", () => {
  it("has a place, dates and the first step of its history", () => {
    expect(made({ title: "x", status: "review" })).toMatchObject({
      id: "TASK-001",
      path: "projects/alpha/TASKS/review/TASK-001.md",
      createdAt: NOON,
      updatedAt: NOON,
      history: [{ at: NOON, from: null, to: "review", by: "person" }],
    });
  });

  it("has an outcome only when it is finished, and no notes on its end when they are empty", () => {
    expect(made({ title: "x", outcome: "full" })).not.toHaveProperty("outcome");
    expect(made({ title: "x", outcome: "full", status: "done" }).outcome).toBe("full");
    expect(made({ title: "x", completionNotes: "\n \n" })).not.toHaveProperty("completionNotes");
  });
});

describe("a change", () => {
  const task = made({ title: "x", labels: ["a"], plan: "p", completionNotes: "c", context: { files: ["f"] } });

  it("that asks for nothing new is none", () => {
    for (const body of [{}, { title: "x" }, { labels: ["a"] }, { status: "pending" }, { context: { files: ["f"] } }])
      expect(changed(task, body)).toBeUndefined();
    expect(changed(task, { assignedRoleId: null })).toBeUndefined();
  });

  it("touches what it names and the date, and nothing else", () => {
    expect(changed(task, { labels: ["b"], context: { codeRefs: ["c"] } })).toEqual({
      ...task,
      labels: ["b"],
      context: { files: ["f"], codeRefs: ["c"], dependencies: [] },
      updatedAt: LATER,
    });
  });

  it("takes away what is null, and notes on the end that are empty", () => {
    const { plan, completionNotes, ...rest } = task;
    expect(changed(task, { plan: null, completionNotes: "" })).toEqual({ ...rest, updatedAt: LATER });
  });

  it("of the status is one more step, with who asked under which key", () => {
    const after = changed(task, { status: "in_progress", outcome: "full" });
    expect(after).toMatchObject({ status: "in-progress", startedAt: LATER });
    expect(after?.history.at(-1)).toEqual({
      at: LATER,
      from: "pending",
      to: "in-progress",
      by: "agent",
      request: "key-1",
    });
    expect(after).not.toHaveProperty("outcome");
    expect(task.history).toHaveLength(1);
  });
});
