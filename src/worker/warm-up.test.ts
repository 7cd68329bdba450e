import { expect, it } from "vitest";
import { warmUp } from "./warm-up.ts";

it("makes every tool of a run, and its samples of messages and journal lines are valid", () => {
  expect(warmUp).not.toThrow();
});
