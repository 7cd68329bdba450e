import { expect, it } from "vitest";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import { columnsOf, facetsOf, filtersIn, matching } from "./filtering.ts";
import { neighbour, placeOf, step } from "./grid-moves.ts";

const card = (id: string, more: Partial<TaskCard> = {}): TaskCard => ({
  ...{ id, title: id, type: "other", priority: "medium", status: "pending", labels: [], ready: true, waitingOn: [] },
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

const cards = [
  card("TASK-001", { title: "Fix the Login page", labels: ["ui"], updatedAt: "2026-01-02T00:00:00.000Z" }),
  card("TASK-002", { priority: "urgent", type: "bug", ready: false, waitingOn: ["TASK-001"] }),
  card("TASK-003", { status: "review", assignedRoleId: "dev" }),
  card("TASK-004", { updatedAt: "2026-01-03T00:00:00.000Z" }),
];
const ids = (some: readonly TaskCard[]) => some.map(({ id }) => id);

it("shows the cards that all filters of the address leave", () => {
  expect(ids(matching(cards, filtersIn({ q: "login UI" })))).toEqual(["TASK-001"]);
  expect(ids(matching(cards, filtersIn({ q: "4", ready: "true", priority: "evil" })))).toEqual(["TASK-004"]);
  expect(ids(matching(cards, filtersIn({ role: "-", priority: "urgent" })))).toEqual(["TASK-002"]);
  expect(matching(cards, filtersIn({ task: "TASK-001", priority: "toString", ready: "evil" }))).toBe(cards);
});

it("counts what each filter would leave", () => {
  const { role, label, ready } = facetsOf(cards);
  expect([role.get("-"), role.get("dev"), label.get("ui"), ready]).toEqual([3, 1, 1, 3]);
});

it("puts the urgent first, then what was touched last, and cards on their way where they go", () => {
  const columns = columnsOf(cards, new Map([["TASK-003", "done"]]));
  expect(ids(columns.pending)).toEqual(["TASK-002", "TASK-004", "TASK-001"]);
  expect([ids(columns.review), ids(columns.done)]).toEqual([[], ["TASK-003"]]);
});

it("leads the focus from card to card, over columns without any", () => {
  const columns = columnsOf(cards);
  expect(placeOf(columns, "TASK-004")).toEqual({ status: "pending", index: 1 });
  expect(step(columns, { status: "pending", index: 2 }, "down")).toEqual({ status: "pending", index: 2 });
  expect(step(columns, { status: "pending", index: 2 }, "right")).toEqual({ status: "review", index: 0 });
  expect(step(columns, { status: "pending", index: 0 }, "left")).toEqual({ status: "pending", index: 0 });
  expect(neighbour(columns, { status: "pending", index: 3 })).toBe("TASK-001");
  expect(neighbour(columns, { status: "failed", index: 0 })).toBe("TASK-002");
});
