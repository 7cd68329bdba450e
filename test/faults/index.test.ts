import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { type Hall, spawnHall, startHall } from "../harness/daemon.ts";
import { sampled } from "./sampled.ts";
import { dump, indexRows } from "./whole-workspace.ts";

type Harm = (index: string) => void;

const damages: [name: string, harm: Harm][] = [
  ["deleted", (index) => rmSync(index)],
  ["emptied", (index) => truncateSync(index, 0)],
  ["cut in half", (index) => truncateSync(index, Math.floor(statSync(index).size / 2))],
  ["overwritten with garbage", (index) => writeFileSync(index, garbage(40_000))],
  ["given another version", (index) => change(index, "PRAGMA user_version = 99")],
  ["robbed of a table", (index) => change(index, "DROP TABLE task_labels")],
  ["robbed of a task", (index) => change(index, "DELETE FROM tasks WHERE id = 'TASK-003'")],
  ["told lies", (index) => change(index, "UPDATE tasks SET title = 'Lies', status = 'done' WHERE id = 'TASK-004'")],
  ["changed in a byte of its header", (index) => flip(index, 18)],
  ["changed in a byte of its first page", (index) => flip(index, 100)],
  ["changed in a letter of a title", (index) => flip(index, readFileSync(index).indexOf("Task 7"))],
  ["changed in a letter of a role's rights", (index) => flip(index, readFileSync(index).indexOf('"thinking"') + 3)],
];

/** Each harm finds what the test before it has seen to be whole again. */
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A workspace with some of everything, whose daemon was stopped in order. */
async function furnishedWorkspace(): Promise<{ workspace: string; before: unknown }> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-test-"));
  folders.push(folder);
  const hall = await startHall(join(folder, "workspace"));
  await furnish(hall);
  const before = await dump(hall);
  await hall.stop();
  return { workspace: hall.workspace, before };
}

describe("an index that was harmed while the daemon was stopped", () => {
  let furnished: ReturnType<typeof furnishedWorkspace> | undefined;

  it.each(damages)("%s: is built anew and answers as before", async (_name, harm) => {
    furnished ??= furnishedWorkspace();
    const { workspace, before } = await furnished;
    const rows = indexRows(workspace);
    harm(indexOf({ workspace }));
    await assertSame(await startHall(workspace), before, rows);
  });
});

describe("an index that was harmed after the daemon was killed", () => {
  let furnished: ReturnType<typeof furnishedWorkspace> | undefined;

  it.each<[string, Harm]>([
    ...sampled(damages, { every: 5 }),
    ["without its newest changes", (index) => rmSync(`${index}-wal`, { force: true })],
    ["with newest changes that are garbage", (index) => writeFileSync(`${index}-wal`, garbage(40_000))],
    ["with a newest change that is not whole", (index) => truncateSync(`${index}-wal`, 1_000)],
    ["without its shared memory", (index) => rmSync(`${index}-shm`, { force: true })],
  ])("%s: is built anew or mended, and answers as before", async (name, harm) => {
    furnished ??= furnishedWorkspace();
    // Now that everything stands in the index itself, another change stands beside it.
    const hall = await spawnHall((await furnished).workspace);
    await hall.call("PUT", "/api/projects/shop/tasks/TASK-001", { title: `The newest, ${name}` });
    const before = await dump(hall);
    await hall.kill("SIGKILL");
    harm(indexOf(hall));
    await assertSame(await startHall(hall.workspace), before);
  });
});

describe("an index that nobody harmed", () => {
  it("is not built anew after the daemon was killed", async () => {
    const hall = await spawnHall();
    await furnish(hall);
    await hall.kill("SIGKILL");
    const again = await startHall(hall.workspace);
    expect((await again.call("GET", "/api/status")).body.index.rebuiltAt).toBeUndefined();
    expect((await again.call("GET", "/api/projects/shop/tasks/TASK-002")).body.task.status).toBe("in-progress");
  });
});

describe("an index that is harmed while the daemon runs", () => {
  it("does not keep it from working, and is whole after the next start", async () => {
    const hall = await startHall();
    await furnish(hall);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(indexOf(hall) + suffix, { force: true });
    expect((await hall.call("POST", "/api/projects/shop/tasks", { title: "Made without an index" })).status).toBe(201);
    expect((await hall.call("GET", "/api/problems")).body.problems).toContainEqual(
      expect.objectContaining({ kind: "index", reason: expect.stringContaining("another program changed it") }),
    );
    // Which ends the report.
    expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
    const before = await dump(hall);
    expect(JSON.stringify(before)).toContain("Made without an index");
    await hall.stop();
    await assertSame(await startHall(hall.workspace), before);
  });

  it("is there again at once when it is asked to be built anew", async () => {
    const hall = await startHall();
    await furnish(hall);
    const before = await dump(hall);
    rmSync(indexOf(hall));
    expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
    expect(existsSync(indexOf(hall))).toBe(true);
    expect(await dump(hall)).toEqual(before);
  });
});

/** Some of everything that is indexed. */
async function furnish(hall: Hall): Promise<void> {
  const post = async (path: string, body: unknown) => {
    const answer = await hall.call("POST", path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  };
  await post("/api/roles", { template: "developer" }).catch(() => undefined);
  await post("/api/roles", { id: "writer", name: "Writer", description: "Writes edits." });
  for (const id of ["shop", "blog"]) await post("/api/projects", { id, name: id, goals: ["Sell"] });
  await post("/api/projects/shop/team", { roleId: "writer" });
  for (let count = 1; count <= 12; count++) {
    const body = { title: `Task ${count}`, labels: [`label-${count % 3}`], description: `note ${count} `.repeat(50) };
    await post(`/api/projects/${count % 4 === 0 ? "blog" : "shop"}/tasks`, body);
  }
  await post("/api/projects/shop/tasks", { title: "Waits", blockedBy: ["TASK-001"], plan: "launch" });
  await post("/api/projects/shop/tasks/TASK-002/move", { status: "in-progress" });
  await post("/api/projects/shop/artifacts", { name: "report.md", content: "# Artifact\nfound by search\n" });
  await hall.call("PUT", "/api/projects/shop/context", { path: "style.md", content: "# Context\n" });
  writeFileSync(
    join(hall.workspace, "projects/blog/TASKS/todo/TASK-099.md"),
    "---\nid: TASK-099\nstatus: nonsense\n---\n",
  );
  await hall.call("GET", "/api/projects/blog/tasks/TASK-099");
}

async function assertSame(hall: Hall, before: unknown, rows?: Record<string, string[]>): Promise<void> {
  expect(await dump(hall)).toEqual(before);
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  await hall.stop();
  if (rows !== undefined) expect(indexRows(hall.workspace)).toEqual(rows);
}

function indexOf({ workspace }: { workspace: string }): string {
  return join(workspace, ".guildhall/index.db");
}

function change(index: string, sql: string): void {
  const db = new DatabaseSync(index);
  db.exec(sql);
  db.close();
}

function flip(index: string, offset: number): void {
  const bytes = readFileSync(index);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  writeFileSync(index, bytes);
}

function garbage(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, at) => (at * 2_654_435_761) >>> 24));
}
