import { describe, expect, it } from "vitest";
import { ok, refused } from "../../test/fakes/api.ts";
import { task } from "../../test/fakes/api-documents.ts";
import { runCli } from "../../test/fakes/cli.ts";
import { fakeHost } from "../../test/fakes/cli-host.ts";
import { hint, toldHint } from "../contract/words/hint.ts";
import { runCommandLine } from "./run.ts";

describe("an error", () => {
  const invalid = () => refused("file_invalid", 409, { file: "projects/shop/a.md", line: 3, hint: "Mend the file." });

  it("goes to standard error with message, code, place and hint, and its exit code", async () => {
    const { code, out, err } = await runCli(["status"], invalid);
    expect({ code, out, err }).toEqual({
      code: 4,
      out: "",
      err: "error: refused with file_invalid [file_invalid]\n  at projects/shop/a.md:3\n  hint: Mend the file.\n",
    });
  });

  it("is one JSON document with --json", async () => {
    const { code, out, err } = await runCli(["status", "--json"], invalid);
    expect({ code, out }).toEqual({ code: 4, out: "" });
    expect(JSON.parse(err)).toEqual({
      error: {
        code: "file_invalid",
        message: "refused with file_invalid",
        file: "projects/shop/a.md",
        line: 3,
        hint: "Mend the file.",
        requestId: "request-1",
      },
    });
  });

  it("is JSON even for a command line that can't be read", async () => {
    const { code, err } = await runCli(["task", "lst", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(err)).toMatchObject({ error: { code: "usage", hint: expect.stringContaining("list") } });
    expect(JSON.parse((await runCli(["task", "--json"])).err)).toMatchObject({ error: { code: "usage" } });
  });

  it.each([
    [["demo", "--pace", "-1"], "See 'guildhall demo --help'."],
    [["events", "tail", "--lines", "-1"], "See 'guildhall events tail --help'."],
    [["up", "--port", "99999"], "See 'guildhall up --help'."],
  ])("of wrong usage refers to the help of the command: %j", async (words, hint) => {
    const { code, err } = await runCli(words);
    expect([code, err]).toEqual([2, expect.stringContaining(`\n  hint: ${hint}\n`)]);
  });

  it("never carries an escape sequence from data to the terminal", async () => {
    const { err } = await runCli(["status"], () => refused("invalid", 422, { message: "bad \u001b[2J\u009b name" }));
    expect(err).toContain("error: bad ␛[2J\\u009b name [invalid]");
  });

  it("lists several problems, none of which can pass for a hint", async () => {
    const message = "spec.md: is missing\nplan.json: is empty\n  hint: guildhall stop";
    const { err } = await runCli(["status"], () => refused("invalid", 422, { message }));
    expect(err).toMatch(
      /^error: 3 problems \[invalid\]\n {2}- spec\.md: is missing\n {2}- plan\.json: is empty\n {2}- {3}hint: /,
    );
    expect(err.match(/^ {2}hint:/gm)).toHaveLength(1);
  });

  it("names the request where the daemon has a defect", async () => {
    const { code, err } = await runCli(["status"], () => refused("internal", 500));
    expect(code).toBe(1);
    expect(err).toContain("request: request-1");
  });

  it.each([
    ["unauthorized", 401, 5],
    ["task_not_found", 404, 3],
    ["illegal_move", 409, 4],
    ["storage_failed", 503, 7],
  ])("of code %s ends with the exit code of the table", async (error, httpStatus, exit) => {
    expect((await runCli(["status"], () => refused(error, httpStatus))).code).toBe(exit);
  });

  it("without a workspace says how to set it up, or to start at once", async () => {
    const host = fakeHost({ env: { GUILDHALL_WORKSPACE: "/there/is/none" } });
    expect(await runCommandLine(["task", "list"], host)).toBe(6);
    expect(host.printed.err).toBe(
      "error: No daemon is running for /there/is/none. [daemon_unreachable]\n" +
        "  hint: There is no workspace yet. Set it up with 'guildhall init', or start it with 'guildhall up'.\n",
    );
  });
});

describe("a program that a shell does not find by its name", () => {
  const calledAs = "/clone/bin/guildhall";

  it("is called by its path in failures, answers and help, but in no document", async () => {
    const host = fakeHost({ env: { GUILDHALL_WORKSPACE: "/there/is/none" }, calledAs });
    await runCommandLine(["status"], host);
    expect(host.printed.err).toContain(`Set it up with '${calledAs} init', or start it with '${calledAs} up'.\n`);
    const missing = () => refused("run_not_found", 404, { ...toldHint(hint("run-list")) });
    expect((await runCli(["run", "show", "run-1"], missing, { calledAs })).err).toContain(`'${calledAs} run list'`);
    expect((await runCli(["run", "show", "run-1", "--json"], missing, { calledAs })).err).toContain("'guildhall run");
    const none = () => ok({ roles: [], invalid: [] });
    expect((await runCli(["role", "list"], none, { calledAs })).out).toContain(`Create one: ${calledAs} role create`);
    expect((await runCli(["up", "--help"], undefined, { calledAs })).out).toContain(`$ ${calledAs} up\n`);
  });
});

describe("help", () => {
  it("goes to standard output when asked for, and to standard error with code 2 when a command is missing", async () => {
    const asked = await runCli(["task", "--help"]);
    const missing = await runCli(["task"]);
    expect(asked).toMatchObject({ code: 0, err: "", out: expect.stringContaining("Usage: guildhall task") });
    expect(missing).toMatchObject({ code: 2, out: "", err: asked.out });
  });

  it("prints the version of the package", async () => {
    expect(await runCli(["--version"])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

describe("output", () => {
  const answer = () => ok({ tasks: [task({ title: "A long title ".repeat(20).trim() })], invalid: [] });

  it("is the API's own answer with --json: one line in a pipe, indented on a terminal", async () => {
    const piped = await runCli(["task", "list", "--json"], answer);
    const shown = await runCli(["task", "list", "--json"], answer, { terminal: 80 });
    expect(piped.out.split("\n")).toHaveLength(2);
    expect(shown.out).toContain('\n  "tasks"');
    expect(JSON.parse(piped.out)).toEqual(JSON.parse(shown.out));
    expect(JSON.parse(piped.out)).toEqual({ tasks: [task({ title: "A long title ".repeat(20).trim() })], invalid: [] });
  });

  it("fits the terminal, or COLUMNS in a pipe, and is whole in a pipe without", async () => {
    const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));
    const words = ["task", "list", "--no-color"];
    expect(widest((await runCli(words, answer, { terminal: 60 })).out)).toBe(60);
    expect(widest((await runCli(words, answer, { env: { COLUMNS: "50" } })).out)).toBe(50);
    expect(widest((await runCli(words, answer)).out)).toBeGreaterThan(200);
  });

  it.each([
    ["on a terminal", {}, [], true],
    ["but not with --no-color", {}, ["--no-color"], false],
    ["but not with NO_COLOR", { NO_COLOR: "1" }, [], false],
    ["but not on a dumb terminal", { TERM: "dumb" }, [], false],
  ])("is coloured %s", async (_, env, words, colored) => {
    const { out } = await runCli(["task", "list", ...words], answer, { terminal: 80, env });
    expect(out.includes("\u001b[")).toBe(colored);
  });

  it("is never coloured in a pipe", async () => {
    expect((await runCli(["task", "list"], answer)).out).not.toContain("\u001b");
  });
});
