import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { boardOf } from "../harness/board.ts";
import { environment } from "../harness/guildhall.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const hall = sharedHall();

/** Runs lines of bash where `guildhall` is the command. */
async function bash(script: string, ...words: string[]) {
  const env = environment({ workspace: hall().workspace });
  const child = spawn("bash", ["-c", script, "bash", ...words], { env });
  child.stdin.end();
  const ended = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await ended;
  return { status, stdout, stderr };
}

describe("in a pipeline", () => {
  it("a reader that has seen enough ends a command quietly", async () => {
    await hall().call("POST", "/api/projects", { id: "long", name: "long" });
    for (let at = 0; at < 20; at++) await boardOf(hall(), "long").add({ title: "x", description: "y".repeat(20_000) });
    expect(await bash("set -o pipefail; guildhall task list --json | head -c 9")).toEqual({
      status: 0,
      stdout: '{"tasks":',
      stderr: "",
    });
  });

  it("nothing is cut, and nothing is coloured", async () => {
    await hall().call("POST", "/api/projects", { id: "whole", name: "whole" });
    await boardOf(hall(), "whole").add("t".repeat(400));
    const { stdout } = await bash("guildhall task list -p whole | cat");
    expect(stdout).toContain(` ${"t".repeat(400)}\n`);
    expect(stdout).not.toContain("\u001b");
    const narrow = (await bash("COLUMNS=50 guildhall task list -p whole | cat")).stdout;
    expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBe(50);
  });

  it.runIf(existsSync("/dev/full"))("output that cannot be written is an error, not a success", async () => {
    const { status, stderr } = await bash("guildhall status > /dev/full");
    expect([status, stderr]).toEqual([7, expect.stringContaining("Can't write the output (ENOSPC). [storage_failed]")]);
    expect((await bash("guildhall task show none/1 2> /dev/full")).status).toBe(3);
  });

  it("closed streams do no harm", async () => {
    await hall().call("POST", "/api/projects", { id: "closed", name: "closed" });
    expect(await bash("guildhall status <&- > /dev/null")).toMatchObject({ status: 0, stderr: "" });
    expect(await bash("guildhall task add x -p closed -d - <&-")).toMatchObject({ status: 0, stderr: "" });
    expect((await bash("guildhall task show none/1 >&- 2>&-")).status).toBe(3);
  });

  it("one command feeds the next", async () => {
    await hall().call("POST", "/api/projects", { id: "fed", name: "fed" });
    const script = "guildhall role show --json $1 | guildhall task add 'What it says' -p fed -d - --json";
    await hall().call("POST", "/api/roles", { id: "poet", name: "Poet 🪶" });
    const { task } = JSON.parse((await bash(script, "poet")).stdout);
    expect(JSON.parse(task.description).role.name).toBe("Poet 🪶");
  });
});

describe("completion in bash", () => {
  const load = 'eval "$(guildhall completion bash)"';
  const complete = (...words: string[]) =>
    bash(`${load}; COMP_WORDS=(guildhall "$@"); COMP_CWORD=$#; _guildhall; echo "\${COMPREPLY[*]}"`, ...words);

  it("is registered for the command", async () => {
    expect(await bash(`${load}; complete -p guildhall`)).toEqual({
      status: 0,
      stdout: "complete -F _guildhall guildhall\n",
      stderr: "",
    });
  });

  it("offers verbs, options, words and the projects of the workspace", async () => {
    await hall().call("POST", "/api/projects", { id: "offered", name: "offered" });
    expect((await complete("task", "m")).stdout).toBe("move\n");
    expect((await complete("task", "move", "TASK-001", "in-")).stdout).toBe("in-progress\n");
    expect((await complete("task", "list", "-p", "off")).stdout).toBe("offered\n");
    expect((await complete("project", "show", "off")).stdout).toBe("offered\n");
    expect((await complete("up", "--no-")).stdout).toBe("--no-open --no-build --no-color\n");
  });
});
