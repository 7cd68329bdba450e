import { describe, expect, it } from "vitest";
import { Config } from "../../contract/documents/config.ts";
import type { HealthAction, HealthIssueType } from "../../contract/words/teams/health-words.ts";
import { type Earlier, nextAction } from "./health-ladder.ts";
import { alikeOf, issuesOf, type MemberActivity, type SeenCall } from "./health-rules.ts";

const { health: settings } = Config.parse({}).agentTeams;
const MINUTE = 60_000;

const activity = (more: Partial<MemberActivity> = {}): MemberActivity => ({
  ...{ activeAt: 0, isWaiting: false, calls: [] },
  ...more,
});
const found = (more: Partial<MemberActivity>, now = 0, own = settings) =>
  issuesOf(activity(more), now, own).map(({ issue }) => issue);

let count = 0;
const call = (tool: string, input: string, how: Partial<SeenCall> = {}): SeenCall => ({
  ...{ id: `call-${count++}`, tool, alike: alikeOf(tool, input), failed: false, changed: false },
  ...how,
});
const times = (many: number, make: (at: number) => SeenCall) => Array.from({ length: many }, (_, at) => make(at));

describe("a stall", () => {
  it("is five minutes without a sign of life [S1-HM-02]", () => {
    expect(found({}, 5 * MINUTE - 1)).toEqual([]);
    expect(issuesOf(activity(), 5 * MINUTE, settings)).toMatchObject([
      { issue: "stall", reason: "No activity for 5 min." },
    ]);
    expect(found({ activeAt: MINUTE }, 5 * MINUTE)).toEqual([]);
    expect(found({}, 61_000, { ...settings, stallSeconds: 60 })).toEqual(["stall"]);
  });

  it("is none of who waits for a person, a budget or its turn", () => {
    expect(found({ isWaiting: true }, 1_000 * MINUTE)).toEqual([]);
  });

  it("leaves a model call the time that its model has", () => {
    const own = { ...settings, models: { "test/slow": 1_200, "test/fast": 60 } };
    expect(found({ asks: "test/other" }, 9 * MINUTE, own)).toEqual([]);
    expect(found({ asks: "test/other" }, 10 * MINUTE, own)).toEqual(["stall"]);
    expect(found({ asks: "test/slow" }, 19 * MINUTE, own)).toEqual([]);
    expect(found({ asks: "test/slow" }, 20 * MINUTE, own)).toEqual(["stall"]);
    expect(found({ asks: "test/fast" }, MINUTE, own)).toEqual(["stall"]);
  });

  it("leaves a command its own time limit", () => {
    expect(found({ commandSeconds: 1_800 }, 29 * MINUTE)).toEqual([]);
    expect(found({ commandSeconds: 1_800 }, 30 * MINUTE)).toEqual(["stall"]);
  });
});

describe("an error loop", () => {
  const failing = (tool: string) => call(tool, "{}", { failed: true });

  it("is the same tool failing three times in a row [S1-HM-03]", () => {
    const calls = ["a", "b", "c"].map((text) => call("edit", text, { failed: true }));
    expect(found({ calls: calls.slice(1) })).toEqual([]);
    expect(issuesOf(activity({ calls }), 0, settings)).toMatchObject([
      { issue: "error-loop", reason: "edit failed 3 times in a row.", mark: calls[2]?.id },
    ]);
  });

  it("says that it may be longer than what is remembered", () => {
    const reasons = issuesOf(activity({ calls: times(20, () => failing("edit")) }), 0, settings);
    expect(reasons.map(({ reason }) => reason)).toEqual([
      "edit failed at least 20 times in a row.",
      "edit was called at least 20 times alike, without a change.",
    ]);
  });

  it("goes on over calls of other tools, and ends with a success or a change", () => {
    const looping = [failing("edit"), call("read", "1"), failing("edit"), call("list", "2"), failing("edit")];
    expect(found({ calls: looping })).toEqual(["error-loop"]);
    expect(found({ calls: [...looping.slice(0, 4), call("edit", "x"), failing("edit")] })).toEqual([]);
    const tested = [failing("exec"), failing("exec"), call("edit", "x", { changed: true }), failing("exec")];
    expect(found({ calls: tested })).toEqual([]);
    expect(found({ calls: [...looping, call("read", "3")] })).toEqual([]);
  });
});

describe("a retry storm", () => {
  it("is five alike calls, ten of tools that only read [S1-HM-04]", () => {
    const execs = times(5, (at) => call("exec", `{"command": "curl  shop.test/${at}"}`));
    const reads = times(10, (at) => call("read", `{"path":"a","from":${at}}`));
    expect(found({ calls: execs.slice(1) })).toEqual([]);
    expect(found({ calls: execs })).toEqual(["retry-storm"]);
    expect(found({ calls: reads.slice(1) })).toEqual([]);
    expect(found({ calls: reads })).toEqual(["retry-storm"]);
  });

  it("counts those in turn, and starts over with every change", () => {
    const turns = times(10, (at) => call("exec", at % 2 === 0 ? "test" : "build"));
    expect(found({ calls: turns })).toEqual(["retry-storm"]);
    const edits = times(12, (at) => (at % 2 === 0 ? call("exec", "test") : call("edit", "x", { changed: true })));
    expect(found({ calls: edits })).toEqual([]);
  });
});

it("a context is exhausted from 85 % on [S1-HM-05]", () => {
  expect(found({ context: { used: 84_999, window: 100_000 } })).toEqual([]);
  expect(found({ context: { used: 85_000, window: 100_000 } })).toEqual(["context-exhaustion"]);
  expect(found({ context: { used: 50, window: 100 } }, 0, { ...settings, contextPercent: 50 })).toHaveLength(1);
});

it("checks 30 seconds apart, with 2 minutes between two issues of a kind, unless set otherwise", () => {
  expect(settings).toMatchObject({ checkSeconds: 30, debounceSeconds: 120, stallSeconds: 300, errorCalls: 3 });
});

describe("what is done about it", () => {
  const ladder = (issue: HealthIssueType, more: Partial<Earlier> = {}) => {
    const taken: HealthAction[] = [];
    for (;;) {
      const wasRestarted = more.wasRestarted ?? taken.includes("restart");
      const next = nextAction({ issue, taken, threshold: 2, strongerModel: "best", ...more, wasRestarted });
      if (next === undefined) return taken;
      expect(next.why).not.toBe("");
      taken.push(next.action);
    }
  };

  it.each<[HealthIssueType, HealthAction[]]>([
    ["stall", ["nudge", "restart", "stronger-model", "escalate"]],
    ["error-loop", ["nudge", "nudge", "stronger-model", "escalate"]],
    ["retry-storm", ["nudge", "nudge", "stronger-model", "escalate"]],
    ["context-exhaustion", ["compact", "restart", "escalate"]],
  ])("about %s: %s, and then it is the person's", (issue, actions) => {
    expect(ladder(issue)).toEqual(actions);
  });

  it("leaves out what there is not, or was done, and says so", () => {
    expect(ladder("stall", { strongerModel: undefined })).toEqual(["nudge", "restart", "escalate"]);
    expect(ladder("stall", { wasRestarted: true })).toEqual(["nudge", "stronger-model", "escalate"]);
    expect(ladder("stall", { threshold: 1 })).toEqual(["nudge", "stronger-model", "restart", "escalate"]);
    const last = { issue: "stall", taken: ["nudge"], threshold: 9, wasRestarted: true } as const;
    expect(nextAction(last)).toEqual({
      action: "escalate",
      why: "Without effect so far: nudge. It was restarted before. There is no stronger model.",
    });
  });
});
