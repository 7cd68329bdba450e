import { lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventsOf } from "../harness/board.ts";
import { eventually } from "../harness/daemon.ts";
import { refused, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const MARKDOWN = "projects/mill/PROJECT.md";
const JSON_FILE = "projects/mill/PROJECT.json";

async function withProject(): Promise<Workspace> {
  const workspace = await startWorkspace();
  await workspace.addProject({ id: "mill", name: "Mill", description: "Grinds." });
  return workspace;
}

const summary = async ({ call }: Workspace, id = "mill") =>
  (await wanted(200, call("GET", "/api/projects"))).projects.find((project) => project.id === id);

const whenInvalid = (workspace: Workspace, id = "mill") =>
  eventually(
    () => summary(workspace, id),
    (found) => found?.status === "invalid",
  );
const whenBack = (workspace: Workspace) =>
  eventually(
    () => summary(workspace),
    (found) => found?.status !== "invalid",
  );

const FAULTS: [string, string, (text: string) => string | Uint8Array, number, RegExp][] = [
  ["a comma is missing in PROJECT.json", JSON_FILE, (text) => text.replace('"mill",', '"mill"'), 3, /not JSON/],
  [
    "a word stands for a value in PROJECT.json",
    JSON_FILE,
    (text) => text.replace('"active"', "active"),
    5,
    /not JSON.*'a'/,
  ],
  ["PROJECT.json is empty", JSON_FILE, () => "", 1, /empty/],
  ["PROJECT.json is a list", JSON_FILE, () => "[]\n", 1, /object/],
  ["PROJECT.json holds two documents", JSON_FILE, (text) => `${text.trimEnd()}\n{}\n`, 32, /not JSON/],
  [
    "a key stands twice in PROJECT.json",
    JSON_FILE,
    (text) => text.replace('"name"', '"id": "x",\n  "name"'),
    3,
    /'id' is duplicated/,
  ],
  [
    "PROJECT.json has no such status",
    JSON_FILE,
    (text) => text.replace('"active"', '"asleep"'),
    5,
    /status: .*active.*suspended.*completed.*archived.*asleep/,
  ],
  [
    "PROJECT.json has another id",
    JSON_FILE,
    (text) => text.replace('"id": "mill"', '"id": "well"'),
    2,
    /'well'.*'mill'/,
  ],
  [
    "a setting in PROJECT.json is misspelt",
    JSON_FILE,
    (text) => text.replace('"goals"', '"gaols"'),
    14,
    /config\.gaols: is not a known key/,
  ],
  [
    "a number in PROJECT.json cannot be kept",
    JSON_FILE,
    (text) => text.replace('"name"', '"cap": 1e999,\n  "name"'),
    3,
    /1e999/,
  ],
  ["PROJECT.json is no text", JSON_FILE, () => Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 1, /UTF-8/],
  ["PROJECT.md has no frontmatter", MARKDOWN, () => "# Mill\n", 1, /./],
  ["the fence of PROJECT.md is not closed", MARKDOWN, (text) => text.replaceAll("\n---", "\n"), 1, /./],
  ["PROJECT.md is empty", MARKDOWN, () => "", 1, /./],
  [
    "the name in PROJECT.md is another",
    MARKDOWN,
    (text) => text.replace("name: mill", "name: well"),
    2,
    /'well'.*'mill'/,
  ],
  ["PROJECT.md has no such status", MARKDOWN, (text) => text.replace("active", "asleep"), 3, /status: .*asleep/],
  ["a key stands twice in PROJECT.md", MARKDOWN, (text) => text.replace("model: null", "status: active"), 4, /status/],
  ["PROJECT.md is not YAML", MARKDOWN, (text) => text.replace("model: null", 'model: "a" b'), 4, /YAML/],
  ["PROJECT.md is no text", MARKDOWN, () => Buffer.from([0x2d, 0xc3, 0x28]), 1, /UTF-8/],
];

describe("a project whose file is broken", () => {
  it.each([JSON_FILE, MARKDOWN])(
    "shows where and why in %s, is left alone, and comes back when mended",
    async (file) => {
      const workspace = await withProject();
      const { call } = workspace;
      const good = workspace.text(file);
      for (const [what, , breakIt, line, reason] of FAULTS.filter((fault) => fault[1] === file)) {
        const bad = Buffer.from(breakIt(good));
        expect(bad.equals(Buffer.from(good)), what).toBe(false);
        workspace.write(file, bad);
        const shown = await whenInvalid(workspace);
        const told = expect.stringMatching(reason);
        expect(shown?.problem, what).toMatch(new RegExp(`^${file}:${line} `));
        expect(shown?.problem, what).toEqual(told);
        const place = { file, line };
        expect(await refused("file_invalid", call("GET", "/api/projects/mill")), what).toMatchObject({
          ...place,
          message: told,
        });
        const { problems } = await wanted(200, call("GET", "/api/problems"));
        const subject = { kind: "project", projectId: "mill", id: "mill" };
        expect(problems, what).toEqual([{ ...place, ...subject, severity: "invalid", reason: told }]);
        await refused("file_invalid", call("PUT", "/api/projects/mill", { name: "New" }));
        expect(readFileSync(workspace.at(file)).equals(bad), what).toBe(true);
        workspace.write(file, good);
        expect(await whenBack(workspace)).toMatchObject({ name: "Mill", description: "Grinds.", status: "active" });
        expect((await wanted(200, call("GET", "/api/problems"))).problems, what).toEqual([]);
        expect(workspace.text(file), what).toBe(good);
      }
    },
  );

  it.each([
    ["PROJECT.json", JSON_FILE, /"status": .*\n/],
    ["PROJECT.md", MARKDOWN, /status: .*\n/],
  ])("has no status in %s [S3-PMD-03]", async (_, file, status) => {
    const workspace = await withProject();
    workspace.edit(file, status, "");
    expect((await whenInvalid(workspace))?.problem).toMatch(/status: .*missing/);
  });

  it.each(["name", "created"])("lacks the %s that PROJECT.md must have [S3-PMD-02 S3-PMD-06]", async (key) => {
    const workspace = await withProject();
    workspace.edit(MARKDOWN, new RegExp(`${key}: .*\\n`), "");
    expect((await whenInvalid(workspace))?.problem).toMatch(new RegExp(`${key}: (is required|.*missing)`));
  });

  it("takes no write of any kind, and every file stays as it is", async () => {
    const workspace = await withProject();
    const { call } = workspace;
    await workspace.addRole({ template: "coder" });
    workspace.write(JSON_FILE, "{ not json");
    await whenInvalid(workspace);
    const page = workspace.text(MARKDOWN);
    const writes: [string, string, object?][] = [
      ["PUT", "", { name: "New" }],
      ["DELETE", ""],
      ["POST", "/move", { status: "suspended" }],
      ["POST", "/team", { roleId: "coder" }],
      ["POST", "/tasks", { title: "t" }],
      ["POST", "/artifacts", { name: "a.md", content: "a" }],
      ["PUT", "/context", { path: "a.md", content: "a" }],
      ["POST", "/initiatives", { title: "i" }],
    ];
    for (const [method, path, body] of writes) {
      const error = await refused("file_invalid", call(method, `/api/projects/mill${path}`, body));
      expect(error, `${method} ${path}`).toMatchObject({ file: JSON_FILE, line: 1 });
    }
    await refused("already_exists", call("POST", "/api/projects", { id: "mill", name: "Mill" }));
    expect(workspace.text(JSON_FILE)).toBe("{ not json");
    expect(workspace.text(MARKDOWN)).toBe(page);
  });

  it("does not keep the others from working, nor the daemon from starting", async () => {
    const workspace = await withProject();
    await workspace.addProject("Well");
    const again = await workspace.restart(() => workspace.write(JSON_FILE, "null"));
    expect(await summary(again)).toMatchObject({ id: "mill", status: "invalid", problem: expect.any(String) });
    await wanted(200, again.call("PUT", "/api/projects/well", { name: "Deep Well" }));
    await wanted(200, again.call("POST", "/api/index/rebuild"));
    expect(await summary(again)).toMatchObject({ status: "invalid" });
    expect(again.text(JSON_FILE)).toBe("null");
    await wanted(200, again.call("DELETE", "/api/projects/mill?purge=true"));
    expect((await wanted(200, again.call("GET", "/api/problems"))).problems).toEqual([]);
  });

  it("keeps a hand edit that came with the fault: the file that differs from what was known wins", async () => {
    const workspace = await withProject();
    workspace.edit(JSON_FILE, '"status": "active",', '"status": "suspended"');
    await whenInvalid(workspace);
    const again = await workspace.restart();
    again.edit(JSON_FILE, '"status": "suspended"', '"status": "suspended",');
    expect(await whenBack(again)).toMatchObject({ status: "suspended" });
    expect(again.text(MARKDOWN)).toContain("\nstatus: suspended\n");
  });

  it("keeps its tasks, and is found under no status meanwhile", async () => {
    const workspace = await withProject();
    const { call } = workspace;
    await wanted(201, call("POST", "/api/projects/mill/tasks", { title: "Turn" }));
    const good = workspace.text(MARKDOWN);
    workspace.write(MARKDOWN, "broken");
    expect(await whenInvalid(workspace)).toMatchObject({ taskCount: { todo: 1 } });
    expect((await wanted(200, call("GET", "/api/projects?status=active"))).projects).toEqual([]);
    workspace.write(MARKDOWN, good);
    await whenBack(workspace);
    expect((await wanted(200, call("GET", "/api/projects/mill/tasks"))).tasks).toHaveLength(1);
  });

  it("is told in the event log when it breaks and when it is mended", async () => {
    const workspace = await withProject();
    const good = workspace.text(JSON_FILE);
    workspace.write(JSON_FILE, "{");
    await whenInvalid(workspace);
    workspace.write(JSON_FILE, good);
    await whenBack(workspace);
    const types = (await eventsOf(workspace.hall, "project=mill&limit=1000")).map((event) => event.type);
    expect(types).toEqual(["project.created", "file.invalid", "file.mended"]);
  });

  it.each([
    ["a link", JSON_FILE, /link/],
    ["a folder", MARKDOWN, /folder/],
  ])("because %s stands in its place shows which, and is left alone", async (what, file, reason) => {
    const workspace = await withProject();
    const good = workspace.text(file);
    const again = await workspace.restart(() => {
      rmSync(workspace.at(file));
      if (what === "a folder") return mkdirSync(workspace.at(file));
      workspace.write("aside.json", good);
      symlinkSync(workspace.at("aside.json"), workspace.at(file));
    });
    const error = await refused("file_invalid", again.call("GET", "/api/projects/mill"));
    expect(error).toMatchObject({ file, message: expect.stringMatching(reason) });
    await refused("file_invalid", again.call("PUT", "/api/projects/mill", { name: "New" }));
    expect(lstatSync(again.at(file)).isFile()).toBe(false);
    rmSync(again.at(file), { recursive: true });
    again.write(file, good);
    expect(await whenBack(again)).toMatchObject({ status: "active", name: "Mill" });
  });

  it("may be one that was dropped in under another name [S3-PMD-02]", async () => {
    const workspace = await startWorkspace();
    const page = "---\nname: barn\nstatus: active\ncreated: 2026-02-28T10:00:00Z\n---\n# Barn\n";
    workspace.write("projects/shed/PROJECT.md", page);
    expect((await whenInvalid(workspace, "shed"))?.problem).toMatch(/PROJECT\.md:2 .*'barn'.*'shed'/);
    workspace.edit("projects/shed/PROJECT.md", "name: barn", "name: shed");
    await eventually(
      () => summary(workspace, "shed"),
      (found) => found?.status === "active",
    );
  });
});
