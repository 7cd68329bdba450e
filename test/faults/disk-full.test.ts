import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Answer, eventually, type Hall, launchHall, spawnHall } from "../harness/daemon.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";
import { assertFilesAreWhole, assertIndexEqualsRebuild, dump } from "./whole-workspace.ts";

const reason = whyNoSmallDisk();
const about = reason === undefined ? "" : ` (not tried here: ${reason})`;

/** Every kind of change, each on a document of its own. */
const changes: [name: string, method: string, path: string, body: unknown][] = [
  ["a new task", "POST", "/api/projects/shop/tasks", { title: "New", description: "d".repeat(2_000) }],
  ["a changed task", "PUT", "/api/projects/shop/tasks/TASK-001", { notes: "n".repeat(9_000) }],
  ["a moved task", "POST", "/api/projects/shop/tasks/TASK-002/move", { status: "in-progress" }],
  ["a new role", "POST", "/api/roles", { name: "Reviewer", description: "r".repeat(4_000) }],
  ["a changed role", "PUT", "/api/roles/writer", { description: "w".repeat(4_000) }],
  ["a new project", "POST", "/api/projects", { id: "second", name: "Second" }],
  ["a changed project", "PUT", "/api/projects/shop", { description: "p".repeat(9_000) }],
  ["an artifact", "POST", "/api/projects/shop/artifacts", { name: "a.md", content: "a".repeat(9_000) }],
  ["a context file", "PUT", "/api/projects/shop/context", { path: "old.md", content: "c".repeat(9_000) }],
  ["a new member", "POST", "/api/projects/shop/team", { roleId: "writer" }],
  ["an initiative", "POST", "/api/projects/shop/initiatives", { title: "Launch" }],
];

describe.skipIf(reason !== undefined)(`a full disk${about}`, () => {
  it("stops changes with storage_failed, not reads, and nothing is half-written", { timeout: 60_000 }, async () => {
    const disk = smallDisk("8m");
    const hall = await spawnHall(join(disk.path, "workspace"));
    await furnish(hall);
    const before = await state(hall);
    disk.fill();
    for (const [name, method, path, body] of changes) {
      const answer = await hall.call(method, path, body);
      expect([name, answer.status, answer.body.error?.code]).toEqual([name, 503, "storage_failed"]);
      expect(answer.body.error.message).not.toContain(disk.path);
    }
    expect(await state(hall)).toEqual(before);
    disk.free();
    for (const [name, method, path, body] of changes) {
      const answer = await hall.call(method, path, body);
      expect([name, answer.status]).toEqual([name, method === "PUT" || path.endsWith("/move") ? 200 : 201]);
    }
    await assertSound(hall);
  });

  it("with a little room left refuses or keeps each change, and never something between", {
    timeout: 60_000,
  }, async () => {
    const disk = smallDisk("8m");
    const hall = await spawnHall(join(disk.path, "workspace"));
    await furnish(hall);
    for (let pages = 0; pages < 12; pages++) {
      for (const [name, method, path, body] of changes) {
        const before = await state(hall);
        disk.fill(pages * 4_096);
        const answer = await hall.call(method, path, varied(body, pages));
        const told = `${name} with ${pages} pages left`;
        disk.free();
        if (answer.status === 503) expect(await state(hall), told).toEqual(before);
        else
          expect([told, answer.status]).toEqual([told, expect.toSatisfy((status) => [200, 201, 409].includes(status))]);
      }
    }
    await assertSound(hall);
  });

  it("does not keep the daemon from stopping, nor a killed one from coming back", { timeout: 60_000 }, async () => {
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

function varied(body: unknown, pages: number): unknown {
  const text = JSON.stringify(body);
  return JSON.parse(text.replace('"second"', `"second-${pages}"`).replace('"Reviewer"', `"Reviewer ${pages}"`));
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
  assertFilesAreWhole(hall.workspace);
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
  await assertIndexEqualsRebuild(hall);
}
