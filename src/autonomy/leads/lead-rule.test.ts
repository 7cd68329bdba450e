import { describe, expect, it } from "vitest";
import type { LeadReport } from "../../contract/documents/autonomy/lead.ts";
import { decide, type LeadStep, type LeadWorld } from "./lead-rule.ts";

const WORLD: LeadWorld = {
  ...{ project: "active", initiative: "active", isSaid: true, isSpokenTo: false, outcome: "answered" },
  ...{ isOffHours: false, atWork: 0, parked: 0, ready: ["TASK-001"], mark: "now" },
};
const told = (...marks: string[]) =>
  marks.map((mark, at) => ({ type: "told" as const, lead: "lead-a", at: "", round: at + 1, mark }));
const report = {} as LeadReport;
const ended = (status: "idle" | "failed" | "stopped", cause?: string) => ({
  do: "end",
  status,
  ...(cause && { cause }),
});

describe("what a lead does next", () => {
  it.each<[string, object, Partial<LeadWorld>, object]>([
    ["begins", { told: [] }, {}, { do: "tell", round: 1 }],
    ["is told again what a crash kept back", { told: told("now") }, { isSaid: false }, { do: "say", round: 1 }],
    ["works", { told: told("old") }, { isSpokenTo: true }, { do: "nothing", status: "working" }],
    ["waits for its runs", { told: told("old") }, { atWork: 1 }, { do: "nothing", status: "waiting" }],
    [
      "takes what is ready while a run waits for a person",
      { told: told("old") },
      { atWork: 1, parked: 1 },
      { do: "tell", round: 2 },
    ],
    [
      "waits for a person when nothing is ready",
      { told: told("old") },
      { atWork: 1, parked: 1, ready: [] },
      { do: "nothing", status: "waiting" },
    ],
    ["begins nothing outside of its hours", { told: [] }, { isOffHours: true }, { do: "nothing", status: "waiting" }],
    [
      "continues nothing outside of its hours",
      { told: told("now", "now", "now") },
      { isOffHours: true },
      { do: "nothing", status: "waiting" },
    ],
    ["continues when it stopped early", { told: told("now", "now") }, {}, { do: "tell", round: 3 }],
    ["continues after progress", { told: told("a", "b", "c") }, {}, { do: "tell", round: 4 }],
    ["fails without progress", { told: told("now", "now", "now") }, {}, ended("failed", "no_progress")],
    ["fails without a report", { told: told("now", "now", "now") }, { ready: [] }, ended("failed", "not_reported")],
    [
      "fails when its turns fail",
      { told: told("now", "now", "now") },
      { outcome: "failed" },
      ended("failed", "turn_failed"),
    ],
    [
      "has no more than sixty rounds",
      { told: told(...Array.from({ length: 60 }, String)) },
      {},
      ended("failed", "too_many_rounds"),
    ],
    ["ends with its report", { told: told("old"), report }, {}, ended("idle")],
    [
      "ends its turn before it ends with its report",
      { told: told("old"), report },
      { isSpokenTo: true },
      { do: "nothing", status: "working" },
    ],
    [
      "ends with its report also when the plan is complete by then",
      { told: told("old"), report },
      { initiative: "complete" },
      ended("idle"),
    ],
    ["is stopped with its answer", { told: told("old") }, { outcome: "stopped" }, ended("stopped", "stopped")],
    [
      "is stopped with its project",
      { told: told("old") },
      { project: "suspended", isSpokenTo: true },
      ended("stopped", "project_inactive"),
    ],
    [
      "waits while its project can't be read",
      { told: told("old") },
      { project: "invalid" },
      { do: "nothing", status: "waiting" },
    ],
    [
      "is stopped by a paused plan",
      { told: told("old") },
      { initiative: "paused" },
      ended("stopped", "initiative_paused"),
    ],
    [
      "is stopped without a plan",
      { told: told("old") },
      { initiative: undefined },
      ended("stopped", "initiative_removed"),
    ],
  ])("%s", (_, lead, world, step) => {
    expect(decide({ told: [], ...lead }, { ...WORLD, ...world })).toEqual(step as LeadStep);
  });
});
