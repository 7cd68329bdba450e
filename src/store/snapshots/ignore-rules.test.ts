import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { isIgnored, isPassedOver, parseIgnoreFile } from "./ignore-rules.ts";

const CASES: [rules: string, path: string, kind: "file" | "folder", ignored: boolean][] = [
  ["*.log", "a.log", "file", true],
  ["*.log", "deep/er/a.log", "file", true],
  ["*.log", "a.logs", "file", false],
  ["/a.log", "deep/a.log", "file", false],
  ["/a.log", "a.log", "file", true],
  ["out/", "out", "folder", true],
  ["out/", "out", "file", false],
  ["out/", "deep/out", "folder", true],
  ["docs/*.md", "docs/a.md", "file", true],
  ["docs/*.md", "docs/deep/a.md", "file", false],
  ["docs/**/a.md", "docs/x/y/a.md", "file", true],
  ["docs/**/a.md", "docs/a.md", "file", true],
  ["**/tmp", "x/y/tmp", "folder", true],
  ["tmp/**", "tmp/x/y", "file", true],
  ["tmp/**", "tmp", "folder", false],
  ["*.log\n!keep.log", "keep.log", "file", false],
  ["# comment\n\n   ", "# comment", "file", false],
  ["\\#odd", "#odd", "file", true],
  ["\\!odd", "!odd", "file", true],
  ["a?c", "abc", "file", true],
  ["a?c", "a/c", "file", false],
  ["[ab].ts", "b.ts", "file", true],
  ["[!ab].ts", "b.ts", "file", false],
  ["[!ab].ts", "c.ts", "file", true],
  ["a.b", "axb", "file", false],
  ["a+(b)", "a+(b)", "file", true],
  ["a-b", "a-b", "file", true],
  ["trailing   ", "trailing", "file", true],
  ["trailing\\  ", "trailing ", "file", true],
  ["[", "[", "file", true],
  ["🦉*", "🦉 owl", "file", true],
  ["\\*", "*", "file", true],
  ["\\*", "x", "file", false],
  ["*.a.*.b.*.c.*.d", "1.a.2.b.3.c.4.d", "file", true],
  ["*.a.*.b.*.c.*.d", "1.a.2.b.4.d", "file", false],
  ["a/**/b/**/c/**/d/**/e", "a/b/x/c/d/y/z/e", "file", true],
  ["a/**/b/**/c/**/d/**/e", "a/b/x/d/y/z/e", "file", false],
];

describe("the rules of a .gitignore", () => {
  it.each(CASES)("%j and %j, a %s: %s", (rules, path, kind, ignored) => {
    expect(isIgnored(path, kind === "folder", [parseIgnoreFile("", rules)])).toBe(ignored);
  });

  it("count for the folder they lie in, and deeper ones come last", () => {
    const files = [parseIgnoreFile("", "*.md"), parseIgnoreFile("docs/", "!*.md\n/out")];
    expect(isIgnored("a.md", false, files.slice(0, 1))).toBe(true);
    expect(isIgnored("docs/a.md", false, files)).toBe(false);
    expect(isIgnored("docs/out", false, files)).toBe(true);
    expect(isIgnored("docs/x/out", false, files)).toBe(false);
  });

  it("take no time, however they are made", () => {
    const name = "a".repeat(250);
    const hostile = [parseIgnoreFile("", `${"*a".repeat(40)}b\n*a*a*b\n${"**/a/".repeat(20)}b`)];
    const computed = cpuTimer();
    expect(isIgnored(name, false, hostile)).toBe(false);
    expect(isIgnored(`${"a/".repeat(1_000)}c`, false, hostile)).toBe(false);
    expect(parseIgnoreFile("", `a${" ".repeat(100_000)}b`).rules).toHaveLength(1);
    expect(computed()).toBeLessThan(1_000);
  });
});

it("dependencies and what git keeps are passed over, files that only share their name are not", () => {
  expect([isPassedOver("node_modules", true), isPassedOver(".git", false), isPassedOver("dist", true)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([isPassedOver("build", false), isPassedOver("src", true), isPassedOver("target", false)]).toEqual([
    false,
    false,
    false,
  ]);
});
