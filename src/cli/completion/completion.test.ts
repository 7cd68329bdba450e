import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longFlag } from "../command-spec.ts";
import { allCommands } from "../command-table.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

const entries = await allCommands();
let workspace: string;

beforeAll(() => {
  workspace = mkdtempSync(join(tmpdir(), "guildhall-completion-"));
  for (const name of ["shop", "site", "$(touch pwned)"])
    mkdirSync(join(workspace, "projects", name), { recursive: true });
});

afterAll(() => rmSync(workspace, { recursive: true, force: true }));

/** What bash offers for the last of these words. */
function complete(...words: string[]): string[] {
  const script = `${bashScript(entries)}
    COMP_WORDS=(guildhall "$@"); COMP_CWORD=$#
    _guildhall
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: process.env.PATH, GUILDHALL_WORKSPACE: workspace, HOME: workspace };
  const printed = execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8", env, cwd: workspace });
  return printed.split("\n").filter((line) => line !== "");
}

describe("the bash script", () => {
  it("is valid", () => {
    execFileSync("bash", ["-n"], { input: bashScript(entries) });
  });

  it("offers nouns and commands, then verbs, then options", () => {
    expect(complete("ta")).toEqual(["task"]);
    expect(complete("")).toEqual(expect.arrayContaining(["up", "doctor", "role", "project", "task", "--version"]));
    expect(complete("task", "")).toEqual(["list", "show", "search", "add", "edit", "move"]);
    expect(complete("task", "list", "--pr")).toEqual(["--project", "--priority"]);
    expect(complete("doctor", "--")).toEqual(["--test-model", "--workspace", "--json", "--no-color", "--help"]);
  });

  it("offers the words of an option and of an argument", () => {
    expect(complete("task", "list", "-p", "shop", "--priority", "")).toEqual(["low", "medium", "high", "urgent"]);
    expect(complete("task", "move", "TASK-001", "in")).toEqual(["in-progress"]);
    expect(complete("completion", "")).toEqual(["bash", "zsh", "fish"]);
  });

  it("passes over global options with a value", () => {
    expect(complete("--workspace", "role", "task", "mo")).toEqual(["move"]);
  });

  it("offers the projects of the workspace, and no folder whose name a shell would act on", () => {
    expect(complete("task", "list", "-p", "s")).toEqual(["shop", "site"]);
    expect(complete("project", "show", "")).toEqual(["shop", "site"]);
    expect(existsSync(join(workspace, "pwned"))).toBe(false);
  });

  it("understands a value after the sign, which bash makes a word of its own", () => {
    expect(complete("task", "list", "--status", "=")).toContain("in-progress");
    expect(complete("task", "list", "--status", "=", "in")).toEqual(["in-progress"]);
    expect(complete("--workspace", "=", "role", "task", "mo")).toEqual(["move"]);
  });

  it("offers nothing where the value is free", () => {
    expect(complete("task", "add", "--role", "x")).toEqual([]);
  });
});

describe.each([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
])("the %s script", (shell, script) => {
  it("knows every command and each of its options", () => {
    const lines = script(entries).split("\n");
    for (const { path, spec } of entries) {
      const about =
        shell === "fish" ? lines.filter((line) => line.includes(`__guildhall_in ${path}'`)) : block(lines, path);
      for (const name of Object.keys(spec.options ?? {})) {
        const flag = longFlag(name).slice(2);
        expect(about.join("\n"), `${path} ${flag}`).toContain(flag);
      }
    }
  });
});

function block(lines: string[], path: string): string[] {
  const start = lines.findIndex((line) => line.includes(`"${path} "*)`));
  return lines.slice(start, lines.indexOf("      ;;", start));
}
