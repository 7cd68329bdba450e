import { describe, expect, it } from "vitest";
import { TASK_FOLDERS, TASK_STATUSES } from "../contract/documents/task-status.ts";
import { folderOf, idOfTaskFile, isFollowed, placeOf, taskId, taskPath } from "./layout.ts";

describe("the board's folders", () => {
  it("hold pending, assigned and blocked in todo and every other status in its own [S0-TASK-12]", () => {
    expect(Object.fromEntries(TASK_STATUSES.map((status) => [status, folderOf(status)]))).toEqual({
      pending: "todo",
      assigned: "todo",
      blocked: "todo",
      "in-progress": "in-progress",
      review: "review",
      done: "done",
      failed: "failed",
      cancelled: "cancelled",
    });
    expect([...new Set(TASK_STATUSES.map(folderOf))].sort()).toEqual([...TASK_FOLDERS].sort());
  });

  it("name a task's file after its number, with three digits at least [S0-TF-01]", () => {
    expect([1, 42, 999, 1_000, 123_456].map(taskId)).toEqual([
      "TASK-001",
      "TASK-042",
      "TASK-999",
      "TASK-1000",
      "TASK-123456",
    ]);
    expect(taskPath("alpha", "review", "TASK-042")).toBe("projects/alpha/TASKS/review/TASK-042.md");
  });

  it("know a task's file by its name, in the one spelling each number has", () => {
    expect(idOfTaskFile("TASK-001.md")).toBe("TASK-001");
    expect(idOfTaskFile("TASK-123456789012.md")).toBe("TASK-123456789012");
    for (const name of [
      "TASK-1.md",
      "TASK-0001.md",
      "task-001.md",
      "TASK-001.txt",
      "TASK-001",
      "TASK-001 (1).md",
      ".md",
    ])
      expect(idOfTaskFile(name), name).toBeUndefined();
    expect(idOfTaskFile("TASK-1234567890123.md")).toBeUndefined();
  });
});

describe("what a path is to the hall", () => {
  it.each([
    ["ROLES.json", { kind: "roles" }],
    ["projects/a/PROJECT.md", { kind: "project", projectId: "a" }],
    ["projects/a/PROJECT.json", { kind: "project", projectId: "a" }],
    ["projects/a/TASKS/todo/TASK-001.md", { kind: "task", projectId: "a", folder: "todo", name: "TASK-001.md" }],
    ["projects/a/TASKS/done/notes.md", { kind: "task", projectId: "a", folder: "done", name: "notes.md" }],
    ["projects/a/ARTIFACTS/2026-01-01/r.md", { document: "artifact", projectId: "a", id: "ARTIFACTS/2026-01-01/r.md" }],
    ["projects/a/CONTEXT/x/y.txt", { document: "context", projectId: "a", id: "CONTEXT/x/y.txt" }],
    ["projects/a/knowledge/k.md", { document: "knowledge", projectId: "a", id: "knowledge/k.md" }],
    ["projects/a/plans/p/plan.md", { document: "plan", projectId: "a", id: "plans/p/plan.md" }],
    ["knowledge/decisions.md", { document: "knowledge", id: "knowledge/decisions.md" }],
  ])("%s", (path, place) => {
    expect(placeOf(path)).toMatchObject(place);
  });

  it.each([
    "config.yml",
    "MEMORY.md",
    "events/2026-01-01.jsonl",
    ".guildhall/index.db",
    "projects/a",
    "projects/a/MEMORY.md",
    "projects/a/TASKS/README.md",
    "projects/a/TASKS/later/TASK-001.md",
    "projects/a/TASKS/todo/TASK-001.txt",
    "projects/a/TASKS/todo/deep/TASK-001.md",
    "projects/a/TASKS/todo/.tmp-1.md",
    "projects/a/ARTIFACTS/README.md",
    "projects/a/plans/p/other.md",
    "projects/.new-a/PROJECT.md",
    "trash/a/PROJECT.md",
  ])("nothing: %s", (path) => {
    expect(placeOf(path)).toBeUndefined();
  });

  it("is followed in exactly the folders that can hold something", () => {
    for (const folder of [".", "projects", "knowledge", "projects/a", "projects/a/TASKS", "projects/a/TASKS/todo"])
      expect(isFollowed(folder), folder).toBe(true);
    for (const folder of ["projects/a/ARTIFACTS/2026-01-01", "projects/a/CONTEXT/x/y", "projects/a/plans/p"])
      expect(isFollowed(folder), folder).toBe(true);
    for (const folder of [
      ".guildhall",
      "events",
      "trash",
      "projects/.new-a",
      "projects/a/runs",
      "projects/a/TASKS/t/u",
    ])
      expect(isFollowed(folder), folder).toBe(false);
  });
});
