import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Task } from "../../src/contract/documents/task.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { inShop, scriptedHall, WIRE_MODELS, waiting } from "../harness/scripted-hall.ts";
import { furnish, listRuns, PROJECT, spawnBody, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, crashingHall, EVENTS, JOURNAL } from "./crashing-hall.ts";
import { assertDoneOnce } from "./run-traces.ts";
import { sampled } from "./sampled.ts";

const QUICK = "turns:\n  - text: Done.\n";

const points: (Omit<CrashPoint, "victim"> & { name: string })[] = [
  { name: "after the plan is written", file: JOURNAL, when: "after" },
  { name: "after the run is in the book", file: BOOK, text: '"created"', when: "after" },
  { name: "before the task is made", file: "/TASKS/in-progress/TASK", when: "before" },
  { name: "after the task is made", file: "/TASKS/in-progress/TASK", when: "after" },
  { name: "before the task is told", file: EVENTS, text: '"task\\.created"', when: "before" },
  { name: "after the task is told", file: EVENTS, text: '"task\\.created"', when: "after" },
  { name: "before the run is told", file: EVENTS, text: '"run\\.created"', when: "before" },
  { name: "after the run is told", file: EVENTS, text: '"run\\.created"', when: "after" },
];

async function tasksOf(hall: Hall): Promise<Task[]> {
  return (await hall.call("GET", `/api/projects/${PROJECT}/tasks?limit=500`)).body.tasks;
}

describe("a daemon killed while it takes a spawn", () => {
  it("leaves no task that nobody works on, and whoever asks again with the same key gets the same run", {
    timeout: 180_000,
  }, async () => {
    const crashing = await crashingHall({ quick: QUICK });
    for (const { name, ...at } of sampled(points, { every: 6 })) {
      const point = { ...at, victim: "daemon" as const };
      const key = { "idempotency-key": name.replaceAll(" ", "-") };
      const spawn = () => crashing.hall.call("POST", "/api/team/spawn", spawnBody("quick", name), key);
      crashing.arm(point);
      await expect(spawn()).rejects.toThrow();
      await crashing.struck(point);
      const ofName = (all: Run[]) => all.filter((run) => run.title === name);
      const before = ofName(await listRuns(crashing.hall));
      const tasks = (await tasksOf(crashing.hall)).filter((task) => task.title === name);
      expect(tasks, name).toHaveLength(before.length);
      const { status, body } = await spawn();
      expect(status, `${name}: ${JSON.stringify(body)}`).toBe(200);
      await untilOver(crashing.hall, body.sessionId);
      const runs = ofName(await listRuns(crashing.hall));
      expect(
        runs.map((run) => run.id),
        name,
      ).toEqual([body.sessionId]);
      expect(before.every((run) => run.id === body.sessionId)).toBe(true);
      const made = (await tasksOf(crashing.hall)).filter((task) => task.title === name);
      expect(
        made.map(({ id, assignedSubAgentId }) => [id, assignedSubAgentId]),
        name,
      ).toEqual([[body.taskId, body.sessionId]]);
      await assertDoneOnce(crashing.hall, body.sessionId);
    }
    expect((await crashing.hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  });
});

describe("a spawn whose task cannot be made", () => {
  it("is refused, and there is no run of it", async () => {
    const hall = await furnish(await startHall(), { quick: QUICK });
    const folder = join(hall.workspace, "projects", PROJECT, "TASKS/in-progress");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    const { status, body } = await hall.call("POST", "/api/team/spawn", spawnBody("quick", "hindered"));
    expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
    expect(await listRuns(hall)).toEqual([]);
    rmSync(folder);
    await hall.stop();
    const again = await startHall(hall.workspace);
    expect(await listRuns(again)).toEqual([]);
    const next = await again.call("POST", "/api/team/spawn", spawnBody("quick", "unhindered"));
    await untilOver(again, next.body.sessionId);
    expect((await tasksOf(again)).map((task) => task.title)).toEqual(["unhindered"]);
  });
});

describe("a spawn that is refused while the project's process gets ready for it", () => {
  it("asks no model, leaves no journal, and the next one goes on as if it had not been", async () => {
    const { hall, provider, spawn } = await scriptedHall(() => ({ text: "Done." }));
    const reading = { overrides: { model: WIRE_MODELS.openai, skills: ["read"] }, ...waiting };
    await spawn(reading);
    const [folder, journals] = [inShop(hall, "TASKS/in-progress"), inShop(hall, "runs")];
    const journal = () =>
      readdirSync(journals, { recursive: true }).filter((name) => /run-.*jsonl$/.test(String(name)));
    const before = journal();
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    expect((await spawn(reading)).status).toBeGreaterThanOrEqual(400);
    rmSync(folder);
    expect([provider.requests.length, journal()]).toEqual([1, before]);
    expect((await spawn(reading)).body).toMatchObject({ status: "completed" });
    expect([provider.requests.length, journal().length]).toEqual([2, 2]);
  });
});
