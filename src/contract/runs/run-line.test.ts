import { expect, it } from "vitest";
import { sampleRun } from "../../../test/fakes/fake-runs.ts";
import { RunLine } from "../now.ts";
import { runLine } from "./run-line.ts";

it("has how the result stands and the first line of what went wrong, and nothing that may be long", () => {
  const line = runLine({
    ...sampleRun,
    delivery: {
      kind: "branch",
      name: "b",
      target: "main",
      state: "kept",
      reason: "it failed",
      files: 2,
      additions: 3,
      deletions: 1,
    },
    error: `\n${"é".repeat(400)}\nmore`,
    result: { output: "x".repeat(1_000), outcome: "partial", artifacts: [], filesChanged: [], duration: 1 },
  });
  expect(RunLine.parse(line)).toEqual(line);
  expect(line.delivery).toEqual({
    kind: "branch",
    state: "kept",
    reason: "it failed",
    files: 2,
    additions: 3,
    deletions: 1,
  });
  expect(line.outcome).toBe("partial");
  expect(line.error).toBe(`${"é".repeat(299)}…`);
  expect(JSON.stringify(line)).not.toContain("xx");
});
