import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Board, contentsOf, eventTold, startBoard } from "../harness/board.ts";
import { eventually } from "../harness/daemon.ts";

const today = () => new Date().toISOString().slice(0, 10);

const artifact = (board: Board, name: string, content = "x") => board.ask("POST", "/artifacts", { name, content });
const context = (board: Board, path: string, content = "x") => board.ask("PUT", "/context", { path, content });
const read = (board: Board, path: string) => board.ask("GET", `/file?path=${encodeURIComponent(path)}`);
const artifacts = async (board: Board) => (await board.ask("GET", "/artifacts")).body.artifacts;
const contexts = async (board: Board) => (await board.ask("GET", "/context")).body.files;
const initiatives = async (board: Board) => (await board.ask("GET", "/initiatives")).body.initiatives;

/** Names that would leave the folder, mean a device, or hold what is not a document's business. */
const REFUSED = [
  "../x.md",
  "../../etc/passwd",
  "a/../../x.md",
  "..\\x.md",
  "/etc/passwd",
  "file:///etc/passwd",
  "C:x.md",
  "~/x.md",
  "$HOME/x.md",
  "%2e%2e%2fx.md",
  "..%2fx.md",
  "..%c0%afx.md",
  "..;/x.md",
  "a\0b.md",
  "a\nb.md",
  "．．/x.md",
  "..∕x.md",
  "\ufeff../x.md",
  "nul.txt",
  "COM1",
  "a.md ",
  "a.md.",
  "file.txt::$DATA",
  ".env",
  "sub/.env.local",
  "id_rsa",
  "key.pem",
  ".ssh/config",
  ".git/hooks/post-checkout",
  ".gitmodules",
  "ROLES.json",
  "PROJECT.md",
  "sessions/a.jsonl",
  ".",
  "",
  "   ",
  `${"d/".repeat(60)}x.md`,
  "x".repeat(300),
];

/** Names that only look like it. */
const ACCEPTED = [
  "..foo",
  "a..b/c.md",
  ".../x.md",
  "environment.ts",
  "docs/日本語.md",
  "with space/a b.md",
  "a%20b.md",
  "semi;colon.md",
  "-dash.md",
  "#hash.md",
  "(paren).md",
  "{brace}.md",
  "🚀.md",
];

/** What the hall notes by itself, a moment later. */
const HALLS_OWN = /^(?:events|skills\/\.accepted)\//;

describe("artifacts", () => {
  it("are kept in the folder of the day, under the name they were given, byte for byte", async () => {
    const board = await startBoard();
    const content = "# Report\r\n\n  indented\t\n\ntrailing \n\n";
    const answer = await artifact(board, "report v1.md", content);
    expect([answer.status, answer.body.success]).toEqual([201, true]);
    const path = `ARTIFACTS/${today()}/report v1.md`;
    expect(answer.body.artifact).toEqual({
      path,
      date: today(),
      name: "report v1.md",
      title: "Report",
      size: Buffer.byteLength(content),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(board.read(path)).toBe(content);
    expect((await read(board, path)).body.file).toMatchObject({ path, kind: "artifact", content });
    expect(await artifacts(board)).toEqual([answer.body.artifact]);
  });

  it("get a number when their name is taken, so that none is overwritten", async () => {
    const board = await startBoard();
    const names = [];
    for (const content of ["one", "two", "three"])
      names.push((await artifact(board, "report.md", content)).body.artifact.name);
    expect(names).toEqual(["report.md", "report-2.md", "report-3.md"]);
    const many = await Promise.all(Array.from({ length: 10 }, () => artifact(board, "log")));
    expect(new Set(many.map((answer) => answer.body.artifact.name)).size).toBe(10);
    expect(names.map((name) => board.read(`ARTIFACTS/${today()}/${name}`))).toEqual(["one", "two", "three"]);
    const long = `${"é".repeat(126)}.md`;
    expect((await artifact(board, long)).status).toBe(201);
    const second = (await artifact(board, long)).body.artifact.name;
    expect(second).toMatch(/^é+-2\.md$/);
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255);
  });

  it("have a name without folders that leads nowhere else", async () => {
    const board = await startBoard();
    const before = contentsOf(board.hall.workspace);
    const trimmed = ["a.md "];
    for (const name of [...REFUSED.filter((path) => !trimmed.includes(path)), "sub/report.md"]) {
      const answer = await artifact(board, name);
      expect([name, [403, 422].includes(answer.status)]).toEqual([name, true]);
      expect(answer.body.error.hint).not.toBe("");
    }
    expect(await artifacts(board)).toEqual([]);
    const after = contentsOf(board.hall.workspace);
    for (const path of Object.keys(after)) if (!HALLS_OWN.test(path)) expect(before).toHaveProperty([path]);
  });

  it("are listed newest day first, page by page", async () => {
    const board = await startBoard();
    for (const day of ["2026-01-02", "2026-01-10", "2025-12-31"])
      for (const name of ["a.md", "b.md"]) board.write(`ARTIFACTS/${day}/${name}`, name);
    await eventually(
      () => artifacts(board),
      (found) => found.length === 6,
    );
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await board.ask("GET", `/artifacts?limit=4${cursor}`);
      found.push(...body.artifacts.map((entry) => `${entry.date}/${entry.name}`));
      if (body.nextCursor === undefined) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(found).toEqual([
      "2026-01-10/b.md",
      "2026-01-10/a.md",
      "2026-01-02/b.md",
      "2026-01-02/a.md",
      "2025-12-31/b.md",
      "2025-12-31/a.md",
    ]);
    for (const bad of ["limit=0", "limit=1001", "cursor=x", "colour=red"])
      expect((await board.ask("GET", `/artifacts?${bad}`)).status).toBe(422);
  });

  it("made, changed and removed by hand are followed, and the overview page with them", async () => {
    const board = await startBoard();
    board.write("ARTIFACTS/2026-01-02/deep/er/report.md", "# Found by title\n");
    const [found] = await eventually(
      () => artifacts(board),
      (list) => list.length === 1,
    );
    expect(found).toMatchObject({ date: "2026-01-02", name: "deep/er/report.md" });
    const page = () => (existsSync(board.at("ARTIFACTS/README.md")) ? board.read("ARTIFACTS/README.md") : "");
    await eventually(page, (text) => text.includes("2026-01-02/deep/er/report.md"));
    rmSync(board.at("ARTIFACTS/2026-01-02"), { recursive: true });
    await eventually(
      () => artifacts(board),
      (list) => list.length === 0,
    );
    await eventually(page, (text) => !text.includes("report.md"));
    const gone = await eventTold(board.hall, (event) => event.type === "document.removed");
    expect(gone).toMatchObject({ actor: { via: "file" }, subject: { id: "ARTIFACTS/2026-01-02/deep/er/report.md" } });
  });
});

describe("context files", () => {
  it("are written under CONTEXT, in folders if need be, and read back with their etag", async () => {
    const board = await startBoard();
    const answer = await context(board, "guides/style.md", "Short lines.\n");
    expect([answer.status, answer.body.success]).toEqual([200, true]);
    expect(answer.body.file).toMatchObject({ path: "CONTEXT/guides/style.md", kind: "context", size: 13 });
    expect(board.read("CONTEXT/guides/style.md")).toBe("Short lines.\n");
    expect(await contexts(board)).toEqual([answer.body.file]);
    const seen = await read(board, "CONTEXT/guides/style.md");
    expect(seen.body.file).toMatchObject({ content: "Short lines.\n", kind: "context" });
    expect(seen.headers.get("etag")).toBe(`"${seen.body.file.etag}"`);
    expect((await context(board, "CONTEXT/guides/style.md", "New.\n")).status).toBe(200);
    expect(await contexts(board)).toMatchObject([{ path: "CONTEXT/guides/style.md", size: 5 }]);
  });

  it("are not overwritten by someone who has not seen the latest version", async () => {
    const board = await startBoard();
    await context(board, "a.md", "one");
    const { etag } = (await read(board, "CONTEXT/a.md")).body.file;
    board.write("CONTEXT/a.md", "by hand");
    const write = (match: string, path = "a.md") =>
      board.ask("PUT", "/context", { path, content: "two" }, { "if-match": match });
    expect((await write(`"${etag}"`)).status).toBe(412);
    expect(board.read("CONTEXT/a.md")).toBe("by hand");
    const { etag: now } = (await read(board, "CONTEXT/a.md")).body.file;
    expect((await write(`"${now}"`)).status).toBe(200);
    expect((await write(`"${now}"`, "not-there.md")).status).toBe(412);
    expect(existsSync(board.at("CONTEXT/not-there.md"))).toBe(false);
  });

  it("stay inside the folder, whatever the path says", async () => {
    const board = await startBoard();
    const before = contentsOf(board.hall.workspace);
    for (const path of REFUSED) {
      const answer = await context(board, path);
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 403, "path_refused"]);
    }
    const after = contentsOf(board.hall.workspace);
    for (const path of Object.keys(after)) if (!HALLS_OWN.test(path)) expect(before).toHaveProperty([path]);
    for (const path of ACCEPTED) {
      expect([path, (await context(board, path, path)).status]).toEqual([path, 200]);
      expect(board.read(`CONTEXT/${path}`)).toBe(path);
    }
    expect((await contexts(board)).map((file) => file.path.slice("CONTEXT/".length)).sort()).toEqual(
      ACCEPTED.filter((path) => !path.startsWith(".")).sort(),
    );
  });

  it("made, renamed and removed by hand are followed", async () => {
    const board = await startBoard();
    board.write("CONTEXT/x/a.md", "a");
    const paths = async () => (await contexts(board)).map((file) => file.path).join();
    await eventually(paths, (found) => found === "CONTEXT/x/a.md");
    renameSync(board.at("CONTEXT/x"), board.at("CONTEXT/y"));
    await eventually(paths, (found) => found === "CONTEXT/y/a.md");
    board.write("CONTEXT/y/b.md", "b");
    await eventually(paths, (found) => found === "CONTEXT/y/a.md,CONTEXT/y/b.md");
    unlinkSync(board.at("CONTEXT/y/a.md"));
    await eventually(paths, (found) => found === "CONTEXT/y/b.md");
  });
});

describe("the text of a file", () => {
  it("is given for every file of the project, and for nothing else", async () => {
    const board = await startBoard();
    await board.add("x");
    for (const path of ["PROJECT.md", "TASKS/todo/TASK-001.md", "knowledge/decisions.md"])
      expect((await read(board, path)).body.file.content).toBe(board.read(path));
    const missing = await read(board, "nothing.md");
    expect([missing.status, missing.body.error.code]).toEqual([404, "file_not_found"]);
    for (const path of ["../../ROLES.json", "/etc/passwd", "../../.guildhall/token", ".env", "a/../../../x", ""])
      expect([path, (await read(board, path)).status]).toEqual([path, 403]);
    board.write("CONTEXT/blob.bin", Buffer.from([0xff, 0xfe, 0x00]));
    expect((await read(board, "CONTEXT/blob.bin")).status).toBe(422);
    expect((await board.ask("GET", "/file")).status).toBe(422);
  });

  it("is not given through links, of hard links, pipes or folders, and nothing waits for them", async () => {
    const board = await startBoard();
    const outside = join(board.hall.workspace, "..", "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret"), "CANARY");
    const at = (name: string) => board.at(`CONTEXT/${name}`);
    symlinkSync(join(outside, "secret"), at("link.md"));
    symlinkSync(outside, at("folder"));
    symlinkSync("b", at("a"));
    symlinkSync(outside, at("b"));
    symlinkSync("../MEMORY.md", at("inside.md"));
    symlinkSync("loop", at("loop"));
    symlinkSync(join(board.hall.workspace, ".guildhall"), at("state"));
    linkSync(join(outside, "secret"), at("hard.md"));
    execFileSync("mkfifo", [at("pipe.md")]);
    mkdirSync(at("dir.md"));
    for (const name of [
      "link.md",
      "folder/secret",
      "a/secret",
      "inside.md",
      "loop",
      "state/token",
      "hard.md",
      "pipe.md",
      "dir.md",
    ]) {
      const answer = await read(board, `CONTEXT/${name}`);
      expect([name, answer.status, answer.body.error?.code]).toEqual([name, 403, "path_refused"]);
      expect(JSON.stringify(answer.body)).not.toContain("CANARY");
    }
    const listed = JSON.stringify([await contexts(board), (await board.hall.call("GET", "/api/search?q=CANARY")).body]);
    expect(listed).not.toMatch(/secret|link\.md|pipe\.md/);
  });

  it("is not written through links, onto hard links, pipes or folders", async () => {
    const board = await startBoard();
    await startBoard(board.hall, "beta");
    const outside = join(board.hall.workspace, "..", "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "file"), "untouched");
    const at = (name: string) => board.at(`CONTEXT/${name}`);
    symlinkSync(outside, at("folder"));
    symlinkSync("../../beta/CONTEXT", at("other"));
    symlinkSync("../knowledge", at("within"));
    symlinkSync(join(outside, "file"), at("link.md"));
    linkSync(join(outside, "file"), at("hard.md"));
    execFileSync("mkfifo", [at("pipe.md")]);
    mkdirSync(at("dir.md"));
    for (const path of [
      "folder/new.md",
      "folder/deep/er/new.md",
      "other/new.md",
      "other/deep/new.md",
      "hard.md",
      "link.md",
      "pipe.md",
      "dir.md",
    ]) {
      const answer = await context(board, path, "written");
      expect([path, answer.status]).toEqual([path, 403]);
    }
    symlinkSync(join(outside, "made-by-link"), at("dangling.md"));
    expect([200, 403]).toContain((await context(board, "dangling.md", "written")).status);
    expect(readdirSync(outside)).toEqual(["file"]);
    expect(readFileSync(join(outside, "file"), "utf8")).toBe("untouched");
    expect(readdirSync(join(board.hall.workspace, "projects/beta/CONTEXT"))).toEqual([]);
    rmSync(board.at("ARTIFACTS"), { recursive: true });
    symlinkSync(outside, board.at("ARTIFACTS"));
    expect((await artifact(board, "x.md")).status).toBe(403);
    expect(readdirSync(outside)).toEqual(["file"]);
  });
});

describe("initiatives", () => {
  it("begin with a plan, named after their title, and count their tasks [S4-TASK-08]", async () => {
    const board = await startBoard();
    const made = await board.ask("POST", "/initiatives", { title: "Release One", goals: ["Ship it", "Tell people"] });
    expect([made.status, made.body.success]).toEqual([201, true]);
    expect(made.body.initiative).toEqual({
      slug: "release-one",
      title: "Release One",
      path: "projects/alpha/plans/release-one/plan.md",
      status: "active",
      tasks: { done: 0, total: 0 },
    });
    expect(board.read("plans/release-one/plan.md")).toMatch(/^# Release One\n[\s\S]*- Ship it\n- Tell people\n/);
    await board.add({ title: "a", plan: "release-one" });
    await board.add({ title: "b", plan: "release-one", status: "done" });
    await board.add({ title: "c" });
    expect(await initiatives(board)).toMatchObject([{ slug: "release-one", tasks: { done: 1, total: 2 } }]);
    await board.update("TASK-001", { plan: null });
    expect(await initiatives(board)).toMatchObject([{ tasks: { done: 1, total: 1 } }]);
  });

  it("are made once", async () => {
    const board = await startBoard();
    await board.ask("POST", "/initiatives", { title: "Same" });
    board.write("plans/same/plan.md", "# Mine\n");
    const again = await board.ask("POST", "/initiatives", { title: "Other", slug: "same" });
    expect([again.status, again.body.error.code]).toEqual([409, "already_exists"]);
    expect(board.read("plans/same/plan.md")).toBe("# Mine\n");
    for (const body of [{}, { title: "" }, { title: "x", slug: "../x" }, { title: "🚀" }, { title: "x", colour: 1 }])
      expect((await board.ask("POST", "/initiatives", body)).status).toBe(422);
  });

  it("are begun by the first task that names them, and by hand [S4-TASK-08]", async () => {
    const board = await startBoard();
    const task = await board.add({ title: "x", plan: "new-idea" });
    expect(task.plan).toBe("new-idea");
    expect(existsSync(board.at("plans/new-idea/plan.md"))).toBe(true);
    board.write("plans/by-hand/plan.md", "# By Hand\n\nText.\n");
    board.write("TASKS/todo/TASK-010.md", "---\nid: TASK-010\nplan: by-hand\n---\n");
    const found = await eventually(
      () => initiatives(board),
      (list) => list.length === 2 && list[0]?.tasks.total === 1,
    );
    expect(found).toMatchObject([
      { slug: "by-hand", title: "By Hand", tasks: { total: 1 } },
      { slug: "new-idea", tasks: { done: 0, total: 1 } },
    ]);
    rmSync(board.at("plans/by-hand"), { recursive: true });
    await eventually(
      () => initiatives(board),
      (list) => list.length === 1,
    );
  });
});

describe("documents of a project", () => {
  it("can be read but not made when the project is closed, and need one that is there", async () => {
    const board = await startBoard();
    await context(board, "a.md");
    await board.ask("POST", "/move", { status: "completed" });
    expect((await artifact(board, "x.md")).status).toBe(409);
    expect((await context(board, "b.md")).status).toBe(409);
    expect((await board.ask("POST", "/initiatives", { title: "x" })).status).toBe(409);
    expect((await read(board, "CONTEXT/a.md")).status).toBe(200);
    for (const path of ["artifacts", "context", "initiatives", "file?path=a"])
      expect((await board.hall.call("GET", `/api/projects/nowhere/${path}`)).status).toBe(404);
  });
});
