import { expect, it } from "vitest";
import { run } from "../../test/fakes/api-documents.ts";
import { withPurpose } from "./older-lines.ts";

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
