import { expect, it } from "vitest";
import { countOf, openThough, withChange } from "./criteria.ts";

const list = [
  { text: "a", done: false },
  { text: "b", done: true },
];

it("changes one criterion and leaves the others as somebody else left them", () => {
  expect(withChange(list, { kind: "tick", text: "a", done: true })).toEqual([{ text: "a", done: true }, list[1]]);
  expect(withChange(list, { kind: "edit", text: "b", to: "c" })[1]).toEqual({ text: "c", done: true });
  expect(withChange(list, { kind: "remove", text: "a" })).toEqual([list[1]]);
  expect(withChange(list, { kind: "add", text: "d" })).toHaveLength(3);
  expect(withChange(list, { kind: "remove", text: "gone meanwhile" })).toEqual(list);
});

it("tells of open criteria where the task counts as done, and only there", () => {
  expect(openThough("done", countOf(list))).toBe("1/2 met");
  expect(openThough("review", countOf(list))).toBeUndefined();
  expect(openThough("done", { done: 2, total: 2 })).toBeUndefined();
  expect(openThough("done", undefined)).toBeUndefined();
});
