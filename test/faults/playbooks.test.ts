import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Hall, startHall } from "../harness/daemon.ts";
import { furnish, listRuns, PROJECT, spawnBody, spawnRun, untilDoing, untilOver } from "../harness/spawned-runs.ts";
import { failingFiles } from "./failing-files.ts";

const PLAY = `
turns:
  - calls: [{tool: write, input: {path: a.md, content: a}}]
  - calls: [{tool: write, input: {path: b.md, content: b}}]
  - text: Done.
`;
const CALLS = ["openSync", "fstatSync", "readSync"] as const;
const always = { at: 1, times: Number.POSITIVE_INFINITY, path: /^playbooks\//, code: "EIO" } as const;

it("refuses a run whose playbook the disk does not give, and has not begun it", async () => {
  const hall = await furnish(await startHall(), { play: PLAY });
  const files = failingFiles(hall.workspace);
  for (const call of CALLS) {
    files.arm({ ...always, call });
    const { status, body } = await hall.call("POST", "/api/team/spawn", spawnBody("play", "Refused"));
    expect([status, body.error?.code, body.error?.changed], call).toEqual([503, "storage_failed", "no"]);
    expect(body.error.message, call).toMatch(/EIO/);
    expect(body.error.message, call).not.toMatch(/\/proc\/|\/tmp\//);
    expect(files.disarm(), call).toBeGreaterThan(0);
  }
  expect(await listRuns(hall)).toEqual([]);
  expect((await hall.call("GET", `/api/projects/${PROJECT}/tasks`)).body.tasks).toEqual([]);
});

it("lets a run wait with the cause while its playbook cannot be read, and continue after", async () => {
  const hall = await furnish(await startHall(), { play: PLAY });
  const files = failingFiles(hall.workspace);
  // The first read checks that it is there, the second is for the first turn.
  files.arm({ ...always, call: "openSync", at: 3 });
  const id = await spawnRun(hall, "play", "Begun");
  const { activity } = await untilDoing(hall, id, { kind: "retrying" });
  const detail = "The offline model's playbook could not be read: the disk reports an error (EIO).";
  expect(activity).toMatchObject({ kind: "retrying", detail });
  await assertServing(hall);
  expect(files.disarm()).toBeGreaterThan(0);
  expect((await untilOver(hall, id)).status).toBe("completed");
  for (const name of ["a.md", "b.md"])
    expect(existsSync(join(hall.workspace, "projects", PROJECT, name)), name).toBe(true);
});

async function assertServing(hall: Hall): Promise<void> {
  const made = await hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Meanwhile" });
  expect(made.status).toBe(201);
  expect((await hall.call("GET", `/api/projects/${PROJECT}/tasks/${made.body.task.id}`)).status).toBe(200);
}
