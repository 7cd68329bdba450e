import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { acceptedPaths, refusedPaths, unwritablePaths } from "../cases/paths.ts";
import { eventually, type Hall, startHall, temporaryFolder, untilRecorded } from "../harness/daemon.ts";
import { filesBelow } from "../harness/look-below.ts";

const refused = Object.values(refusedPaths).flat();

describe("a path that leads where it must not", () => {
  it("is refused wherever one is taken, and nothing is made or told", async () => {
    const hall = await hallWithProject();
    const before = treeOf(hall.workspace);
    for (const path of refused) {
      const answers = [
        path.isWellFormed()
          ? await hall.call("GET", `/api/projects/shop/file?path=${encodeURIComponent(path)}`)
          : undefined,
        await hall.call("PUT", "/api/projects/shop/context", { path, content: "x" }),
        await hall.call("POST", "/api/projects/shop/artifacts", { name: path, content: "x" }),
      ].filter((answer) => answer !== undefined);
      for (const { status, body } of answers) {
        expect([path, status], JSON.stringify(body)).toEqual([path, expect.toSatisfy(isRefusal)]);
        expect(["path_refused", "invalid"]).toContain(body.error.code);
        expect(JSON.stringify(body)).not.toContain(hall.workspace);
      }
    }
    expect(treeOf(hall.workspace)).toEqual(before);
  });

  it("is refused for writing when it leads to what the hall or other tools live by", async () => {
    const hall = await hallWithProject();
    const before = treeOf(hall.workspace);
    for (const path of unwritablePaths) {
      const answer = await hall.call("PUT", "/api/projects/shop/context", { path, content: "x" });
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 403, "path_refused"]);
    }
    expect(treeOf(hall.workspace)).toEqual(before);
  });
});

it("a path that is merely unusual is written and read", async () => {
  const hall = await hallWithProject();
  for (const path of acceptedPaths) {
    const written = await hall.call("PUT", "/api/projects/shop/context", { path, content: path });
    expect([path, written.status], JSON.stringify(written.body)).toEqual([path, 200]);
    const read = await hall.call("GET", `/api/projects/shop/file?path=${encodeURIComponent(`CONTEXT/${path}`)}`);
    expect([path, read.body.file?.content]).toEqual([path, path]);
  }
  const { files } = (await hall.call("GET", "/api/projects/shop/context")).body;
  const shown = acceptedPaths.filter((path) => !path.split("/").some((name) => name.startsWith(".")));
  expect(files.map((file: { path: string }) => file.path).sort()).toEqual(
    shown.map((path) => `CONTEXT/${path}`).sort(),
  );
});

describe("links and special files among the hall's own", () => {
  /** Everything a link can be put in the place of, and something outside to lead to. */
  const places: [name: string, place: (root: string, outside: string) => void][] = [
    [
      "a task",
      (root, outside) => symlinkSync(join(outside, "TASK-002.md"), join(root, "projects/shop/TASKS/todo/TASK-002.md")),
    ],
    ["a folder of the board", (root, outside) => swap(join(root, "projects/shop/TASKS/done"), outside)],
    ["the whole board", (root, outside) => swap(join(root, "projects/shop/TASKS"), outside)],
    ["the artifacts", (root, outside) => swap(join(root, "projects/shop/ARTIFACTS"), outside)],
    ["the context", (root, outside) => swap(join(root, "projects/shop/CONTEXT"), outside)],
    ["a folder in the context", (root, outside) => symlinkSync(outside, join(root, "projects/shop/CONTEXT/door"))],
    ["PROJECT.md", (root, outside) => swap(join(root, "projects/shop/PROJECT.md"), join(outside, "secret.md"))],
    [
      "the number mark",
      (root, outside) => swap(join(root, "projects/shop/TASKS/.highwatermark"), join(outside, "secret.md")),
    ],
    ["a project", (root, outside) => symlinkSync(outside, join(root, "projects/linked"))],
    ["a circle", (root) => symlinkSync("TASK-003.md", join(root, "projects/shop/TASKS/todo/TASK-003.md"))],
    ["a way to nowhere", (root) => symlinkSync("nowhere", join(root, "projects/shop/TASKS/todo/TASK-004.md"))],
    ["a pipe", (root) => void execFileSync("mkfifo", [join(root, "projects/shop/TASKS/todo/TASK-005.md")])],
    ["a folder named like a task", (root) => mkdirSync(join(root, "projects/shop/TASKS/todo/TASK-006.md"))],
    [
      "a second name of a file outside",
      (root, outside) => linkSync(join(outside, "secret.md"), join(root, "projects/shop/CONTEXT/hard.md")),
    ],
  ];

  it.each(places)("in the place of %s are survived, running and at a start, and lead nowhere", async (_name, place) => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.md"), "secret canary\n");
    writeFileSync(join(outside, "TASK-002.md"), "---\nid: TASK-002\nstatus: pending\n---\n\n# Canary from outside\n");
    const first = await hallWithProject();
    await first.call("POST", "/api/projects", { id: "other", name: "Other" });
    place(first.workspace, outside);
    const before = treeOf(outside);
    await assertContained(first, outside);
    await first.stop();
    await assertContained(await startHall(first.workspace), outside);
    expect(treeOf(outside)).toEqual(before);
  });
});

/** The hall answers, other projects work, and neither reads nor writes reach outside. */
async function assertContained(hall: Hall, outside: string): Promise<void> {
  const other = await hall.call("POST", "/api/projects/other/tasks", { title: "Goes on" });
  expect(other.status).toBe(201);
  const attempts = await Promise.all([
    hall.call("POST", "/api/projects/shop/tasks", { title: "Written", description: "by the hall" }),
    hall.call("POST", "/api/projects/shop/tasks/TASK-001/move", { status: "in-progress" }),
    hall.call("PUT", "/api/projects/shop", { description: "by the hall" }),
    hall.call("POST", "/api/projects/shop/artifacts", { name: "a.md", content: "by the hall" }),
    hall.call("PUT", "/api/projects/shop/context", { path: "door/new/a.md", content: "by the hall" }),
    hall.call("PUT", "/api/projects/shop/context", { path: "hard.md", content: "by the hall" }),
    ...["TASK-002", "TASK-003", "TASK-004", "TASK-005", "TASK-006"].map((id) =>
      hall.call("GET", `/api/projects/shop/tasks/${id}`),
    ),
    ...["CONTEXT/door/secret.md", "CONTEXT/hard.md", "CONTEXT/secret.md", "ARTIFACTS/secret.md", "PROJECT.md"].map(
      (path) => hall.call("GET", `/api/projects/shop/file?path=${encodeURIComponent(path)}`),
    ),
    ...["/api/tasks", "/api/projects", "/api/problems", "/api/search?q=canary", "/api/status"].map((path) =>
      hall.call("GET", path),
    ),
  ]);
  for (const { status, body } of attempts) {
    expect(status, JSON.stringify(body)).toBeLessThan(500);
    expect(JSON.stringify(body)).not.toContain("anary");
    expect(JSON.stringify(body)).not.toContain(outside);
  }
  await eventually(
    () => hall.call("GET", "/api/health"),
    ({ status }) => status === 200,
  );
}

function swap(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
}

function isRefusal(status: number): boolean {
  return status === 403 || status === 422;
}

async function hallWithProject(): Promise<Hall> {
  const hall = await startHall();
  expect((await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" })).status).toBe(201);
  expect((await hall.call("POST", "/api/projects/shop/tasks", { title: "First" })).status).toBe(201);
  await untilRecorded(hall, "shop");
  return hall;
}

/** Every file with its content, but for the log and the index, which may tell of an attempt, and generated pages. */
function treeOf(folder: string): [string, string][] {
  return filesBelow(folder)
    .filter(({ path }) => !/(?:^|\/)(?:(?:events|\.guildhall|agents)\/|(?:TEAM|README)\.md$)/.test(path))
    .map(({ path, bytes }): [string, string] => [path, bytes.toString()])
    .sort();
}
