import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CheckpointList } from "../../src/contract/runs/checkpoint.ts";
import type { Hall } from "../harness/daemon.ts";
import { temporaryFolder } from "../harness/daemon.ts";
import { pictureOf } from "../harness/folder-picture.ts";
import { listRuns, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { type CrashingHall, crashingHall } from "./crashing-hall.ts";

const PLAY = `
turns:
  - calls:
      - {tool: write, input: {path: one.txt, content: "1 changed"}}
      - {tool: write, input: {path: two.txt, content: "2 changed"}}
      - {tool: write, input: {path: three.txt, content: "3 changed"}}
      - {tool: write, input: {path: new/four.txt, content: "4 new"}}
  - text: Done.
`;

// Where a file comes under its name is seen through /proc.
describe.skipIf(process.platform !== "linux")("kill -9 of the daemon (needs Linux)", () => {
  it.each<[string, Omit<CrashPoint, "victim">]>([
    ["before a content is kept", { file: "/checkpoints/shop/objects/", when: "before" }],
    ["before a checkpoint is noted", { file: "/checkpoints/shop/records/ckpt-", when: "before" }],
    ["after a checkpoint was noted", { file: "/checkpoints/shop/records/ckpt-", when: "after" }],
  ])("while a checkpoint is taken, %s, takes nothing from it", async (_, point) => {
    const { crashing, folder } = await start();
    const before = pictureOf(folder);
    const crash = { victim: "daemon" as const, ...point };
    crashing.arm(crash);
    const spawned = spawnRun(crashing.hall, "play", "Change them").catch(() => undefined);
    await crashing.struck(crash);
    await spawned;
    const run = (await listRuns(crashing.hall)).find(({ title }) => title === "Change them");
    expect((await untilOver(crashing.hall, run?.id ?? "")).status).toBe("completed");
    expect(pictureOf(folder)).not.toEqual(before);
    const list = await listOf(crashing.hall);
    expect(list.checkpoints.map(({ reason }) => reason)).toEqual(["run-end", "run-start"]);
    expect((await rollback(crashing.hall, list)).body.left).toEqual([]);
    expect(pictureOf(folder)).toEqual(before);
  });

  it.each<[string, Omit<CrashPoint, "victim">]>([
    ["before its first file", { file: "/work/one\\.txt$", when: "before" }],
    ["between two files", { file: "/work/two\\.txt$", when: "after" }],
    ["before its second file", { file: "/work/two\\.txt$", when: "before" }],
  ])("in the middle of a rollback, %s, leaves each file whole and lets it be repeated", async (_, point) => {
    const { crashing, folder } = await start();
    const before = pictureOf(folder);
    await untilOver(crashing.hall, await spawnRun(crashing.hall, "play", "Change them"));
    const after = pictureOf(folder);
    const crash = { victim: "daemon" as const, ...point };
    const list = await listOf(crashing.hall);
    crashing.arm(crash);
    const asked = rollback(crashing.hall, list).catch(() => undefined);
    await crashing.struck(crash);
    expect(await asked).toBeUndefined();
    for (const [path, state] of pictureOf(folder))
      if (!/\.tmp-/.test(path)) expect([before.get(path), after.get(path)]).toContain(state);
    expect((await rollback(crashing.hall, list)).body.left).toEqual([]);
    expect(pictureOf(folder)).toEqual(before);
  });
});

async function start(): Promise<{ crashing: CrashingHall; folder: string }> {
  const folder = join(temporaryFolder(), "work");
  mkdirSync(folder);
  for (const [at, name] of ["one", "two", "three"].entries()) writeFileSync(join(folder, `${name}.txt`), `${at + 1}`);
  const crashing = await crashingHall({ play: PLAY, idle: "turns: [{text: Awake.}]" });
  await crashing.hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder });
  // Its process is up before the crash: one that only starts takes its time to see that nobody is there any more.
  const overrides = { model: "offline/idle", skills: ["read"] };
  await untilOver(crashing.hall, await spawnRun(crashing.hall, "idle", "Wake up", { overrides }));
  return { crashing, folder };
}

async function listOf(hall: Hall): Promise<CheckpointList> {
  return (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body;
}

function rollback(hall: Hall, { checkpoints }: CheckpointList) {
  const first = checkpoints.findLast(({ reason }) => reason === "run-start");
  return hall.call("POST", `/api/projects/${PROJECT}/checkpoints/${first?.id}/rollback`, {});
}
