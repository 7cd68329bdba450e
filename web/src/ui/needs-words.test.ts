import { expect, it } from "vitest";
import { needsWords } from "./needs-words.ts";

it("tells apart what needs the person and what is to be reviewed", () => {
  expect(needsWords({ needsMe: 1, review: 1 })).toEqual(["1 needs you", "1 in review"]);
  expect(needsWords({ needsMe: 2, review: 0 })).toEqual(["2 need you"]);
  expect(needsWords({ needsMe: 0, review: 0 })).toEqual([]);
});
