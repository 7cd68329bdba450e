import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OFFLINE_MODEL } from "../../src/models/providers.ts";
import { eventually, type Hall, startHall, temporaryFolder, untilRecorded } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { killableDaemon } from "../harness/killable-daemon.ts";
import { models } from "../harness/paid-calls.ts";
import { projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { KEY, makeShop, scriptedConfig, scriptedHall } from "../harness/scripted-hall.ts";
import { startProvider, type Turn } from "../harness/scripted-provider.ts";
import { bookOf, entriesOf, journalOf, runOf, untilOver } from "../harness/spawned-runs.ts";

/** What costs a dollar, and is more than it looks like beforehand. */
const DOLLAR = { input: 19_800, output: 1_000 };
/** Processes that have nothing to do end at once. */
const projects = { parkAfterMinutes: 1 / 600 };
const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY };
const parkAfterMs = 50;

/** A run of five turns, each for a dollar. */
const fiveTurns = ({ turns }: { turns: number }): Turn =>
  turns < 4
    ? { calls: [{ name: "write", input: { path: `${turns}.md`, content: "x" } }], usage: DOLLAR }
    : { text: "Done.", usage: DOLLAR };

const linesOf = (workspace: string, id: string, type: string) =>
  bookOf(workspace, id).filter((line) => line.type === type);
const untilParked = (hall: Hall, id: string, times = 1) =>
  eventually(
    async () => linesOf(hall.workspace, id, "waiting").length - linesOf(hall.workspace, id, "resumed").length + times,
    (open) => open === times + 1,
  ).then(() => runOf(hall, id));
const eventTypes = async (hall: Hall, id: string) =>
  (await hall.call("GET", "/api/events/log?type=run&tail=50")).body.events
    .filter(({ subject }) => subject.id === id)
    .map(({ type }) => type);

it("a run without budget is parked, survives kill -9 without a process, and completes when the budget is raised", async () => {
  const provider = await startProvider(fiveTurns);
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace, { recursive: true });
  const config = scriptedConfig(provider, {
    ...{ models, projects },
    budget: { runUsd: 2.5, dayUsd: null },
    limits: { runs: 1, runsPerProject: 1 },
  });
  writeFileSync(join(workspace, "config.yml"), JSON.stringify(config));
  const first = await killableDaemon(workspace, { env, parkAfterMs });
  await makeShop(first.hall);
  await first.hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
  await untilRecorded(first.hall, "mill");
  const spawn = (projectId: string, model: string, more: object = {}) =>
    first.hall.call("POST", "/api/team/spawn", {
      ...{ projectId, roleId: "coder", task: { title: "Write" }, overrides: { model }, ...more },
    });
  const id = (await spawn("shop", "own/m")).body.sessionId as string;
  expect(await untilParked(first.hall, id)).toMatchObject({
    status: "running",
    waitingFor: "budget",
    waitingSince: expect.any(String),
    activity: { kind: "waiting", for: "budget", detail: expect.stringContaining("$2.50") },
  });
  await untilNoProcess(workspace);
  expect((await first.hall.call("GET", "/api/budget")).body.waiting).toMatchObject([{ runId: id, reason: "budget" }]);
  // The only place in the limits is free.
  const other = await spawn("mill", OFFLINE_MODEL, { options: { waitForCompletion: true } });
  expect(other.body.status).toBe("completed");
  await untilNoProcess(workspace);
  await first.kill();

  const second = await killableDaemon(workspace, { env, parkAfterMs });
  expect(await untilParked(second.hall, id)).toMatchObject({ status: "running", waitingFor: "budget" });
  // A raise that leaves no room for the next call starts nothing.
  await second.hall.call("PUT", "/api/budget", { runUsd: 2.6 });
  expect([linesOf(workspace, id, "leased").length, projectProcesses(workspace)]).toEqual([1, []]);
  await second.hall.call("PUT", "/api/budget", { runUsd: 50 });
  const run = await untilOver(second.hall, id);
  expect(run).toMatchObject({ status: "completed", usage: { turns: 5, costUsd: 5 } });
  expect(run).not.toHaveProperty("waitingFor");
  // Every call was sent and every tool carried out once.
  expect(provider.requests).toHaveLength(5);
  expect(entriesOf(journalOf(workspace, id), "result")).toHaveLength(4);
  expect([linesOf(workspace, id, "waiting").length, linesOf(workspace, id, "resumed").length]).toEqual([1, 1]);
  expect(await eventTypes(second.hall, id)).toEqual([
    ...["run.created", "run.started", "run.waiting", "run.resumed", "run.started", "run.ended"],
  ]);
  await second.kill();
  await provider.close();
});

it("a parked run can be cancelled, and a raised budget does not bring it back", async () => {
  const config = { models, projects, budget: { runUsd: 2.5, dayUsd: null } };
  const { hall, spawn, provider } = await scriptedHall(fiveTurns, { config, parkAfterMs });
  const { sessionId: id } = (await spawn()).body;
  await untilParked(hall, id);
  expect((await hall.call("POST", `/api/runs/${id}/stop`)).body.run.status).toBe("cancelled");
  await hall.call("PUT", "/api/budget", { runUsd: 50 });
  const other = (await spawn({ options: { waitForCompletion: true } })).body;
  expect(other.status).toBe("completed");
  expect([(await runOf(hall, id)).status, provider.requests.length]).toEqual(["cancelled", 2 + 5]);
});

it("runs are parked while a provider's quota is used up, and all complete after a restart when it is back", async () => {
  let isSpent = true;
  const spent = {
    status: 429,
    headers: { "retry-after-ms": "600" },
    body: '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
  };
  const script = (): Turn => (isSpent ? spent : { text: "Done." });
  const { hall, spawn } = await scriptedHall(script, { config: { projects, limits: { runs: 1 } }, parkAfterMs });
  const reading = { overrides: { model: "own/m", skills: ["read"] } };
  const ids = [(await spawn(reading)).body.sessionId, (await spawn(reading)).body.sessionId] as string[];
  for (const id of ids) expect(await untilParked(hall, id)).toMatchObject({ status: "running", waitingFor: "quota" });
  await hall.stop();
  isSpent = false;
  const again = await startHall(hall.workspace, { env, parkAfterMs });
  for (const id of ids) expect(await untilOver(again, id)).toMatchObject({ status: "completed" });
});
