import { expect, test } from "vitest";
import type { DiffLine } from "../diff-model.ts";
import { highlight } from "./highlighter.ts";
import { languageOf } from "./languages.ts";
import { LineColors, merged } from "./line-colors.ts";

/** However long a busy machine takes. */
const still = () => 0;
const line = (text: string, kind: DiffLine["kind"] = "same"): DiffLine => ({ kind, text });
const file = (path: string, lines: DiffLine[]) => ({ path, hunks: [{ place: "", lines }] });
const textOf = (segments: readonly { text: string }[] | undefined) => segments?.map(({ text }) => text).join("");

test("Lines are colored by the language of their file, a comment over several lines as one", () => {
  const lines = [
    line("/* one"),
    line("two */ const a = 'x';"),
    line("const b = 1;", "removed"),
    line("let b;", "added"),
  ];
  const colors = new LineColors([file("src/a.ts", lines)], highlight, still);
  const [first, second, removed, added] = lines.map((one) => colors.of(one));
  expect(first).toEqual([{ text: "/* one", kind: "comment" }]);
  expect(second?.[0]).toEqual({ text: "two */", kind: "comment" });
  expect(second).toContainEqual({ text: "const", kind: "keyword" });
  expect(second).toContainEqual({ text: "'x'", kind: "string" });
  expect(removed?.[0]).toEqual({ text: "const", kind: "keyword" });
  expect(added?.[0]).toEqual({ text: "let", kind: "keyword" });
});

test("Whatever a line holds, its pieces are the line", () => {
  const lines = [
    "<b>&amp;</b> \"'`",
    "const a = 1;\rconst b = 2;",
    "// \u2028 x",
    "'unended",
    "`${",
    "\u0000\ud800 😀",
  ].map((text) => line(text, "added"));
  for (const path of ["a.ts", "a.html", "a.md", "a.py", "a.sh"]) {
    const colors = new LineColors([file(path, lines)], highlight, still);
    for (const one of lines) expect(textOf(colors.of(one))).toBe(one.text);
  }
});

test("Unknown kinds of files, very long lines and what is too slow stay without colors", () => {
  const [plain, long, fine] = [line("const a = 1;"), line("x".repeat(600)), line("const a = 1;")];
  expect(new LineColors([file("notes.xyz", [plain])], highlight, still).of(plain)).toBeUndefined();
  expect(new LineColors([file("a.ts", [long])], highlight, still).of(long)).toBeUndefined();
  let now = 0;
  const slow = (code: string) => {
    now += 101;
    return [[{ text: code }]];
  };
  const colors = new LineColors([file("a.ts", [plain]), file("b.ts", [fine])], slow, () => now);
  colors.of(plain);
  expect(colors.of(fine)).toBeUndefined();
  expect(["Makefile", "a/b/Dockerfile.ts", "constructor", "x.toString"].map(languageOf)).toEqual([
    "makefile",
    "typescript",
    undefined,
    undefined,
  ]);
});

test("Twenty thousand lines cost nothing until they are shown", () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => line(`const value${at} = "${at}"; // ${at}`, "added"));
  const started = performance.now();
  const colors = new LineColors([file("big.ts", lines)], highlight, still);
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(colors.of(lines[10_000] as DiffLine)?.[0]).toEqual({ text: "const", kind: "keyword" });
});

test("Changed words and colors are cut at both", () => {
  const pieces = [
    { text: "const a", isChanged: false },
    { text: "bc = 1", isChanged: true },
  ];
  const segments = [{ text: "const", kind: "keyword" }, { text: " abc = " }, { text: "1", kind: "number" }];
  expect(merged(pieces, segments)).toEqual([
    { text: "const", isChanged: false, kind: "keyword" },
    { text: " a", isChanged: false, kind: undefined },
    { text: "bc = ", isChanged: true, kind: undefined },
    { text: "1", isChanged: true, kind: "number" },
  ]);
  expect(merged(pieces, undefined)).toEqual(pieces);
});
