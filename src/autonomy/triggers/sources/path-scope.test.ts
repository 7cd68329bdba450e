import { describe, expect, it } from "vitest";
import { pathScope } from "./path-scope.ts";

describe("patterns of paths", () => {
  it.each([
    ["docs/**", ["docs/a.md", "docs/deep/er/b.md"], ["src/a.md", "docs.md"], [".", "docs", "docs/deep"], ["src"]],
    ["*.md", ["a.md", "far/away/b.md"], ["a.ts"], [".", "far", "far/away"], ["node_modules"]],
    ["src/*/index.ts", ["src/a/index.ts"], ["src/a/b/index.ts"], ["src", "src/a"], ["src/a/b", "test"]],
    ["./{a,b}/x.txt", ["a/x.txt", "b/x.txt"], ["c/x.txt"], [".", "a"], ["a/deeper"]],
    ["{a/b,c}/x.txt", ["a/b/x.txt", "c/x.txt"], ["a/x.txt"], ["a", "a/b", "c"], ["node_modules/a"]],
    ["My notes 🚪/*.md", ["My notes 🚪/ü.md"], ["My notes/ü.md"], ["My notes 🚪"], ["My notes"]],
  ])("%s", (pattern, fits, others, on, off) => {
    const { has, mayHold } = pathScope([pattern]);
    for (const path of fits) expect([path, has(path)]).toEqual([path, true]);
    for (const path of others) expect([path, has(path)]).toEqual([path, false]);
    for (const folder of on) expect([folder, mayHold(folder)]).toEqual([folder, true]);
    for (const folder of off) expect([folder, mayHold(folder)]).toEqual([folder, false]);
  });
});
