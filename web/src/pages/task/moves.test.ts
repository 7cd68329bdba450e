import { expect, it } from "vitest";
import { legalText, nextLegal } from "./moves.ts";

it("says what a task can become", () => {
  expect(legalText("done")).toBe("From done, a task can move to in progress.");
  expect(legalText("failed")).toBe("From failed, a task can move to pending, in progress or cancelled.");
});

it("finds the next legal column to either side", () => {
  expect(nextLegal("review", 1)).toBe("done");
  expect(nextLegal("done", -1)).toBe("in-progress");
  expect(nextLegal("done", 1)).toBeUndefined();
  expect(nextLegal("pending", -1)).toBeUndefined();
});
