import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { BodyOf } from "./answer.ts";
import { type Answer, type Hall, type HallSetup, startHall, untilRecorded } from "./daemon.ts";
import { NOBODY } from "./guildhall.ts";
import { lookBelow } from "./look-below.ts";
import { type Script, type ScriptedProvider, startProvider } from "./scripted-provider.ts";
import type { Cleaner } from "./temporary-folder.ts";

/** A text that must never be seen outside a request to the provider. */
export const KEY = "sk-CANARY-4f1d9b6c2e8a7053";

/** The same scripted provider, by the wire format it is spoken to in. */
export const WIRE_MODELS = { anthropic: "claude/m", openai: "own/m", responses: "gpt/m" } as const;

export interface ScriptedHall {
  hall: Hall;
  provider: ScriptedProvider;
  /** Spawns in the project `shop` with the role `coder`, unless told otherwise. */
  spawn(more?: object): Promise<Answer<BodyOf<"spawn">>>;
}

interface ScriptedSetup extends Omit<HallSetup, "config"> {
  config?: object;
  model?: string;
}

export function scriptedConfig(provider: ScriptedProvider, more: object = {}) {
  const at = { baseUrl: `${provider.url}/v1`, apiKeyEnv: "SCRIPTED_KEY" };
  return {
    providers: {
      claude: { kind: "anthropic", ...at },
      own: { kind: "openai-compatible", ...at },
      gpt: { kind: "openai", api: "responses", ...at },
    },
    models: { default: WIRE_MODELS.openai },
    ...more,
  };
}

/** A hall that asks a scripted provider in any of the wire formats, with a role and a project. */
export async function scriptedHall(
  script: Script,
  { config, model = WIRE_MODELS.openai, ...more }: ScriptedSetup = {},
): Promise<ScriptedHall> {
  const provider = await startProvider(script);
  (more.later ?? onTestFinished)(() => provider.close());
  const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY, ...more.env };
  const hall = await startHall(undefined, { ...more, config: scriptedConfig(provider, config), env });
  await makeShop(hall);
  const spawn = (body = {}) =>
    hall.call("POST", "/api/team/spawn", {
      projectId: "shop",
      roleId: "coder",
      task: { title: "Write a note" },
      overrides: { model },
      ...body,
    });
  return { hall, provider, spawn };
}

/** A hall with that shop, and a playbook by the name of `offline/play`. */
export async function playedHall(playbook: string): Promise<Hall> {
  const hall = await startHall();
  mkdirSync(join(hall.workspace, "playbooks"), { recursive: true });
  writeFileSync(join(hall.workspace, "playbooks/play.yml"), playbook);
  await makeShop(hall);
  return hall;
}

/** The role `coder` from its template, and the project `shop`. */
export async function makeShop(hall: Hall): Promise<void> {
  const made = [
    await hall.call("POST", "/api/roles", { template: "coder" }),
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  await untilRecorded(hall, "shop");
}

/** What is asked for when that shop is to play its playbook. */
export const request = {
  projectId: "shop",
  roleId: "coder",
  task: { title: "Write a note", description: "Please" },
  overrides: { model: "offline/play" },
};
export const waiting = { options: { waitForCompletion: true } };

export function spawn(hall: Hall, more: object = {}): Promise<Answer<BodyOf<"spawn">>> {
  return hall.call("POST", "/api/team/spawn", { ...request, ...more });
}

export async function taskOf(hall: Hall, id = "TASK-001") {
  return (await hall.call("GET", `/api/projects/shop/tasks/${id}`)).body.task;
}

/** Where something of the project lies. */
export function inShop(hall: Hall, path = ""): string {
  return join(hall.workspace, "projects/shop", path);
}

/** A promise that the test keeps, for a model that answers when it is told to. */
export function held(later: Cleaner = onTestFinished): { open: () => void; opened: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  later(() => resolve());
  return { open: resolve, opened: promise };
}

/** The index and the overviews, and what is there for a moment while one is written, hold nothing of their own. */
const DERIVED =
  /^\.guildhall\/index\.db|^\.guildhall\/git\/|^agents(?:\/|$)|(?:^|\/)(?:(?:TEAM|README)\.md|\.tmp-[0-9a-f]{16})$/;

/** Every file and folder of a workspace with a hash of its content. */
export function contentOf(workspace: string): Record<string, string> {
  const content = lookBelow(workspace)
    .filter(({ path }) => !DERIVED.test(path))
    .map(({ path, bytes }) => [path, bytes === undefined ? "folder" : hashOf(bytes)] as const);
  return Object.fromEntries(content);
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
