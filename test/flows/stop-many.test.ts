import { describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { guildhall, NOBODY } from "../harness/guildhall.ts";
import { models } from "../harness/paid-calls.ts";
import { processesNaming, projectProcesses } from "../harness/processes.ts";
import { repository } from "../harness/repository.ts";
import { held, KEY, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { type Doing, listRuns, untilDoing } from "../harness/spawned-runs.ts";

const isSandboxed = (await sandboxProbe().settle()).name !== "none";
/** A sleep of so many seconds is one of this test's. */
const SLEEP = `7${process.pid}3`;
const DOLLAR = { input: 19_800, output: 1_000 };
const limits = { modelCalls: 40, toolCalls: 10, runs: 40, runsPerProject: 10 };

/** What its task asks for is what the model does. */
function script(merging: Promise<void>) {
  return async ({ body, turns }: SeenRequest): Promise<Turn> => {
    const said = JSON.stringify(body);
    if (said.includes("Run a command")) {
      const command = `setsid sleep ${SLEEP} & sleep ${SLEEP}`;
      return { calls: [{ name: "exec", input: { command } }] };
    }
    if (said.includes("Spend money")) return { calls: [{ name: "list", input: { path: "." } }], usage: DOLLAR };
    if (!said.includes("Change a file")) return { hang: true };
    if (turns > 0) await merging;
    const calls = [{ name: "write", input: { path: `${turns}.txt`, content: "x" } }];
    return turns === 0 ? { calls } : { text: "Done." };
  };
}

async function busyHall() {
  const merging = held();
  const config = { models, budget: { runUsd: null, dayUsd: null }, limits };
  const { hall, provider } = await scriptedHall(script(merging.opened), { config });
  const skills = ["read", "write", "list", "exec"];
  await hall.call("PUT", "/api/roles/coder", { skills });
  const work = repository({ "README.md": "Hello\n" });
  await hall.call("POST", "/api/projects", { id: "git", name: "Git", workdir: work.root });
  await hall.call("POST", "/api/projects", { id: "poor", name: "Poor", config: { budget: { runUsd: 1.5 } } });
  const spawn = async (projectId: string, title: string, own = ["read", "list"]) => {
    const body = { projectId, roleId: "coder", task: { title }, overrides: { skills: own } };
    return (await hall.call("POST", "/api/team/spawn", body)).body.sessionId as string;
  };
  const ids: Record<string, string[]> = { silent: [], pending: [], poor: [], commands: [], git: [] };
  for (let n = 0; n < 10; n++) ids.silent?.push(await spawn("shop", "Say nothing"));
  for (let n = 0; n < 6; n++) ids.pending?.push(await spawn("shop", "Wait for a place"));
  for (let n = 0; n < 6; n++) ids.poor?.push(await spawn("poor", "Spend money"));
  if (isSandboxed) for (let n = 0; n < 4; n++) ids.commands?.push(await spawn("git", "Run a command", ["exec"]));
  for (let n = 0; n < 4; n++) ids.git?.push(await spawn("git", "Change a file", ["read", "write"]));
  return { hall, provider, ids, merging, work };
}

/** All of them are where they shall be when they are stopped. */
async function untilBusy(hall: Hall, ids: Record<string, string[]>) {
  const all = (of: string[] | undefined, wanted: Doing) =>
    Promise.all((of ?? []).map((id) => untilDoing(hall, id, wanted)));
  await all(ids.silent, { kind: "thinking" });
  await all(ids.poor, { kind: "waiting", for: "budget" });
  await all(ids.commands, { kind: "tool", name: "exec" });
  await all(ids.git, { kind: "thinking" });
  if (isSandboxed)
    await eventually(
      () => processesNaming(SLEEP).length,
      (count) => count >= 8,
    );
}

describe(`stopping thirty runs at once${isSandboxed ? "" : " (none in a command: no sandbox here)"}`, () => {
  it("ends all of them, names them, leaves no process, and none comes back", async () => {
    const { hall, ids, merging, work } = await busyHall();
    await untilBusy(hall, ids);
    const of = await guildhall(["stop", "-p", "poor", "--json"], { workspace: hall.workspace });
    const named = JSON.parse(of.stdout).runs as { id: string; status: string }[];
    expect(named.map(({ id }) => id).sort()).toEqual([...(ids.poor ?? [])].sort());
    expect((await listRuns(hall, "&status=running")).length).toBe(14 + (isSandboxed ? 4 : 0));
    merging.open();
    const { status, body } = await hall.call("POST", "/api/stop");
    expect([status, processesNaming(SLEEP), projectProcesses(hall.workspace)]).toEqual([200, [], []]);
    const rest = Object.entries(ids).flatMap(([kind, some]) => (kind === "poor" || kind === "git" ? [] : some));
    const stopped = new Set(body.runs.map((run: { id: string }) => run.id));
    for (const id of rest) expect(stopped.has(id)).toBe(true);
    // Of those who had something to merge some were faster, and what the others did is saved.
    const runs = await eventually(
      () => listRuns(hall),
      (all) => all.every((run) => run.endedAt !== undefined),
    );
    for (const run of runs)
      expect(ids.git?.includes(run.id) ? ["completed", "cancelled"] : ["cancelled"]).toContain(run.status);
    expect(work.git("status", "--porcelain")).toBe("");
    await hall.stop();
    const again = await startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
    expect((await listRuns(again)).filter((run) => !["completed", "cancelled"].includes(run.status))).toEqual([]);
    expect(projectProcesses(hall.workspace)).toEqual([]);
  }, 180_000);
});
