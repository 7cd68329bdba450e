import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { ruleText } from "../../contract/words/permission-words.ts";
import { type CalledTool, isAllowedBy, ruleOf, subjectOf } from "./rule.ts";
import { splitCommand } from "./split-command.ts";

const exec = (command: string): CalledTool => ({ tool: "exec", input: JSON.stringify({ command }) });
const write = (path: string, content = ""): CalledTool => ({ tool: "write", input: JSON.stringify({ path, content }) });
const fetching = (url: string): CalledTool => ({ tool: "web_fetch", input: JSON.stringify({ url }) });

describe("a compound command", () => {
  it.each([
    ["npm test && npm run lint", ["npm test", "npm run lint"]],
    ["npm test; git status\n", ["npm test", "git status"]],
    ["npm test || echo 'it; failed'", ["npm test", "echo 'it; failed'"]],
    ["git log | head -3 && ls", ["git log | head -3", "ls"]],
    ["ls\npwd", ["ls", "pwd"]],
    ["  ls  ", ["ls"]],
    [String.raw`find . -name \*.ts ; ls`, [String.raw`find . -name \*.ts`, "ls"]],
    [`grep "a|b" x && ls`, [`grep "a|b" x`, "ls"]],
  ])("is split where its parts are independent: %s", (command, parts) => {
    expect(splitCommand(command)).toEqual(parts);
  });

  it.each([
    ...["cd /tmp && rm x", "A=1; ls", "ls & rm x", "ls > a; rm b", "echo $(rm x); ls", "echo `rm x`; ls", "(cd a; ls)"],
    ...["ls | cd x; rm y", 'echo "$HOME"; ls', "ls &&", "; ls", "ls;; rm x", "ls && 'rm x", "if true; then ls; fi"],
    ...[
      "eval ls; rm x",
      "c\\d x; rm y",
      "'cd' x; rm y",
      "ls <<E\nrm x\nE",
      "f() { ls; }; f",
      "ls # x\nrm y",
      "ls\rrm x",
    ],
    ...[
      "ls\u00a0; rm x",
      "! ls; rm x",
      "export A=1; ls",
      "ls |& rm x",
      "ls \\\nrm; ls",
      ". ./x; ls",
      "command cd x; ls",
    ],
    ...["chdir /tmp && rm x", "printf -v PATH x; ls", "printf '-'v PATH x; ls", "ls | chdir x; rm y", "fc -s; ls"],
    ...["rm \\ ; ls", "ls; rm \\\t", "rm a\\ b; ls"],
    ...["{ ls; rm x; }", "a &&\nb", "exec ls; rm x", "set -e; rm x", "alias ls=rm; ls x", "while true; do ls; done"],
  ])("is one command where a part could change another, or in doubt: %j", (command) => {
    expect(splitCommand(command)).toEqual([command]);
  });
});

describe("a rule", () => {
  it("allows each part of the command it was made of, and no other command", () => {
    const rule = ruleOf(exec("npm test && git push origin main"));
    expect(rule).toEqual({ tool: "exec", commands: ["npm test", "git push origin main"] });
    expect(ruleText(rule)).toBe("exec: each of `npm test`, `git push origin main`, alone or together");
    const allowed = ["npm test && git push origin main", "git push origin main", "npm test; npm test"];
    expect(allowed.filter((command) => !isAllowedBy(rule, exec(command)))).toEqual([]);
    const others = [
      ...[
        "npm test && git push origin main --force",
        "npm test & git push origin main",
        "npm test | git push origin main",
      ],
      ...[
        "npm  test",
        "NPM test",
        "npm test > x",
        "npm test #",
        "npm tеst",
        "npm test && rm x",
        "(npm test)",
        "npm test\\",
      ],
      ...["cd x && npm test", "A=1 npm test", "npm test $(rm x)", "npm test\u200b", "npm\u00a0test", "", "npm"],
    ];
    expect(others.filter((command) => isAllowedBy(rule, exec(command)))).toEqual([]);
    expect(isAllowedBy(rule, { tool: "write", input: exec("npm test").input })).toBe(false);
  });

  it("of a file allows that file with any content, as it was named", () => {
    const rule = ruleOf(write("src/a.ts", "x"));
    expect([rule, isAllowedBy(rule, write("src/a.ts", "y"))]).toEqual([{ tool: "write", path: "src/a.ts" }, true]);
    const others = ["src/../src/a.ts", "./src/a.ts", "src/A.ts", "src/a.ts ", "/src/a.ts", "src//a.ts", "src/b.ts"];
    expect(others.filter((path) => isAllowedBy(rule, write(path)))).toEqual([]);
    expect(isAllowedBy(rule, { tool: "edit", input: write("src/a.ts").input })).toBe(false);
  });

  it("of a page allows the pages of its origin", () => {
    const rule = ruleOf(fetching("https://example.com/a?b"));
    expect([rule.origin, isAllowedBy(rule, fetching("https://EXAMPLE.com/c"))]).toEqual(["https://example.com", true]);
    const others = ["http://example.com/a", "https://example.com:8443/", "https://example.com@evil.test/"];
    const more = ["https://example.com.evil.test/", "https://evil.test/#https://example.com", "https://exаmple.com/"];
    expect([...others, ...more].filter((url) => isAllowedBy(rule, fetching(url)))).toEqual([]);
  });

  it("of another tool allows the same input, whatever the order of its keys", () => {
    const call = (input: string) => ({ tool: "memory_write", input });
    const rule = ruleOf(call('{"b":1,"a":{"d":2,"c":3}}'));
    expect(isAllowedBy(rule, call('{"a":{"c":3,"d":2},"b":1}'))).toBe(true);
    const others = ['{"b":1,"a":{"d":2,"c":4}}', '{"b":1}', "", "[]", '{"b":"1","a":{"d":2,"c":3}}'];
    expect(others.filter((input) => isAllowedBy(rule, call(input)))).toEqual([]);
  });

  it("of a call that is too long is its digest", () => {
    const call = exec(`echo ${"x".repeat(30_000)}`);
    const rule = ruleOf(call);
    expect([Object.keys(rule), ruleText(rule)]).toEqual([["tool", "digest"], "exec: exactly this input"]);
    expect([isAllowedBy(rule, call), isAllowedBy(rule, exec(`echo ${"x".repeat(30_001)}`))]).toEqual([true, false]);
  });

  it("without a limit allows nothing", () => {
    expect(isAllowedBy({ tool: "exec" }, exec("ls"))).toBe(false);
  });
});

it("a command with any number of blanks is understood in no time", () => {
  const blanks = " ".repeat(90_000);
  const computed = cpuTimer();
  for (const command of [`ls${blanks}x`, `ls;${blanks}x`, `ls | ${blanks}x`, `ls${blanks}; ls`])
    expect(isAllowedBy(ruleOf(exec(command)), exec(command))).toBe(true);
  expect(computed()).toBeLessThan(5_000);
});

it("what a call is about is its command, file or address", () => {
  expect(
    [exec("ls"), write("a.md"), fetching("https://a.test/"), { tool: "list", input: "{}" }].map(subjectOf),
  ).toEqual([...["ls", "a.md", "https://a.test/", "{}"]]);
});

const SHELL = [
  "ls",
  "rm x",
  "cd a",
  " ",
  "&&",
  "||",
  ";",
  "|",
  "&",
  "\n",
  "'",
  '"',
  "$A",
  "`",
  "\\",
  ">",
  "(",
  ")",
  "a=1",
  "é",
];
const commandText = fc.array(fc.constantFrom(...SHELL), { minLength: 1, maxLength: 12 }).map((words) => words.join(""));

it("a rule made of any call allows that call", () => {
  const input = fc.oneof(
    fc.json(),
    fc.string(),
    commandText.map((command) => JSON.stringify({ command })),
  );
  const tool = fc.constantFrom("exec", "write", "edit", "web_fetch", "read");
  fc.assert(
    fc.property(fc.record({ tool, input }), (call) => {
      const rule = ruleOf(call);
      expect(isAllowedBy(rule, call)).toBe(true);
      // As it is read back from its file.
      expect(isAllowedBy(JSON.parse(JSON.stringify(rule)), call)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

it("a command is allowed by another's rule only where each of its parts is one of that command's", () => {
  fc.assert(
    fc.property(commandText, commandText, (one, other) => {
      const isAllowed = isAllowedBy(ruleOf(exec(one)), exec(other));
      const parts = splitCommand(one);
      expect(isAllowed).toBe(splitCommand(other).every((part) => parts.includes(part)));
      // No separator, substitution or redirection is ever within a part that was split off, unless it is quoted or escaped.
      if (parts.length > 1) for (const part of parts) expect(splitCommand(part)).toEqual([part]);
      const unquoted = parts.map((part) => part.replace(/\\.|'[^']*'|"[^"$`\\]*"/g, ""));
      if (parts.length > 1) expect(unquoted.join("")).not.toMatch(/[&;\n$`<>()]/);
    }),
    { numRuns: 2_000 },
  );
});
