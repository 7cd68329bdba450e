import { expect, test } from "vitest";
import { howItMoved, whatAbout, whatHappened, whoDid } from "./event-words.ts";

test("an event is told in words", () => {
  expect(whatHappened("task.moved")).toBe("Task moved");
  expect(whatHappened("checkpoint.rolledback")).toBe("Checkpoint rolled back to");
  expect(whoDid({ kind: "person", via: "cli" })).toBe("you");
  expect(whoDid({ kind: "agent", id: "coder", via: "daemon" })).toBe("coder");
});

test("an event names what it is about, and how it moved", () => {
  const subject = { kind: "task" as const, id: "TASK-001" };
  const event = { subject, before: { status: "pending" }, after: { status: "done", title: "Pay by card" } };
  expect(whatAbout(event)).toBe("TASK-001 Pay by card");
  expect(howItMoved(event)).toBe("pending → done");
  expect(howItMoved({ before: { status: "done" }, after: { status: "done" } })).toBeUndefined();
});
