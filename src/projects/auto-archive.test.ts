import { expect, it } from "vitest";
import { archivedWhy } from "./auto-archive.ts";

const NOW = new Date("2026-03-20T12:00:00Z");
const standing = { status: "completed" as const, completedAt: "2026-03-10T12:00:00Z", hasOpenRuns: false };

it("is due when a project has been completed for as many days as the person said [S3-LC-05]", () => {
  expect(archivedWhy(standing, 10, NOW)).toBe("Completed for 10 days, since 2026-03-10");
  expect(archivedWhy(standing, 10.01, NOW)).toBeUndefined();
});

it.each([
  ["it is off", standing, 0],
  ["a result waits for review", { ...standing, hasOpenRuns: true }, 1],
  ["the project was reopened", { ...standing, status: "active" as const }, 1],
  ["nobody knows since when it is completed", { ...standing, completedAt: undefined }, 1],
])("is not due when %s", (_what, given, afterDays) => {
  expect(archivedWhy(given, afterDays, NOW)).toBeUndefined();
});
