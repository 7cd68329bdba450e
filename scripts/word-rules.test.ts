import { expect, it } from "vitest";
import { wordProblems } from "./word-rules.ts";

const problemsOf = (source: string, path = "src/runs/a.ts", exempt: string[] = []) =>
  wordProblems(new Map([[path, source]]), exempt);

it.each([
  ['fail("Mend the file.");', "'Mend' in a text for people; write: fix"],
  ["fail(`Start \u0024{name} anew.`);", "'anew' in a text for people; write: again, or: restart"],
  ["say(`Done for the \u0024{count}. time`);", "'for the …. time' in a text for people; write: 2nd attempt"],
  [
    "say(isDone ? `\u0024{who} was told` : `x`);",
    "'was told' in a text for people; write: gets, sees, or: is notified",
  ],
])("refuses %s", (source, problem) => {
  expect(problemsOf(source)).toEqual([`src/runs/a.ts:1: ${problem}`]);
});

it("reads the text of pages, and says the line within a long text", () => {
  const page = "const Page = () => (\n  <p>\n    All quiet.\n    Nobody is here.\n  </p>\n);";
  expect(problemsOf(page, "web/src/page.tsx")).toEqual([
    "web/src/page.tsx:4: 'Nobody' in a text for people; write: no one, or: none",
  ]);
});

it("reads Markdown", () => {
  expect(problemsOf("# Guide\n\nThe run goes on.\n", "docs/guide.md")).toHaveLength(1);
});

it("leaves codes in Markdown alone, but not code with several words", () => {
  expect(problemsOf("The event `file.mended`.\n", "docs/api.md")).toEqual([]);
  expect(problemsOf("It says `the run goes on`.\n", "docs/api.md")).toHaveLength(1);
});

it.each([
  "// Mend this by hand.\nlet mend = nobody;",
  'if (state === "anew") restart();',
  'import { mend } from "./take-up.ts";',
  'fail("Fix the file; it reloads on save.");',
])("leaves comments, names, codes and plain words alone: %s", (source) => {
  expect(problemsOf(source)).toEqual([]);
});

it("leaves tests alone", () => {
  expect(problemsOf('it("is mended by hand", run);', "src/runs/a.test.ts")).toEqual([]);
});

it("excuses an exempt folder, and names one that has nothing left to excuse", () => {
  expect(problemsOf('fail("Mend the file.");', "src/runs/a.ts", ["src/runs"])).toEqual([]);
  expect(problemsOf('fail("Fix the file.");', "src/runs/a.ts", ["src/runs"])).toEqual([
    "src/runs: is exempt from the word list, but has no findings",
  ]);
  expect(problemsOf('fail("Mend the file.");', "src/runs-2/a.ts", ["src/runs"])).toHaveLength(2);
});
