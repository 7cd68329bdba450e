import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Activity, WaitCode } from "../../src/contract/runs/activity.ts";
import type { BranchDelivery } from "../../src/contract/runs/delivery.ts";
import type { JournalEntry } from "../../src/contract/runs/journal.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventually, type Hall } from "./daemon.ts";

export const PROJECT = "shop";

/** A playbook whose first turn outlasts every test. */
export const SLOW = "turns:\n  - delayMs: 60000\n    text: Too late.\n";

/** A playbook with a pause between its two writes. */
export const SOON = `
turns:
  - calls: [{tool: write, input: {path: a.md, content: a}}]
  - delayMs: 1500
    calls: [{tool: write, input: {path: b.md, content: b}}]
  - text: Done.
`;

/** A playbook that hands a part of its task to the role `helper`. */
export const PARENT = `
turns:
  - calls: [{tool: spawn_subagent, input: {role: helper, title: A part}}]
  - text: "The child said: {{last.spawn_subagent}}"
`;

/** A playbook for the offline model, as YAML. */
export function writePlaybook(workspace: string, name: string, yaml: string): void {
  mkdirSync(join(workspace, "playbooks"), { recursive: true });
  writeFileSync(join(workspace, "playbooks", `${name}.yml`), yaml);
}

/** Playbooks, a role that may do everything, one that plays the playbook `helper`, and a project. */
export async function furnish(hall: Hall, playbooks: Record<string, string>): Promise<Hall> {
  for (const [name, yaml] of Object.entries(playbooks)) writePlaybook(hall.workspace, name, yaml);
  const skills = ["read", "write", "edit", "list", "search", "spawn_subagent", "notify", "report"];
  const helper = { id: "helper", name: "Helper", skills: ["read", "write"], modelConfig: { model: "offline/helper" } };
  const made = [
    await hall.call("POST", "/api/roles", { id: "worker", name: "Worker", skills }),
    await hall.call("POST", "/api/roles", helper),
    await hall.call("POST", "/api/projects", { id: PROJECT, name: "Shop" }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
  return hall;
}

export function spawnBody(playbook: string, title: string, more: object = {}) {
  return {
    projectId: PROJECT,
    roleId: "worker",
    task: { title },
    overrides: { model: `offline/${playbook}` },
    ...more,
  };
}

export async function spawnRun(hall: Hall, playbook: string, title: string, more: object = {}): Promise<string> {
  const { status, body } = await hall.call("POST", "/api/team/spawn", spawnBody(playbook, title, more));
  expect(status, JSON.stringify(body)).toBe(200);
  return body.sessionId;
}

export async function runOf(hall: Hall, id: string): Promise<Run> {
  return (await hall.call("GET", `/api/runs/${id}`)).body.run;
}

/** The branch that a run worked on; undefined where it worked in the folder itself. */
export function branchOf({ delivery }: Pick<Run, "delivery">): BranchDelivery | undefined {
  return delivery?.kind === "branch" ? delivery : undefined;
}

export async function listRuns(hall: Hall, query = ""): Promise<Run[]> {
  return (await hall.call("GET", `/api/runs?limit=500${query}`)).body.runs;
}

export async function untilOver(hall: Hall, id: string, withinMs = 30_000): Promise<Run> {
  return eventually(
    () => runOf(hall, id),
    (run) => run !== undefined && isOver(run),
    withinMs,
  );
}

/** Some fields of an activity; `detail` by what it says. */
export interface Doing {
  kind?: Activity["kind"];
  name?: string;
  for?: WaitCode;
  detail?: RegExp;
}

export function isDoing(run: Run | undefined, { detail, ...wanted }: Doing = {}): boolean {
  const activity: Partial<Record<string, unknown>> | undefined = run?.activity;
  if (activity === undefined) return false;
  const isSame = Object.entries(wanted).every(([field, value]) => activity[field] === value);
  return isSame && (detail === undefined || detail.test(String(activity.detail)));
}

/** Without fields: anything at all. */
export async function untilDoing(hall: Hall, id: string, wanted: Doing = {}): Promise<Run> {
  return eventually(
    () => runOf(hall, id),
    (run) => isDoing(run, wanted),
    30_000,
  );
}

/** The lines of a run's journal, from its file. */
export function journalOf(workspace: string, id: string, projectId = PROJECT): JournalEntry[] {
  const path = journalPath(workspace, id, projectId);
  return path === undefined ? [] : linesOf(path);
}

/** Where a run's journal is, as soon as there is one. */
export function journalPath(workspace: string, id: string, projectId = PROJECT): string | undefined {
  const folder = join(workspace, "projects", projectId, "runs");
  const day = readdirSync(folder).find(
    (name) => /^\d{4}/.test(name) && readdirSync(join(folder, name)).includes(`${id}.jsonl`),
  );
  return day === undefined ? undefined : join(folder, day, `${id}.jsonl`);
}

/** The lines of a project's run book about a run. */
export function bookOf(workspace: string, id: string, projectId = PROJECT): { type: string }[] {
  const lines = linesOf<{ type: string; runId?: string; run?: Run }>(
    join(workspace, "projects", projectId, "runs/index.jsonl"),
  );
  return lines.filter((line) => (line.run?.id ?? line.runId) === id);
}

/** Resolves when the run was given to a process for the so-manieth time, with the moment of the last. */
export async function untilLeased(workspace: string, id: string, times: number): Promise<number> {
  const leases = () =>
    bookOf(workspace, id).filter((line): line is { type: "leased"; at: string } => line.type === "leased");
  const found = await eventually(leases, ({ length }) => length === times);
  return Date.parse(found.at(-1)?.at ?? "");
}

export function entriesOf<Type extends JournalEntry["type"]>(entries: JournalEntry[], type: Type) {
  return entries.filter((entry): entry is Extract<JournalEntry, { type: Type }> => entry.type === type);
}

/** Lines that were being written when they were read are left out. */
function linesOf<Line>(path: string): Line[] {
  const complete = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return complete.filter((line) => line !== "").map((line) => JSON.parse(line) as Line);
}
