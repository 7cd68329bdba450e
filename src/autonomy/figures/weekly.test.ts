import { expect, it } from "vitest";
import { lastWeeks, weeklyFigures, weekOf } from "./weekly.ts";

const task = (projectId: string, startedAt: string, completedAt: string, isReworked = false) => ({
  ...{ projectId, startedAt, completedAt, isReworked },
});

it("counts weeks from Monday, in UTC", () => {
  expect(weekOf("2026-03-01T23:59:59.999Z")).toBe("2026-02-23");
  expect(weekOf("2026-03-02T00:00:00.000Z")).toBe("2026-03-02");
  expect(lastWeeks(new Date("2026-03-04T12:00:00Z"), 3)).toEqual(["2026-02-16", "2026-02-23", "2026-03-02"]);
});

it("has throughput, cycle time, first-pass rate, rework, questions and cost per task, by week and project [S4-SCOPE-15]", () => {
  const records = {
    tasks: [
      task("shop", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z"),
      task("shop", "2026-03-02T08:00:00Z", "2026-03-03T08:00:00Z", true),
      task("blog", "2026-03-04T08:00:00Z", "2026-03-04T12:00:00Z"),
      task("blog", "2026-02-20T08:00:00Z", "2026-02-24T08:00:00Z"),
    ],
    gates: [
      { projectId: "shop", at: "2026-03-02T09:00:00Z", isPassed: true },
      { projectId: "shop", at: "2026-03-02T11:00:00Z", isPassed: false },
    ],
    questions: [
      { projectId: "shop", at: "2026-03-02T09:00:00Z", isAsked: true, avoided: 2 },
      { projectId: "shop", at: "2026-03-02T09:00:00Z", isAsked: false, avoided: 1 },
    ],
    costs: [
      { projectId: "shop", week: "2026-03-02", usd: 3, isKnown: true },
      { projectId: "blog", week: "2026-03-02", usd: 0.6, isKnown: false },
    ],
  };
  const { total, projects } = weeklyFigures(records, ["2026-02-23", "2026-03-02"]);
  expect(total[1]).toEqual({
    ...{ week: "2026-03-02", tasksDone: 3, cycleHours: 4, judged: 2, firstPass: 1, reworked: 1 },
    ...{ asked: 1, avoided: 3, costUsd: 3.6, costKnown: false, costPerTaskUsd: 1.2 },
  });
  expect(projects.map(({ week, projectId, tasksDone }) => [week, projectId, tasksDone])).toEqual([
    ["2026-02-23", "blog", 1],
    ["2026-03-02", "blog", 1],
    ["2026-03-02", "shop", 2],
  ]);
  expect(total[0]).toMatchObject({ costUsd: 0, costPerTaskUsd: 0, judged: 0, cycleHours: 96 });
});

it("says nothing of a week without anything", () => {
  const none = { tasks: [], gates: [], questions: [], costs: [] };
  expect(weeklyFigures(none, ["2026-03-02"])).toMatchObject({
    total: [{ tasksDone: 0, cycleHours: null, costPerTaskUsd: null }],
    projects: [],
  });
});
