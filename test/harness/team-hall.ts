import { expect } from "vitest";
import type { Team, TeamTask } from "../../src/contract/documents/teams/team.ts";
import { type Domain, hasEnded, type TeamStatus } from "../../src/contract/words/teams/team-words.ts";
import { eventually, type Hall } from "./daemon.ts";
import { hallOver, repository, writing } from "./repository.ts";
import { PROJECT } from "./spawned-runs.ts";
import type { Cleaner } from "./temporary-folder.ts";

const PACKAGE = JSON.stringify({ type: "module", scripts: { test: "node --test" } });

/** A task of a plan that a played lead submits, and what its member writes. */
export interface PlayedTask {
  key: string;
  requirement: string;
  files: Record<string, string>;
  /** What it writes without saying so in the plan. */
  also?: Record<string, string>;
  /** What it writes first, before the gate sends it back. */
  first?: Record<string, string>;
  dependsOn?: string[];
  phase?: string;
  domain?: Domain;
  delayMs?: number;
}

/** A module that adds, with its test: what one member of a played team writes. */
export function moduleFiles(name: string, requirement: string, body = "a + b"): Record<string, string> {
  return {
    [`${name}/index.js`]: `export const ${name} = (a, b) => ${body};\n`,
    [`${name}/index.test.js`]: `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${name} } from "./index.js";
test("${requirement}: ${name} adds", () => assert.equal(${name}(2, 3), 5));
`,
  };
}

/** A lead, members and reviewers for the offline model. Names sort so that reviewers come before members. */
export function teamPlaybooks(tasks: readonly PlayedTask[], more: Record<string, string> = {}): Record<string, string> {
  const scored = ["architecture", "simplicity", "errors", "completeness"];
  const stages = scored.map((name) => ({ name, score: 95, findings: [] }));
  const requirements = [...new Set(tasks.map(({ requirement }) => requirement))];
  const spec = {
    title: "Sums",
    goals: ["Numbers can be added."],
    requirements: requirements.map((id) => ({ id, text: `${id} must work.`, acceptance: [`${id} is tested.`] })),
  };
  const phases = [...new Set(tasks.map(({ phase = "work" }) => phase))].map((id) => ({ id, name: id }));
  const plan = {
    phases,
    tasks: tasks.map(({ key, requirement, files, dependsOn = [], phase = "work", domain = "backend" }) => ({
      ...{ key, title: titleOf(key), description: `Do ${key}.`, type: "feature", domain },
      ...{ requirements: [requirement], phase, dependsOn, files: Object.keys(files) },
    })),
  };
  const handsIn = (tool: string, input: object) => JSON.stringify({ tool, turns: [{ calls: [{ tool, input }] }] });
  return {
    "a-spec": handsIn("submit_spec", spec),
    "a-plan": handsIn("submit_plan", plan),
    "a-report": handsIn("submit_report", { summary: "Sums work." }),
    "a-review": JSON.stringify({
      tool: "submit_review",
      turns: [{ calls: [{ tool: "submit_review", input: { stages, integrated: true } }] }, { text: "Reviewed." }],
    }),
    ...Object.fromEntries(tasks.flatMap((task) => memberBooks(task))),
    ...more,
  };
}

export const titleOf = (key: string) => `Build ${key} now`;

function memberBooks({ key, files, also = {}, first, delayMs = 0 }: PlayedTask): [string, string][] {
  const book = (content: Record<string, string>, cue: object) =>
    JSON.stringify({ ...JSON.parse(writing(content, { delayMs })), when: titleOf(key), ...cue });
  return [
    [`m-${key}`, book({ ...(first ?? files), ...also }, {})],
    [`m-${key}-again`, book(files, { sentBack: true })],
  ];
}

/** The gates as they are, without what takes minutes. */
const GATES = { proof: "off", maxReviewCycles: 2 };

/** A hall whose project has a repository with one green test, and a team that can be played. */
export async function teamHall(
  hall: Hall,
  playbooks: Record<string, string>,
  { config = {}, files: more = {}, later }: { config?: object; files?: Record<string, string>; later?: Cleaner } = {},
) {
  const files = {
    "package.json": PACKAGE,
    "index.js": "export const version = 1;\n",
    "index.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { version } from "./index.js";
test("has a version", () => assert.equal(version, 1));
`,
    ...more,
  };
  const repo = repository(files, "work", later);
  const { qualityGates = {}, ...rest } = config as { qualityGates?: object };
  await hallOver(hall, {
    root: repo.root,
    config: { qualityGates: { ...GATES, ...qualityGates }, ...rest },
    playbooks,
  });
  return repo;
}

export async function startTeam(hall: Hall, body: object = {}): Promise<Team> {
  const { status, body: answer } = await hall.call("POST", `/api/projects/${PROJECT}/teams`, {
    goal: "Let people add numbers",
    ...body,
  });
  expect(status, JSON.stringify(answer)).toBe(201);
  return answer.team;
}

export async function teamOf(hall: Hall, id: string): Promise<Team> {
  return (await hall.call("GET", `/api/teams/${id}`)).body.team;
}

export async function tasksOf(hall: Hall, id: string): Promise<TeamTask[]> {
  return (await hall.call("GET", `/api/teams/${id}/tasks`)).body.tasks;
}

/** Until it is in a status, or has ended. */
export async function untilTeam(hall: Hall, id: string, status: TeamStatus, withinMs = 120_000): Promise<Team> {
  const team = await eventually(
    () => teamOf(hall, id),
    (one) => one.status === status || hasEnded(one.status),
    withinMs,
  );
  expect(team, JSON.stringify(team)).toMatchObject({ status });
  return team;
}

/** Until it asks for approval, and the question is there. */
export function untilAsked(hall: Hall, id: string, withinMs = 120_000): Promise<Team> {
  return eventually(
    () => teamOf(hall, id),
    ({ escalation, status }) => escalation !== undefined || hasEnded(status),
    withinMs,
  );
}
