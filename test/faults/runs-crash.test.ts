import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { spawnHall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { projectProcess, projectProcesses, untilNoProcess } from "../harness/processes.ts";
import {
  bookOf,
  entriesOf,
  furnish,
  listRuns,
  PROJECT,
  runOf,
  SLOW,
  spawnBody,
  spawnRun,
  untilDoing,
  untilLeased,
  untilOver,
} from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CHANGES, crashingHall, EVENTS, JOURNAL } from "./crashing-hall.ts";
import { assertDoneOnce, UNKNOWN } from "./run-traces.ts";
import { sampled } from "./sampled.ts";

const QUICK = "turns:\n  - calls: [{tool: write, input: {path: q.md, content: q}}]\n  - text: Done.\n";
const PARENT = `
turns:
  - text: I ask.
    calls: [{tool: spawn_subagent, input: {role: helper, title: A part}}]
  - text: "The child said: {{last.spawn_subagent}}"
`;
const HELPER = `
turns:
  - text: I look.
    calls: [{tool: list, input: {path: "."}}]
  - text: I am the child.
`;

describe("a daemon killed while it takes a spawn", () => {
  const points: (Omit<CrashPoint, "victim"> & { name: string; exists: boolean })[] = [
    { name: "after the plan is written", file: JOURNAL, when: "after", exists: true },
    { name: "before the change is kept", file: CHANGES, text: "run\\.created", when: "before", exists: false },
    { name: "after the change is kept", file: CHANGES, text: "run\\.created", when: "after", exists: true },
    { name: "before the run is in the book", file: BOOK, text: '"created"', when: "before", exists: true },
    { name: "after the run is in the book", file: BOOK, text: '"created"', when: "after", exists: true },
    { name: "after the log tells of it", file: EVENTS, text: '"run\\.created"', when: "after", exists: true },
    { name: "while the task is taken", file: "/TASKS/in-progress/", when: "before", exists: true },
    { name: "after the task is taken", file: "/TASKS/in-progress/", when: "after", exists: true },
  ];

  it("has the run whole or not at all, and never twice", { timeout: 180_000 }, async () => {
    const crashing = await crashingHall({ quick: QUICK });
    for (const { name, exists, ...at } of sampled(points, { every: 8, from: 1 })) {
      const point = { ...at, victim: "daemon" as const };
      crashing.arm(point);
      await expect(crashing.hall.call("POST", "/api/team/spawn", spawnBody("quick", name))).rejects.toThrow();
      await crashing.struck(point);
      const runs = (await listRuns(crashing.hall)).filter((run) => run.title === name);
      expect(runs, name).toHaveLength(exists ? 1 : 0);
      for (const { id } of runs) {
        await untilOver(crashing.hall, id);
        await assertDoneOnce(crashing.hall, id);
      }
    }
  });
});

describe("a parent and its child", () => {
  const points: (Omit<CrashPoint, "victim"> & { name: string })[] = [
    { name: "after the parent has asked", file: JOURNAL, text: '"text":"I ask\\."', when: "after" },
    { name: "after the child is in the book", file: BOOK, text: '"created".*"parentRunId"', when: "after" },
    { name: "after the child has begun", file: JOURNAL, text: '"text":"I look\\."', when: "after" },
    { name: "after the child has ended", file: JOURNAL, text: '"ended".*I am the child', when: "after" },
    { name: "after the child is settled", file: BOOK, text: '"settled".*"parentRunId"', when: "after" },
    {
      name: "before the parent takes the answer down",
      file: JOURNAL,
      text: '"result".*I am the child',
      when: "before",
    },
    {
      name: "after the parent has taken the answer down",
      file: JOURNAL,
      text: '"result".*I am the child',
      when: "after",
    },
  ];

  it.each(["daemon", "project"] as const)(
    "SIGKILL of the %s: the answer is delivered exactly once",
    { timeout: 180_000 },
    async (victim) => {
      const crashing = await crashingHall({ parent: PARENT, helper: HELPER });
      for (const { name, ...at } of sampled(points, { every: 7, from: victim === "daemon" ? 1 : 0 })) {
        const point = { ...at, victim };
        crashing.arm(point);
        const id = await spawnRun(crashing.hall, "parent", name);
        await crashing.struck(point);
        expect(await untilOver(crashing.hall, id), name).toMatchObject({
          result: { output: "The child said: I am the child." },
        });
        const journal = await assertDoneOnce(crashing.hall, id);
        expect(entriesOf(journal, "result").map((result) => result.output)).toEqual(["I am the child."]);
        const children = (await listRuns(crashing.hall)).filter((run) => run.parentRunId === id);
        expect(children.map((child) => child.status)).toEqual(["completed"]);
      }
    },
  );
});

describe("a project's process that dies", () => {
  it("again and again has its run given up with the cause, and leaves other projects alone [S3-WT-01 S3-WT-03 S3-START-06]", {
    timeout: 180_000,
  }, async () => {
    const hall = await furnish(await startHall(), { slow: SLOW });
    await hall.call("POST", "/api/projects", { id: "other", name: "Other" });
    const bystander = await spawnRun(hall, "slow", "untouched", { projectId: "other" });
    await untilDoing(hall, bystander, { kind: "thinking" });
    const others = projectProcess(hall.workspace);
    const id = await spawnRun(hall, "slow", "unlucky");
    for (let crash = 1; crash <= 3; crash++) {
      await untilLeased(hall.workspace, id, crash);
      for (const pid of projectProcesses(hall.workspace)) if (pid !== others) process.kill(pid, "SIGKILL");
    }
    const run = await untilOver(hall, id);
    expect(run).toMatchObject({ status: "failed", cause: "crashed", error: expect.stringContaining("signal SIGKILL") });
    const { task } = (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${run.taskId}`)).body;
    expect(task).toMatchObject({ status: "failed", result: { summary: run.error } });
    expect(bookOf(hall.workspace, id).filter((line) => line.type === "crashed")).toHaveLength(3);
    expect(await runOf(hall, bystander)).toMatchObject({ status: "running", attempt: 1 });
    expect(projectProcesses(hall.workspace)).toContain(others);
  });

  it("does not count against a run when it was the daemon that died", { timeout: 180_000 }, async () => {
    const crashing = await crashingHall({ slow: "turns:\n  - delayMs: 1000\n    text: At last.\n" });
    const id = await spawnRun(crashing.hall, "slow", "patient");
    for (let crash = 1; crash <= 4; crash++) {
      await untilLeased(crashing.workspace, id, crash);
      await crashing.end("SIGKILL");
      await crashing.start();
    }
    expect(await untilOver(crashing.hall, id)).toMatchObject({ status: "completed", attempt: 5 });
  });

  it("that outlived its daemon, stopped, is gone before the run is taken up again", { timeout: 180_000 }, async () => {
    const crashing = await crashingHall({
      slow: "turns:\n  - delayMs: 300\n    calls: [{tool: write, input: {path: z.md, content: z}}]\n  - text: Done.\n",
    });
    const id = await spawnRun(crashing.hall, "slow", "haunted");
    await untilDoing(crashing.hall, id, { kind: "thinking" });
    const zombie = projectProcess(crashing.workspace);
    process.kill(zombie, "SIGSTOP");
    await crashing.end("SIGKILL");
    expect(projectProcesses(crashing.workspace)).toEqual([zombie]);
    await crashing.start();
    expect(projectProcesses(crashing.workspace)).not.toContain(zombie);
    await untilOver(crashing.hall, id);
    await assertDoneOnce(crashing.hall, id);
  });

  it("does not heed the Ctrl-C that ends its daemon", async () => {
    const hall = await furnish(await startHall(), { soon: "turns:\n  - delayMs: 500\n    text: Done.\n" });
    const id = await spawnRun(hall, "soon", "undisturbed");
    await untilDoing(hall, id, { kind: "thinking" });
    for (const pid of projectProcesses(hall.workspace))
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.kill(pid, signal);
    expect(await untilOver(hall, id)).toMatchObject({ status: "completed", attempt: 1 });
  });
});

describe("what the runs are kept in", () => {
  it("an index that is gone is filled from the books, and so is one that is built anew while runs are at work", {
    timeout: 180_000,
  }, async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const hall = await furnish(await spawnHall(workspace), { quick: QUICK, slow: SLOW });
    for (const title of ["one", "two"]) await untilOver(hall, await spawnRun(hall, "quick", title));
    const slow = await spawnRun(hall, "slow", "three");
    await untilDoing(hall, slow, { kind: "thinking" });
    const told = (runs: Run[]) => runs.map(({ activity: _, progress: __, ...run }) => run);
    const before = told(await listRuns(hall));
    expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
    expect(told(await listRuns(hall))).toEqual(before);
    await hall.call("POST", `/api/runs/${slow}/stop`);
    const after = told(await listRuns(hall));
    await hall.stop();
    for (const name of readdirSync(join(workspace, ".guildhall")))
      if (/^index\.db/.test(name)) rmSync(join(workspace, ".guildhall", name));
    const again = await spawnHall(workspace);
    expect(told(await listRuns(again))).toEqual(after);
    const { events } = (await again.call("GET", "/api/events/log?tail=1000&type=run")).body;
    expect(events.filter((event: { type: string }) => event.type === "run.ended")).toHaveLength(3);
  });

  it("a journal that lost its first line fails its run and says so [S3-START-06 S3-SES-03]", {
    timeout: 180_000,
  }, async () => {
    const crashing = await crashingHall({ slow: SLOW });
    const id = await spawnRun(crashing.hall, "slow", "damaged");
    await untilDoing(crashing.hall, id, { kind: "thinking" });
    await crashing.end("SIGKILL");
    await untilNoProcess(crashing.workspace);
    const path = journalPath(crashing.workspace, id);
    writeFileSync(path, readFileSync(path, "utf8").slice(40));
    await crashing.start();
    expect(await untilOver(crashing.hall, id)).toMatchObject({
      status: "failed",
      cause: "journal",
    });
  });

  it("a torn last line of a journal is set aside and the run goes on [S3-SES-03]", { timeout: 180_000 }, async () => {
    const crashing = await crashingHall({ slow: "turns:\n  - delayMs: 500\n    text: Done.\n" });
    const id = await spawnRun(crashing.hall, "slow", "torn");
    await untilDoing(crashing.hall, id, { kind: "thinking" });
    await crashing.end("SIGKILL");
    await untilNoProcess(crashing.workspace);
    const path = journalPath(crashing.workspace, id);
    writeFileSync(path, `${readFileSync(path, "utf8")}{"type":"answer","text":"half a`);
    const book = join(crashing.workspace, "projects", PROJECT, "runs/index.jsonl");
    writeFileSync(book, `${readFileSync(book, "utf8")}{"type":"settled","run":{"id":"${id}","st`);
    await crashing.start();
    await untilOver(crashing.hall, id);
    const journal = await assertDoneOnce(crashing.hall, id);
    expect(entriesOf(journal, "result").some((result) => UNKNOWN.test(result.output))).toBe(false);
  });
});

function journalPath(workspace: string, id: string): string {
  const folder = join(workspace, "projects", PROJECT, "runs");
  const name = readdirSync(folder, { recursive: true }).find((path) => String(path).endsWith(`${id}.jsonl`));
  return join(folder, String(name));
}
