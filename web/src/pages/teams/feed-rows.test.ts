import { expect, test } from "vitest";
import type { TeamActivity } from "../../../../src/contract/documents/teams/team.ts";
import { feedRows } from "./feed-rows.ts";

const entry = (seq: number, at: string, member: string): TeamActivity => ({
  seq,
  at,
  type: "teammate-shutdown",
  member,
});

test("lists the newest first under its day, also entries with the same number", () => {
  const rows = feedRows(
    [
      entry(1, "2026-11-17T12:00:00.000Z", "a"),
      entry(2, "2026-11-18T12:00:00.000Z", "b"),
      entry(2, "2026-11-18T12:00:00.000Z", "c"),
    ],
    (at) => at.toISOString().slice(0, 10),
  );
  expect(rows.map((row) => ("day" in row ? row.day : row.entry.member))).toEqual([
    "2026-11-18",
    "c",
    "b",
    "2026-11-17",
    "a",
  ]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
});
