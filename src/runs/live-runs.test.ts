import { expect, test } from "vitest";
import { LiveRuns } from "./live-runs.ts";

const of = { runId: "run-1", projectId: "shop" };
const cost = (costUsd: number) => ({ costUsd, costKnown: true });

test("what a run does is told with its figures when they are others, once for each turn and each charge", () => {
  const live = new LiveRuns();
  const told: unknown[] = [];
  live.subscribe(({ activity, figures }) => told.push([activity, figures?.turns, figures?.costUsd]));
  live.does(of, "thinking", { progress: 0, turn: 1, cost: cost(0) });
  const context = { used: 300, window: 1_000 };
  live.does(of, "read a.ts", { progress: 0.1, turn: 1, context, cost: cost(0.02) });
  live.does(of, "read b.ts", { progress: 0.1, turn: 1, context, cost: cost(0.02) });
  live.does(of, "waiting for the provider");
  live.does(of, "thinking", { progress: 0.2, turn: 2, context, cost: cost(0.02) });
  expect(told).toEqual([
    ["thinking", 1, 0],
    ["read a.ts", 1, 0.02],
    ["read b.ts", undefined, undefined],
    ["waiting for the provider", undefined, undefined],
    ["thinking", 2, 0.02],
  ]);
});
