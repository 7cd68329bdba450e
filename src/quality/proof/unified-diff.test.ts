import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDiff, withoutHunk } from "./unified-diff.ts";

const lines = fc.array(fc.constantFrom("a", "b", "", "--- x", "+++ y", "@@ -1 +1 @@", "\\ No", "ä\r"), {
  maxLength: 30,
});
const text = fc.tuple(lines, fc.boolean()).map(([all, ends]) => all.join("\n") + (ends && all.length > 0 ? "\n" : ""));

const hunksOf = (before: string, after: string) =>
  parseDiff(`diff --git a/f b/f\n${createTwoFilesPatch("a/f", "b/f", before, after, "", "", { context: 1 })}`)[0]
    ?.hunks ?? [];

describe("unified diffs", () => {
  it("lead back to the text before when every change is taken back, the last one first", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const old = Buffer.from(before);
        const back = hunksOf(before, after).reduceRight<Buffer>(
          (now, hunk) => withoutHunk(old, now, hunk),
          Buffer.from(after),
        );
        expect(back.toString()).toBe(before);
      }),
    );
  });

  it("lead to a text that lacks exactly one change", () => {
    const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    const after = "1\nx\n3\n4\n5\n6\n7\n9\nend\n";
    const hunks = hunksOf(before, after);
    const texts = hunks.map((hunk) => withoutHunk(Buffer.from(before), Buffer.from(after), hunk).toString());
    expect(texts).toEqual(["1\n2\n3\n4\n5\n6\n7\n9\nend\n", "1\nx\n3\n4\n5\n6\n7\n8\n9\n"]);
  });

  it("name new, deleted and oddly named files", () => {
    const diff = [
      "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+x\n",
      "diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      'diff --git "a/q\\"t\\tx" "b/q\\"t\\tx"\n--- "a/q\\"t\\tx"\n+++ "b/q\\"t\\tx"\n@@ -1 +1 @@\n-x\n+y\n',
      "diff --git a/with space b/with space\n--- a/with space\t\n+++ b/with space\t\n@@ -1 +1 @@\n-x\n+y\n",
      "diff --git a/moved b/other\nsimilarity index 100%\nrename from moved\nrename to other\n",
    ].join("");
    expect(parseDiff(diff).map(({ from, to }) => [from, to])).toEqual([
      [undefined, "new"],
      ["gone", undefined],
      ['q"t\tx', 'q"t\tx'],
      ["with space", "with space"],
    ]);
  });
});
