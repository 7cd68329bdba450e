import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { appendTo } from "../harness/appending-process.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const hallOf = sharedHall();

interface Place {
  hall: Hall;
  /** Of the API; that of a project answers alike. */
  base: "/api/memory";
  folder: string;
}

/** The memory of a new project, or the main agent's. */
async function memoryOf(id: string | undefined): Promise<Place> {
  const hall = hallOf();
  if (id === undefined) return { hall, base: "/api/memory", folder: join(hall.workspace, "memory") };
  expect((await hall.call("POST", "/api/projects", { id, name: id })).status).toBe(201);
  return {
    hall,
    base: `/api/projects/${id}/memory` as "/api/memory",
    folder: join(hall.workspace, "projects", id, "memory"),
  };
}

const DOOR = "?path=facts/door.md";

describe.each([
  ["a project", "shop"],
  ["the main agent", undefined],
])("the memory of %s over HTTP [S3-MEM-01 S3-MEM-02 S3-DIR-05 S3-DIR-06 S3-CTX-02]", (_, id) => {
  it("is empty at first; a person writes, reads, corrects and removes files of it, and the log tells", async () => {
    const { hall, base, folder } = await memoryOf(id);
    expect((await hall.call("GET", base)).body).toEqual({ files: [] });
    const made = await hall.call("PUT", `${base}/file`, { path: "facts/door.md", content: "# Door\n\nIt sticks.\n" });
    expect(made).toMatchObject({ status: 200, body: { success: true, file: { summary: "It sticks.", kind: "fact" } } });
    expect(readFileSync(join(folder, "facts/door.md"), "utf8")).toBe("# Door\n\n> Summary: It sticks.\n\nIt sticks.\n");
    await hall.call("PUT", `${base}/file`, { path: "episodes/2026-10.md", content: "# 2026-10\n" });
    const { files } = (await hall.call("GET", base)).body;
    expect(files).toMatchObject([
      { path: "facts/door.md", summary: "It sticks.", size: 42 },
      { path: "episodes/2026-10.md", kind: "episodes", size: 10 },
    ]);
    const read = await hall.call("GET", `${base}/file${DOOR}`);
    const etag = read.headers.get("etag") ?? "";
    expect(read.body.file).toMatchObject({ path: "facts/door.md", content: expect.stringContaining("It sticks.") });
    const body = { path: "facts/door.md", content: "> Summary: It was mended.\n" };
    expect((await hall.call("PUT", `${base}/file`, body, { "if-match": etag })).status).toBe(200);
    const stale = await hall.call("PUT", `${base}/file`, { ...body, content: "x" }, { "if-match": etag });
    expect(stale).toMatchObject({ status: 412, body: { error: { code: "version_mismatch" } } });
    expect((await hall.call("DELETE", `${base}/file${DOOR}`, undefined, { "if-match": etag })).status).toBe(412);
    const removed = await hall.call("DELETE", `${base}/file${DOOR}`);
    expect(removed).toMatchObject({ status: 200, body: { trash: expect.stringMatching(/^trash\/.*-door\.md$/) } });
    expect(readFileSync(join(hall.workspace, removed.body.trash), "utf8")).toBe(body.content);
    expect(existsSync(join(folder, "facts/door.md"))).toBe(false);
    expect(await hall.call("GET", `${base}/file${DOOR}`)).toMatchObject({
      status: 404,
      body: { error: { hintAction: { action: "memory-list", args: {} } } },
    });
    const { events } = (await hall.call("GET", "/api/events/log?tail=4")).body;
    const subject = { kind: "document", id: "memory/facts/door.md" };
    expect(events.filter((event: { subject: { id: string } }) => event.subject.id === subject.id)).toMatchObject([
      { type: "document.written", subject },
      { type: "document.written", subject, actor: { kind: "person" } },
      { type: "document.removed", subject, after: { trash: removed.body.trash } },
    ]);
  });

  it("refuses other paths, what is too large, and links", async () => {
    const { hall, base, folder } = await memoryOf(id === undefined ? undefined : "mill");
    for (const path of [
      "../PROJECT.md",
      "facts/../../config.yml",
      "MEMORY.md",
      "facts/Big.md",
      "projects/shop/memory/x",
    ]) {
      expect((await hall.call("GET", `${base}/file?path=${encodeURIComponent(path)}`)).status).toBe(403);
      expect((await hall.call("PUT", `${base}/file`, { path, content: "x" })).status).toBe(403);
      expect((await hall.call("DELETE", `${base}/file?path=${encodeURIComponent(path)}`)).status).toBe(403);
    }
    const large = await hall.call("PUT", `${base}/file`, { path: "facts/a.md", content: "x".repeat(15_400) });
    expect(large).toMatchObject({ status: 413, body: { error: { message: expect.stringContaining("15 KB") } } });
    const outside = join(hall.workspace, "outside.md");
    writeFileSync(outside, "canary\n");
    symlinkSync(outside, join(folder, "facts/linked.md"));
    expect((await hall.call("GET", base)).body.files.map(({ path }: { path: string }) => path)).not.toContain(
      "facts/linked.md",
    );
    const through = await hall.call("GET", `${base}/file?path=facts/linked.md`);
    expect(through.status).toBeGreaterThanOrEqual(400);
    await hall.call("PUT", `${base}/file`, { path: "facts/linked.md", content: "by a person\n" });
    expect(readFileSync(outside, "utf8")).toBe("canary\n");
    rmSync(join(folder, "facts"), { recursive: true });
    mkdirSync(join(hall.workspace, "elsewhere"), { recursive: true });
    symlinkSync(join(hall.workspace, "elsewhere"), join(folder, "facts"));
    const led = await hall.call("PUT", `${base}/file`, { path: "facts/x.md", content: "x" });
    expect(led.status).toBe(403);
    expect(existsSync(join(hall.workspace, "elsewhere/x.md"))).toBe(false);
    rmSync(join(folder, "facts"));
    mkdirSync(join(folder, "facts"));
  });
});

it("a new project starts without anything of what the main agent remembers [S3-CTX-01]", async () => {
  const { hall, base: main } = await memoryOf(undefined);
  await hall.call("PUT", `${main}/file`, { path: "facts/user.md", content: "Likes canary birds.\n" });
  const { base, folder } = await memoryOf("fresh");
  expect((await hall.call("GET", base)).body).toEqual({ files: [] });
  const texts = readdirSync(join(folder, ".."), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  expect(texts.join("\n")).not.toContain("canary");
  await hall.call("DELETE", `${main}/file?path=facts/user.md`);
});

it("a memory of a project that is not there, or is over, takes nothing", async () => {
  const { hall, base } = await memoryOf("done");
  expect((await hall.call("GET", "/api/projects/none/memory")).status).toBe(404);
  await hall.call("POST", "/api/projects/done/move", { status: "completed" });
  expect((await hall.call("GET", base)).status).toBe(200);
  const late = await hall.call("PUT", `${base}/file`, { path: "facts/a.md", content: "x" });
  expect(late.body.error.code).toBe("project_closed");
});

it("what an agent adds while a person corrects the same fact is never lost: one is refused, or both are there", {
  timeout: 60_000,
}, async () => {
  const hall = await startHall();
  await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  const root = join(hall.workspace, "projects/shop");
  const path = "facts/race.md";
  const file = `/api/projects/shop/memory/file`;
  await hall.call("PUT", file, { path, content: "> Summary: A race.\n" });
  const agents = ["a", "b"].map((prefix) => appendTo(root, path, prefix));
  await eventually(async () => agents.every((agent) => agent.count() > 0), Boolean);
  const kept: string[] = [];
  let refused = 0;
  const count = () => agents.reduce((sum, agent) => sum + agent.count(), 0);
  const isEnough = () => kept.length >= 60 && count() >= 60 && refused > 0;
  for (let at = 0; !isEnough() && at < 5_000; at++) {
    const read = await hall.call("GET", `${file}?path=${path}`);
    // Older lines are left out, as a person would, and counted as seen: the fact must stay small.
    const content = `> Summary: A race.\n\nperson ${at}.\n`;
    const put = await hall.call("PUT", file, { path, content }, { "if-match": read.headers.get("etag") ?? "" });
    if (put.status === 200) kept.push(...linesIn(read.body.file.content), `person ${at}.`);
    else {
      expect(put.body.error.code).toBe("version_mismatch");
      refused++;
    }
  }
  const added = (await Promise.all(agents.map((agent) => agent.stop()))).flat();
  const last = (await hall.call("GET", `${file}?path=${path}`)).body.file.content;
  const seen = new Set([...kept, ...linesIn(last)]);
  expect(added.filter((line) => !seen.has(line))).toEqual([]);
  expect(isEnough(), `${kept.length} kept, ${added.length} added, ${refused} refused`).toBe(true);
});

function linesIn(text: string): string[] {
  return text.split("\n").filter((line) => /^(?:a|b|person )\d+\.$/.test(line));
}
