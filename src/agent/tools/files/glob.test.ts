import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../../test/harness/cpu-time.ts";
import { globMatcher } from "./glob.ts";

describe("a glob", () => {
  it.each([
    ["*.ts", ["a.ts", "src/a.ts", ".hidden.ts", "src/.ts"], ["a.tsx", "a.ts/b", "ats"]],
    ["a*b*c", ["abc", "a/abc", "axxbyyc", "abcbc"], ["ab", "acb", "a/b/c"]],
    ["src/*.ts", ["src/a.ts"], ["a.ts", "src/ui/a.ts", "lib/src/a.ts"]],
    ["src/**", ["src/a", "src/a/b"], ["a", "lib/src/a"]],
    ["src/**/a.ts", ["src/a.ts", "src/x/a.ts", "src/x/y/a.ts"], ["a.ts", "src/b.ts", "src/a.ts/b"]],
    ["**/test/**/*.ts", ["test/a.ts", "x/test/y/a.ts", "test/test/a.ts"], ["test.ts", "tests/a.ts"]],
    ["**", ["a", "a/b", ".git/config"], []],
    ["?.md", ["a.md", "日.md", "😀.md", "x/b.md"], [".md", "ab.md"]],
    ["[a-c].md", ["a.md", "c.md"], ["d.md", "-.md"]],
    ["[!a-c].md", ["d.md"], ["a.md"]],
    ["[^ab]x", ["cx"], ["ax", "bx"]],
    ["[]x", ["[]x"], ["x"]],
    ["[-a]", ["-", "a"], ["b"]],
    ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.{ts,tsx}", "a.js"]],
    ["{src,lib}/{a,b}.ts", ["src/a.ts", "lib/b.ts"], ["src/c.ts"]],
    ["{a,{b,c}}", ["a", "b", "c"], ["d"]],
    ["{a}.ts", ["{a}.ts"], ["a.ts"]],
    ["/src/./a", [], ["src/a"]],
    ["./a.ts", ["a.ts"], []],
    ["a.b", ["a.b"], ["axb"]],
    ["(a|b)+$^", ["(a|b)+$^"], ["a"]],
  ])("%s", (glob, fitting, others) => {
    const fits = globMatcher(glob);
    expect(fitting.filter((path) => !fits(path))).toEqual([]);
    expect(others.filter((path) => fits(path))).toEqual([]);
  });

  it("without stars, brackets or braces fits its own text alone", () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/[*?[{/]/.test(text));
    fc.assert(
      fc.property(name, name, (glob, other) => {
        expect(globMatcher(glob)(other)).toBe(glob === other);
      }),
    );
  });

  it.each([
    ["stars", `${"*a".repeat(100)}b`, "a".repeat(255)],
    ["folders", `${"**/".repeat(160)}x`, "a/".repeat(500)],
    ["both", `${"**/*a*/".repeat(70)}x`, `${"aaaa/".repeat(200)}y`],
    ["braces that are not closed", "{a,".repeat(160), "a"],
  ])("of many %s is decided soon", (_name, glob, path) => {
    const computed = cpuTimer();
    expect(globMatcher(glob)(path)).toBe(false);
    expect(computed()).toBeLessThan(300);
  });
});
