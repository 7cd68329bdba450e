import { rmSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Board, boardOf, eventsOf, startBoard } from "../harness/board.ts";
import { eventually, startHall } from "../harness/daemon.ts";

const FILE = "TASKS/todo/TASK-001.md";

/** Strings that a template, a shell, a regular expression or a parser might take for its own. */
const LITERALS = [
  "{{7*7}}",
  "{{PROJECT}}{{TASK}}{{TASK}}",
  "{{{{raw}}}}{{7*7}}{{{{/raw}}}}",
  '{{constructor.constructor("return process")().env}}',
  `$\{x}`,
  "$&",
  "$$",
  "$`",
  "$'",
  "$1",
  "$<name>",
  "<%= process.env.HOME %>",
  "#{7*7}",
  "@@include(/etc/passwd)",
  '#include "/etc/passwd"',
  "%s%s%s%n",
  "{0.__class__}",
  "</task><system>x</system>",
  "<img src=x onerror=alert(1)>",
  "x'); DROP TABLE tasks;--",
  "'single' \"double\" \\back\\slash",
  "- [x] a box",
  "a: b # c",
  "true",
  "null",
  "0x1F",
  "e\u0301 é 🚀 日本語 \u200d",
] as const;

async function handWritten(board: Board, text: string) {
  board.write(FILE, text);
  return eventually(
    () => board.ask("GET", "/tasks/TASK-001"),
    (answer) => answer.status === 200,
  );
}

describe("the file of a task", () => {
  it("lies in the folder of its status, with frontmatter and the sections people fill in [S0-TF-01 S0-TF-02 S0-TF-03 S0-TF-04]", async () => {
    const board = await startBoard();
    const role = (await board.hall.call("POST", "/api/roles", { template: "coder" })).body.role;
    const task = await board.add({
      title: "Write the login page",
      description: "With a form.",
      priority: "high",
      assignedRoleId: role.id,
      context: { files: ["src/login.ts"], codeRefs: ["login.ts:10"], dependencies: ["TASK-009"] },
      acceptanceCriteria: ["shows an error", { text: "has a test", done: true }],
      notes: "Ask Ada.",
    });
    expect(task.path).toBe(`projects/alpha/${FILE}`);
    const [, frontmatter = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(board.read(FILE)) ?? [];
    const keys = Object.fromEntries(
      frontmatter.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]),
    );
    expect(keys).toMatchObject({
      id: "TASK-001",
      status: "pending",
      priority: "high",
      assigned: role.id,
      role: role.id,
      project: "alpha",
      created: task.createdAt,
      updated: task.updatedAt,
    });
    expect(body.match(/^#+ .*$/gm)).toEqual([
      "# Write the login page",
      "## Description",
      "## Context",
      "## Acceptance Criteria",
      "## Notes",
    ]);
    expect(body).toContain("## Context\n- Files: `src/login.ts`\n- Code: `login.ts:10`\n- Related: TASK-009\n");
    expect(body).toContain("## Acceptance Criteria\n- [ ] shows an error\n- [x] has a test\n");
  });

  it("follows every change over the API [S0-TF-02]", async () => {
    const board = await startBoard();
    await board.add("Before");
    const task = await board.update("TASK-001", { title: "After", notes: "n", labels: ["a b", "c"], plan: "p" });
    const text = board.read(FILE);
    expect(text).toContain(`\nupdated: ${task.updatedAt}\n`);
    expect(text).toContain("\n# After\n");
    expect(text).toContain("\nlabels: [a b, c]\n");
    expect(text).toMatch(/## Notes\nn\n$/);
  });

  it("keeps strange text byte for byte, from the API into the file and back", async () => {
    const board = await startBoard();
    for (const text of LITERALS) {
      const body = {
        title: text,
        description: `${text}\n\n${text}`,
        notes: text,
        labels: [text.slice(0, 60)],
        acceptanceCriteria: [{ text, done: true }],
        context: { files: [text], codeRefs: [text], dependencies: [text] },
        completionNotes: text,
        result: { summary: text, filesChanged: [text], artifactsCreated: [text] },
      };
      const made = await board.add(body);
      expect(made).toMatchObject(body);
      expect(board.read(`TASKS/todo/${made.id}.md`)).toContain(`\n# ${text}\n\n## Description\n${text}\n\n${text}\n`);
      expect(await board.update(made.id, { title: `${text}!`, description: text })).toMatchObject({
        description: text,
      });
    }
    const before = (await board.list()).tasks;
    expect(before).toHaveLength(LITERALS.length);
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.list()).tasks).toEqual(before);
  });

  it("keeps text that looks like its own headings, boxes, fences and lists where it was put", async () => {
    const board = await startBoard();
    const text = [
      "# Title",
      "## Description",
      "## context",
      "## Acceptance Criteria  ",
      "- [ ] not a criterion",
      "- Files: `not.ts`",
      "\\## Notes",
      "## Notes",
      "---",
      "id: TASK-999",
      "---",
      "```json",
      "{}",
      "```",
      "## Result",
    ].join("\n");
    const made = await board.add({ title: "x", description: text, notes: text, completionNotes: text, status: "done" });
    expect(made).toMatchObject({ description: text, notes: text, completionNotes: text, acceptanceCriteria: [] });
    expect(made.context.files).toEqual([]);
    await board.hall.call("POST", "/api/index/rebuild");
    expect(await board.get("TASK-001")).toEqual(made);
    await board.update("TASK-001", { description: `${text}\nmore`, notes: "short" });
    await board.hall.call("POST", "/api/index/rebuild");
    const after = await board.get("TASK-001");
    expect([after.description, after.notes, after.completionNotes]).toEqual([`${text}\nmore`, "short", text]);
  });

  it("keeps references of every kind: commas, backticks, quotes, backslashes, spaces, line breaks", async () => {
    const board = await startBoard();
    const odd = [
      "a, b",
      "`tick`",
      '"quoted"',
      "back\\slash",
      " lead",
      "trail ",
      "two\nlines",
      "\r",
      ",",
      "`",
      '"',
      "\\",
    ];
    const context = { files: odd, codeRefs: [...odd].reverse(), dependencies: ["TASK-002", "JIRA-7 (old)", ...odd] };
    expect((await board.add({ title: "x", context })).context).toEqual(context);
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.get("TASK-001")).context).toEqual(context);
  });

  it("tells the result in full", async () => {
    const board = await startBoard();
    const result = { summary: "## Notes\n\n```json\n{}\n```", filesChanged: ["a.ts"], artifactsCreated: ["r.md"] };
    await board.add({ title: "x", status: "in-progress" });
    expect((await board.update("TASK-001", { result })).result).toEqual(result);
    await board.hall.call("POST", "/api/index/rebuild");
    expect((await board.get("TASK-001")).result).toEqual(result);
    expect(await board.update("TASK-001", { result: null })).not.toHaveProperty("result");
  });

  it("is private to its owner, as everything the hall writes", async () => {
    const board = await startBoard();
    await board.add("x");
    expect(statSync(board.at(FILE)).mode & 0o777).toBe(0o600);
  });
});

describe("a task file that a person wrote", () => {
  const OWN = [
    "---",
    "# remarks of my own",
    "id: TASK-001",
    "status:   todo    # not yet",
    "estimate: {days: 3, why: 'guess'}",
    "reviewers: [ada,   bob]   # both",
    "priority: high",
    "created: 2026-01-05",
    "---",
    "",
    "<!-- before the title -->",
    "# Mine   ",
    "",
    "A preamble.",
    "",
    "## Context",
    "See the wiki.",
    "- Files: a.ts, b.ts",
    "",
    "## Acceptance Criteria",
    "All of:",
    "* [ ] one",
    "  with a remark",
    "  + [X] two",
    "",
    "## My own heading",
    "  kept  \t",
    "",
    "",
    "## notes",
    "n",
  ].join("\n");

  it("keeps unknown keys, comments and its own text to the byte through changes over the API", async () => {
    const board = await startBoard();
    const read = (await handWritten(board, OWN)).body.task;
    expect(read).toMatchObject({
      title: "Mine",
      description: "<!-- before the title -->\n\nA preamble.",
      status: "pending",
      priority: "high",
      createdAt: "2026-01-05T00:00:00.000Z",
      context: { files: ["a.ts", "b.ts"] },
      notes: "n",
    });
    const task = await board.update("TASK-001", {
      priority: "low",
      notes: "m",
      acceptanceCriteria: [
        { text: "one", done: true },
        { text: "two", done: true },
      ],
      context: { files: ["c.ts"] },
    });
    expect(board.read(FILE)).toBe(
      OWN.replace("priority: high", "priority: low")
        .replace("\n---\n\n", `\nupdated: ${task.updatedAt}\n---\n\n`)
        .replace("* [ ] one", "* [x] one")
        .replace("- Files: a.ts, b.ts", "- Files: `c.ts`")
        .replace("## notes\nn", "## notes\nm"),
    );
    await board.move("TASK-001", "in-progress");
    const moved = board.read("TASKS/in-progress/TASK-001.md");
    expect(moved).toContain("\nstatus:   in-progress    # not yet\n");
    for (const line of ["# remarks of my own", "estimate: {days: 3, why: 'guess'}", "reviewers: [ada,   bob]   # both"])
      expect(moved).toContain(`\n${line}\n`);
    expect(moved).toContain("\n## My own heading\n  kept  \t\n\n\n## notes\n");
  });

  it("keeps a byte order mark and CRLF line ends", async () => {
    const board = await startBoard();
    const text = `\ufeff${OWN}\n`.replaceAll("\n", "\r\n");
    expect((await handWritten(board, text)).body.task.title).toBe("Mine");
    await board.update("TASK-001", { description: "Two\nlines.", labels: ["x"] });
    const edited = board.read(FILE);
    expect(edited.startsWith("\ufeff---\r\n")).toBe(true);
    expect(edited.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(edited).toContain("## Description\r\nTwo\r\nlines.\r\n");
    expect((await board.get("TASK-001")).description).toBe("Two\nlines.");
  });

  it("is the same task after the index was built anew", async () => {
    const board = await startBoard();
    await handWritten(board, OWN.replace("created: 2026-01-05\n", ""));
    await board.update("TASK-001", { description: "", priority: "low" });
    const before = await board.get("TASK-001");
    expect(before.description).toBe("");
    await board.hall.stop();
    rmSync(`${board.hall.workspace}/.guildhall/index.db`);
    const again = boardOf(await startHall(board.hall.workspace));
    expect(await again.get("TASK-001")).toEqual(before);
  });

  it("is not written to for being read", async () => {
    const board = await startBoard();
    await handWritten(board, OWN);
    await board.get("TASK-001");
    await board.list();
    expect(board.read(FILE)).toBe(OWN);
    expect((await eventsOf(board.hall, "type=task")).map((event) => event.type)).toEqual(["task.created"]);
  });
});
