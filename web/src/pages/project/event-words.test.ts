import { expect, test } from "vitest";
import { howItMoved, whatAbout, whatHappened, whoDid } from "./event-words.ts";

test("an event is told in words, and an agent without the number of its run", () => {
  expect(whatHappened("task.moved")).toBe("Task moved");
  expect(whatHappened("checkpoint.rolledback")).toBe("Checkpoint rolled back to");
  expect(whoDid({ kind: "person", via: "cli" })).toBe("you");
  expect(whoDid({ kind: "agent", id: "run-01", via: "daemon" })).toBe("an agent");
});

test("an event names what it is about, and how it moved", () => {
  const subject = { kind: "task" as const, id: "TASK-001" };
  const event = { subject, before: { status: "pending" }, after: { status: "done", title: "Pay by card" } };
  expect(whatAbout(event)).toBe("TASK-001 Pay by card");
  expect(howItMoved(event)).toBe("pending → done");
  expect(howItMoved({ before: { status: "done" }, after: { status: "done" } })).toBeUndefined();
});

test("runs are named by who does what, documents by their name", () => {
  const run = { subject: { kind: "run" as const, id: "run-01" }, after: { roleId: "coder", taskId: "TASK-002" } };
  expect(whatAbout(run)).toBe("coder on TASK-002");
  expect(whatAbout({ ...run, after: { taskId: "TASK-002" } })).toBe("TASK-002");
  const subject = { kind: "document" as const, id: "ARTIFACTS/2026-11-15/TASK-001-run-01m7gn.md" };
  expect(whatAbout({ subject })).toBe("TASK-001.md");
});
