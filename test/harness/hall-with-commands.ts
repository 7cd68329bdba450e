import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { type Hall, temporaryFolder } from "./daemon.ts";
import { entriesOf, furnish, journalOf, PROJECT, spawnRun, untilOver } from "./spawned-runs.ts";
import type { Cleaner } from "./temporary-folder.ts";

export const WORKER = { roleId: "coder", overrides: { model: "offline/play" } };

/** Gives a hall a project that works in a folder of its own, and a role that may run commands. */
export async function withCommandsIn(
  hall: Hall,
  playbooks: Record<string, string>,
  later?: Cleaner,
): Promise<{ hall: Hall; at: (path: string) => string }> {
  await furnish(hall, playbooks);
  const workdir = join(temporaryFolder(later), "work");
  mkdirSync(workdir);
  const skills = ["read", "write", "exec", "report"];
  expect((await hall.call("POST", "/api/roles", { id: "coder", name: "Coder", skills })).status).toBe(201);
  expect((await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir })).status).toBe(200);
  return { hall, at: (path) => join(workdir, path) };
}

/** A run from its start to its end, with what its calls were answered. */
export async function play(hall: Hall, playbook: string, more: object = {}): Promise<{ run: Run; outputs: string[] }> {
  const id = await spawnRun(hall, playbook, "Run it", { ...WORKER, ...more });
  const run = await untilOver(hall, id, 30_000);
  return { run, outputs: outputsOf(hall, id) };
}

export function outputsOf(hall: Hall, id: string, project = PROJECT): string[] {
  const results = entriesOf(journalOf(hall.workspace, id, project), "result");
  return results.map(({ name, output, failed }) => `${name}${failed ? " failed" : ""}: ${output}`);
}

/** What is said on a stream until something was. */
export async function readUntil(response: Response, wanted: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString("utf8");
    if (wanted.test(text)) return text;
  }
  throw new Error(`not heard: ${text}`);
}
