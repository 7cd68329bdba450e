import { existsSync, renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, boardOf, eventTold, startBoard } from "../harness/board.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";

const STATUSES = "pending, assigned, in-progress, review, blocked, done, failed, cancelled";
const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

/** Shapes that no task can be read from: the name, the file with ID for its id, the line and a part of the reason. */
const BROKEN: [name: string, text: string | Uint8Array, line: number, reason: string][] = [
  ["an empty file", "", 1, "empty"],
  ["only blank lines", "\n\n\n", 1, "---"],
  ["no frontmatter", "# Just a title\n", 1, "frontmatter"],
  ["an unclosed frontmatter", "---\nid: ID\ntitle: x\n\nbody without end\n", 1, "not closed"],
  ["only the fences", "---\n---\n", 1, "id"],
  ["a fence of four dashes", "----\nid: ID\n----\n", 1, "dashes"],
  ["a TOML fence", '+++\nid = "ID"\n+++\n', 1, "TOML"],
  ["a blank line before the fence", "\n---\nid: ID\n---\n", 1, "very first"],
  ["bare carriage returns", "---\rid: ID\r---\r", 1, "carriage return"],
  ["bytes that are no UTF-8", Buffer.from("---\nid: \xff\xfe\xc3(\n---\n", "latin1"), 1, "UTF-8"],
  ["a key twice", "---\nid: ID\nstatus: todo\npriority: low\nstatus: done\n---\n", 5, "'status'"],
  ["a status that there is not", "---\nid: ID\nlabels: []\nstatus: dnoe\n---\n", 4, STATUSES],
  ["a status someone made up", "---\nid: ID\nstatus: approved\napproved_by: human\n---\n", 3, STATUSES],
  ["a priority that there is not", "---\nid: ID\npriority: P1\n---\n", 3, "low, medium, high, urgent"],
  ["a type that there is not", "---\nid: ID\ntype: epic\n---\n", 3, "feature, bug"],
  [
    "an outcome that there is not",
    "---\nid: ID\noutcome: great\n---\n",
    3,
    "must be one of full, partial, escalated, skipped",
  ],
  ["a list for the id", "---\nid: [1, 2]\n---\n", 2, "id"],
  ["a mapping for the title", "---\nid: ID\ntitle: {a: b}\n---\n", 3, "title"],
  ["a word for the dependencies", "---\nid: ID\nblockedBy: TASK-001\n---\n", 3, "blockedBy"],
  ["dependencies that are no ids", "---\nid: ID\nblockedBy: [t2]\n---\n", 3, "TASK-001"],
  ["a date that is none", "---\nid: ID\ncreated: yesterday\n---\n", 3, "created"],
  ["an id with a slash", "---\nid: a/b\n---\n", 2, "TASK-001"],
  ["the id of another file", "---\n\nid: TASK-999\n---\n", 3, "TASK-999"],
  ["the name of another project", "---\nid: ID\nproject: beta\n---\n", 3, "beta"],
  ["a title that disguises itself", '---\nid: ID\ntitle: "ok \u202egpj.exe"\n---\n', 3, "title"],
  ["a heading that disguises itself", "---\nid: ID\n---\n\n# ok \u202egpj.exe\n", 5, "title"],
  ["a heading of 600 letters", `---\nid: ID\n---\n# ${"x".repeat(600)}\n`, 4, "500"],
  ["a tag that would run code", '---\nid: ID\nx: !!js/function "function(){return process.env}"\n---\n', 3, "tag"],
  ["an anchor inside itself", "---\nid: ID\na: &a {self: *a}\n---\n", 3, "'*a'"],
  ["an alias without an anchor", "---\nid: ID\na: *none\n---\n", 3, "none"],
  [
    "aliases that multiply",
    `---\nid: ID\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [${"*a,".repeat(60)}]\nc: [${"*b,".repeat(60)}]\n---\n`,
    5,
    "alias",
  ],
  ["lists in lists in lists", `---\nid: ID\nx: ${deep(500)}\n---\n`, 3, "nested"],
  ["a key named __proto__", "---\nid: ID\n__proto__: {a: 1}\n---\n", 3, "__proto__"],
  ["a tab for an indent", "---\nid: ID\nx:\n\t- a\n---\n", 4, "Tabs"],
  ["a bracket left open", "---\nid: ID\nlabels: [a, b\n---\n", 3, "']' is missing"],
  ["a brace left open", "---\nid: ID\nlabels: {a: b\nstatus: todo\n---\n", 3, "'}' is missing"],
  ["a list for the whole", "---\n- id: ID\n---\n", 2, "mapping"],
  ["a frontmatter of 300 KiB", `---\nid: ID\nx: ${"y".repeat(300 * 1024)}\n---\n`, 1, "256 KiB"],
  ["a result that is no JSON", "---\nid: ID\n---\n# x\n\n## Result\nfine\n", 6, "Result"],
];

/** Shapes that look odd and are whole tasks nevertheless: what must be read from them. */
const ODD: [name: string, text: string | Uint8Array, read: object][] = [
  ["CRLF", "---\r\nid: ID\r\nstatus: todo\r\n---\r\nbody\r\n", { status: "pending", description: "body" }],
  ["a byte order mark", "\ufeff---\nid: ID\n---\n", { title: "ID" }],
  ["no line break at the end", "---\nid: ID\n---", { title: "ID" }],
  ["two documents", "---\nid: ID\n---\n---\nid: TASK-999\nstatus: done\n---\n", { status: "pending" }],
  [
    "a fence inside a value",
    '---\nid: ID\ntitle: "a --- b"\nnote: |\n  ---\n  status: done\n---\n',
    { title: "a --- b", status: "pending" },
  ],
  [
    "numbers beyond measure",
    "---\nid: ID\nbudget: 1e309\nretries: 99999999999999999999\n---\n",
    { priority: "medium" },
  ],
  ["a limit nobody knows", "---\nid: ID\ncost_cap_usd: -5\n---\n", { status: "pending" }],
  ["a role nobody knows", "---\nid: ID\nassigned: nobody\n---\n", { assignedRoleId: "nobody" }],
  ["a dependency nobody knows", "---\nid: ID\nblockedBy: [TASK-999]\n---\n", { waitingOn: ["TASK-999"], ready: false }],
  [
    "HTML",
    "---\nid: ID\n---\n# <img src=x onerror=alert(1)>\n\n<script>alert(document.cookie)</script>\n",
    { title: "<img src=x onerror=alert(1)>" },
  ],
  [
    "words of other systems",
    "---\nid: ID\nstatus: todo\npriority: critical\ntype: bugfix\n---\n",
    { priority: "urgent", type: "bug" },
  ],
  ["a day for a date", "---\nid: ID\ncreated: 2026-01-05\n---\n", { createdAt: "2026-01-05T00:00:00.000Z" }],
  ["quotes and a comment", '---\nid: \'ID\' # mine\n"priority": "low"\n---\n', { priority: "low" }],
];

const idAt = (at: number) => `TASK-${101 + at}`;
const withId = (text: string | Uint8Array, id: string) => (typeof text === "string" ? text.replace("ID", id) : text);

function put(board: Board, shapes: readonly (readonly [string, string | Uint8Array, ...unknown[]])[]): void {
  for (const [at, [, text]] of shapes.entries()) board.write(`TASKS/todo/${idAt(at)}.md`, withId(text, idAt(at)));
}

async function assertBroken(board: Board): Promise<void> {
  const { invalid } = await eventually(
    () => board.list(),
    (list) => list.invalid.length >= BROKEN.length,
  );
  for (const [at, [name, text, line, reason]] of BROKEN.entries()) {
    const file = `projects/alpha/TASKS/todo/${idAt(at)}.md`;
    const problem = invalid.find((found) => found.file === file);
    expect(problem, name).toMatchObject({ kind: "task", projectId: "alpha", id: idAt(at), severity: "invalid", line });
    expect(problem?.reason, name).toContain(reason);
    const { status, body } = await board.ask("GET", `/tasks/${idAt(at)}`);
    expect([status, body.error.code, body.error.file, body.error.line], name).toEqual([
      409,
      "file_invalid",
      file,
      line,
    ]);
    expect(Buffer.from(board.read(`TASKS/todo/${idAt(at)}.md`)), name).toEqual(
      Buffer.from(Buffer.from(withId(text, idAt(at))).toString("utf8")),
    );
  }
  expect((await board.list()).tasks).toEqual([]);
}

async function assertAlive(hall: Hall): Promise<void> {
  const health = await hall.call("GET", "/api/health");
  expect([health.status, health.body.status]).toEqual([200, "ok"]);
}

describe("a broken task file", () => {
  it("makes that one task invalid, with file, line, key and allowed values, while the daemon runs", async () => {
    const board = await startBoard();
    put(board, BROKEN);
    await assertBroken(board);
    await assertAlive(board.hall);
    expect((await board.add("Another")).title).toBe("Another");
    const { problems } = (await board.hall.call("GET", "/api/problems")).body;
    expect(problems.length).toBeGreaterThanOrEqual(BROKEN.length);
  });

  it("does the same when it is found at a start, with the old index and with a new one", async () => {
    const board = await startBoard();
    await board.hall.stop();
    put(board, BROKEN);
    const again = boardOf(await startHall(board.hall.workspace));
    await assertBroken(again);
    await again.hall.call("POST", "/api/index/rebuild");
    await assertBroken(again);
    await assertAlive(again.hall);
  });

  it("refuses changes and moves, and is left as it is", async () => {
    const board = await startBoard();
    await board.add("x");
    const broken = board.read("TASKS/todo/TASK-001.md").replace("status: pending", "status: dnoe");
    board.write("TASKS/todo/TASK-001.md", broken);
    for (const [method, path, body] of [
      ["PUT", "/tasks/TASK-001", { title: "y" }],
      ["POST", "/tasks/TASK-001/move", { status: "in-progress" }],
    ] as const) {
      const answer = await board.ask(method, path, body);
      expect([answer.status, answer.body.error.code]).toEqual([409, "file_invalid"]);
      expect(answer.body.error).toMatchObject({ file: "projects/alpha/TASKS/todo/TASK-001.md", line: 3 });
      expect(answer.body.error.message).toContain(STATUSES);
    }
    expect(board.read("TASKS/todo/TASK-001.md")).toBe(broken);
  });

  it("comes back as the task it was as soon as it is mended, and the log tells of both", async () => {
    const board = await startBoard();
    const task = await board.add("x");
    const good = board.read("TASKS/todo/TASK-001.md");
    board.write("TASKS/todo/TASK-001.md", good.replace("priority: medium", "priority: huge"));
    const { invalid } = await eventually(
      () => board.list(),
      ({ invalid }) => invalid.length === 1,
    );
    expect(invalid[0]).toMatchObject({ id: "TASK-001", line: 5 });
    const broke = await eventTold(board.hall, (event) => event.type === "file.invalid");
    expect(broke).toMatchObject({ actor: { via: "file" }, file: task.path, after: { line: 5 } });
    board.write("TASKS/todo/TASK-001.md", good);
    const list = await eventually(
      () => board.list(),
      ({ tasks }) => tasks.length === 1,
    );
    expect(list).toEqual({ tasks: [task], invalid: [] });
    await eventTold(board.hall, (event) => event.type === "file.mended" && event.subject.id === "TASK-001");
  });

  it("that is far too large is not read at all", async () => {
    const board = await startBoard();
    board.write("TASKS/todo/TASK-001.md", `---\nid: TASK-001\n---\n${"x".repeat(17 * 1024 * 1024)}`);
    const { invalid } = await eventually(
      () => board.list(),
      (list) => list.invalid.length === 1,
    );
    expect(invalid[0]?.reason).toContain("16 MiB");
    await assertAlive(board.hall);
  });

  it("that cannot be made to say where it was dragged to is left alone, and keeps no other from being followed", async () => {
    const board = await startBoard();
    const tied = "---\nid: TASK-001\nstatus: &same pending\nlater: *same\n---\n";
    board.write("TASKS/todo/TASK-001.md", tied);
    await eventually(
      () => board.list(),
      ({ tasks }) => tasks.length === 1,
    );
    renameSync(board.at("TASKS/todo/TASK-001.md"), board.at("TASKS/done/TASK-001.md"));
    board.write("TASKS/todo/TASK-002.md", "---\nid: TASK-002\n---\n");
    const { tasks, invalid } = await eventually(
      () => board.list(),
      (list) => list.tasks[0]?.id === "TASK-002",
    );
    expect(tasks).toHaveLength(1);
    expect(invalid).toMatchObject([{ id: "TASK-001", file: "projects/alpha/TASKS/done/TASK-001.md" }]);
    expect(board.read("TASKS/done/TASK-001.md")).toBe(tied);
    await board.hall.stop();
    const again = boardOf(await startHall(board.hall.workspace));
    expect((await again.list()).invalid).toHaveLength(1);
  });

  it("shows in `guildhall doctor` and `task list`, with its place", async () => {
    const board = await startBoard();
    board.write("TASKS/todo/TASK-007.md", "---\nid: TASK-007\nstatus: dnoe\n---\n");
    await eventually(
      () => board.list(),
      ({ invalid }) => invalid.length === 1,
    );
    const doctor = await guildhall(["doctor"], { workspace: board.hall.workspace });
    expect(doctor.stdout).toContain("projects/alpha/TASKS/todo/TASK-007.md");
    expect(doctor.stdout).toContain("status");
    const list = await guildhall(["task", "list", "-p", "alpha"], { workspace: board.hall.workspace });
    expect(list.stdout + list.stderr).toContain("TASK-007");
  });

  it("is a file whose name is no task id, or a copy of another", async () => {
    const board = await startBoard();
    await board.add("x");
    const text = board.read("TASKS/todo/TASK-001.md");
    board.write("TASKS/todo/notes.md", text);
    board.write("TASKS/todo/TASK-0001.md", text.replace("TASK-001", "TASK-0001"));
    board.write("TASKS/todo/TASK-001 (1).md", text);
    board.write("TASKS/review/TASK-001.md", text);
    const { tasks, invalid } = await eventually(
      () => board.list(),
      (list) => list.invalid.length === 4,
    );
    expect(tasks.map((task) => task.path)).toEqual(["projects/alpha/TASKS/todo/TASK-001.md"]);
    const reasons = Object.fromEntries(invalid.map((problem) => [problem.file.split("TASKS/")[1], problem.reason]));
    expect(reasons["review/TASK-001.md"]).toContain("projects/alpha/TASKS/todo/TASK-001.md");
    for (const name of ["notes.md", "TASK-0001.md", "TASK-001 (1).md"])
      expect(reasons[`todo/${name}`], name).toContain("TASK-001.md");
  });
});

describe("a task file that only looks odd", () => {
  it("is read as a whole task, and keeps its oddities through a change", async () => {
    const board = await startBoard();
    put(board, ODD);
    const { tasks, invalid } = await eventually(
      () => board.list(),
      (list) => list.tasks.length >= ODD.length,
    );
    expect(invalid).toEqual([]);
    for (const [at, [name, text, read]] of ODD.entries()) {
      const task = tasks.find((found) => found.id === idAt(at));
      const wanted = JSON.parse(JSON.stringify(read).replace('"ID"', `"${idAt(at)}"`));
      expect(task, name).toMatchObject(wanted);
      expect(await board.update(idAt(at), { ...task, notes: "added" }), name).toMatchObject({
        ...wanted,
        notes: "added",
      });
      const kept = String(withId(text, idAt(at)))
        .split(/\r?\n/)
        .slice(1, 4);
      for (const line of kept.filter((part) => part !== "---"))
        expect(board.read(`TASKS/todo/${idAt(at)}.md`)).toContain(line);
    }
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.list()).tasks).toHaveLength(ODD.length);
  });

  it("does not slip into the page of the board as markup", async () => {
    const board = await startBoard();
    board.write("TASKS/todo/TASK-101.md", "---\nid: TASK-101\n---\n# <img src=x onerror=alert(1)> [x](javascript:1)\n");
    const page = await eventually(
      () => (existsSync(board.at("TASKS/README.md")) ? board.read("TASKS/README.md") : ""),
      (text) => text.includes("TASK-101"),
    );
    expect(page).not.toMatch(/(?<!\\)<img/);
    expect(page).not.toContain("[x](");
  });

  it("may wait for itself in a circle that a person wrote: none of them is ready", async () => {
    const board = await startBoard();
    for (const [id, other] of [
      ["TASK-101", "TASK-102"],
      ["TASK-102", "TASK-101"],
    ] as const)
      board.write(`TASKS/todo/${id}.md`, `---\nid: ${id}\nblockedBy: [${other}]\n---\n`);
    const { tasks } = await eventually(
      () => board.list(),
      (list) => list.tasks.length === 2,
    );
    expect(tasks.map((task) => task.ready)).toEqual([false, false]);
    const answer = await board.ask("PUT", "/tasks/TASK-101", { blockedBy: [] });
    expect([answer.status, answer.body.task.ready]).toEqual([200, true]);
  });
});
