import { expect, it } from "vitest";
import { limitOf, ownRunLimitOf } from "./limit-text.ts";

it("reads limits as people write them", () => {
  expect(["", " ", "0", "25", "$5", "1,500.50"].map(limitOf)).toEqual([null, null, 0, 25, 5, 1500.5]);
  expect(["-1", "five", "1 2", "Infinity"].map(limitOf)).toEqual([undefined, undefined, undefined, undefined]);
});

it("reads of a project that its runs have no limit, or the hall's", () => {
  expect(["None", "", "2", "no"].map(ownRunLimitOf)).toEqual(["none", null, 2, undefined]);
});
