import { expect, it } from "vitest";
import { isContested, isDirty, keepDraft, keptDraft } from "./draft.ts";

it("is contested only when somebody wrote something else into the same field", () => {
  const draft = { base: "a", mine: "b" };
  expect(isContested(draft, "a")).toBe(false);
  expect(isContested(draft, "b")).toBe(false);
  expect(isContested(draft, "c")).toBe(true);
});

it("keeps what was typed and forgets what was not", () => {
  keepDraft("x", { base: ["a"], mine: ["a", "b"] });
  expect(keptDraft("x")).toEqual({ base: ["a"], mine: ["a", "b"] });
  expect(isDirty({ base: ["a"], mine: ["a"] })).toBe(false);
  keepDraft("x", { base: ["a"], mine: ["a"] });
  expect(keptDraft("x")).toBeUndefined();
});
