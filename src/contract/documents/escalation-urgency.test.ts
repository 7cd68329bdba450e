import { expect, test } from "vitest";
import { byUrgency, urgencyOf, urgencyRank } from "./escalation-urgency.ts";

const NOW = new Date("2026-11-16T12:00:00.000Z");
const entry = (id: string, days: number, more: object = {}) => ({
  id,
  priority: "low" as const,
  blocksTask: null,
  blocksInitiative: false,
  createdAt: new Date(NOW.getTime() - days * 86_400_000).toISOString(),
  ...more,
});

test("an entry that waits long enough comes before anything new", () => {
  const urgent = entry("urgent", 0, { priority: "urgent", blocksTask: "TASK-001", blocksInitiative: true });
  const old = entry("old", 8);
  expect([urgencyOf(urgent, NOW), urgencyOf(old, NOW)]).toEqual([8, 9]);
  expect([urgent, old].toSorted(byUrgency).map(({ id }) => id)).toEqual(["old", "urgent"]);
});

test("what blocks work counts more than a higher priority", () => {
  const order = [
    entry("b-medium", 0, { priority: "medium" }),
    entry("a-low", 0, { blocksTask: "TASK-001" }),
    entry("c-low", 0),
  ];
  expect(order.toSorted(byUrgency).map(({ id }) => id)).toEqual(["a-low", "b-medium", "c-low"]);
});

test("the order never changes with time", () => {
  const [one, other] = [entry("one", 3), entry("other", 0, { priority: "urgent" })];
  const later = new Date(NOW.getTime() + 1e10);
  expect(urgencyOf(one, NOW) - urgencyOf(other, NOW)).toBeCloseTo(urgencyOf(one, later) - urgencyOf(other, later), 2);
  expect(urgencyRank(one) - urgencyRank(other)).toBe(0);
});
