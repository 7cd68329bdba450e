import { describe, expect, it } from "vitest";
import { PlayedWorld, plannedTask as task, teamDocument } from "../../../test/fakes/team-world.ts";
import { Team, TeamActivity, TeamTask } from "../../contract/documents/teams/team.ts";
import { activityOf } from "./activity.ts";
import { apply, formed } from "./apply.ts";
import type { TeamFact } from "./team-facts.ts";
import { criteria, taskViews, teamView } from "./view.ts";

const covering = { requirements: ["REQ-001"], criteria: ["REQ-001.1"] };

/** The feed of a whole team, with everything in it that can go wrong and right. */
function feedOf(world: PlayedWorld): TeamActivity[] {
  let state = formed(world.document, "2026-11-18T00:00:00.000Z");
  return world.lines.flatMap((line) => {
    state = apply(state, line);
    return activityOf(state, line);
  });
}

function walked(): PlayedWorld {
  const world = new PlayedWorld(teamDocument({ approval: "plan", budgetUsd: 1 }));
  world.plan([task("a", covering), task("b"), task("c")]);
  world.say("reject", "No.");
  world.handIn({ kind: "plan", plan: { phases: [{ id: "build", name: "Build" }], tasks: [task("a", covering)] } });
  world.say("approve");
  world.spentUsd = 0.9;
  world.fail("a");
  world.fail("a");
  world.fail("a");
  world.say("retry");
  const gate = { reviewId: "r", cycle: 1, score: 40 };
  const first = world.runIdOf("a");
  world.deliver(first, { state: "rejected", next: "rework", gate: { ...gate, id: "gate-1", verdict: "fail" } });
  world.settle();
  world.deliver("rework", { state: "delivered", gate: { ...gate, id: "gate-2", verdict: "pass" } });
  world.settle();
  world.judgeWhole("fail");
  world.merge("fix-1-1");
  world.judgeWhole("pass");
  world.end(world.state.lead?.runId ?? "", { status: "failed" });
  world.settle();
  world.append({ type: "member-left", name: [...world.state.members.keys()].at(-1) ?? "", reason: "Stopped." });
  world.append({ type: "noted", activity: "file-conflict", data: { path: "a" } });
  world.deliver(world.state.lead?.runId ?? "", { state: "delivered" });
  world.handIn({ kind: "report", report: { summary: "", highlights: [], risks: [], followUps: [] } });
  return world;
}

describe("the feed", () => {
  it.each([
    ["teammate-spawned", "S1-ACT-01"],
    ["teammate-shutdown", "S1-ACT-02"],
    ["task-claimed", "S1-ACT-03"],
    ["task-completed", "S1-ACT-04"],
    ["task-failed", "S1-ACT-05"],
    ["task-in-review", "S1-ACT-06"],
    ["quality-gate-passed", "S1-ACT-07"],
    ["quality-gate-failed", "S1-ACT-08"],
    ["review-feedback-sent", "S1-ACT-09"],
    ["plan-submitted", "S1-ACT-11"],
    ["plan-approved", "S1-ACT-12"],
    ["plan-rejected", "S1-ACT-13"],
    ["model-swapped", "S1-ACT-14"],
    ["escalation", "S1-ACT-15"],
    ["integration-check-started", "S1-ACT-16"],
    ["integration-check-passed", "S1-ACT-17"],
    ["integration-check-failed", "S1-ACT-18"],
    ["file-conflict", "S1-ACT-20"],
    ["cost-warning", "S1-ACT-23"],
    ["phase-advanced", "S1-ACT-31"],
    ["phase-blocked", "S1-ACT-32"],
    ["error", "S1-ACT-33"],
  ])("has %s where a team meets it [%s]", (type) => {
    const world = walked();
    expect(world.state.status).toBe("completed");
    const feed = feedOf(world);
    const types: string[] = feed.map((entry) => TeamActivity.parse(entry).type);
    expect(types).toContain(type);
  });

  it("warns once under the name of a cost when spending nears the cap [S1-ACT-23]", () => {
    const warnings = feedOf(walked()).filter(({ type }) => type === "cost-warning");
    expect(warnings).toMatchObject([{ data: { spentUsd: expect.any(Number), budgetUsd: expect.any(Number) } }]);
  });

  it("names the member of a task that is claimed", () => {
    const claimed = feedOf(walked()).find(({ type }) => type === "task-claimed");
    expect(claimed).toMatchObject({ task: "a", member: expect.stringMatching(/^worker-/) });
  });

  it("shows what others did under its own name [S1-ACT-10] [S1-ACT-19] [S1-ACT-21] [S1-ACT-22]", () => {
    const { state } = walked();
    for (const activity of ["message-sent", "stall-detected", "checkpoint-created", "checkpoint-rollback"] as const) {
      const fact: TeamFact = { type: "noted", activity, member: "head-oslo" };
      expect(activityOf(state, { seq: 1, at: "x", fact })).toEqual([
        { seq: 1, at: "x", type: activity, member: "head-oslo" },
      ]);
    }
  });
});

describe("the team as people see it", () => {
  it("follows the contract, with phases, counts and what is proven [S1-TM-19]", () => {
    const world = walked();
    const view = teamView(world.state, {
      costUsd: 1,
      costKnown: true,
      now: "2026-11-18T00:00:00.000Z",
      etag: "e",
      runStatus: () => undefined,
    });
    expect(Team.parse(view)).toMatchObject({
      status: "completed",
      phases: [
        { id: "build", order: 1, status: "completed", taskIds: ["TASK-a"] },
        { id: "fix-1", order: 2, status: "completed", taskIds: ["TASK-fix-1-1"] },
      ],
      tasks: { merged: 2, waiting: 0 },
      requirements: { total: 1, met: 1 },
      rounds: 1,
    });
    expect(taskViews(world.state).map((one) => TeamTask.parse(one).key)).toEqual(["a", "fix-1-1"]);
    expect(criteria(world.state)).toMatchObject([{ id: "REQ-001.1", state: "met", evidence: "npm test" }]);
  });

  it("says that it waits for the person, and for what", () => {
    const world = new PlayedWorld(teamDocument({ approval: "plan" }));
    world.plan([task("a", covering)]);
    const view = teamView(world.state, {
      costUsd: 0,
      costKnown: true,
      now: "2026-11-18T00:00:00.000Z",
      etag: "e",
      runStatus: () => undefined,
    });
    expect(view).toMatchObject({ waitingFor: "person", escalation: { id: "esc-1", kind: "plan" } });
  });
});
