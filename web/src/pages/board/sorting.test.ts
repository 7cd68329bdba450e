import { expect, test } from "vitest";
import type { TaskCard } from "../../../../src/contract/documents/card.ts";
import { nextSort, type Sort, sorted, sortIn, sortText } from "./sorting.ts";

const card = (id: string, more: Partial<TaskCard>) =>
  ({
    id,
    title: id,
    status: "pending",
    priority: "medium",
    type: "feature",
    updatedAt: "2026-01-01",
    ...more,
  }) as TaskCard;
const cards = [
  card("TASK-10", { priority: "urgent", updatedAt: "2026-01-03", assignedRoleId: "b" }),
  card("TASK-9", { status: "failed", updatedAt: "2026-01-02", assignedRoleId: "a" }),
  card("TASK-1", { status: "done", priority: "low" }),
];
const roles = new Map([
  ["a", "Zoe"],
  ["b", "Adam"],
]);
const ids = (sort: Sort) => sorted(cards, sort, roles).map(({ id }) => id.slice(5));

test("tasks are sorted by what is shown: numbers as numbers, roles by name, statuses and priorities in their order", () => {
  expect(ids({ field: "id", isDescending: false })).toEqual(["1", "9", "10"]);
  expect(ids({ field: "status", isDescending: false })).toEqual(["10", "1", "9"]);
  expect(ids({ field: "priority", isDescending: true })).toEqual(["10", "9", "1"]);
  expect(ids({ field: "role", isDescending: false })).toEqual(["1", "10", "9"]);
  expect(ids({ field: "updated", isDescending: true })).toEqual(["10", "9", "1"]);
});

test("the order is said in the address, and turned round by choosing it again", () => {
  expect(sortIn("-updated")).toEqual({ field: "updated", isDescending: true });
  expect(sortIn("nonsense")).toEqual({ field: "status", isDescending: false });
  expect(sortText(nextSort(sortIn(undefined), "updated"))).toBe("-updated");
  expect(sortText(nextSort(sortIn("-updated"), "updated"))).toBe("updated");
});
