import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrorBody } from "../../src/contract/error-body.ts";
import { oddNames } from "../cases/names.ts";
import { type Answer, type Hall, startHall } from "../harness/daemon.ts";

const names = Object.values(oddNames);
const CLEAR = ["invalid", "path_refused", "already_exists", "malformed"];

/** The answer to a creation: what was made, or undefined after one clear refusal. */
function made<Body extends ErrorBody>(answer: Answer<Body>, name: string): Body | undefined {
  if (answer.status === 201) return answer.body;
  expect([answer.status, name], JSON.stringify(answer.body)).toEqual([expect.toSatisfy(isRefusal), name]);
  expect(CLEAR).toContain(answer.body.error.code);
  expect(answer.body.error.message.length).toBeGreaterThan(10);
  return undefined;
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

describe("a name of any kind", () => {
  it("goes around as a project's: made, listed, opened, renamed, removed; or it is refused once", async () => {
    const hall = await startHall();
    for (const name of names) {
      const body = made(await hall.call("POST", "/api/projects", { name }), name);
      if (body === undefined) continue;
      const { id } = body.project;
      expect(id).toMatch(/^[a-z0-9]+(?:[-_][a-z0-9]+)*$/);
      expect(body.project.name).toBe(name.trim());
      const { projects } = (await hall.call("GET", "/api/projects?limit=1000")).body;
      expect(projects.map((project: { name: string }) => project.name)).toEqual([name.trim()]);
      expect((await hall.call("GET", `/api/projects/${id}`)).body.project.name).toBe(name.trim());
      await assertRenamed(hall, { path: `/api/projects/${id}`, field: "name", of: "project", from: name });
      expect((await hall.call("DELETE", `/api/projects/${id}?purge=true`)).status).toBe(200);
      expect((await hall.call("GET", `/api/projects/${id}`)).status).toBe(404);
    }
    expect(readdirSync(join(hall.workspace, "projects"))).toEqual([]);
    await assertUnharmed(hall);
  });

  it("goes around as a role's", async () => {
    const hall = await startHall();
    for (const name of names) {
      const body = made(await hall.call("POST", "/api/roles", { name }), name);
      if (body === undefined) continue;
      const path = `/api/roles/${body.role.id}` as const;
      expect((await hall.call("GET", path)).body.role.name).toBe(name.trim());
      expect((await hall.call("GET", "/api/roles")).body.roles).toHaveLength(1);
      await assertRenamed(hall, { path, field: "name", of: "role", from: name });
      expect((await hall.call("DELETE", path)).status).toBe(200);
      expect((await hall.call("GET", path)).status).toBe(404);
    }
    await assertUnharmed(hall);
  });

  it("goes around as a task's title and label, and is found by both", async () => {
    const hall = await hallWithProject();
    for (const name of names) {
      const body = made(await hall.call("POST", "/api/projects/shop/tasks", { title: name, labels: [name] }), name);
      if (body === undefined) continue;
      const path = `/api/projects/shop/tasks/${body.task.id}` as const;
      expect((await hall.call("GET", path)).body.task).toMatchObject({ title: name.trim(), labels: [name.trim()] });
      const label = encodeURIComponent(name.trim());
      const listed = (await hall.call("GET", `/api/projects/shop/tasks?label=${label}`)).body.tasks;
      expect(listed.map((task: { id: string }) => task.id)).toEqual([body.task.id]);
      await assertRenamed(hall, { path, field: "title", of: "task", from: name });
      expect((await hall.call("PUT", path, { labels: ["done"] })).status).toBe(200);
    }
    const { tasks } = (await hall.call("GET", "/api/projects/shop/tasks?limit=1000")).body;
    expect(tasks.length).toBeGreaterThan(20);
    await assertUnharmed(hall);
  });

  it("goes around as an artifact's or a context file's, or it is refused", async () => {
    const hall = await hallWithProject();
    for (const name of names) {
      const content = `content of ${JSON.stringify(name)}`;
      const body = made(await hall.call("POST", "/api/projects/shop/artifacts", { name, content }), name);
      if (body !== undefined) expect(await read(hall, body.artifact.path)).toBe(content);
      const written = await hall.call("PUT", "/api/projects/shop/context", { path: name, content });
      if (written.status === 200) expect(await read(hall, written.body.file.path)).toBe(content);
      else expect([name, written.status]).toEqual([name, expect.toSatisfy(isRefusal)]);
    }
    await assertUnharmed(hall);
  });

  it("is no id unless it is a plain word, and looking for it finds nothing", async () => {
    const hall = await hallWithProject();
    for (const name of names) {
      const isId = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/.test(name) && name.length <= 64;
      for (const path of ["/api/projects", "/api/roles"]) {
        const answer = await hall.call("POST", path, { id: name, name: "X" });
        expect([name, answer.status]).toEqual([name, isId ? 201 : 422]);
      }
      if (isId || !name.isWellFormed()) continue;
      const sought = encodeURIComponent(name);
      for (const path of ["/api/projects/", "/api/roles/", "/api/projects/shop/tasks/", "/api/projects/shop/team/"]) {
        const { status, body } = await hall.call("DELETE", path + sought);
        expect([name, path, status], JSON.stringify(body)).toEqual([name, path, expect.toSatisfy(isRefusal)]);
        expect([name, path, (await hall.call("GET", path + sought)).status]).toEqual([
          name,
          path,
          expect.toSatisfy(isNoDefect),
        ]);
      }
      expect((await hall.call("GET", `/api/search?q=${sought}`)).status, name).toBeLessThan(500);
    }
    await assertUnharmed(hall);
  });
});

describe("names that differ only to the eye, or not even to it", () => {
  const twins: [string, string][] = [
    ["\u00e9", "e\u0301"],
    ["Alpha", "alpha"],
    ["STRASSE", "straße"],
    ["İstanbul", "istanbul"],
    ["Ａｌｐｈａ", "Alpha"],
    ["ﬁle", "file"],
  ];

  it.each(twins)("%s and %s never take each other's place as projects and roles", async (one, other) => {
    const hall = await startHall();
    for (const [path, of] of [
      ["/api/projects", "project"],
      ["/api/roles", "role"],
    ] as const) {
      const first = await hall.call("POST", path, { name: one, description: "first" });
      const second = await hall.call("POST", path, { name: other, description: "second" });
      expect(first.status).toBe(201);
      if (second.status === 201) expect(madeIn(second, of)).not.toBe(madeIn(first, of));
      else expect(second.body.error).toMatchObject({ code: "already_exists", message: expect.stringContaining(one) });
      expect((await hall.call("GET", `${path}/${madeIn(first, of)}`)).body).toMatchObject({
        [of]: { name: one, description: "first" },
      });
    }
  });

  it.each(twins)("%s and %s never take each other's place as files", async (one, other) => {
    const hall = await hallWithProject();
    const contents = new Map<string, string>();
    for (const name of [one, other, one]) {
      const content = `${name} ${contents.size}`;
      const { artifact } = (await hall.call("POST", "/api/projects/shop/artifacts", { name: `${name}.md`, content }))
        .body;
      expect(contents.has(artifact.path)).toBe(false);
      contents.set(artifact.path, content);
    }
    for (const [path, content] of contents) expect(await read(hall, path)).toBe(content);
  });
});

function madeIn({ body }: Answer, name: string): string | undefined {
  return (body as unknown as Record<string, { id: string }>)[name]?.id;
}

function isNoDefect(status: number): boolean {
  return status < 500;
}

async function hallWithProject(): Promise<Hall> {
  const hall = await startHall();
  expect((await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" })).status).toBe(201);
  return hall;
}

async function read(hall: Hall, path: string): Promise<string> {
  const answer = await hall.call("GET", `/api/projects/shop/file?path=${encodeURIComponent(path)}`);
  expect(answer.status, JSON.stringify([path, answer.body])).toBe(200);
  return answer.body.file.content;
}

async function assertRenamed(hall: Hall, at: { path: string; field: string; of: string; from: string }): Promise<void> {
  const away = await hall.call("PUT", at.path, { [at.field]: "Another" });
  expect(away.body).toMatchObject({ [at.of]: { [at.field]: "Another" } });
  const back = await hall.call("PUT", at.path, { [at.field]: at.from });
  expect([at.from, back.status]).toEqual([at.from, 200]);
  expect((await hall.call("GET", at.path)).body).toMatchObject({ [at.of]: { [at.field]: at.from.trim() } });
}

/** Nothing became invalid, the log is whole, and the index is what the files say. */
async function assertUnharmed(hall: Hall): Promise<void> {
  expect((await hall.call("GET", "/api/problems")).body.problems).toEqual([]);
  expect((await hall.call("GET", "/api/audit/verify")).body.ok).toBe(true);
  const all = async () => (await hall.call("GET", "/api/tasks?limit=1000")).body;
  const before = await all();
  expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
  expect(await all()).toEqual(before);
  expect(existsSync(join(hall.workspace, "projects"))).toBe(true);
}
