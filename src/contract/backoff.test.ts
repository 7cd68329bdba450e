import { expect, it } from "vitest";
import { backoffMs, NO_JITTER } from "./backoff.ts";

const pace = { firstMs: 100, longestMs: 1_000 };

it("doubles with each failure up to the longest pause, however many there are", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 5_000].map((failures) => backoffMs(pace, failures, NO_JITTER));
  expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
  expect(backoffMs({ ...pace, factor: 4 }, 2, NO_JITTER)).toBe(400);
});

it("takes at most half of the pause off", () => {
  expect(backoffMs(pace, 3, () => 0)).toBe(200);
  expect(backoffMs(pace, 3, () => 0.5)).toBe(300);
});
