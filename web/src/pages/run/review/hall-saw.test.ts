import { expect, test } from "vitest";
import type { Run } from "../../../../../src/contract/runs/run.ts";
import { hallSaw } from "./hall-saw.ts";

const result = { output: "All green.", artifacts: [], filesChanged: [], duration: 1, outcome: "full" as const };
const review = { kind: "folder" as const, state: "review" as const };
const saw = (of: Partial<Run>) => hallSaw({ result, purpose: "work", ...of });

test("A report of all done is contradicted by a run that changed nothing, or most of whose calls failed", () => {
  expect(saw({ delivery: { ...review, files: 0 }, calls: { total: 7, failed: 3 } })).toEqual({
    words: "Verified: no files changed; 3 of 7 tool calls failed",
    contradicts: true,
  });
  expect(saw({ delivery: { ...review, files: 1 }, calls: { total: 3, failed: 2 } })?.contradicts).toBe(true);
  expect(saw({ delivery: { kind: "folder", state: "unchanged" } })?.words).toBe("Verified: no files changed");
});

test("What fails on the way is told, and what did not happen is not", () => {
  expect(saw({ delivery: { ...review, files: 1 }, calls: { total: 9, failed: 1 } })).toEqual({
    words: "Verified: 1 of 9 tool calls failed",
    contradicts: false,
  });
  expect(saw({ delivery: { ...review, files: 1 }, calls: { total: 9, failed: 0 } })).toBeUndefined();
  expect(saw({ calls: { total: 2, failed: 0 }, purpose: "review", delivery: { ...review, files: 0 } })).toBeUndefined();
  expect(saw({ delivery: review })).toBeUndefined();
});
