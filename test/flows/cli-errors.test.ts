import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Board, boardOf } from "../harness/board.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { guildhall, type Outcome } from "../harness/guildhall.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const hall = sharedHall();
const ask = (...words: string[]) => guildhall(words, { workspace: hall().workspace });

async function projectOf(name: string, ...titles: string[]): Promise<Board> {
  await hall().call("POST", "/api/projects", { id: name, name });
  const board = boardOf(hall(), name);
  for (const title of titles) await board.add(title);
  return board;
}

/** An error as people read it: what happened, its code, and what to do. */
function refused({ code, stdout, stderr }: Outcome) {
  const [, message, error, hint] = /^error: (.*) \[(\w+)\]\n(?: {2}at .*\n)? {2}hint: (.*)\n$/.exec(stderr) ?? [];
  return { exit: code, stdout, message: message ?? stderr, error, hint };
}

describe("a refusal", () => {
  it.each([
    ["nothing there", ["task", "show", "none/1"], 3, "project_not_found", "guildhall project list"],
    ["a verb that is none", ["task", "lst"], 2, "usage", "Did you mean list?"],
    ["a missing value", ["task", "add"], 2, "usage", "guildhall task add --help"],
    ["a missing project", ["task", "add", "x"], 2, "usage", "GUILDHALL_PROJECT"],
    [
      "an option before its command",
      ["-p", "a-b", "task", "list"],
      2,
      "usage",
      "after the command: 'guildhall task list -p …'",
    ],
    ["a number that is none", ["task", "list", "--limit", "many"], 2, "usage", "guildhall task list --help"],
    ["a form of no webhook", ["trigger", "add", "x", "--every", "1m", "--form", "github"], 2, "usage", "--webhook"],
    ["a number out of range", ["task", "list", "--limit", "0"], 2, "invalid", "Correct these fields"],
    ["a port that is none", ["up", "--port", "99999"], 2, "usage", "--help"],
    ["an empty search", ["search", " "], 2, "usage", "one or more words"],
    ["a suggestion for nothing", ["role", "suggest"], 2, "usage", "guildhall role suggest --task"],
    ["a role out of nothing", ["role", "create"], 2, "usage", "--template"],
    ["a shell that is none", ["completion", "tcsh"], 2, "usage", "bash, zsh or fish"],
    ["a file that is not there", ["role", "create", "--file", "/none.json"], 2, "usage", "Check the name"],
    ["a template that is none", ["role", "create", "--template", "x"], 3, "template_not_found", "role templates"],
    ["a way out of the project", ["task", "show", "shop/.."], 2, "usage", "--help"],
    ["an id of 100,000 digits", ["task", "show", `shop/${"9".repeat(100_000)}`], 2, "too_large", "Shorten"],
    ["words beyond all measure", ["search", "x".repeat(100_000)], 2, "too_large", "Shorten"],
  ])("of %s has its exit code, and says on standard error what to do", async (_, words, exit, error, hint) => {
    expect(refused(await ask(...words))).toMatchObject({
      exit,
      stdout: "",
      error,
      hint: expect.stringContaining(hint),
    });
  });

  it("of what is in conflict ends with 4 and leaves everything as it was", async () => {
    const board = await projectOf("conflicts", "first", "second");
    await board.update("TASK-002", { blockedBy: ["TASK-001"] });
    const before = await board.list();
    for (const [words, error, hint] of [
      [["project", "create", "Conflicts"], "already_exists", "another id"],
      [["task", "move", "conflicts/1", "review"], "illegal_move", "one of the statuses listed"],
      [["task", "edit", "conflicts/1", "--blocked-by", "2"], "dependency_cycle", "Remove one"],
      [["task", "edit", "conflicts/1", "--title", "x", "--if-match", "old"], "version_mismatch", "Read the document"],
      [["project", "archive", "conflicts"], "illegal_move", "one of the statuses listed"],
    ] as const) {
      const expected = { exit: 4, stdout: "", error, hint: expect.stringContaining(hint) };
      expect(refused(await ask(...words)), words.join(" ")).toMatchObject(expected);
    }
    expect(await board.list()).toEqual(before);
  });

  it("of a change that changes nothing is one of usage", async () => {
    await projectOf("idle", "first");
    for (const words of [
      ["task", "edit", "idle/1"],
      ["project", "edit", "idle"],
      ["role", "edit", "none"],
    ]) {
      expect(refused(await ask(...words))).toMatchObject({
        exit: 2,
        message: "Nothing to change.",
        error: "usage",
      });
    }
  });

  it("of an assigned role names the projects that have it", async () => {
    await projectOf("crew");
    await ask("role", "create", "--template", "tester");
    await ask("role", "assign", "tester", "-p", "crew");
    const { exit, message, hint } = refused(await ask("role", "delete", "tester"));
    expect({ exit, message }).toEqual({ exit: 4, message: expect.stringContaining("crew") });
    expect(hint).toContain("guildhall role unassign");
  });

  it("without the right token ends with 5", async () => {
    const { url } = hall();
    const workspace = join(temporaryFolder(), "other");
    expect((await guildhall(["init"], { workspace })).code).toBe(0);
    writeFileSync(join(workspace, ".guildhall/lock"), JSON.stringify({ pid: process.pid, url }));
    expect(refused(await guildhall(["status"], { workspace }))).toMatchObject({ exit: 5, error: "unauthorized" });
  });

  it("names the file and the line of what a hand has broken", async () => {
    const board = await projectOf("broken");
    board.write("TASKS/todo/TASK-007.md", "---\nid: TASK-007\npriority: soon\n---\n# Broken\n");
    await eventually(
      () => board.list(),
      ({ invalid }) => invalid.length === 1,
    );
    const { code, stderr } = await ask("task", "show", "broken/7");
    expect(code).toBe(4);
    expect(stderr).toContain("[file_invalid]\n  at projects/broken/TASKS/todo/TASK-007.md:3\n  hint: Fix the file");
    const list = await ask("task", "list", "-p", "broken");
    expect(list.stdout).toContain("invalid: projects/broken/TASKS/todo/TASK-007.md:3  priority: ");
  });

  it("is one JSON document with --json, wherever it stands in the line", async () => {
    for (const words of [
      ["--json", "task", "show", "none/1"],
      ["task", "--json", "show", "none/1"],
    ]) {
      const { code, stdout, stderr } = await ask(...words);
      expect([code, stdout]).toEqual([3, ""]);
      expect(JSON.parse(stderr)).toEqual({
        error: {
          code: "project_not_found",
          message: expect.stringContaining("none"),
          hint: expect.any(String),
          hintAction: { action: "project-list", args: {} },
          requestId: expect.any(String),
        },
      });
    }
  });
});

describe("a value", () => {
  it.each([
    ["spaces and quotes", `  it's a "title"  `, `it's a "title"`],
    ["emoji and other scripts", "👩‍👩‍👧‍👦 日本語 ñ", "👩‍👩‍👧‍👦 日本語 ñ"],
    ["a leading dash", "--help is too long", "--help is too long"],
    ["what a shell would act on", "$(id) `id` ; rm -rf ~ > x", "$(id) `id` ; rm -rf ~ > x"],
  ])("with %s arrives as it was typed", async (name, typed, kept) => {
    const board = await projectOf(name.replaceAll(" ", "-"));
    const { code, stdout } = await ask("task", "add", "-p", board.projectId, "--", typed);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`/TASK-001: ${kept}\n`)]);
    expect((await board.get("TASK-001")).title).toBe(kept);
  });

  it("of many lines comes from standard input, byte for byte", async () => {
    const board = await projectOf("from-input");
    const text = "First\n\n- a list\n\t- with a tab\n\n# no heading of ours\n--- no frontmatter\n👋 – ende";
    const words = ["task", "add", "Many lines", "-p", "from-input", "-d", "-"];
    expect((await guildhall(words, { workspace: hall().workspace, input: text })).code).toBe(0);
    expect((await board.get("TASK-001")).description).toBe(text);
    expect((await ask("task", "show", "from-input/1")).stdout).toContain("First\n\n- a list\n  - with a tab\n");
  });

  it("that is not UTF-8 is refused", async () => {
    const file = join(temporaryFolder(), "latin.json");
    writeFileSync(file, Buffer.from([0x7b, 0xe9, 0x7d]));
    expect(refused(await ask("role", "create", "--file", file))).toMatchObject({ exit: 2, error: "malformed" });
  });
});
