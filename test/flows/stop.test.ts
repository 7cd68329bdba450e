import { describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { projectProcess, projectProcesses } from "../harness/processes.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import {
  furnish,
  isDoing,
  listRuns,
  PARENT,
  runOf,
  SLOW,
  spawnRun,
  untilDoing,
  untilOver,
} from "../harness/spawned-runs.ts";

/** Two seconds are promised, and a busy machine gets more; a run that is waited for would take a minute, or for ever. */
const SOON_MS = 15_000;

async function stopped(hall: Hall, query = "") {
  const began = performance.now();
  const answer = await hall.call("POST", `/api/stop${query}`);
  expect(performance.now() - began).toBeLessThan(SOON_MS);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

/** On a slow machine the answer may come while a run is still being settled, which it says then. */
async function untilSettled(
  hall: Hall,
  run: { id: string; status: string; settling?: true | undefined },
): Promise<Run> {
  if (run.settling === undefined) expect(run.status).toBe("cancelled");
  return untilOver(hall, run.id);
}

describe("stopping everything", () => {
  it("ends running, waiting and child runs and their process, says so, and lets new ones start", async () => {
    const hall = await furnish(await startHall(undefined, { config: { limits: { runsPerProject: 2 } } }), {
      slow: SLOW,
      parent: PARENT,
      helper: SLOW,
      quick: "turns: [{text: Done.}]",
    });
    const ids: string[] = [];
    for (const playbook of ["parent", "slow", "slow", "slow"]) ids.push(await spawnRun(hall, playbook, playbook));
    const child = await eventually(
      async () => (await listRuns(hall)).find((run) => run.parentRunId === ids[0]),
      (run) => isDoing(run, { kind: "thinking" }),
    );
    expect(projectProcesses(hall.workspace)).toHaveLength(1);
    const body = await stopped(hall);
    expect(body.processes).toBe(1);
    expect(body.runs.map((run: { id: string }) => run.id).sort()).toEqual([...ids, child?.id].sort());
    for (const run of body.runs) expect((await untilSettled(hall, run)).status).toBe("cancelled");
    expect(projectProcesses(hall.workspace)).toEqual([]);
    const { events } = (await hall.call("GET", "/api/events/log?tail=10&type=runs.stopped")).body;
    expect(events).toMatchObject([{ actor: { kind: "person" }, after: { processes: 1 } }]);
    expect(events[0]?.after?.runs).toHaveLength(5);
    expect(await untilOver(hall, await spawnRun(hall, "quick", "afterwards"))).toMatchObject({ status: "completed" });
  });

  it("ends a run whose model never answers, and one whose process does not notice, of the project named only", async () => {
    const { hall, spawn } = await scriptedHall(() => ({ hang: true }));
    await hall.call("POST", "/api/projects", { id: "other", name: "Other" });
    const here = (await spawn()).body.sessionId;
    await untilDoing(hall, here, { kind: "thinking" });
    const frozen = projectProcess(hall.workspace);
    const there = (await spawn({ projectId: "other" })).body.sessionId;
    await untilDoing(hall, there, { kind: "thinking" });
    process.kill(frozen, "SIGSTOP");
    const body = await stopped(hall, "?project=shop");
    expect(body).toMatchObject({ runs: [{ id: here }], processes: 1 });
    expect((await untilSettled(hall, body.runs[0] as (typeof body.runs)[number])).status).toBe("cancelled");
    expect(projectProcesses(hall.workspace)).not.toContain(frozen);
    expect(projectProcesses(hall.workspace)).toHaveLength(1);
    expect(await runOf(hall, there)).toMatchObject({ status: "running" });
    expect((await hall.call("GET", "/api/projects/shop")).body.project.status).toBe("active");
    expect((await hall.call("POST", "/api/stop?project=nowhere")).status).toBe(404);
  });

  it("is a command, which asks what to stop", async () => {
    const hall = await furnish(await startHall(), { slow: SLOW });
    const id = await spawnRun(hall, "slow", "Unwanted");
    const run = (...args: string[]) => guildhall(["stop", ...args], { workspace: hall.workspace });
    expect(await run()).toMatchObject({ code: 2 });
    const { code, stdout } = await run("--all", "--json");
    expect(code).toBe(0);
    const { success, runs } = JSON.parse(stdout);
    expect([success, runs.map((run: { id: string }) => run.id)]).toEqual([true, [id]]);
    expect((await untilSettled(hall, runs[0])).status).toBe("cancelled");
    expect((await run("-p", "shop")).stdout).toMatch(/^No runs were running/);
  });
});
