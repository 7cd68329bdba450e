import { expect, it } from "vitest";
import type { BudgetReport } from "../../../../src/contract/documents/budget.ts";
import { limitsOnRun, limitsText, scopesOf } from "./own-limits.ts";

it("shows a project's two scopes also where nothing was spent in it", () => {
  const standing = { limit: 3, spent: 1, reserved: 0, left: 2 };
  const day = { scope: "project-day", projectId: "shop", assumedUsd: 0, usd: standing, tokens: standing } as const;
  const report = { scopes: [day] as BudgetReport["scopes"] } as BudgetReport;
  expect(scopesOf(report, "shop").map(({ scope, usd }) => [scope, usd.spent])).toEqual([
    ["project-day", 1],
    ["project", 0],
  ]);
  expect(scopesOf(report, "mill").map(({ usd }) => usd.limit)).toEqual([null, null]);
  expect(scopesOf(report, "")).toEqual([]);
});

it("says a project's limits in words", () => {
  expect(limitsText({ runUsd: "none", dayUsd: 3 })).toBe("$3.00 per day, no cost limit per run");
});

it("tells which limits hold for a run, with the project's own word before the hall's", () => {
  const none = { totalUsd: null, runTokens: null, dayTokens: null, totalTokens: null };
  const limits = { runUsd: 5, dayUsd: 25, ...none };
  const projects = [
    { projectId: "shop", limits: { runTokens: 200, dayUsd: 3 } },
    { projectId: "mill", limits: { runUsd: "none" as const } },
  ];
  const report = { limits, projects } as unknown as BudgetReport;
  expect(limitsOnRun(report, "shop")).toEqual({
    run: "$5.00 per run, 200 tokens per run",
    project: "$3.00 per day",
    hall: "$25.00 per day",
  });
  expect(limitsOnRun(report, "mill")).toEqual({ run: "", project: "", hall: "$25.00 per day" });
});
