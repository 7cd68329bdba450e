import { describe, expect, it } from "vitest";
import { PlayedWorld, plannedTask as task, teamDocument, teamPlan, teamSpec } from "../../../test/fakes/team-world.ts";
import type { GateFinding } from "../../contract/documents/quality/gate.ts";
import { apply } from "./apply.ts";
import { decide } from "./decide.ts";
import { owed } from "./owed.ts";

const covering = { requirements: ["REQ-001"], criteria: ["REQ-001.1"] };

/** With a test that names the requirement in `a`. */
function started(tasks = [task("a", covering)], phases?: string[]): PlayedWorld {
  const world = new PlayedWorld();
  world.plan(tasks, phases === undefined ? {} : { phases });
  return world;
}

describe("the walk of a goal", () => {
  it("goes from a goal over spec, plan, work and integration to a delivery", () => {
    const world = started();
    expect(world.state.status).toBe("working");
    world.merge("a");
    expect(world.state.status).toBe("integrating");
    world.judgeWhole("pass");
    expect(world.state.status).toBe("synthesizing");
    const { runId = "" } = world.state.lead ?? {};
    world.deliver(runId, { state: "review" });
    world.handIn({ kind: "report", report: { summary: "Done.", highlights: [], risks: [], followUps: [] } });
    expect(world.state).toMatchObject({ status: "delivering", deliveryRunId: runId });
    world.deliver(runId, { state: "delivered" });
    world.settle();
    expect(world.state.status).toBe("completed");
    expect(world.types()).toEqual([
      "formed",
      "member-joined",
      "lead-started",
      "spec-submitted",
      "lead-started",
      "plan-submitted",
      "tasks-created",
      "phase-started",
      "member-joined",
      "task-started",
      "task-in-review",
      "task-merged",
      "member-finished",
      "phase-completed",
      "check-started",
      "check-ended",
      "criteria-checked",
      "lead-started",
      "report-submitted",
      "delivering",
      "delivered",
    ]);
  });

  it("has one worker and one run for a plan of one task", () => {
    const world = started();
    expect(Array.from(world.state.members.values(), ({ rank }) => rank)).toEqual(["lead", "worker"]);
    expect(world.state.strategy?.value).toBe("single");
  });

  it("asks for approval of spec and plan where the person wants to see both", () => {
    const world = new PlayedWorld(teamDocument({ approval: "spec-and-plan" }));
    world.settle();
    world.handIn({ kind: "spec", spec: teamSpec() });
    expect(world.state).toMatchObject({
      status: "awaiting-approval",
      question: { kind: "spec", escalationId: "esc-1" },
    });
    world.say("approve");
    world.handIn({ kind: "plan", plan: teamPlan([task("a", covering)]) });
    expect(world.state.question?.kind).toBe("plan");
    world.say("reject", "Smaller.");
    expect(world.state).toMatchObject({ status: "planning", remarks: "Smaller." });
    world.handIn({ kind: "plan", plan: teamPlan([task("b", covering)]) });
    world.say("approve");
    expect(world.working()).toEqual(["b"]);
  });

  it("withdraws a question that was decided elsewhere", () => {
    const world = new PlayedWorld(teamDocument({ approval: "plan" }));
    world.plan([task("a", covering)]);
    world.append({ type: "approved", what: "plan", by: "person" });
    expect(owed(world.state, world)).toContainEqual({ do: "withdraw", number: 1 });
    world.settle();
    expect(world.types()).toContain("question-withdrawn");
  });

  it("pauses when a question is closed without an answer, and asks again when resumed", () => {
    const world = new PlayedWorld(teamDocument({ approval: "plan" }));
    world.plan([task("a", covering)]);
    world.say("none");
    expect(world.state).toMatchObject({ status: "paused", pausedFrom: "awaiting-approval" });
    expect(world.state.question).toBeUndefined();
    world.append({ type: "resumed", by: "person" });
    world.settle();
    expect(world.state.question).toMatchObject({ number: 2, kind: "plan" });
  });

  it("tries a step of the lead twice, then asks the person", () => {
    const world = new PlayedWorld();
    world.settle();
    for (const _ of [1, 2]) {
      world.end(world.state.lead?.runId ?? "", { status: "completed" });
      world.settle();
    }
    expect(world.state.question).toMatchObject({
      kind: "lead-failed",
      reason: "The lead ended without submitting its spec.",
    });
    world.say("retry");
    expect(world.state.lead?.step).toBe("spec");
  });

  it("delivers with the hall's report where the lead can't write one", () => {
    const world = started();
    world.merge("a");
    world.judgeWhole("pass");
    for (const _ of [1, 2]) {
      world.end(world.state.lead?.runId ?? "", { status: "failed" });
      world.settle();
    }
    expect(world.state.status).toBe("delivering");
    expect(world.runs.get(world.state.deliveryRunId ?? "")?.delivery?.state).toBe("review");
  });
});

describe("phases and files", () => {
  it("begins a phase when the one before is completed, and works side by side within one [S1-TM-19] [S1-TM-20]", () => {
    const world = started(
      ["a", "b", "c", "d"].map((key) =>
        task(key, { ...(key === "a" ? covering : {}), phase: key === "d" ? "ship" : "build" }),
      ),
      ["build", "ship"],
    );
    expect(world.working()).toEqual(["a", "b", "c"]);
    expect(world.state.phases).toMatchObject([
      { id: "build", order: 1, status: "in-progress" },
      { id: "ship", order: 2, status: "pending" },
    ]);
    for (const key of ["a", "b"]) world.merge(key);
    expect(world.working()).toEqual(["c"]);
    world.merge("c");
    expect(world.working()).toEqual(["d"]);
    expect(world.state.phases.map(({ status }) => status)).toEqual(["completed", "in-progress"]);
  });

  it("never has more writers at work than allowed, and keeps a place for a result that is judged", () => {
    const world = started(["a", "b", "c", "d", "e"].map((key) => task(key)));
    expect(world.working()).toHaveLength(3);
    world.deliver(world.runIdOf("a"), { state: "review" });
    world.board.set(world.taskIdOf("a"), "review");
    world.settle();
    expect(world.working()).toEqual(["b", "c"]);
  });

  it("never works on overlapping files at once", () => {
    const world = started([
      task("a", { files: ["src/**"] }),
      task("b", { files: ["src/b.ts"] }),
      task("c", { files: ["docs/c.md"] }),
      task("d", { files: ["web/d.ts"] }),
      task("e", { files: [] }),
      task("f", { files: [] }),
    ]);
    expect(world.working()).toEqual(["a", "c", "d"]);
    world.merge("c");
    expect(world.working()).toEqual(["a", "d", "e"]);
    world.merge("d");
    expect(world.working()).toEqual(["a", "e"]);
    world.merge("a");
    expect(world.working()).toEqual(["e", "b"]);
  });
});

describe("the setup of worktrees", () => {
  it("is tried before the lead starts, and is reported once where it fails", () => {
    const world = new PlayedWorld();
    world.needsSetup = true;
    world.setupFailure = "npm ci: exit code 1";
    world.settle();
    expect(world.types()).toEqual(["formed", "setup-tried", "asked", "question-filed"]);
    expect(world.state.question).toMatchObject({ kind: "setup-failed", reason: "npm ci: exit code 1" });
    expect(world.runs.size).toBe(0);
    world.setupFailure = undefined;
    world.say("retry");
    expect(world.types().slice(4)).toEqual(["step-retried", "setup-tried", "member-joined", "lead-started"]);
    expect(owed(world.refold(), world)).toEqual([]);
  });

  it("is not tried in a project without git, or without commands for it", () => {
    for (const [needsSetup, branch] of [
      [true, undefined],
      [false, "guildhall/team-1"],
    ] as const) {
      const { branch: _, ...rest } = teamDocument();
      const world = new PlayedWorld(branch === undefined ? rest : { ...rest, branch });
      world.needsSetup = needsSetup;
      world.settle();
      expect(world.types()).not.toContain("setup-tried");
      expect(world.state.lead?.step).toBe("spec");
    }
  });
});

describe("the budget", () => {
  it("can be raised, and warns again where it is nearly spent", () => {
    const world = new PlayedWorld(teamDocument({ budgetUsd: 10 }));
    world.plan([task("a", covering)]);
    const warnings = () => world.facts.filter(({ type }) => type === "cost-warned");
    world.spentUsd = 8;
    world.settle();
    expect(warnings()).toEqual([{ type: "cost-warned", spentUsd: 8, budgetUsd: 10 }]);
    world.append({ type: "budget-changed", budgetUsd: 20, by: "person" });
    world.settle();
    expect([world.state.budgetUsd, warnings().length]).toEqual([20, 1]);
    world.spentUsd = 17;
    world.settle();
    expect(warnings()[1]).toMatchObject({ budgetUsd: 20 });
    world.append({ type: "budget-changed", budgetUsd: null, by: "person" });
    world.settle();
    expect(warnings()).toHaveLength(2);
    expect(world.refold()).toEqual(world.state);
  });
});

describe("another model for a member [S1-MOD-12]", () => {
  const swap = (world: PlayedWorld, model: string) => {
    const member = world.state.tasks.get("a")?.member ?? "";
    world.append({ type: "model-swapped", member, model, by: "person", reason: "chosen" });
  };

  it("counts for the run that it is at, and for those after it", () => {
    const world = started();
    const runId = world.runIdOf("a");
    swap(world, "own/large");
    expect(owed(world.state, world)).toEqual([{ do: "change-model", runId, model: "own/large" }]);
    world.settle();
    expect(owed(world.refold(), world)).toEqual([]);
    world.fail("a");
    expect(world.facts.at(-1)).toMatchObject({ type: "task-started", model: "own/large" });
    expect(owed(world.state, world)).toEqual([]);
  });

  it("counts for a rework that the review starts, and for no run that is over", () => {
    const world = started();
    const first = world.runIdOf("a");
    world.deliver(first, { state: "review" });
    world.settle();
    swap(world, "own/large");
    expect(owed(world.state, world)).toEqual([]);
    world.runs.set("run-rework", { status: "running", model: "own/m" });
    world.deliver(first, { state: "rejected", next: "run-rework" });
    world.settle();
    expect(world.runs.get("run-rework")?.model).toBe("own/large");
  });
});

describe("failures", () => {
  it("gives a task to the escalation rank and its model after the threshold, then asks the person [S1-CFG-08] [S1-ROLE-06]", () => {
    const world = started();
    const worker = world.state.tasks.get("a")?.member ?? "";
    world.fail("a");
    expect(world.types()).not.toContain("model-swapped");
    expect(world.state.tasks.get("a")?.member).toBe(worker);
    world.fail("a");
    const { member = "" } = world.state.tasks.get("a") ?? {};
    expect(world.state.members.get(member)).toMatchObject({ rank: "escalation", model: "best" });
    expect(world.facts).toContainEqual(expect.objectContaining({ type: "model-swapped", member, model: "best" }));
    expect(world.facts.at(-1)).toMatchObject({ type: "task-started", member, model: "best" });
    expect(world.state.members.get(worker)).toMatchObject({ task: undefined, model: undefined });
    world.fail("a");
    expect(world.state.tasks.get("a")?.state).toBe("blocked");
    expect(world.state.question).toMatchObject({ kind: "task-failed", task: "a" });
    expect(world.state.phases[0]?.status).toBe("blocked");
    world.say("retry", "Use the old API.");
    expect(world.state.tasks.get("a")).toMatchObject({ state: "working", remarks: "Use the old API." });
    expect(world.state.phases[0]?.status).toBe("in-progress");
  });

  it("tries a task again that a person moved to failed, when they say so", () => {
    const world = started([task("a", covering), task("b", { dependsOn: ["a"] })]);
    world.board.set("TASK-b", "failed");
    world.settle();
    expect(world.state.question).toMatchObject({ kind: "task-failed", task: "b" });
    world.say("retry");
    expect(world.state.question).toBeUndefined();
    world.merge("a");
    expect(world.working()).toEqual(["b"]);
  });

  it.each([
    ["done", "merged"],
    ["cancelled", "left-out"],
  ] as const)("takes a task that a person moved to %s as %s, and ends its run", (to, expected) => {
    const world = started();
    const runId = world.runIdOf("a");
    world.board.set("TASK-a", to);
    world.settle();
    expect(world.state.tasks.get("a")?.state).toBe(expected);
    expect(world.runs.get(runId)?.status).toBe("cancelled");
  });

  it("asks once about a workplace that can't be set up, and starts nothing until there is an answer", () => {
    const world = started(["a", "b", "c", "d"].map((key) => task(key)));
    world.fail("a", { cause: "folder" });
    world.fail("b", { cause: "folder" });
    expect(world.types().filter((type) => type === "asked")).toHaveLength(1);
    expect(world.working()).toEqual(["c"]);
    world.say("retry");
    expect(world.working()).toHaveLength(3);
    expect(world.state.index.blocked.size).toBe(0);
  });

  it("does not restart a run that a person cancelled", () => {
    const world = started();
    world.fail("a", { status: "cancelled", cause: "cancelled" });
    expect(world.state.question).toMatchObject({ kind: "task-failed", task: "a" });
  });

  it("follows a rework of the review loop, and goes back to the result when the rework fails", () => {
    const world = started();
    const first = world.runIdOf("a");
    world.deliver(first, {
      state: "rejected",
      next: "run-next",
      gate: { reviewId: "r", id: "gate-1", cycle: 1, verdict: "fail", score: 40 },
    });
    world.settle();
    expect(world.state.tasks.get("a")).toMatchObject({
      state: "working",
      runId: "run-next",
      gate: { verdict: "fail" },
    });
    // The loop starts it.
    expect(owed(world.state, world)).toEqual([]);
    world.end("run-next", { status: "failed" });
    world.deliver(first, { state: "review", reasonCode: "not-continued" });
    world.board.set("TASK-a", "blocked");
    world.settle();
    expect(world.state.tasks.get("a")).toMatchObject({ state: "review", runId: first });
    world.deliver(first, { state: "delivered" });
    world.settle();
    expect(world.state.tasks.get("a")?.state).toBe("merged");
  });

  it("gives the task of a member that was stopped to another one", () => {
    const world = started();
    const { member: name = "", runId = "" } = world.state.tasks.get("a") ?? {};
    world.append({ type: "member-left", name, reason: "Stopped." });
    world.settle();
    expect(world.runs.get(runId)?.status).toBe("cancelled");
    expect(world.state.tasks.get("a")).toMatchObject({ state: "working", failures: 0 });
    expect(world.state.tasks.get("a")?.member).not.toBe(name);
  });
});

describe("orders", () => {
  it("starts nothing while it is paused, and observes what ends", () => {
    const world = started(["a", "b", "c", "d"].map((key) => task(key)));
    world.append({ type: "paused", by: "person" });
    world.merge("a");
    expect(world.state.tasks.get("a")?.state).toBe("merged");
    expect(world.working()).toEqual(["b", "c"]);
    world.append({ type: "resumed", by: "person" });
    world.settle();
    expect(world.working()).toEqual(["b", "c", "d"]);
  });

  it("ends every run when it is stopped", () => {
    const world = started(["a", "b", "c"].map((key) => task(key)));
    const ids = ["a", "b", "c"].map((key) => world.runIdOf(key));
    world.append({ type: "stopped", by: "person" });
    expect(owed(world.state, world)).toEqual([{ do: "cancel", runIds: ids }]);
    world.settle();
    expect(decide(world.state, world)).toEqual([]);
  });

  it("waits while its project is suspended", () => {
    const world = started();
    world.isActive = false;
    world.merge("a");
    expect(world.state.status).toBe("working");
    world.isActive = true;
    world.settle();
    expect(world.state.status).toBe("integrating");
  });

  it("warns once when most of the budget is spent", () => {
    const world = new PlayedWorld(teamDocument({ budgetUsd: 10 }));
    world.spentUsd = 8;
    world.settle();
    world.spentUsd = 9;
    world.settle();
    expect(world.types().filter((type) => type === "cost-warned")).toHaveLength(1);
  });
});

describe("the whole", () => {
  const finding: GateFinding = {
    id: "f1",
    code: "test-failed",
    severity: "critical",
    file: "src/a.ts",
    line: 3,
    message: "The reset fails.",
    state: "open",
    blocks: true,
  };

  it("has the member that broke the whole repair it", () => {
    const world = started([task("a", covering), task("b"), task("c")]);
    const broke = world.runIdOf("b");
    const { member } = world.state.tasks.get("b") ?? {};
    for (const key of ["a", "b", "c"]) world.merge(key);
    world.judgeWhole("fail", {
      steps: [{ name: "tests", verdict: "fail", findings: [finding], evidence: [] }],
      breakers: [{ runId: broke, commit: "c", findings: ["f1"] }],
    });
    expect(world.state).toMatchObject({ status: "working", rounds: 1 });
    expect(world.state.tasks.get("fix-1-1")).toMatchObject({
      member,
      state: "working",
      round: 1,
      plan: { files: ["src/b.ts", "src/a.ts"], description: "- src/a.ts:3: The reset fails." },
    });
  });

  it("asks the person when the rounds are used up, and delivers anyway if told so", () => {
    const world = started();
    world.settings = { ...world.settings, maxRounds: 1 };
    world.isMet = false;
    world.merge("a");
    world.judgeWhole("pass");
    expect(world.state.criteria.get("REQ-001.1")).toMatchObject({ state: "open", task: "fix-1-1" });
    world.merge("fix-1-1");
    world.judgeWhole("pass");
    expect(world.state.question).toMatchObject({ kind: "integration-failed" });
    world.say("approve");
    expect(world.state).toMatchObject({ status: "synthesizing", approvedAnyway: { by: "person" } });
  });

  it("never takes a check that could not run for a pass", () => {
    const world = started();
    world.merge("a");
    world.judgeWhole("unable");
    expect(world.state.question?.kind).toBe("integration-failed");
    world.say("retry");
    expect(world.state.check?.id).toBe("check-2");
  });

  it("has a checker look only at what needs a look", () => {
    const [requirement] = teamSpec().requirements;
    const look = { id: "REQ-001.2", text: "The page is calm.", kind: "look" as const };
    const spec = teamSpec({
      requirements:
        requirement === undefined ? [] : [{ ...requirement, acceptance: [...requirement.acceptance, look] }],
    });
    const world = new PlayedWorld();
    world.plan([task("a", { ...covering, criteria: ["REQ-001.1", "REQ-001.2"] })], { spec });
    world.merge("a");
    world.judgeWhole("pass");
    const { runId = "" } = world.state.checker ?? {};
    expect(world.runs.get(runId)?.status).toBe("running");
    const results = [{ id: "REQ-001.2", met: true, evidence: "Seen." }];
    world.end(runId, { status: "completed", handIn: { kind: "check", results } });
    world.settle();
    expect(world.state.status).toBe("synthesizing");
  });

  it("works again on a delivery that the person sent back", () => {
    const world = started();
    world.merge("a");
    world.judgeWhole("pass");
    world.deliver(world.state.lead?.runId ?? "", { state: "rejected", reason: "Too slow." });
    world.handIn({ kind: "report", report: { summary: "Done.", highlights: [], risks: [], followUps: [] } });
    expect(world.state.tasks.get("fix-1-1")).toMatchObject({ state: "working", plan: { description: "- Too slow." } });
  });

  it("stops when the person discards what it delivers, and ends the delivering run when it is stopped", () => {
    const delivering = () => {
      const world = started();
      world.merge("a");
      world.judgeWhole("pass");
      world.handIn({ kind: "report", report: { summary: "Done.", highlights: [], risks: [], followUps: [] } });
      return { world, runId: world.state.deliveryRunId ?? "" };
    };
    const discarded = delivering();
    discarded.world.deliver(discarded.runId, { state: "discarded" });
    discarded.world.settle();
    expect(discarded.world.state).toMatchObject({ status: "stopped", reason: "The result of the team was discarded." });
    const stopped = delivering();
    stopped.world.end(stopped.runId, { status: "running" });
    stopped.world.append({ type: "stopped", by: "person" });
    expect(owed(stopped.world.state, stopped.world)).toContainEqual({ do: "cancel", runIds: [stopped.runId] });
  });

  it("does not pay twice for a look that was satisfied, and checks tests again after fixes", () => {
    const world = new PlayedWorld();
    const look = { id: "REQ-001.2", text: "It reads well.", kind: "look" as const };
    const spec = teamSpec();
    const requirements = spec.requirements.map((one) => ({ ...one, acceptance: [...one.acceptance, look] }));
    world.plan([task("a", { ...covering, criteria: ["REQ-001.1", "REQ-001.2"] })], { spec: { ...spec, requirements } });
    world.merge("a");
    world.isMet = false;
    world.judgeWhole("pass");
    const seen = [{ id: "REQ-001.2", met: true, evidence: "a.ts:1" }];
    world.end(world.state.checker?.runId ?? "", { status: "completed", handIn: { kind: "check", results: seen } });
    world.settle();
    expect(world.state).toMatchObject({ status: "working", rounds: 1 });
    const states = () => Array.from(world.state.criteria.values(), ({ state }) => state);
    expect(states()).toEqual(["open", "met"]);
    world.isMet = true;
    world.merge("fix-1-1");
    world.judgeWhole("pass");
    expect(states()).toEqual(["met", "met"]);
    expect(world.types().filter((type) => type === "checker-started")).toHaveLength(1);
  });

  it("names the repair of a repair like the first one", () => {
    const world = started();
    world.isMet = false;
    world.merge("a");
    world.judgeWhole("pass");
    world.merge("fix-1-1");
    world.judgeWhole("pass");
    const titles = Array.from(world.state.tasks.values(), ({ plan }) => plan.title);
    expect(titles).toEqual(["Do a", "Fix Do a", "Fix Do a"]);
  });

  it("takes no line of its log twice", () => {
    const world = started();
    world.fail("a");
    const again = world.lines.reduce(apply, world.refold());
    expect(again).toEqual(world.refold());
    expect(again.tasks.get("a")?.failures).toBe(1);
  });

  it("fails without a check where every task was left out", () => {
    const world = started();
    world.board.set(world.taskIdOf("a"), "cancelled");
    world.settle();
    expect(world.state).toMatchObject({ status: "failed", reason: "No task of the plan was completed." });
    expect(world.checks.size).toBe(0);
  });

  it("says what of the whole failed, in the words of the first findings", () => {
    const world = started();
    world.merge("a");
    const at = (file: string) =>
      ({
        id: file,
        code: "unwired",
        severity: "high",
        file,
        message: "Not imported.",
        state: "open",
        blocks: true,
      }) as GateFinding;
    const findings = ["a.js", "b.js", "c.js", "d.js"].map(at);
    world.judgeWhole("fail", { steps: [{ name: "wiring", verdict: "fail", findings, evidence: [] }] });
    const ended = world.facts.find(({ type }) => type === "check-ended");
    const named = "a.js: Not imported. b.js: Not imported. c.js: Not imported. And 1 more.";
    expect(ended).toMatchObject({ reason: `The wiring step failed: ${named}` });
  });

  it("leaves out tasks whose requirements an edited spec no longer has, and adds one for new ones", () => {
    const [requirement] = teamSpec().requirements;
    const added = {
      ...requirement,
      id: "REQ-002",
      acceptance: [{ id: "REQ-002.1", text: "New.", kind: "test" as const }],
    };
    const world = started([task("a", { files: ["x"] }), task("b", { ...covering, files: ["x"] })]);
    const spec = { ...teamSpec(), requirements: [added] } as ReturnType<typeof teamSpec>;
    world.append({ type: "spec-edited", spec, changed: ["REQ-001 removed", "REQ-002 added"], by: "person" });
    world.settle();
    expect(world.state.tasks.get("b")?.state).toBe("left-out");
    world.merge("a");
    expect(world.state.tasks.get("fix-1-1")?.plan).toMatchObject({
      requirements: ["REQ-002"],
      criteria: ["REQ-002.1"],
    });
  });
});
