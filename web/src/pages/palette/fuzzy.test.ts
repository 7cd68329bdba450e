import { expect, test } from "vitest";
import { bestFitting, fuzzyScore } from "./fuzzy.ts";

test("whole words come before beginnings, beginnings before parts, parts before scattered letters", () => {
  const texts = ["Mishap", "Work shop", "S h o p letters: see how our projects", "Shopping", "Shop"];
  expect(bestFitting("shop", texts, (text) => text).map(({ item }) => item)).toEqual([
    "Shop",
    "Shopping",
    "Work shop",
    "S h o p letters: see how our projects",
  ]);
});

test.each([
  ["np", "New project", true],
  ["set", "Settings", true],
  ["proj new", "New project", true],
  ["xyz", "Settings", false],
  ["stn", "Settings", false],
  ["ÜBER", "über uns", true],
])("%s fits %s: %s", (typed, text, fits) => {
  expect(fuzzyScore(typed, text) !== undefined).toBe(fits);
});

test("a thousand long names are gone through in a blink", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `Project number ${at} ${"of the hall ".repeat(20)}`);
  const started = performance.now();
  expect(bestFitting("number 999", names, (name) => name)[0]?.item).toContain("999");
  expect(performance.now() - started).toBeLessThan(2_000);
});
