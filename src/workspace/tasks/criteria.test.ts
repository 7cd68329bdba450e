import { describe, expect, it } from "vitest";
import { criterionKey, judgedCriteria, mergedReports, unaddressedCriteria } from "./criteria.ts";

const open = (text: string) => ({ text, done: false });
const met = (criterion: number) => ({ criterion, met: true });
const unmet = (criterion: number) => ({ criterion, met: false });
const keys = (...texts: string[]) => texts.map(criterionKey);

describe("criteria that an agent reports", () => {
  it.each([
    ["nothing reported", [open("a"), open("b")], [], undefined, [1, 2]],
    ["one reported", [open("a"), open("b")], [met(2)], undefined, [1]],
    ["reported as not met", [open("a")], [unmet(1)], undefined, []],
    ["already checked", [{ text: "a", done: true }, open("b")], [], undefined, [2]],
    ["a number that is not in the list", [open("a")], [met(7)], undefined, [1]],
    ["reordered since the plan", [open("b"), open("a")], [met(1)], keys("a", "b"), [2]],
    ["added since the plan", [open("a"), open("new")], [met(1)], keys("a"), []],
    ["removed since the plan", [open("b")], [], keys("a", "b"), [2]],
    ["no criteria", [], [], undefined, []],
  ])("finds those that are not addressed: %s", (_, criteria, reported, planned, numbers) => {
    expect(unaddressedCriteria({ criteria, reported, planned }).map(({ number }) => number)).toEqual(numbers);
  });

  it.each([
    ["met is checked", [open("a"), open("b")], [met(2)], undefined, [false, true]],
    ["not met is unchecked", [{ text: "a", done: true }], [unmet(1)], undefined, [false]],
    ["without a report nothing changes", [{ text: "a", done: true }, open("b")], [], undefined, [true, false]],
    ["numbers count in the planned list", [open("b"), open("a")], [met(1)], keys("a", "b"), [false, true]],
    ["what was added later is left alone", [open("new"), open("a")], [met(1)], keys("a"), [false, true]],
  ])("checks boxes: %s", (_, criteria, reported, planned, done) => {
    expect(judgedCriteria({ criteria, reported, planned }).map((each) => each.done)).toEqual(done);
  });

  it("keeps what was said of each criterion last", () => {
    expect(mergedReports([unmet(2), met(1)], [met(2)])).toEqual([met(1), met(2)]);
  });
});
