import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import {
  entriesOf,
  furnish,
  isDoing,
  journalOf,
  listRuns,
  PROJECT,
  runOf,
  SLOW,
  SOON,
  spawnBody,
  spawnRun,
  untilDoing,
  untilOver,
} from "../harness/spawned-runs.ts";
import { workspaceWith } from "../harness/workspace-config.ts";
import { assertDoneOnce } from "./run-traces.ts";

describe("what becomes of a project", () => {
  it("suspended: its runs are held, no new one is started, and they go on when it is resumed [S3-LC-02 S3-LC-03 S3-SES-05]", async () => {
    const hall = await furnish(await startHall(), { soon: SOON });
    const id = await spawnRun(hall, "soon", "held");
    await eventually(
      () => entriesOf(journalOf(hall.workspace, id), "result").length,
      (count) => count === 1,
    );
    await move(hall, "suspended");
    await untilNoProcess(hall.workspace);
    const refused = await hall.call("POST", "/api/team/spawn", spawnBody("soon", "refused"));
    expect([refused.status, refused.body.error.code]).toEqual([409, "project_closed"]);
    expect((await hall.call("GET", `/api/projects/${PROJECT}/tasks`)).body.tasks).toHaveLength(1);
    expect((await runOf(hall, id)).status).toBe("running");
    await move(hall, "active");
    await untilOver(hall, id);
    await assertDoneOnce(hall, id);
  });

  it.each([
    { to: "suspended", isHeld: true },
    { to: "completed", isHeld: false },
  ])("$to while runs and their children are being started: none is at work afterwards", async ({ to, isHeld }) => {
    const title = "Never answered";
    const calls = [{ name: "spawn_subagent", input: { role: "boss", title } }];
    const { hall, provider, spawn } = await scriptedHall(({ text }) =>
      text.includes(title) ? { hang: true } : { calls },
    );
    await hall.call("POST", "/api/roles", { id: "boss", name: "Boss", skills: ["spawn_subagent"] });
    const first = await spawn({ roleId: "boss" });
    await provider.request(0);
    const others = [1, 2, 3, 4, 5].map(() => spawn({ roleId: "boss" }));
    await move(hall, to);
    const started = [first, ...(await Promise.all(others))].filter(({ status }) => status === 200);
    await untilNoProcess(hall.workspace);
    const runs = (await listRuns(hall)).filter((run) => run.parentRunId === undefined);
    expect(runs.filter((run) => !isOver(run))).toHaveLength(isHeld ? started.length : 0);
  });

  it("completed: its runs are cancelled and nothing new is started", async () => {
    const hall = await furnish(await startHall(), { slow: SLOW });
    const id = await spawnRun(hall, "slow", "cut short");
    await untilDoing(hall, id, { kind: "thinking" });
    await move(hall, "completed");
    expect(await untilOver(hall, id)).toMatchObject({ status: "cancelled", error: "The project is completed." });
    expect((await hall.call("POST", "/api/team/spawn", spawnBody("slow", "no"))).body.error.code).toBe(
      "project_closed",
    );
  });

  it("purged: its runs end before the folder goes, whoever waits is told, and no process is left", async () => {
    const hall = await furnish(await startHall(), { slow: SLOW });
    const waiting = hall.call(
      "POST",
      "/api/team/spawn",
      spawnBody("slow", "purged", { options: { waitForCompletion: true } }),
    );
    const [run] = await eventually(
      () => listRuns(hall),
      (runs) => isDoing(runs[0], { kind: "thinking" }),
    );
    expect((await hall.call("DELETE", `/api/projects/${PROJECT}?purge=true`)).status).toBe(200);
    expect((await waiting).body).toMatchObject({
      success: false,
      status: "cancelled",
      error: "The project was removed.",
    });
    expect(projectProcesses(hall.workspace)).toEqual([]);
    const [trashed = ""] = readdirSync(join(hall.workspace, "trash"));
    expect(readFileSync(join(hall.workspace, "trash", trashed, "runs/index.jsonl"), "utf8")).toContain(
      '"type":"settled"',
    );
    expect((await hall.call("GET", `/api/runs/${run?.id}`)).status).toBe(404);
    expect(await listRuns(hall)).toEqual([]);
  });

  it("removed by hand: whoever waits is told, no process is left, and the hall works on", async () => {
    const hall = await furnish(await startHall(), { slow: SLOW });
    await hall.call("POST", "/api/projects", { id: "other", name: "Other" });
    const waiting = hall.call(
      "POST",
      "/api/team/spawn",
      spawnBody("slow", "removed", { options: { waitForCompletion: true } }),
    );
    await eventually(
      () => listRuns(hall),
      (runs) => isDoing(runs[0], { kind: "thinking" }),
    );
    const folder = join(hall.workspace, "projects", PROJECT);
    rmSync(folder, { recursive: true });
    expect((await waiting).body).toMatchObject({ status: "cancelled", error: "The project was removed." });
    await untilNoProcess(hall.workspace);
    expect(await listRuns(hall)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    const body = spawnBody("slow", "elsewhere", {
      projectId: "other",
      overrides: { model: "offline/rehearsal" },
      options: { waitForCompletion: true },
    });
    expect((await hall.call("POST", "/api/team/spawn", body)).body.status).toBe("completed");
  });

  it("its working folder gone: nothing is started, and the refusal says which folder is missing", async () => {
    const hall = await furnish(await startHall(), { soon: SOON });
    const workdir = join(hall.workspace, "..", "elsewhere");
    expect((await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir })).status).toBe(200);
    writeFileSync(workdir, "not a folder");
    const { body } = await hall.call(
      "POST",
      "/api/team/spawn",
      spawnBody("soon", "homeless", { options: { waitForCompletion: true } }),
    );
    expect(body.error).toMatchObject({
      code: "workdir_missing",
      message: expect.stringContaining(`There is no folder '${workdir}'`),
    });
    expect(await listRuns(hall)).toEqual([]);
  });

  it("its working folder gone while the hall was down: the run fails and says which folder is missing", async () => {
    const before = await furnish(await startHall(), { slow: SLOW });
    const workdir = temporaryFolder();
    expect((await before.call("PUT", `/api/projects/${PROJECT}`, { workdir })).status).toBe(200);
    const id = await spawnRun(before, "slow", "homeless");
    await untilDoing(before, id, { kind: "thinking" });
    await before.stop();
    rmSync(workdir, { recursive: true });
    const hall = await startHall(before.workspace);
    expect(await untilOver(hall, id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining(`There is no folder '${workdir}'`),
    });
    expect(existsSync(workdir)).toBe(false);
  });
});

describe("a project's process", () => {
  it("works in the folder and with the model that the project names [S3-BOOT-02]", async () => {
    const hall = await furnish(await startHall(), {
      soon: "turns:\n  - calls: [{tool: write, input: {path: here.md, content: x}}]\n  - text: Done.\n",
    });
    const workdir = temporaryFolder();
    const changed = await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir, model: "offline/soon" });
    expect(changed.status).toBe(200);
    const id = await spawnRun(hall, "", "elsewhere", { overrides: {} });
    expect(await untilOver(hall, id)).toMatchObject({ status: "completed", model: "offline/soon" });
    expect(readFileSync(join(workdir, "here.md"), "utf8")).toBe("x");
    expect(existsSync(join(hall.workspace, "projects", PROJECT, "here.md"))).toBe(false);
  });

  it("is parked when there is nothing to do, and another is woken for the next run", async () => {
    const hall = await furnish(await startHall(workspaceWith("projects: {parkAfterMinutes: 0.02}\n")), {
      quick: "turns: [{text: Done.}]\n",
    });
    await untilOver(hall, await spawnRun(hall, "quick", "one"));
    const [first] = projectProcesses(hall.workspace);
    expect(first).toBeGreaterThan(0);
    await untilNoProcess(hall.workspace);
    expect(await untilOver(hall, await spawnRun(hall, "quick", "two"))).toMatchObject({
      status: "completed",
      attempt: 1,
    });
    expect(projectProcesses(hall.workspace)).not.toContain(first);
  });

  it("does not keep an idle daemon from ending [S3-WT-04 S3-WT-08]", async () => {
    const hall = await furnish(await startHall(), { quick: "turns: [{text: Done.}]\n" });
    await untilOver(hall, await spawnRun(hall, "quick", "one"));
    expect(projectProcesses(hall.workspace)).toHaveLength(1);
    const start = performance.now();
    await hall.stop();
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(projectProcesses(hall.workspace)).toEqual([]);
  });
});

async function move(hall: Hall, status: string): Promise<void> {
  const { status: code, body } = await hall.call("POST", `/api/projects/${PROJECT}/move`, { status });
  expect(code, JSON.stringify(body)).toBe(200);
}
