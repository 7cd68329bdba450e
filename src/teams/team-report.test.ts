import { describe, expect, it } from "vitest";
import { PlayedWorld, plannedTask as task } from "../../test/fakes/team-world.ts";
import type { GateFinding, GateReport } from "../contract/documents/quality/gate.ts";
import type { Team } from "../contract/documents/teams/team.ts";
import { taskViews } from "./machine/view.ts";
import { reportText } from "./report-text.ts";
import { type Recorded, teamReport } from "./team-report.ts";

const covering = { requirements: ["REQ-001"], criteria: ["REQ-001.1"] };

/** A team at work on one task, with what else was recorded of it. */
function worked(): PlayedWorld {
  const world = new PlayedWorld();
  world.plan([task("a", covering)]);
  return world;
}

function reported(world: PlayedWorld, more: Partial<Recorded> = {}) {
  const team = { costUsd: 1, costKnown: true } as Team;
  const known = { state: world.state, team, tasks: taskViews(world.state), gates: [], check: undefined };
  return teamReport({ ...known, byRank: {}, delivery: undefined, unchanged: new Set(), ...more });
}

const kinds = (world: PlayedWorld, more: Partial<Recorded> = {}) =>
  reported(world, more).forPerson.map(({ kind, text }) => `${kind}: ${text}`);

const judged = (verdict: "pass" | "fail" | "unable") => ({
  ...{ type: "task-judged" as const, key: "a", runId: "run-3", gateId: "gate-1", verdict, score: null },
});

describe("what only the person can judge", () => {
  it("is nothing for work that passed, whose criteria are still to be checked", () => {
    const world = worked();
    world.append(judged("pass"));
    world.merge("a");
    expect(kinds(world)).toEqual([]);
  });

  it.each([
    ["fail", "merged although its gate failed."],
    ["unable", "merged although its gate could not judge it."],
  ] as const)("has tasks that were merged although the verdict was %s", (verdict, said) => {
    const world = worked();
    world.append(judged(verdict));
    world.merge("a");
    expect(kinds(world)).toEqual([`approved-anyway: Do a: ${said}`]);
    expect(reported(world).forPerson[0]).toMatchObject({ gateId: "gate-1" });
  });

  it("has tasks that no gate judged because nothing was changed", () => {
    const world = worked();
    world.merge("a");
    const said = "Do a: its run changed nothing, so no gate judged it.";
    expect(kinds(world, { unchanged: new Set(["a"]) })).toEqual([`unproven: ${said}`]);
  });

  it("has tasks that were moved to done without a run", () => {
    const world = new PlayedWorld();
    world.plan([task("a", covering), task("b", { dependsOn: ["a"] })]);
    world.board.set(world.taskIdOf("b"), "done");
    world.settle();
    expect(kinds(world)).toEqual(["unproven: Do b: moved to done without a run."]);
  });

  it("has criteria that were never checked, once the team delivers", () => {
    const world = worked();
    world.merge("a");
    world.judgeWhole("unable");
    expect(kinds(world)).toEqual([]);
    world.say("approve");
    expect(world.state.status).toBe("synthesizing");
    expect(kinds(world)).toEqual([
      "approved-anyway: Delivered although the integration check did not pass.",
      "unmet: REQ-001.1: The link works once. (not checked)",
    ]);
    expect(reportText(reported(world))).toContain("The link works once. (not checked)");
  });

  it("has waivers before changed tests, and findings of an earlier cycle not at all", () => {
    const finding = (more: Partial<GateFinding>): GateFinding =>
      ({ id: "f", code: "test-weakened", severity: "low", message: "Weaker.", state: "open", ...more }) as GateFinding;
    const gate = (id: string, ...findings: GateFinding[]) =>
      ({ id, taskId: "TASK-a", verdict: "pass", cycle: 1, stages: [{ findings }] }) as unknown as GateReport;
    const waiver = { by: "Ada", reason: "Fine.", at: "2026-11-18T00:00:00.000Z" };
    const gates = [
      gate("gate-1", finding({ message: "Superseded." })),
      gate(
        "gate-2",
        finding({}),
        finding({ code: "review", message: "Slow.", state: "waived", waiver } as GateFinding),
      ),
    ];
    expect(kinds(worked(), { gates })).toEqual(["waiver: Slow.", "changed-test: Weaker."]);
  });
});

describe("the report", () => {
  it("says how it ended, who approved the plan, why it was worked on so, and all of the goal", () => {
    const world = worked();
    world.append({ type: "approved", what: "plan", by: "Ada" });
    world.append({ type: "stopped", by: "Ada", reason: "Stopped by answer." });
    world.state.document = { ...world.state.document, goal: "Reset passwords\n\n## Requirements\nBy email." };
    const text = reportText(reported(world));
    for (const part of [
      "# Reset passwords\n\n> ## Requirements\n> By email.\n\nStatus: Stopped. Stopped by answer.\n",
      "- Strategy: single; the plan has one task.\n",
      "- Plan approved by: Ada.\n",
    ])
      expect(text).toContain(part);
  });
});
