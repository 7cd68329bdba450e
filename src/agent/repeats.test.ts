import { expect, it } from "vitest";
import { Repeats, slowdownOf, warningOf } from "./repeats.ts";

function timesOf(decisions: string): number {
  const repeats = new Repeats();
  for (const decision of decisions) repeats.add(decision === "-" ? undefined : decision);
  return repeats.times;
}

it("counts rounds of one, two and three decisions, and nothing else", () => {
  expect(timesOf("a")).toBe(1);
  expect(timesOf("aaaaa")).toBe(5);
  expect(timesOf("ababababab")).toBe(5);
  expect(timesOf("abcabcabcabcabc")).toBe(5);
  expect(timesOf("xyabababab")).toBe(4);
  expect(timesOf("abcdabcdabcd")).toBe(1);
  expect(timesOf("aaaab")).toBe(1);
  expect(timesOf("aa-aa")).toBe(2);
});

it("warns twice before the end, and slows down the second time", () => {
  expect([1, 2, 3, 4, 5].map((times) => warningOf(times, 5) !== "")).toEqual([false, false, true, true, false]);
  expect([1, 2, 3, 4, 5].map((times) => slowdownOf(times, 5) > 0)).toEqual([false, false, false, true, false]);
});
