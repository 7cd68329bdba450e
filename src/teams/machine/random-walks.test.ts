import fc from "fast-check";
import { expect, it } from "vitest";
import { PlayedWorld, plannedTask, teamDocument, teamPlan, teamSpec } from "../../../test/fakes/team-world.ts";
import type { PlannedTask } from "../../contract/documents/teams/team-plan.ts";
import type { EndCause } from "../../contract/runs/end-cause.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import { following } from "./autonomy/autonomy-phase.ts";
import { decide } from "./decide.ts";
import { canWorkTogether } from "./file-overlap.ts";
import { owed } from "./owed.ts";
import type { TeamFact } from "./team-facts.ts";
import type { TeamState } from "./team-state.ts";
import type { Answer } from "./world.ts";

const LIMITS = { timeoutMinutes: 60, maxConcurrency: 3, maxRemediationRounds: 2, requireApprovalForSpecChanges: true };
const PHASES = ["one", "two"];
const FILES = [[], ["src/**"], ["src/a.ts"], ["docs/*.md"], ["docs/x.md"], ["web"], ["lib/a", "lib/b"]];

const plans = fc
  .array(
    fc.record({ files: fc.constantFrom(...FILES), phase: fc.nat(1), after: fc.option(fc.nat(5)), domain: fc.nat(2) }),
    { minLength: 1, maxLength: 7 },
  )
  .map((drafts) =>
    drafts.map(({ files, phase, after, domain }, at): PlannedTask => {
      const before = after !== null && after < at ? [`t${after}`] : [];
      // As a plan is checked: nothing waits for a later phase.
      const dependsOn = before.filter(() => (drafts[after ?? 0]?.phase ?? 0) <= phase);
      const criteria = at === 0 ? { requirements: ["REQ-001"], criteria: ["REQ-001.1"] } : {};
      const kind = (["backend", "ux_design", "review"] as const)[domain] ?? "other";
      return plannedTask(`t${at}`, { files, phase: PHASES[phase] ?? "one", dependsOn, domain: kind, ...criteria });
    }),
  );

/** A number that chooses among what can happen, so that a shrunk case still makes sense. */
const steps = fc.array(
  fc.record({ what: fc.nat(99), which: fc.nat(50), crash: fc.option(fc.integer({ min: 1, max: 4 })) }),
  {
    minLength: 20,
    maxLength: 120,
  },
);

const ANSWERS: Answer["answer"][] = ["approve", "reject", "retry", "leave-out", "none"];

/** One thing that happens in the world. */
function happens(world: PlayedWorld, plan: PlannedTask[], { what, which }: { what: number; which: number }): void {
  const { state } = world;
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[which % Math.max(1, items.length)];
  const running = pick([...world.runs].filter(([, run]) => run.status === "running").map(([id]) => id));
  const judged = pick([...state.index.atWork].filter((key) => state.tasks.get(key)?.state === "review"));
  const { question } = state;
  if (what < 45 && running !== undefined) endRun(world, plan, { running, how: what });
  else if (what < 60 && judged !== undefined) judge(world, judged, what);
  else if (what < 75 && question !== undefined)
    world.answers.set(question.number, { answer: pick(ANSWERS) ?? "none", remarks: "", by: "person" });
  else if (what < 82 && state.check !== undefined && state.check.verdict === undefined)
    world.checks.set(state.check.id, {
      state: "finished",
      verdict: what < 80 ? "pass" : "fail",
      steps: [],
      breakers: [],
    });
  else if (what < 86) move(world, pick([...world.board.keys()]), what);
  else if (what < 89 && !hasEnded(state.status)) world.append({ type: "paused", by: "person" });
  else if (what < 95) world.append({ type: "resumed", by: "person" });
  else if (what === 95) world.isActive = !world.isActive;
  else if (what === 96) world.isMet = !world.isMet;
  else if (what === 98) world.isCapReached = !world.isCapReached;
  else if (what === 97 && which === 0) world.append({ type: "stopped", by: "person" });
}

function move(world: PlayedWorld, id: string | undefined, what: number): void {
  if (id !== undefined) world.board.set(id, what === 82 ? "done" : what === 83 ? "cancelled" : "failed");
}

const CAUSES: Record<number, { cause: EndCause }> = {
  5: { cause: "crashed" },
  6: { cause: "journal" },
  7: { cause: "folder" },
};

function endRun(world: PlayedWorld, plan: PlannedTask[], { running, how }: { running: string; how: number }): void {
  const { lead, checker, index, tasks, deliveryRunId } = world.state;
  const key = index.byRun.get(running);
  const taskId = key === undefined ? undefined : tasks.get(key)?.taskId;
  if (how < 8) {
    world.end(running, { status: how < 2 ? "cancelled" : "failed", ...(CAUSES[how] ?? {}) });
    if (taskId !== undefined) world.board.set(taskId, how < 2 ? "pending" : "failed");
  } else if (running === lead?.runId) {
    const { step } = lead;
    if (step === "spec") world.end(running, { status: "completed", handIn: { kind: "spec", spec: teamSpec() } });
    if (step === "plan")
      world.end(running, { status: "completed", handIn: { kind: "plan", plan: teamPlan(plan, PHASES) } });
    if (step === "evolution") {
      const spec = teamSpec({
        title: `Reset ${how}`,
        requirements: [...teamSpec().requirements, extraRequirement(how)],
      });
      const change = how % 2 === 0 ? { spec } : {};
      world.end(running, { status: "completed", handIn: { kind: "spec-change", reason: "So.", ...change } });
    }
    if (step === "report") {
      world.deliver(running, { state: how < 20 ? "review" : "delivered" });
      world.end(running, {
        status: "completed",
        handIn: { kind: "report", report: { summary: "", highlights: [], risks: [], followUps: [] } },
      });
    }
  } else if (running === checker?.runId)
    world.end(running, { status: "completed", handIn: { kind: "check", results: [] } });
  else if (running === deliveryRunId) world.deliver(running, { state: "delivered" });
  else if (taskId !== undefined) {
    world.deliver(running, { state: how < 25 ? "review" : "delivered" });
    world.board.set(taskId, how < 25 ? "review" : "done");
  }
}

const extraRequirement = (number: number) => ({
  ...{ id: `REQ-${100 + number}`, text: "More.", priority: "low" as const },
  acceptance: [{ id: `REQ-${100 + number}.1`, text: "More.", kind: "test" as const }],
});

function judge(world: PlayedWorld, key: string, what: number): void {
  const { runId = "", taskId = "" } = world.state.tasks.get(key) ?? {};
  if (world.runs.get(runId)?.delivery?.state !== "review") return;
  if (what < 50) {
    const next = world.nextRunId();
    world.deliver(runId, { state: "rejected", next });
    world.runs.set(next, { status: "running" });
    world.board.set(taskId, "in-progress");
  } else if (what < 53) world.board.set(taskId, "failed");
  else {
    world.deliver(runId, { state: "delivered" });
    world.board.set(taskId, "done");
  }
}

/** What holds after every line, whatever happens. */
function holds(world: PlayedWorld, state: TeamState, fact: TeamFact): void {
  const { index, tasks } = state;
  const busy = Array.from(index.atWork, (key) => tasks.get(key));
  const most = state.strategy?.value === "single" ? 1 : world.settings.maxWriters;
  expect(busy.length).toBeLessThanOrEqual(most);
  for (const [at, one] of busy.entries())
    for (const other of busy.slice(at + 1))
      expect(canWorkTogether(one?.plan.files ?? [], other?.plan.files ?? [])).toBe(true);
  if (fact.type === "task-merged") {
    const { taskId = "" } = tasks.get(fact.key) ?? {};
    const isDelivered = fact.runId !== undefined && world.runs.get(fact.runId)?.delivery?.state === "delivered";
    expect(isDelivered || world.board.get(taskId) === "done").toBe(true);
  }
  // The log names the phase with the line that brought the team there.
  if (fact.type === "autonomy-phase") expect(following(state)).toEqual([]);
  expect(state.autonomy?.mode === "fixed" && fact.type === "evolution-proposed").toBe(false);
  for (const { orphaned } of tasks.values()) expect(orphaned).toBeLessThanOrEqual(1);
  // A member that works has one task, and all that it does is of its prefix.
  for (const { task, prefix } of state.members.values())
    if (task !== undefined) expect(tasks.get(task)?.prefix).toBe(prefix);
  if (fact.type === "phase-started") {
    const at = state.phases.findIndex(({ id }) => id === fact.phase);
    expect(state.phases.slice(0, at).every(({ status }) => status === "completed")).toBe(true);
  }
}

/** Why a team that does nothing does so; undefined where nobody knows. */
function waitsFor(world: PlayedWorld): string | undefined {
  const { state } = world;
  if (hasEnded(state.status)) return "end";
  if (state.status === "paused" || !world.isActive || state.question !== undefined) return "person";
  if ([...world.runs.values()].some(({ status }) => status === "running" || status === "pending")) return "run";
  if (state.check !== undefined && state.check.verdict === undefined) return "check";
  const reviews = [...state.index.atWork].filter((key) => state.tasks.get(key)?.state === "review");
  if (reviews.length > 0) return "review";
  const delivery = world.runs.get(state.deliveryRunId ?? "")?.delivery?.state;
  return state.status === "delivering" && delivery === "review" ? "review" : undefined;
}

it("keeps its promises in any world, and continues from any line of its log", () => {
  fc.assert(
    fc.property(
      plans,
      steps,
      fc.constantFrom("none" as const, "spec-and-plan" as const),
      fc.constantFrom("off" as const, "smart" as const, "fixed" as const),
      (plan, happenings, approval, mode) => {
        const world = new PlayedWorld(teamDocument({ approval, budgetUsd: 5 }));
        world.tellsChanges = true;
        world.roleSpec = (key) => {
          const { prefix = "" } = world.state.tasks.get(key) ?? {};
          return { name: "dev", prefix, innerLoop: prefix === "IMPL", subagents: [] };
        };
        world.onLine = (state, fact) => holds(world, state, fact);
        if (mode !== "off") world.append({ type: "formed" }, { type: "autonomy-set", mode, limits: LIMITS, by: "you" });
        world.settle();
        for (const step of happenings) {
          happens(world, plan, step);
          if (step.crash !== null) {
            world.settle(step.crash);
            world.state = world.refold();
            // As after a start.
            world.board.changed = new Set(world.board.keys());
          }
          world.settle();
          world.touched = "all";
          expect(decide(world.state, world)).toEqual([]);
          expect(owed(world.state, world)).toEqual([]);
          expect(waitsFor(world)).toBeDefined();
        }
        expect(world.refold()).toEqual(world.state);
      },
    ),
    { numRuns: Number(process.env.GUILDHALL_FAULT_CYCLES ?? 100) },
  );
});

it("asks about those tasks only that someone works on or that changed, however many wait", () => {
  const decisionAt = (count: number) => {
    const world = new PlayedWorld();
    world.plan(Array.from({ length: count }, (_, at) => plannedTask(`t${at}`, { files: [`src/${at}.ts`] })));
    const asked: string[] = [];
    world.touched = new Set(["TASK-t99", "TASK-of-others"]);
    world.board.set("TASK-t99", "cancelled");
    const { task } = world;
    world.task = (id) => {
      asked.push(id);
      return task(id);
    };
    return { facts: decide(world.state, world), asked };
  };
  const { facts, asked } = decisionAt(2_000);
  expect(asked).toEqual(["TASK-t0", "TASK-t1", "TASK-t2", "TASK-t99"]);
  expect(facts).toMatchObject([{ type: "task-left-out", key: "t99" }]);
});
