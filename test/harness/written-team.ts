import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TeamDocument } from "../../src/contract/documents/teams/team.ts";
import type { TeamFact, TeamLine } from "../../src/teams/machine/team-facts.ts";
import { PROJECT } from "./spawned-runs.ts";

const AT = "2026-11-18T12:00:00.000Z";

/** The id of a team that is written by hand, by a digit. */
const writtenId = (digit: number) => `team-01m7p3p8ca0000aaaaa${digit}`;

/** Puts the folder of a team into a workspace whose daemon does not run, with the facts that it has so far. */
export function writeTeam(workspace: string, given: Partial<TeamDocument>, facts: readonly TeamFact[]): string {
  const document: TeamDocument = {
    ...{ id: writtenId(1), projectId: PROJECT, name: "Sums", goal: "Let people add numbers", taskId: "TASK-001" },
    ...{ approval: "plan", budgetUsd: 5, sdd: { value: "quick", because: "the goal is short" } },
    ...{ createdAt: AT, createdBy: "person" },
    ...given,
  };
  const folder = join(workspace, "projects", PROJECT, "teams", document.id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "team.json"), `${JSON.stringify(document, null, 2)}\n`);
  const lines = [{ type: "formed" } as const, ...facts].map((fact, at): TeamLine => ({ seq: at + 1, at: AT, fact }));
  writeFileSync(join(folder, "state.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return document.id;
}

/** A spec, and a plan with so many tasks in so many phases that waits for the person. */
export function longPlan(count: number, phaseCount: number): TeamFact[] {
  const phases = Array.from({ length: phaseCount }, (_, at) => ({ id: `phase-${at + 1}`, name: `Phase ${at + 1}` }));
  const tasks = Array.from({ length: count }, (_, at) => ({
    ...{ key: `task-${at + 1}`, title: `Task number ${at + 1}`, description: "Do it.", type: "feature" as const },
    ...{ domain: "backend" as const, requirements: ["REQ-001"], criteria: at === 0 ? ["REQ-001.1"] : [] },
    phase: `phase-${Math.floor((at * phaseCount) / count) + 1}`,
    ...{ dependsOn: [], files: [`src/file-${at + 1}.js`] },
  }));
  const criterion = { id: "REQ-001.1", text: "It is tested", kind: "test" as const };
  const spec = {
    ...{ title: "Sums", goals: ["Numbers can be added"], nonGoals: [], risks: [], definitionOfDone: [] },
    requirements: [{ id: "REQ-001", text: "Sums work", priority: "high" as const, acceptance: [criterion] }],
  };
  return [
    { type: "member-joined", name: "lead-oslo", rank: "lead", roleId: "lead" },
    { type: "lead-started", step: "spec", runId: "run-01m7p3p8ca0000aaaaa1" },
    { type: "spec-submitted", runId: "run-01m7p3p8ca0000aaaaa1", spec },
    { type: "lead-started", step: "plan", runId: "run-01m7p3p8ca0000aaaaa2" },
    {
      ...{ type: "plan-submitted", runId: "run-01m7p3p8ca0000aaaaa2", plan: { phases, tasks } },
      strategy: { value: "managed", because: `the plan has ${count} tasks` },
      routes: tasks.map(({ key }) => ({ key, roleId: "backend", rank: "worker" as const })),
    },
    ...Array.from({ length: 1_500 }, (_, at) => ({
      ...{ type: "noted" as const, activity: "message-sent" as const, member: "lead-oslo", data: { number: at } },
    })),
    { type: "asked", number: 1, kind: "plan", reason: "" },
  ];
}
