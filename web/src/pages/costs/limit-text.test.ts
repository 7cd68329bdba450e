import { expect, it } from "vitest";
import { limitOf, ownRunLimitOf } from "./limit-text.ts";

it("reads limits as people write them", () => {
  expect(["", " ", "0", "25", "$5", "1,500.50"].map(limitOf)).toEqual([null, null, 0, 25, 5, 1500.5]);
  expect(["1,500", "1,500,000", "12.", ".5"].map(limitOf)).toEqual([1500, 1_500_000, 12, 0.5]);
  for (const text of ["-1", "five", "1 2", "Infinity", "1e3", "1.500,50", "1,50,000", ","]) {
    expect(limitOf(text), text).toBeUndefined();
  }
});

it("takes a comma before one or two digits for a decimal point", () => {
  expect(["50,5", "$50,50", "0,5"].map(limitOf)).toEqual([50.5, 50.5, 0.5]);
});

it("reads of a project that its runs have no limit, or the hall's", () => {
  expect(["None", "", "2", "no"].map(ownRunLimitOf)).toEqual(["none", null, 2, undefined]);
});
