import { expect, it } from "vitest";
import { run } from "../../test/fakes/api-documents.ts";
import { olderResult, withPurpose } from "./older-lines.ts";

const { purpose: _, ...older } = run();
const asWritten = (more: object) => ({ ...older, ...more }) as ReturnType<typeof run>;

it("reads an opinion of the version before as a review, and any other run as work", () => {
  expect(withPurpose(asWritten({ opinion: { of: "run-1" } }))).toEqual({
    ...older,
    purpose: "review",
    reviewOf: "run-1",
  });
  expect(withPurpose(asWritten({ opinion: {} }))).toEqual({ ...older, purpose: "review" });
  expect(withPurpose(asWritten({}))).toEqual({ ...older, purpose: "work" });
});

it("leaves a line of this version as it is", () => {
  const review = run({ purpose: "review", reviewOf: "run-1" });
  expect(withPurpose(review)).toBe(review);
});

it("reads results of the version before as deliveries", () => {
  const standing = { state: "merged", merge: "abc", files: 2 };
  const branch = { name: "guildhall/x", target: "main", ...standing };
  expect(olderResult({ type: "reviewed", runId: "run-1", branch })).toEqual({
    ...{ type: "reviewed", runId: "run-1" },
    delivery: { kind: "branch", ...branch, state: "delivered" },
  });
  expect(olderResult({ type: "settled", run: { id: "run-1", changes: { state: "applied", files: 1 } } })).toEqual({
    type: "settled",
    run: { id: "run-1", delivery: { kind: "folder", state: "delivered", files: 1 } },
  });
  for (const state of ["working", "unchanged", "review", "kept", "rejected", "reverted"])
    expect(olderResult({ changes: { state } })).toEqual({ delivery: { kind: "folder", state } });
});

it("leaves lines of this version, and those without a result, as they are", () => {
  const run = { id: "run-1", delivery: { kind: "folder", state: "kept" } };
  expect(olderResult({ type: "settled", run })).toEqual({ type: "settled", run });
  expect(olderResult({ type: "leased", runId: "run-1" })).toEqual({ type: "leased", runId: "run-1" });
});
