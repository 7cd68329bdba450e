import { expect, it } from "vitest";
import type { Run } from "../contract/runs/run.ts";
import { Attachments } from "../workspace/attachments.ts";
import { GUARDS, type GuardedCall, Guarding, type RunGuard } from "./guarding.ts";

const run = { id: "run-1" } as Run;
const call: GuardedCall = { run, ask: [], callId: "c1", tool: "write_file", input: "{}" };
const silent: RunGuard = { guardsOf: () => undefined };

/** Added in the given order, the others silent. */
function guardingOf(guards: Partial<Record<(typeof GUARDS)[number], RunGuard>>, order = GUARDS.toReversed()) {
  const all = new Attachments();
  const guarding = new Guarding(all);
  for (const name of order) guarding.add(name, guards[name] ?? silent);
  all.close();
  return guarding;
}

/** Says what it was asked. */
function noting(heard: string[], name: string, more: Partial<RunGuard> = {}): RunGuard {
  return {
    guardsOf: () => ({ before: ["write_file"], ending: "reminds" }),
    permit: async () => {
      heard.push(name);
      return { allowed: true, remark: name };
    },
    ending: async () => {
      heard.push(name);
      return {};
    },
    ...more,
  };
}

it("asks the guards in their fixed order, whenever each was added", async () => {
  for (const order of [[...GUARDS], GUARDS.toReversed()]) {
    const heard: string[] = [];
    const guards = Object.fromEntries(GUARDS.map((name) => [name, noting(heard, name)]));
    const guarding = guardingOf(guards, order);
    expect(await guarding.permit(call)).toEqual({ allowed: true, remark: GUARDS.join("\n") });
    expect(await guarding.ending(run, { output: "", report: {}, round: 1 })).toEqual({});
    expect(heard).toEqual([...GUARDS, ...GUARDS]);
  }
});

it("fails a start with a guard that is missing or added twice, and answers nothing without one", () => {
  const all = new Attachments();
  const guarding = new Guarding(all);
  guarding.add("file owners", silent);
  expect(() => guarding.add("file owners", silent)).toThrow("'guard: file owners' is attached twice");
  expect(() => guarding.guardsOf(run)).toThrow("'guard: file owners' is asked before");
  expect(() => all.close()).toThrow("'guard: hooks and consent', 'guard: member checks'");
});

it("asks about what any guard wants to be asked about", () => {
  const guarding = guardingOf({
    "file owners": { guardsOf: () => ({ before: ["write_file"] }) },
    "hooks and consent": { guardsOf: () => ({ before: ["write_file", "bash"], after: ["*"], ending: "decides" }) },
    "member checks": { guardsOf: () => ({ starting: true, ending: "reminds" }) },
  });
  const all = { before: ["write_file", "bash"], after: ["*"], starting: true, ending: "decides" };
  expect(guarding.guardsOf(run)).toEqual(all);
  expect(guardingOf({}).guardsOf(run)).toBeUndefined();
});

it("stops at the first guard that refuses a call, has it wait, or sends a run back", async () => {
  const heard: string[] = [];
  const refusing = noting(heard, "owners", { permit: async () => ({ allowed: false, reason: "Not yours." }) });
  const waiting = noting(heard, "hooks", {
    permit: async () => ({ state: "waits", text: "Asked." }),
    ending: async () => ({ feedback: "Missing." }),
  });
  const last = noting(heard, "checks");
  const refused = guardingOf({ "file owners": refusing, "hooks and consent": last });
  expect(await refused.permit(call)).toEqual({ allowed: false, reason: "Not yours." });
  const waits = guardingOf({ "hooks and consent": waiting, "member checks": last });
  expect(await waits.permit(call)).toEqual({ state: "waits", text: "Asked." });
  expect(await waits.ending(run, { output: "", report: {}, round: 1 })).toEqual({ feedback: "Missing." });
  expect(heard).toEqual([]);
});

it("asks at the end only those that want to be", async () => {
  const asked = { ending: async () => ({ feedback: "Never asked for." }) };
  const guarding = guardingOf({ "hooks and consent": { ...silent, ...asked } });
  expect(await guarding.ending(run, { output: "", report: {}, round: 1 })).toEqual({});
});
