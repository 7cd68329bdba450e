import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeRepository } from "../../src/cli/demo/demo-folder.ts";
import { BUSY_PLAYBOOKS, HELPER_PLAYBOOKS } from "./busy-playbooks.ts";
import { BUSY_PROJECTS } from "./busy-words.ts";

/** Everything is played. The offline model has prices here, so that its costs can be looked at; nothing is really paid. */
const configText = (providerUrl: string) => `version: 1
models:
  default: offline/rehearsal
  prices:
    offline/build: {input: 30, output: 150}
    offline/research: {input: 15, output: 75}
    offline/lead: {input: 40, output: 200}
    offline/polish: {input: 30, output: 150}
    offline/slow: {input: 15, output: 75}
    offline/circles: {input: 5, output: 25}
    acme/large: {input: 3, output: 15}
providers:
  acme: {kind: openai-compatible, baseUrl: "${providerUrl}/v1"}
limits:
  modelCalls: 20
  runs: 20
budget:
  dayUsd: 5
`;

const PACKS = {
  "skills/release": [
    "release",
    "How we bring out a version. Use it for every release.",
    "Tag, build, wait for the checks, tell people.",
  ],
  "skills/incident": ["incident", "What to do when customers are cut off.", "Tell, mend, then find out why."],
} as const;

/** All that has to be there before the first start. */
export function furnishBusyWorkspace(workspace: string, providerUrl: string): void {
  write(join(workspace, "config.yml"), configText(providerUrl));
  const named = Object.entries(BUSY_PLAYBOOKS).map(([name, turns]) => [name, { turns }] as const);
  for (const [name, playbook] of [...named, ...Object.entries(HELPER_PLAYBOOKS)])
    write(join(workspace, "playbooks", `${name}.yml`), JSON.stringify(playbook, null, 2));
  for (const [folder, pack] of Object.entries(PACKS)) writePack(join(workspace, folder), pack);
}

/** A git repository for each project that works in one; one of them brings a skill that nobody has accepted yet. */
export function makeBusyRepositories(folder: string): Record<string, string> {
  const made = BUSY_PROJECTS.filter(({ hasRepository }) => hasRepository).map(({ id }) => {
    const repository = join(folder, id);
    makeRepository(repository);
    return [id, repository] as const;
  });
  writePack(join(folder, "web-shop/.claude/skills/lint"), [
    "lint",
    "How this code is laid out.",
    "Two blanks, no tabs.",
  ]);
  return Object.fromEntries(made);
}

/** A file that a person broke by hand: something that needs them. */
export function breakOneTask(workspace: string): void {
  const text = "---\nid: TASK-900\nstatus: [half\n---\n\n# Written by hand, and not finished\n";
  write(join(workspace, "projects/infrastructure/TASKS/todo/TASK-900.md"), text);
}

function writePack(folder: string, [name, description, body]: readonly [string, string, string]): void {
  write(join(folder, "SKILL.md"), `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
