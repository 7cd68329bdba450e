import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CheckpointList } from "../../src/contract/runs/checkpoint.ts";
import { temporaryFolder } from "../harness/daemon.ts";
import { pictureOf } from "../harness/folder-picture.ts";
import { furnish, listRuns, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CrashingHall } from "./crashing-hall.ts";

const PLAY = `
turns:
  - calls:
      - {tool: write, input: {path: one.txt, content: "1 changed"}}
      - {tool: write, input: {path: two.txt, content: "2 changed"}}
      - {tool: write, input: {path: three.txt, content: "3 changed"}}
      - {tool: write, input: {path: new/four.txt, content: "4 new"}}
  - text: Done.
`;

/** One hall for all tests; each has a project and a folder of its own. */
const later = afterAllTests();
const crashing = new CrashingHall(temporaryFolder(later));
let projects = 0;

// Where a file comes under its name is seen through /proc.
describe.skipIf(process.platform !== "linux")("kill -9 of the daemon (needs Linux)", () => {
  beforeAll(async () => {
    later(() => crashing.end());
    await furnish(await crashing.start(), { play: PLAY, idle: "turns: [{text: Awake.}]" });
  });

  it.each<[string, Omit<CrashPoint, "victim">]>([
    ["before a content is kept", { file: "/checkpoints/shop-\\d+/objects/", when: "before" }],
    ["before a checkpoint is noted", { file: "/checkpoints/shop-\\d+/records/ckpt-", when: "before" }],
    ["after a checkpoint was noted", { file: "/checkpoints/shop-\\d+/records/ckpt-", when: "after" }],
  ])("while a checkpoint is taken, %s, takes nothing from it", async (_, point) => {
    const { project, folder } = await start();
    const before = pictureOf(folder);
    const crash = { victim: "daemon" as const, ...point };
    crashing.arm(crash);
    const spawned = spawnRun(crashing.hall, "play", "Change them", { projectId: project }).catch(() => undefined);
    await crashing.struck(crash);
    await spawned;
    const run = (await listRuns(crashing.hall, `&project=${project}`)).find(({ title }) => title === "Change them");
    expect((await untilOver(crashing.hall, run?.id ?? "")).status).toBe("completed");
    expect(pictureOf(folder)).not.toEqual(before);
    const list = await listOf(project);
    expect(list.checkpoints.map(({ reason }) => reason)).toEqual(["run-end", "run-start"]);
    expect((await rollback(project, list)).body.left).toEqual([]);
    expect(pictureOf(folder)).toEqual(before);
  });

  it.each<[string, Omit<CrashPoint, "victim">]>([
    ["before its first file", { file: "/work/one\\.txt$", when: "before" }],
    ["between two files", { file: "/work/two\\.txt$", when: "after" }],
    ["before its second file", { file: "/work/two\\.txt$", when: "before" }],
  ])("in the middle of a rollback, %s, leaves each file whole and lets it be repeated", async (_, point) => {
    const { project, folder } = await start();
    const before = pictureOf(folder);
    await untilOver(crashing.hall, await spawnRun(crashing.hall, "play", "Change them", { projectId: project }));
    const after = pictureOf(folder);
    const crash = { victim: "daemon" as const, ...point };
    const list = await listOf(project);
    crashing.arm(crash);
    const asked = rollback(project, list).catch(() => undefined);
    await crashing.struck(crash);
    expect(await asked).toBeUndefined();
    for (const [path, state] of pictureOf(folder))
      if (!/\.tmp-/.test(path)) expect([before.get(path), after.get(path)]).toContain(state);
    expect((await rollback(project, list)).body.left).toEqual([]);
    expect(pictureOf(folder)).toEqual(before);
  });
});

async function start(): Promise<{ project: string; folder: string }> {
  const folder = join(temporaryFolder(), "work");
  mkdirSync(folder);
  for (const [at, name] of ["one", "two", "three"].entries()) writeFileSync(join(folder, `${name}.txt`), `${at + 1}`);
  const project = `shop-${++projects}`;
  await crashing.hall.call("POST", "/api/projects", { id: project, name: "Shop" });
  await crashing.hall.call("PUT", `/api/projects/${project}`, { workdir: folder });
  // Its process is up before the crash: one that only starts takes its time to see that nobody is there any more.
  const overrides = { model: "offline/idle", skills: ["read"] };
  const awake = { overrides, projectId: project };
  await untilOver(crashing.hall, await spawnRun(crashing.hall, "idle", "Wake up", awake));
  return { project, folder };
}

async function listOf(project: string): Promise<CheckpointList> {
  return (await crashing.hall.call("GET", `/api/projects/${project}/checkpoints`)).body;
}

function rollback(project: string, { checkpoints }: CheckpointList) {
  const first = checkpoints.findLast(({ reason }) => reason === "run-start");
  return crashing.hall.call("POST", `/api/projects/${project}/checkpoints/${first?.id}/rollback`, {});
}
