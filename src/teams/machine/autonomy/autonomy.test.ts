import { describe, expect, it } from "vitest";
import {
  PlayedWorld,
  plannedTask as task,
  teamDocument,
  teamPlan,
  teamSpec,
} from "../../../../test/fakes/team-world.ts";
import type { TeamSpec } from "../../../contract/documents/teams/team-spec.ts";
import type { AutonomyMode } from "../../../contract/words/teams/autonomy-words.ts";
import { activityOf } from "../activity.ts";
import { apply, formed } from "../apply.ts";

const LIMITS = { timeoutMinutes: 60, maxConcurrency: 3, maxRemediationRounds: 2, requireApprovalForSpecChanges: true };
const COVERING = { requirements: ["REQ-001"], criteria: ["REQ-001.1"] };
const REPORT = { kind: "report" as const, report: { summary: "Done.", highlights: [], risks: [], followUps: [] } };
const OTHER: TeamSpec = teamSpec({
  requirements: [
    ...teamSpec().requirements,
    {
      ...{ id: "REQ-002", text: "A link ends after a day.", priority: "medium" },
      acceptance: [{ id: "REQ-002.1", text: "An old link fails.", kind: "test" }],
    },
  ],
});

/** An autonomous team whose first tasks are at work. */
function autonomous(mode: AutonomyMode = "smart", limits: Partial<typeof LIMITS> = {}, tasks = [task("a", COVERING)]) {
  const world = new PlayedWorld(teamDocument({ approval: "plan", budgetUsd: 5 }));
  world.append({ type: "formed" }, { type: "autonomy-set", mode, limits: { ...LIMITS, ...limits }, by: "you" });
  world.plan(tasks);
  return world;
}

const phases = (world: PlayedWorld) =>
  world.facts.flatMap((fact) => (fact.type === "autonomy-phase" ? [fact.phase] : []));
const feed = (world: PlayedWorld) => {
  let state = formed(world.document, world.now);
  return world.lines.flatMap((line) => {
    state = apply(state, line);
    return activityOf(state, line).map(({ type }) => type);
  });
};
const autonomyIn = ({ state }: PlayedWorld) => ({ status: state.status, reason: state.autonomy?.pauseReason });
/** The whole passes, but the requirement is not met: a round of fixes follows, and is merged. */
function roundOfFixes(world: PlayedWorld, round: number): void {
  world.isMet = false;
  world.judgeWhole("pass");
  world.merge(`fix-${round}-1`);
}
function deliver(world: PlayedWorld): void {
  const { runId = "" } = world.state.lead ?? {};
  world.deliver(runId, { state: "review" });
  world.handIn(REPORT);
  world.deliver(runId, { state: "delivered" });
  world.settle();
}

describe("an autonomous team, with everything else played", () => {
  it("goes from a goal to a delivery with no hand, by phases that its log names [S1-MOD-02]", () => {
    const world = autonomous();
    world.merge("a");
    roundOfFixes(world, 1);
    world.isMet = true;
    world.judgeWhole("pass");
    deliver(world);
    expect(phases(world)).toEqual([
      ...["spec-generation", "task-decomposition", "executing", "reviewing", "integration-check"],
      ...["remediating", "executing", "reviewing", "integration-check", "synthesizing", "completed"],
    ]);
    expect(world.types()).not.toContain("asked");
    expect(world.refold()).toEqual(world.state);
  });

  it("tells of each step in its feed", () => {
    const world = autonomous("smart", { requireApprovalForSpecChanges: false });
    world.merge("a");
    roundOfFixes(world, 1);
    world.judgeWhole("pass");
    world.handIn({ kind: "spec-change", reason: "Links have to end.", spec: OTHER });
    world.append({ type: "paused", by: "you", code: "user-requested" }, { type: "stopped", by: "you" });
    const told = new Set(feed(world));
    for (const type of [
      ...["yolo-started", "yolo-phase-changed", "yolo-paused", "yolo-aborted"],
      ...["yolo-remediation-created", "yolo-spec-evolution-proposed"],
    ])
      expect([...told], type).toContain(type);
  });

  it("is paused by its cost cap, and goes on when the person raises it", () => {
    const world = autonomous();
    world.isCapReached = true;
    world.settle();
    expect(autonomyIn(world)).toEqual({ status: "paused", reason: "cost-cap" });
    world.isCapReached = false;
    world.append({ type: "budget-changed", budgetUsd: 10, by: "you" }, { type: "resumed", by: "you" });
    world.settle();
    expect(autonomyIn(world)).toEqual({ status: "working", reason: undefined });
    world.spentUsd = 10;
    world.settle();
    expect(autonomyIn(world)).toEqual({ status: "paused", reason: "cost-cap" });
  });

  it("counts time while it works, neither while it is paused nor while the daemon is away", () => {
    const at = (minutes: number) => new Date(Date.parse("2026-11-18T00:00:00.000Z") + minutes * 60_000).toISOString();
    const world = autonomous();
    const isPausedAt = (minutes: number) => {
      world.now = at(minutes);
      world.settle();
      return world.state.status === "paused";
    };
    expect(isPausedAt(30)).toBe(false);
    world.append({ type: "paused", by: "you", code: "user-requested" });
    world.now = at(100);
    world.append({ type: "resumed", by: "you" });
    expect(isPausedAt(129)).toBe(false);
    // The last line is of minute 100: what came after it is not known.
    world.upSince = at(1_000);
    expect(isPausedAt(1_029)).toBe(false);
    expect(isPausedAt(1_061)).toBe(true);
    expect(autonomyIn(world)).toEqual({ status: "paused", reason: "timeout" });
    world.append({ type: "resumed", by: "you" });
    expect(isPausedAt(1_120)).toBe(false);
    expect(isPausedAt(1_122)).toBe(true);
  });

  it("is paused when its rounds of fixes are used up, and gets as many again from the person", () => {
    const world = autonomous("fixed");
    world.merge("a");
    roundOfFixes(world, 1);
    roundOfFixes(world, 2);
    world.judgeWhole("pass");
    expect(autonomyIn(world)).toEqual({ status: "paused", reason: "max-remediation" });
    expect(world.state.question).toMatchObject({ kind: "integration-failed", escalationId: "esc-1" });
    world.say("retry");
    expect(autonomyIn(world)).toEqual({ status: "integrating", reason: undefined });
    world.judgeWhole("pass");
    expect(world.working()).toEqual(["fix-3-1"]);
  });

  it("is paused when nobody can go on, and goes on with the answer", () => {
    const world = autonomous();
    for (const _ of [1, 2, 3]) world.fail("a");
    expect(autonomyIn(world)).toEqual({ status: "paused", reason: "all-teammates-error" });
    world.say("retry");
    expect(autonomyIn(world)).toEqual({ status: "working", reason: undefined });
    expect(world.working()).toEqual(["a"]);
  });

  it("keeps to its own number of tasks at once", () => {
    const tasks = ["a", "b", "c", "d"].map((key) => task(key, key === "a" ? COVERING : {}));
    const world = autonomous("fixed", { maxConcurrency: 2 }, tasks);
    expect(world.working()).toEqual(["a", "b"]);
  });

  it("holds a change of its spec for the person, and makes tasks of it once", () => {
    const world = autonomous();
    world.merge("a");
    roundOfFixes(world, 1);
    world.judgeWhole("pass");
    expect(world.state).toMatchObject({ status: "integrating", lead: { step: "evolution" } });
    world.handIn({ kind: "spec-change", reason: "Links have to end.", spec: OTHER });
    expect(autonomyIn(world)).toEqual({ status: "paused", reason: "approval-required" });
    const { autonomy, specVersion } = world.state;
    expect(autonomy?.proposals).toMatchObject([
      { state: "pending", added: ["REQ-002"], changed: [], removed: [], evidence: [{ source: "remediation" }] },
    ]);
    expect(autonomy?.proposals[0]?.diff).toContain("+### REQ-002 (medium): A link ends after a day.");
    world.isMet = true;
    world.say("approve");
    expect(world.state.specVersion).toBe(specVersion + 1);
    expect([...world.state.criteria.keys()]).toEqual(["REQ-001.1", "REQ-002.1"]);
    expect(world.working()).toEqual(["fix-2-1"]);
    expect(world.refold()).toEqual(world.state);
  });

  it("goes on with its old spec when the person keeps it, and does not ask for the same again", () => {
    const world = autonomous();
    world.merge("a");
    roundOfFixes(world, 1);
    world.judgeWhole("pass");
    world.handIn({ kind: "spec-change", reason: "Links have to end.", spec: OTHER });
    world.say("reject", "Not now.");
    expect(world.state.autonomy?.proposals).toMatchObject([{ state: "rejected", remarks: "Not now." }]);
    expect([...world.state.criteria.keys()]).toEqual(["REQ-001.1"]);
    expect(world.working()).toEqual(["fix-2-1"]);
    world.merge("fix-2-1");
    world.judgeWhole("pass");
    expect(world.types().filter((type) => type === "evolution-proposed")).toHaveLength(1);
    expect(world.state.lead?.step).not.toBe("evolution");
  });

  it("never takes anything out of its spec by itself, whatever it may change", () => {
    const world = autonomous("smart", { requireApprovalForSpecChanges: false });
    world.merge("a");
    roundOfFixes(world, 1);
    world.judgeWhole("pass");
    const [kept] = OTHER.requirements.slice(1);
    world.handIn({ kind: "spec-change", reason: "It is hard.", spec: teamSpec({ requirements: kept ? [kept] : [] }) });
    expect(autonomyIn(world)).toEqual({ status: "paused", reason: "approval-required" });
    expect(world.state.autonomy?.proposals[0]?.removed).toEqual(["REQ-001"]);
  });

  it("asks its lead about a gate that fails for its requirements after a rework, and not in fixed mode", () => {
    for (const mode of ["smart", "fixed"] as const) {
      const world = autonomous(mode);
      world.findings.set("gate-2", [
        { stage: "traceability", text: "REQ-001 is named nowhere.", requirements: ["REQ-001"] },
      ]);
      for (const gate of ["gate-1", "gate-2"]) {
        const runId = world.runIdOf("a");
        const next = world.nextRunId();
        world.runs.set(next, { status: "running" });
        world.deliver(runId, { state: "rejected", next, gate: { id: gate, verdict: "fail", score: 10 } as never });
        world.settle();
      }
      expect(world.types().includes("spec-gap")).toBe(mode === "smart");
      expect(world.state.lead?.step).toBe(mode === "smart" ? "evolution" : undefined);
    }
  });

  it("drops a proposal when the person edits the spec meanwhile", () => {
    const world = autonomous();
    world.merge("a");
    roundOfFixes(world, 1);
    world.judgeWhole("pass");
    world.handIn({ kind: "spec-change", reason: "Links have to end.", spec: OTHER });
    world.append({ type: "spec-edited", spec: teamSpec({ title: "Reset" }), changed: ["Title changed"], by: "you" });
    world.settle();
    expect(world.state.autonomy?.proposals[0]?.state).toBe("superseded");
    expect(world.types()).toContain("question-withdrawn");
  });

  it("approves a plan that waits when it is switched on, and is asked again when it is switched off", () => {
    const world = new PlayedWorld(teamDocument({ approval: "plan" }));
    world.plan([task("a", COVERING)]);
    expect(world.state.question?.kind).toBe("plan");
    world.append({ type: "autonomy-set", mode: "fixed", limits: LIMITS, by: "you" });
    world.settle();
    expect(world.working()).toEqual(["a"]);
    world.append({ type: "autonomy-set", mode: "off", limits: LIMITS, by: "you" });
    world.settle();
    expect(world.state.autonomy).toMatchObject({ mode: "off", phase: "aborted" });
    expect(teamPlan([task("a")]).tasks).toHaveLength(1);
  });
});
