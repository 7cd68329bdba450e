import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../test/harness/cpu-time.ts";
import { isPathAllowed, robotName, robotsRules } from "./robots.ts";

const allowed = (text: string, path: string, robot = "Guildhall") => isPathAllowed(robotsRules(text, robot), path);

describe("robots.txt", () => {
  it("that is empty, or about others, allows everything", () => {
    expect(allowed("", "/a")).toBe(true);
    expect(allowed("<html>not found</html>", "/a")).toBe(true);
    expect(allowed("User-agent: Other\nDisallow: /", "/a")).toBe(true);
    expect(allowed("User-agent: *\nDisallow:", "/a")).toBe(true);
  });

  it("has rules for everybody, unless it has some for us", () => {
    const text = "User-agent: *\nDisallow: /\n\nuser-agent: guildhall # us\nDisallow: /private\n";
    expect(allowed(text, "/a")).toBe(true);
    expect(allowed(text, "/private/a")).toBe(false);
    expect(allowed(text, "/a", "Another")).toBe(false);
  });

  it("may name several robots in one group, and one robot in several groups", () => {
    const text =
      "User-agent: a\nUser-agent: Guildhall\nDisallow: /x\nUser-agent: b\nDisallow: /\nUser-agent: guildhall\nDisallow: /y";
    expect(["/x", "/y", "/z"].map((path) => allowed(text, path))).toEqual([false, false, true]);
  });

  it.each([
    ["Disallow: /a\nAllow: /a/b", "/a/b/c", true],
    ["Allow: /a/b\nDisallow: /a", "/a/c", false],
    ["Disallow: /a\nAllow: /a", "/a", true],
    ["Disallow: /*.php$", "/x/y.php", false],
    ["Disallow: /*.php$", "/x/y.php?z", true],
    ["Disallow: /*?session=", "/x?session=1", false],
    ["Disallow: /end$", "/end", false],
    ["Disallow: /end$", "/end/", true],
    ["Disallow: /a*c*e", "/abcde", false],
    ["Disallow: /*", "/x", false],
  ])("%j decides over %s: %s", (rules, path, expected) => {
    expect(allowed(`User-agent: *\n${rules}`, path)).toBe(expected);
  });

  it("made of nothing but stars is judged in no time", () => {
    const pattern = `/${"*a".repeat(900)}b`;
    const computed = cpuTimer();
    allowed(`User-agent: *\n${`Disallow: ${pattern}\n`.repeat(100)}`, `/${"a".repeat(3_000)}`);
    expect(computed()).toBeLessThan(500);
  });

  it("knows us by the product in the user agent", () => {
    expect(robotName("Guildhall/0.1 (+https://site.example)")).toBe("Guildhall");
    expect(robotName("42")).toBe("*");
  });
});
