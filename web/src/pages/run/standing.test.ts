import { expect, test } from "vitest";
import type { Delivery } from "../../../../src/contract/runs/delivery.ts";
import { standingWords } from "./standing.ts";

const branch = { kind: "branch", name: "guildhall/TASK-001", target: "main" } as const;

test.each<[Partial<Delivery>, string]>([
  [{ state: "review", reasonCode: "required", reason: "the project requires review" }, "Ready for review."],
  [{ state: "review", reasonCode: "gate-failed", reason: "the tests failed" }, "The tests failed."],
  [{ state: "review", reasonCode: "gate-unable" }, "Not judged."],
  [
    { state: "review", reasonCode: "gate-running", reason: "the quality gates are checking it" },
    "Quality gates are checking this result. You can also decide now.",
  ],
  [{ state: "delivered" }, "Merged into main."],
])("%j in words: %s", (known, words) => {
  expect(standingWords({ delivery: { ...branch, ...known } as Delivery })).toBe(words);
});
