import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { type Answer, eventually, type Hall, launchHall, spawnHall } from "../harness/daemon.ts";
import { furnish as furnishRuns, listRuns, spawnBody } from "../harness/spawned-runs.ts";
import { sampled } from "./sampled.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";
import { assertFilesAreWhole, assertIndexEqualsRebuild, dump } from "./whole-workspace.ts";

const reason = whyNoSmallDisk();
const about = reason === undefined ? "" : ` (not tried here: ${reason})`;

/** Every kind of change, different in each round, so that none is ever nothing to do. */
const changes = (round: number): [name: string, method: string, path: string, body: unknown][] => [
  ["a new task", "POST", "/api/projects/shop/tasks", { title: "New", description: "d".repeat(2_000) }],
  ["a changed task", "PUT", "/api/projects/shop/tasks/TASK-001", { notes: `${round} ${"n".repeat(3_000)}` }],
  ["a moved task", "POST", "/api/projects/shop/tasks/TASK-002/move", { status: round % 2 ? "pending" : "in-progress" }],
  ["a new role", "POST", "/api/roles", { id: `role-${round}`, name: "Role", description: "r".repeat(500) }],
  ["a changed role", "PUT", "/api/roles/writer", { description: `${round} ${"w".repeat(3_000)}` }],
  ["a new project", "POST", "/api/projects", { id: `project-${round}`, name: "Project" }],
  ["a changed project", "PUT", "/api/projects/shop", { description: `${round} ${"p".repeat(3_000)}` }],
  ["an artifact", "POST", "/api/projects/shop/artifacts", { name: "a.md", content: "a".repeat(3_000) }],
  ["a context file", "PUT", "/api/projects/shop/context", { path: "old.md", content: `${round} ${"c".repeat(3_000)}` }],
  ["a new context file", "PUT", "/api/projects/shop/context", { path: `new-${round}.md`, content: "new" }],
  ["an initiative", "POST", "/api/projects/shop/initiatives", { title: `Launch ${round}` }],
];

describe.skipIf(reason !== undefined)(`a full disk${about}`, () => {
  it("stops changes with storage_failed, not reads, and nothing is half-written", { timeout: 180_000 }, async () => {
    const disk = smallDisk("8m");
    const hall = await spawnHall(join(disk.path, "workspace"));
    await furnish(hall);
    const before = await state(hall);
    disk.fill();
    for (const [name, method, path, body] of changes(0)) {
      const answer = await hall.call(method, path, body);
      expect([name, answer.status, answer.body.error?.code]).toEqual([name, 503, "storage_failed"]);
      expect(answer.body.error.message).not.toContain(disk.path);
    }
    expect(await state(hall)).toEqual(before);
    disk.free();
    for (const [name, method, path, body] of changes(0)) {
      const answer = await hall.call(method, path, body);
      expect([name, answer.status]).toEqual([name, expect.toSatisfy(isDone)]);
    }
    await assertSound(hall);
  });

  it("with a little room left refuses or keeps each change, and never something between", {
    timeout: 180_000,
  }, async () => {
    const disk = smallDisk("8m");
    const hall = await spawnHall(join(disk.path, "workspace"));
    await furnish(hall);
    let before: unknown;
    const refusals = new Set<string>();
    for (let pages = 0; pages < 5; pages++) {
      for (const [name, method, path, body] of changes(pages)) {
        await bringLogToPageEnd(hall);
        before = await state(hall);
        disk.fill(pages * 4_096);
        const answer = await hall.call(method, path, body);
        disk.free();
        const told = `${name} with ${pages} pages left`;
        if (answer.status === 503) {
          refusals.add(name);
          // What filled the disk may have met the index as it was being written: it is then made good from the files.
          await expect.poll(() => state(hall), { message: told }).toEqual(before);
        } else {
          // A move that was refused in one round leaves nothing to move back in the next.
          const isThere = answer.body.error?.code === "illegal_move";
          expect([told, isThere || answer.status]).toEqual([
            told,
            expect.toSatisfy((status) => isThere || isDone(status)),
          ]);
        }
      }
    }
    expect(refusals.size).toBe(changes(0).length);
    await assertSound(hall);
  });

  it("leaves no recorded run that nothing starts", { timeout: 180_000 }, async () => {
    const disk = smallDisk("16m");
    const hall = await spawnHall(join(disk.path, "workspace"));
    await furnishRuns(hall, { quick: "turns: [{text: Done.}]" });
    const statuses = new Set<number>();
    // The lines of a new run fit into the log, and some of its files do not.
    for (const pages of sampled([1, 2, 3, 4, 5, 6, 8, 10], { every: 4 })) {
      await bringLogToPageEnd(hall);
      disk.fill(pages * 4_096);
      statuses.add((await hall.call("POST", "/api/team/spawn", spawnBody("quick", `${pages} pages`))).status);
      disk.free();
      const created = async () => (await hall.call("GET", "/api/events/log?type=run.created&limit=500")).body.events;
      const left = await eventually(
        async () => {
          const runs = await listRuns(hall);
          return (await created()).filter(
            ({ subject }: HallEvent) => !runs.find(({ id }) => id === subject.id)?.endedAt,
          );
        },
        ({ length }) => length === 0,
      );
      expect(left, `${pages} pages left`).toEqual([]);
    }
    expect([...statuses].filter((status) => status !== 200)).toEqual([503]);
    await assertSound(hall);
  });

  it("does not keep the daemon from stopping, nor a killed one from coming back", { timeout: 180_000 }, async () => {
    const disk = smallDisk("8m");
    const launch = launchHall(join(disk.path, "workspace"));
    const hall = await launch.ready;
    await furnish(hall);
    disk.fill();
    await hall.call("POST", "/api/projects/shop/tasks", { title: "No room" });
    await launch.kill("SIGTERM");
    expect(await launch.ended, launch.errors()).toBe(0);
    disk.free();
    const again = await spawnHall(hall.workspace);
    await assertSound(again);
  });
});

async function furnish(hall: Hall): Promise<void> {
  const made: Answer[] = [
    await hall.call("POST", "/api/roles", { id: "writer", name: "Writer" }),
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" }),
    await hall.call("POST", "/api/projects/shop/tasks", { title: "First" }),
    await hall.call("POST", "/api/projects/shop/tasks", { title: "Second" }),
    await hall.call("PUT", "/api/projects/shop/context", { path: "old.md", content: "old\n" }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200]);
}

/** So that the next event needs a page of its own: then the files may find room and the log none. */
async function bringLogToPageEnd(hall: Hall): Promise<void> {
  const [log = ""] = readdirSync(join(hall.workspace, "events"));
  for (let count = 0; 4_096 - (statSync(join(hall.workspace, "events", log)).size % 4_096) > 450; count++) {
    const answer = await hall.call("PUT", "/api/projects/shop/context", { path: "pad.md", content: `${count}` });
    expect(answer.status).toBe(200);
  }
}

function isDone(status: number): boolean {
  return status === 200 || status === 201;
}

/** Everything that can be asked, but for the times of files: one that was put back is as it was, but newer. */
async function state(hall: Hall): Promise<unknown> {
  const { perProject, ...rest } = await dump(hall);
  const lists = JSON.stringify(perProject, (key, value) => (key === "updatedAt" ? undefined : value));
  return { ...rest, perProject: JSON.parse(lists) };
}

async function assertSound(hall: Hall): Promise<void> {
  await eventually(
    () => hall.call("GET", "/api/health"),
    ({ status }) => status === 200,
  );
  await assertFilesAreWhole(hall.workspace);
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
  await assertIndexEqualsRebuild(hall);
}
