import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { Run } from "../../contract/runs/run.ts";
import { HallIndex } from "./hall-index.ts";

function opened() {
  const index = new HallIndex(join(temporaryFolder(), "index.db"));
  onTestFinished(() => index.close());
  const put = (id: string, costUsd: number, more: Partial<Run> = {}) => {
    const usage = { turns: 2, inputTokens: 9, outputTokens: 1, cacheReadTokens: 4, cacheWriteTokens: 3 };
    const run: Run = {
      ...{ id, projectId: "shop", taskId: "TASK-001", roleId: "coder", rank: "worker", title: id, status: "completed" },
      ...{ purpose: "work", progress: 1, model: "own/m", attempt: 1, createdAt: "2026-11-15T10:00:00.000Z" },
      usage: { ...usage, costUsd, costKnown: costUsd > 0 },
      ...more,
    };
    index.runs.put({ run, journal: "j", epoch: 1, crashes: 0, messages: [] });
  };
  return { index, put };
}

it("sums what runs have used by any of their sides, of one project or since a time", () => {
  const { index, put } = opened();
  put("run-1", 1);
  put("run-2", 2, { roleId: "tester", createdAt: "2026-11-14T10:00:00.000Z" });
  put("run-3", 0, { projectId: "barn", model: "other/m" });
  const keys = (by: "run" | "role" | "project" | "model" | "day", more: { projectId?: string; since?: string } = {}) =>
    index.uses.sums({ by, since: "", ...more }).map(({ key, costUsd }) => [key, costUsd]);
  expect(keys("project")).toEqual([
    ["barn", 0],
    ["shop", 3],
  ]);
  expect(keys("role")).toEqual([
    ["coder", 1],
    ["tester", 2],
  ]);
  expect(keys("model")).toEqual([
    ["other/m", 0],
    ["own/m", 3],
  ]);
  expect(keys("day")).toEqual([
    ["2026-11-14", 2],
    ["2026-11-15", 1],
  ]);
  expect(keys("run", { projectId: "shop", since: "2026-11-15T00:00:00.000Z" })).toEqual([["run-1", 1]]);
  expect(index.uses.sums({ by: "project", projectId: "shop", since: "" })).toEqual([
    {
      ...{ key: "shop", runs: 2, calls: 4, inputTokens: 18, outputTokens: 2, cacheReadTokens: 8, cacheWriteTokens: 6 },
      ...{ costUsd: 3, unpriced: 0 },
    },
  ]);
});

it("knows a run by its last state, and nothing of one that goes on or is gone with its project", () => {
  const { index, put } = opened();
  const sums = () => index.uses.sums({ by: "run", since: "" }).map(({ key, costUsd }) => [key, costUsd]);
  put("run-1", 1, { status: "running" });
  expect(sums()).toEqual([]);
  put("run-1", 2);
  put("run-1", 3);
  put("run-2", 1, { projectId: "barn" });
  expect(sums()).toEqual([
    ["run-1", 3],
    ["run-2", 1],
  ]);
  put("run-2", 1, { projectId: "barn", status: "running" });
  expect(sums()).toEqual([["run-1", 3]]);
  index.runs.removeProject("shop");
  expect(sums()).toEqual([]);
});
