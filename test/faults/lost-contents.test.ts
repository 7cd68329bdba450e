import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CheckpointList } from "../../src/contract/runs/checkpoint.ts";
import type { CheckpointRecord } from "../../src/store/snapshots/checkpoint-store.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { furnish, PROJECT, spawnRun, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const writes = (content: string, delayMs = 0) => `
turns:
  - calls: [{tool: write, input: {path: src/a.txt, content: "${content}"}}]
  - delayMs: ${delayMs}
    text: Done.
`;

// What a power cut can take: contents that were not synced yet when the record of their checkpoint was.
it("checkpoints whose contents the disk has lost are named, and neither they nor their run stand in anybody's way", async () => {
  const folder = join(temporaryFolder(), "work");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/a.txt"), "mine");
  const playbooks = { one: writes("1"), two: writes("2", 700), three: writes("3") };
  const hall = await furnish(await startHall(), playbooks);
  await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder });
  const first = await spawnRun(hall, "one", "One");
  await untilOver(hall, first);

  const second = await spawnRun(hall, "two", "Two");
  await untilDoing(hall, second);
  const begun = await eventually(
    () => recordsOf(hall).find(({ runId, reason }) => runId === second && reason === "run-start"),
    (record) => record !== undefined,
  );
  lose(hall, begun?.tree ?? "");
  const unknown = { state: "review", reasonCode: "changes-unknown" };
  expect(await untilOver(hall, second)).toMatchObject({ status: "completed", delivery: unknown });
  const shown = (await hall.call("GET", `/api/runs/${second}/diff`)).body;
  expect(shown).toMatchObject({ incomplete: true, files: [] });

  const third = await spawnRun(hall, "three", "Three");
  expect(await untilOver(hall, third)).toMatchObject({
    status: "completed",
    delivery: { kind: "folder", state: "delivered", files: 1 },
  });

  const list = await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`);
  expect(list.status, JSON.stringify(list.body)).toBe(200);
  const { checkpoints } = list.body as CheckpointList;
  const damaged = checkpoints.filter((one) => one.damaged).map(({ runId, reason }) => [runId, reason]);
  // The end of the first run is of the same state.
  expect(damaged).toEqual([
    [second, "run-start"],
    [first, "run-end"],
  ]);
  expect(checkpoints[1]).toMatchObject({ runId: third, changed: [{ path: "src/a.txt", how: "changed" }] });

  const back = (id: string | undefined) => hall.call("POST", `/api/projects/${PROJECT}/checkpoints/${id}/rollback`, {});
  const refused = await back(begun?.id);
  expect(refused).toMatchObject({ status: 503, body: { error: { code: "storage_failed" } } });
  expect(refused.body.error.message).toContain(`'${begun?.id}'`);
  expect(await back(checkpoints[1]?.id)).toMatchObject({ status: 200, body: { left: [] } });
  expect(readFileSync(join(folder, "src/a.txt"), "utf8")).toBe("2");

  // Nothing else takes it from the list of what waits, not even new work on its task.
  const { taskId } = (await hall.call("GET", `/api/runs/${second}`)).body.run;
  await untilOver(hall, await spawnRun(hall, "one", "Again", { task: undefined, taskId }));
  const { hash } = (await hall.call("GET", `/api/runs/${second}/diff`)).body;
  const approval = await hall.call("POST", `/api/runs/${second}/approve`, { hash });
  expect(approval).toMatchObject({ status: 200, body: { run: { delivery: { kind: "folder", state: "delivered" } } } });
});

it("a run whose first checkpoint is gone waits for review, though nothing says that it changed a file", async () => {
  const folder = join(temporaryFolder(), "work");
  mkdirSync(folder);
  const hall = await furnish(await startHall(), { two: writes("2", 700) });
  await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder });
  const id = await spawnRun(hall, "two", "Two");
  await untilDoing(hall, id);
  await eventually(
    () => existsSync(join(folder, "src/a.txt")),
    (isThere) => isThere,
  );
  const [begun] = recordsOf(hall);
  // The daemon has not read its records before: it is started again, and finds one less.
  await hall.stop();
  rmSync(join(hall.workspace, ".guildhall/checkpoints", PROJECT, "records", `${begun?.id}.json`));
  const again = await startHall(hall.workspace);
  const { delivery } = await untilOver(again, id);
  expect(delivery).toMatchObject({ state: "review", reasonCode: "changes-unknown" });
});

it("a content that a power cut left empty is kept anew with the next checkpoint", async () => {
  const folder = join(temporaryFolder(), "work");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/a.txt"), "mine");
  let hall = await furnish(await startHall(), { one: writes("1") });
  await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder });
  await untilOver(hall, await spawnRun(hall, "one", "One"));
  const { workspace } = hall;
  await hall.stop();
  const objects = join(workspace, ".guildhall/checkpoints", PROJECT, "objects");
  for (const name of readdirSync(objects, { recursive: true, encoding: "utf8" }))
    if (/\/./.test(name)) truncateSync(join(objects, name));
  writeFileSync(join(folder, "src/a.txt"), "mine");
  hall = await startHall(workspace);
  await untilOver(hall, await spawnRun(hall, "one", "Two"));
  const [, begun] = (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body.checkpoints;
  const back = await hall.call("POST", `/api/projects/${PROJECT}/checkpoints/${begun?.id}/rollback`, {});
  expect(back).toMatchObject({ status: 200, body: { left: [], restored: [{ path: "src/a.txt" }] } });
  expect(readFileSync(join(folder, "src/a.txt"), "utf8")).toBe("mine");
});

function recordsOf({ workspace }: Hall): CheckpointRecord[] {
  const records = join(workspace, ".guildhall/checkpoints", PROJECT, "records");
  return readdirSync(records)
    .filter((name) => name.startsWith("ckpt-") && name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(records, name), "utf8")));
}

function lose({ workspace }: Hall, hash: string): void {
  rmSync(join(workspace, ".guildhall/checkpoints", PROJECT, "objects", hash.slice(0, 2), hash.slice(2)));
}
