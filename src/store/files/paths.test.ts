import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptedPaths, refusedPaths, unwritablePaths } from "../../../test/cases/paths.ts";
import { HallError } from "../../contract/errors.ts";
import { checkPath, type PathUse } from "./paths.ts";

const rejections = Object.entries(refusedPaths).flatMap(([kind, paths]) => paths.map((path) => [kind, path] as const));

describe("a path from outside", () => {
  it.each(rejections)("%s is refused for reading and writing: %j", (_kind, path) => {
    for (const use of ["read", "write"] as const) expect(refusalOf(path, use)).toMatch(/is refused: .+\.$/);
  });

  it.each(unwritablePaths)("to what the hall or other tools live by is refused for writing: %s", (path) => {
    expect(refusalOf(path, "write")).toMatch(/is refused: .+\.$/);
  });

  it.each(acceptedPaths)("that is merely unusual is accepted: %s", (path) => {
    for (const use of ["read", "write"] as const) expect(checkPath(path, use)).toBe(path);
  });

  it.each([
    ["./a.md", "a.md"],
    ["a//b.md", "a/b.md"],
    ["a/./b.md", "a/b.md"],
    ["a/", "a"],
  ])("is cleaned: %s", (path, cleaned) => {
    expect(checkPath(path, "write")).toBe(cleaned);
  });

  it("is quoted in the refusal without what would harm a terminal, and not at length", () => {
    const told = refusalOf(`${"x".repeat(5_000)}\u001b[2J\ud800`, "read");
    expect(told.length).toBeLessThan(200);
    expect(refusalOf("a\u001b[2J", "read")).not.toContain("\u001b");
    expect(refusalOf("a\ud800", "read").isWellFormed()).toBe(true);
  });

  it("never leads out of its folder, whatever it is made of", () => {
    const piece = fc.constantFrom("..", ".", "/", "//", "\\", "%2e", "a", " ", "．", "‥", ";", "~", "\0", "é", "C:");
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ maxLength: 3, unit: "grapheme" })), { maxLength: 12 }),
        (pieces) => {
          const path = pieces.join("");
          const cleaned = acceptedAs(path);
          if (cleaned === undefined) return;
          const resolved = posix.resolve("/folder", cleaned.normalize("NFKC"));
          expect(resolved.startsWith("/folder/"), JSON.stringify(path)).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["letters", "a"],
    ["separators", "a/"],
    ["dots", "../"],
    ["percent signs", "%2"],
    ["spaces", " "],
    ["stars", "**/"],
    ["backslashes", "\\"],
    ["combining marks", "\u0301"],
    ["semicolons", ";"],
  ])("of any length takes no longer than its length asks: %s", (_name, unit) => {
    const best = (size: number) => {
      const path = `x${unit.repeat(size)}`;
      return Math.min(...Array.from({ length: 5 }, () => duration(() => acceptedAs(path))));
    };
    const slow = best(400_000);
    if (slow > 50) expect(slow / best(100_000)).toBeLessThan(12);
  });
});

function refusalOf(path: string, use: PathUse): string {
  try {
    return `accepted as ${checkPath(path, use)}`;
  } catch (error) {
    if (error instanceof HallError && error.code === "path_refused") return error.message;
    throw error;
  }
}

function acceptedAs(path: string): string | undefined {
  try {
    return checkPath(path, "write");
  } catch {
    return undefined;
  }
}

function duration(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
