import { expect, it } from "vitest";
import type { TaskCard } from "../../../src/contract/documents/card.ts";
import type { HallEvent } from "../../../src/contract/event.ts";
import { sharing, withEvents } from "./card-changes.ts";

const card = (id: string, more: Partial<TaskCard> = {}): TaskCard => ({
  ...{ id, title: id, type: "other", priority: "medium", status: "pending", labels: [], ready: true, waitingOn: [] },
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

const event = (id: string, more: Partial<HallEvent>): HallEvent => ({
  ...{ seq: 1, id: "e", at: "2026-01-01T00:00:00.000Z", type: "task.updated", prev: "", hash: "" },
  actor: { kind: "agent", via: "daemon" },
  subject: { kind: "task", id },
  ...more,
});

it("changes the card that an event is about and leaves the others the same", () => {
  const [one, two] = [card("TASK-001"), card("TASK-002", { assignedRoleId: "dev" })];
  const events = [
    event("TASK-002", {
      type: "task.moved",
      before: { status: "pending", assignedRoleId: "dev" },
      after: { status: "in-progress", acceptanceCriteria: [{ text: "a", done: true }] },
    }),
  ];
  const { cards, unknown, isDoubtful } = withEvents([one, two], events);
  expect(cards[0]).toBe(one);
  expect(cards[1]).toMatchObject({ status: "in-progress", ready: false, criteria: { done: 1, total: 1 } });
  expect(cards[1]).not.toHaveProperty("assignedRoleId");
  expect({ unknown, isDoubtful }).toEqual({ unknown: [], isDoubtful: false });
});

it("makes ready what waited for a task that is done", () => {
  const waiting = card("TASK-002", { ready: false, waitingOn: ["TASK-001"] });
  const done = event("TASK-001", { type: "task.moved", before: { status: "review" }, after: { status: "done" } });
  const { cards } = withEvents([card("TASK-001", { status: "review" }), waiting], [done]);
  expect(cards[1]).toMatchObject({ ready: true, waitingOn: [] });
});

it("asks for what an event does not tell: new tasks, long values, ties", () => {
  const cards = [card("TASK-001", { status: "done" }), card("TASK-002")];
  expect(withEvents(cards, [event("TASK-003", { type: "task.created" })]).unknown).toEqual(["TASK-003"]);
  const long = event("TASK-002", { after: { title: { shortened: "x", characters: 9_000 } } });
  expect(withEvents(cards, [long]).unknown).toEqual(["TASK-002"]);
  expect(withEvents(cards, [event("TASK-002", { after: { blockedBy: ["TASK-001"] } })]).isDoubtful).toBe(true);
  const again = event("TASK-001", { type: "task.moved", after: { status: "in-progress" } });
  expect(withEvents(cards, [again]).isDoubtful).toBe(true);
  const removed = withEvents(cards, [event("TASK-001", { type: "task.removed" })]);
  expect([removed.cards.length, removed.isDoubtful]).toEqual([1, true]);
});

it("keeps the objects of cards that come again as they were", () => {
  const before = [card("TASK-001"), card("TASK-002")];
  const after = sharing(before, [card("TASK-001"), card("TASK-002", { ready: false }), card("TASK-003")]);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
  expect(after.length).toBe(3);
});

it("knows how much of a task was done, until it is taken up again", () => {
  const moved = {
    type: "task.moved" as const,
    before: { status: "review" },
    after: { status: "done", outcome: "partial" },
  };
  const { cards } = withEvents([card("TASK-001", { status: "review" })], [event("TASK-001", moved)]);
  expect(cards[0]?.outcome).toBe("partial");
  const again = { type: "task.moved" as const, before: moved.after, after: { status: "in-progress" } };
  expect(withEvents(cards, [event("TASK-001", again)]).cards[0]).not.toHaveProperty("outcome");
});
