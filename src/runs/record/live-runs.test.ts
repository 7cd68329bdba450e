import { expect, test } from "vitest";
import { activityWithHint } from "../../contract/words/activity-words.ts";
import { LiveRuns } from "./live-runs.ts";

const of = { runId: "run-1", projectId: "shop" };
const reads = (subject: string) => ({ kind: "tool" as const, name: "read", subject });
const thinking = { kind: "thinking" as const };
const waiting = { kind: "waiting" as const, for: "network" as const };
const cost = (costUsd: number) => ({ costUsd, costKnown: true });

test("what a run does is told with its figures when they are others, once for each turn and each charge", () => {
  const live = new LiveRuns();
  const told: unknown[] = [];
  live.subscribe(({ activity, figures }) => told.push([activity, figures?.turns, figures?.costUsd]));
  live.does(of, thinking, { progress: 0, turn: 1, cost: cost(0) });
  const context = { used: 300, window: 1_000 };
  live.does(of, reads("a.ts"), { progress: 0.1, turn: 1, context, cost: cost(0.02) });
  live.does(of, reads("b.ts"), { progress: 0.1, turn: 1, context, cost: cost(0.02) });
  live.does(of, waiting);
  live.does(of, thinking, { progress: 0.2, turn: 2, context, cost: cost(0.02) });
  expect(told).toEqual([
    [thinking, 1, 0],
    [reads("a.ts"), 1, 0.02],
    [reads("b.ts"), undefined, undefined],
    [waiting, undefined, undefined],
    [thinking, 2, 0.02],
  ]);
});

test("a run that is queued behind one that waits for an answer says what is to be answered", () => {
  const live = new LiveRuns();
  const told: unknown[] = [];
  const place = { on: "/src", line: [], projectId: "shop" };
  live.turns.queued("run-1", { ...place, hasBegun: true });
  live.turns.queued("run-2", { ...place, hasBegun: false });
  live.subscribe(({ runId, activity }) => runId === "run-2" && told.push(activity && activityWithHint(activity)));
  const wait = { reason: "answer" as const, text: "Which color?" };
  const at = new Date();
  live.waits(of, { by: "parked", wait, at, escalationId: "esc-001" });
  live.waits(of, { by: "parked", wait: undefined, at });
  expect(told).toEqual([
    "waiting for its turn: run-1 waits for an answer to esc-001 and holds the folder. Answer it with 'guildhall escalation answer esc-001'.",
    "waiting for its turn: run-1 is working in /src",
  ]);
});

test("commands are counted by the tool at work", () => {
  const live = new LiveRuns();
  live.does(of, { kind: "tool", name: "exec", subject: "npm test" });
  live.does({ ...of, runId: "run-2" }, { kind: "tool", name: "read", subject: "exec me" });
  expect(live.commands()).toBe(1);
});
