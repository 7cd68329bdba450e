import { expect, test } from "vitest";
import type { TeamActivity } from "../../documents/teams/team.ts";
import { activityWords } from "./team-activity.ts";
import { ACTIVITY_TYPES } from "./team-words.ts";

const said = (type: TeamActivity["type"], rest: Partial<TeamActivity> = {}) => {
  const { who, did, task, more } = activityWords({ seq: 1, at: "2026-11-18T12:00:00.000Z", type, ...rest });
  return `${[who, did, task].filter((part) => part !== undefined && part !== "").join(" ")}${more}`;
};

test.each(ACTIVITY_TYPES)("%s is a sentence also where nothing else is known of it", (type) => {
  const sentence = said(type);
  expect(sentence).not.toContain(type.includes("-") ? type : "undefined");
  expect(sentence).not.toMatch(/undefined|null|NaN|\[object/);
});

test("tells who did what to which task", () => {
  expect(said("task-claimed", { member: "head-lisbon", task: "store", data: { model: "opus" } })).toBe(
    "head-lisbon started store with opus",
  );
  expect(said("quality-gate-failed", { task: "store", data: { verdict: "fail", score: 71.5 } })).toBe(
    "The gate failed store with a score of 72",
  );
  expect(said("quality-gate-failed", { task: "store", data: { verdict: "unable" } })).toBe(
    "The gate could not judge store",
  );
  expect(said("plan-submitted", { member: "lead-oslo", data: { what: "plan", tasks: 3 } })).toBe(
    "lead-oslo submitted the plan with 3 tasks",
  );
  expect(said("plan-submitted", { data: { what: "spec", by: "person", changed: ["REQ-002 added"] } })).toBe(
    "You edited the spec: REQ-002 added",
  );
  expect(said("task-failed", { task: "store", data: { isLeftOut: true, by: "person" } })).toBe("You left out store");
  expect(said("phase-advanced", { data: { phase: "build", status: "completed" } })).toBe("Phase build is complete");
  expect(said("escalation", { data: { kind: "plan" } })).toBe("The team asked you for approval of the plan");
});

test("does not repeat a long reason in full", () => {
  expect(said("task-failed", { data: { reason: "x".repeat(5_000) } }).length).toBeLessThan(400);
});
