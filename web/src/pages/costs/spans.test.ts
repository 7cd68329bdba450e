import { expect, it } from "vitest";
import { everyDay, roundUp, sinceOf } from "./spans.ts";

const today = new Date("2026-03-02T23:30:00Z");

it("counts the days of a span with today, over the end of a month", () => {
  expect(sinceOf("1", today)).toEqual({ since: "2026-03-02" });
  expect(sinceOf("7", today)).toEqual({ since: "2026-02-24" });
  expect(sinceOf("all", today)).toEqual({});
});

it("shows days without costs between those with costs, and not more than fit", () => {
  const rows = [
    { key: "2026-02-28", costUsd: 2, calls: 3, inputTokens: 5, outputTokens: 2, unpriced: 1 },
    { key: "2026-03-02", costUsd: 1, calls: 1, inputTokens: 1, outputTokens: 0, unpriced: 0 },
  ];
  expect(everyDay(rows, today, "all").map(({ day, usd }) => [day, usd])).toEqual([
    ["2026-02-28", 2],
    ["2026-03-01", 0],
    ["2026-03-02", 1],
  ]);
  expect(everyDay(rows, today, "all").map(({ isKnown }) => isKnown)).toEqual([false, true, true]);
  expect(everyDay(rows, today, "7")).toHaveLength(7);
  expect(everyDay(rows, today, "90", 30)).toHaveLength(30);
});

it("ends a scale at a round number that holds everything", () => {
  expect([0, 0.013, 1, 1.2, 2.4, 7, 99].map(roundUp)).toEqual([0.01, 0.02, 1, 2, 2.5, 10, 100]);
});
