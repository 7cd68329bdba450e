import { expect, test } from "vitest";
import type { Team, TeamMember, TeamTask } from "../../../../src/contract/documents/teams/team.ts";
import { TEAM_STATUSES } from "../../../../src/contract/words/teams/team-words.ts";
import { taskTeams } from "../../ui/team/task-teams.ts";
import { activeFirst, byPhase, coverageOf, listRows, memberTree, standingWords } from "./team-model.ts";

const NOON = "2026-11-18T12:00:00.000Z";
const NO_TASKS: Team["tasks"] = { waiting: 0, working: 0, review: 0, merged: 0, failed: 0, blocked: 0, "left-out": 0 };

const team = (rest: Partial<Team> = {}): Team => ({
  ...{ id: "team-1", projectId: "shop", name: "Cart", goal: "Add a cart", taskId: "TASK-001", approval: "plan" },
  ...{ budgetUsd: 5, sdd: { value: "quick", because: "short" }, createdAt: NOON, createdBy: "person" },
  ...{ status: "working", phases: [], members: [], tasks: NO_TASKS, requirements: { total: 0, met: 0 } },
  ...{ rounds: 0, costUsd: 1, costKnown: true, updatedAt: NOON, etag: "v1" },
  ...rest,
});

const task = (key: string, rest: Partial<TeamTask> = {}): TeamTask => ({
  ...{ key, title: `Do ${key}`, type: "feature", domain: "backend", phase: "build", requirements: [], criteria: [] },
  ...{
    dependsOn: [],
    files: [],
    roleId: "backend",
    rank: "worker",
    prefix: "IMPL",
    state: "waiting",
    runIds: [],
    attempts: 0,
  },
  ...rest,
});

const member = (name: string, rest: Partial<TeamMember> = {}): TeamMember => ({
  ...{ name, rank: "worker", roleId: "backend", status: "idle", runs: 0, failures: 0 },
  ...rest,
});

test.each(TEAM_STATUSES)("a team that is %s says what it is at", (status) => {
  expect(standingWords(team({ status }))).toMatch(/^[A-Z0-9].*\.$/);
});

test("says what a team waits for before what it is at", () => {
  const escalation = { id: "esc-001", kind: "plan" } as const;
  expect(standingWords(team({ escalation }))).toBe("Waiting for approval of the plan.");
  expect(standingWords(team({ waitingFor: "budget", costUsd: 4.9 }))).toBe("Waiting for budget. $4.90 of $5.00 spent.");
  expect(standingWords(team({ status: "paused", pausedFrom: "working", reason: "lunch" }))).toContain(
    "Paused while working. Runs that work finish, nothing new starts. lunch.",
  );
  expect(standingWords(team({ tasks: { ...NO_TASKS, merged: 2, working: 1 } }))).toBe(
    "2 of 3 tasks merged, 1 working.",
  );
  expect(standingWords(team({ status: "delivering", waitingFor: "person" }))).toBe(
    "Waiting for your review of the whole change.",
  );
});

test("lists teams at work before those that have ended", () => {
  const { active, ended } = activeFirst([team({ status: "completed" }), team({ id: "team-2", status: "paused" })]);
  expect([active.map(({ id }) => id), ended.map(({ id }) => id)]).toEqual([["team-2"], ["team-1"]]);
});

test("groups tasks by phase, also by one that the team does not list", () => {
  const tasks = [task("a", { state: "merged" }), task("b", { phase: "polish" }), task("c", { phase: "fix" })];
  const groups = byPhase(
    [
      { id: "build", name: "Build" },
      { id: "polish", name: "Polish" },
      { id: "later", name: "Later" },
    ],
    tasks,
  );
  expect(groups.map(({ name, tasks: own, merged }) => `${name} ${own.length} ${merged}`)).toEqual([
    "Build 1 1",
    "Polish 1 0",
    "Later 0 0",
    "fix 1 0",
  ]);
  const rows = listRows(groups, { text: "do b", state: undefined });
  expect(rows.map((row) => ("phase" in row ? row.phase.name : row.task.key))).toEqual(["Polish", "b"]);
  expect(listRows(groups, { text: "", state: undefined })).toHaveLength(7);
});

test("the lead stands above the members, each with what it is at and did", () => {
  const members = [member("worker-lima", { task: "b" }), member("lead-oslo", { rank: "lead" })];
  const tasks = [task("a", { member: "worker-lima" }), task("b", { member: "worker-lima" }), task("c")];
  const { lead, others } = memberTree(members, tasks);
  expect(lead?.member.name).toBe("lead-oslo");
  expect(others.map(({ current, others: before }) => [current?.key, before.map(({ key }) => key)])).toEqual([
    ["b", ["a"]],
  ]);
});

test("a requirement has its criteria, how many are met, and its tasks", () => {
  const criterion = { id: "REQ-001.1", text: "It works", kind: "test", requirement: "REQ-001" } as const;
  const spec = {
    ...{ title: "Cart", goals: [], nonGoals: [], risks: [], definitionOfDone: [] },
    requirements: [{ id: "REQ-001", text: "A cart", priority: "high" as const, acceptance: [criterion] }],
  };
  const [covered] = coverageOf(spec, [{ ...criterion, state: "met" }], [task("a", { requirements: ["REQ-001"] })]);
  expect([covered?.met, covered?.criteria.length, covered?.tasks.map(({ key }) => key)]).toEqual([1, 1, ["a"]]);
});

test("a task of the board belongs to the newest team that has it, as its goal or as one of its tasks", () => {
  const phases = [{ id: "build", name: "Build", order: 0, status: "pending" as const, taskIds: ["TASK-002"] }];
  const found = taskTeams([team({ id: "team-2", name: "New", phases }), team({ phases, taskId: "TASK-003" })]);
  expect([...found].map(([id, { name }]) => `${id} ${name}`)).toEqual([
    "TASK-001 New",
    "TASK-002 New",
    "TASK-003 Cart",
  ]);
});
