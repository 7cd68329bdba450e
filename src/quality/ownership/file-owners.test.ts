import { expect, it } from "vitest";
import { FileOwners } from "./file-owners.ts";

const [EARLY, LATE] = ["2026-11-18T01:00:00.000Z", "2026-11-18T02:00:00.000Z"];
const first = { runId: "run-1", taskId: "TASK-001", branch: "one" };
const second = { runId: "run-2", taskId: "TASK-002", branch: "two" };
const next = { ...first, runId: "run-3" };

it("gives a file to the run that changes it first, until that is over [S1-MOD-06]", () => {
  const owners = new FileOwners();
  expect(owners.claim(first, "a.ts", EARLY)).toEqual({ is: "owned" });
  const owner = { path: "a.ts", runId: "run-1", taskId: "TASK-001", since: EARLY };
  expect(owners.claim(second, "a.ts", LATE)).toEqual({ is: "conflict", owner });
  expect(owners.list()).toEqual([owner]);
  owners.release("one");
  expect(owners.list()).toEqual([]);
  expect(owners.claim(second, "a.ts", LATE)).toEqual({ is: "owned" });
});

it("passes a file on to a run that continues on the same branch, since when it was first changed", () => {
  const owners = new FileOwners();
  owners.claim(first, "b.ts", EARLY);
  owners.claim(first, "a.ts", EARLY);
  expect(owners.claim(next, "a.ts", LATE)).toEqual({ is: "owned" });
  expect(owners.list()).toMatchObject([
    { path: "a.ts", runId: "run-3", since: EARLY },
    { path: "b.ts", runId: "run-1" },
  ]);
});
