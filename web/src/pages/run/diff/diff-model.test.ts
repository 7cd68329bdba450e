import { expect, test } from "vitest";
import { filesOf, sideBySide } from "./diff-model.ts";
import { rowsOf, spotAfter, spotsOf } from "./diff-rows.ts";
import { changedWords } from "./diff-words.ts";

const edited = `diff --git a/src/login.ts b/src/login.ts
index 1111111..2222222 100644
--- a/src/login.ts
+++ b/src/login.ts
@@ -1,4 +1,5 @@ export function login() {
 const a = 1;
-  return true;
-old
+  return password === stored;
+new
+more
 end
\\ No newline at end of file
`;
const renamed = `diff --git a/old name.md b/new name.md
similarity index 100%
rename from old name.md
rename to new name.md
`;
const binary = `diff --git a/logo.png b/logo.png
new file mode 100644
index 0000000000000000000000000000000000000000..d00491fd7e5bb6fa28c517a0bb32b8b506539d4d
GIT binary patch
literal 2
Jcmd<$00arj0RR91

literal 0
HcmV?d00001

`;
const created = `diff --git a/empty.txt b/empty.txt
new file mode 100644
index 0000000000000000000000000000000000000000..e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
`;
const file = (path: string, more = {}) => ({ path, additions: 0, deletions: 0, binary: false, ...more });

test("A diff becomes files with numbered lines, each with the line it took the place of", () => {
  const [login] = filesOf({
    diff: edited,
    files: [file("src/login.ts", { additions: 3, deletions: 2 })],
    truncated: false,
  });
  expect(login).toMatchObject({ path: "src/login.ts", change: "changed", additions: 3, deletions: 2, note: undefined });
  expect(login?.hunks[0]?.lines).toEqual([
    { kind: "same", old: 1, new: 1, text: "const a = 1;" },
    { kind: "removed", old: 2, text: "  return true;", other: "  return password === stored;" },
    { kind: "removed", old: 3, text: "old", other: "new" },
    { kind: "added", new: 2, text: "  return password === stored;", other: "  return true;" },
    { kind: "added", new: 3, text: "new", other: "old" },
    { kind: "added", new: 4, text: "more" },
    { kind: "same", old: 4, new: 5, text: "end", isUnended: true },
  ]);
});

test("Side by side, removed lines stand left of the added ones", () => {
  const [login] = filesOf({ diff: edited, files: [], truncated: false });
  const pairs = sideBySide(login?.hunks[0]?.lines ?? []).map(({ left, right }) => [left?.text, right?.text]);
  expect(pairs).toEqual([
    ["const a = 1;", "const a = 1;"],
    ["  return true;", "  return password === stored;"],
    ["old", "new"],
    [undefined, "more"],
    ["end", "end"],
  ]);
});

test("Moved, binary, empty and unshown files say why there is nothing to see", () => {
  const large = `diff --git a/big.txt b/big.txt\n--- a/big.txt\n+++ b/big.txt\nToo large to display.\n`;
  const files = filesOf({
    diff: renamed + binary + created + large,
    files: [file("logo.png", { binary: true }), file("big.txt", { unshown: true })],
    truncated: false,
  });
  expect(files.map(({ path, from, change, note }) => [path, from, change, note])).toEqual([
    ["new name.md", "old name.md", "renamed", "Renamed without changes."],
    ["logo.png", undefined, "added", "Binary file, not shown."],
    ["empty.txt", undefined, "added", "Empty file."],
    ["big.txt", undefined, "changed", "Too large to display."],
  ]);
});

test("A diff that is cut off shows what came before, and names the files that did not fit", () => {
  const cut = edited + edited.replaceAll("login", "cut").split("+new")[0];
  const files = filesOf({
    diff: cut,
    files: [file("src/login.ts"), file("src/cut.ts", { additions: 7 }), file("src/never.ts", { additions: 9 })],
    truncated: true,
  });
  expect(files.map(({ path, additions, note }) => [path, additions, note])).toEqual([
    ["src/login.ts", 3, undefined],
    ["src/cut.ts", 7, "The rest is not shown: the diff is too long."],
    ["src/never.ts", 9, "Not shown: the diff is too long."],
  ]);
});

test("Words that changed are marked, unless nearly all of them did", () => {
  expect(changedWords("return b;", "return a;")).toEqual([
    { text: "return ", isChanged: false },
    { text: "b", isChanged: true },
    { text: ";", isChanged: false },
  ]);
  expect(changedWords("something else entirely", "one")).toEqual([
    { text: "something else entirely", isChanged: false },
  ]);
});

test("Twenty thousand lines become rows in a moment, and a folded file is one row", () => {
  const lines = (word: string) => Array.from({ length: 10_000 }, (_, at) => `${word} ${at}`).join("\n");
  const hunk = `@@ -1,10000 +1,10000 @@\n${lines("-old")}\n${lines("+new")}\n`;
  const diff = `diff --git a/big.ts b/big.ts\n--- a/big.ts\n+++ b/big.ts\n${hunk}`;
  const started = performance.now();
  const files = filesOf({ diff, files: [], truncated: false });
  const rows = rowsOf(files, { folded: new Set(), isSplit: false });
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(rows.length).toBe(20_003);
  expect(rowsOf(files, { folded: new Set(["big.ts"]), isSplit: true })).toEqual([{ kind: "head", file: 0, key: "f0" }]);
});

test.each(["\r", "\u2028", "\u2029"])(
  "A line with %j before what looks like the head of a file is still that line",
  (separator) => {
    const lines = [`steal();${separator}diff --git a/evil.js b/evil.js`, "evil();"];
    const diff = `diff --git a/evil.js b/evil.js\nnew file mode 100644\n--- /dev/null\n+++ b/evil.js\n@@ -0,0 +1,2 @@\n+${lines.join("\n+")}\n`;
    const files = filesOf({ diff, files: [file("evil.js", { additions: 2 })], truncated: false });
    expect(files.map(({ path, note }) => [path, note])).toEqual([["evil.js", undefined]]);
    expect(files[0]?.hunks[0]?.lines.map(({ text }) => text)).toEqual(lines);
  },
);

test("Links, programs and other modes are told of, also where there is text to see", () => {
  const created = (path: string, mode: string) =>
    `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+../secret\n`;
  const turned = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  const diff =
    created("plain", "100644") +
    created("link", "120000") +
    created("tool", "100755") +
    created("inner", "160000") +
    created("set", "104755") +
    turned;
  expect(filesOf({ diff, files: [], truncated: false }).map(({ path, note }) => [path, note])).toEqual([
    ["plain", undefined],
    ["link", "Symbolic link. The text is its target."],
    ["tool", "Executable file (mode 100755)."],
    ["inner", "Submodule. The text is its commit; its files are not shown."],
    ["set", "Executable file (mode 104755)."],
    ["x", "Mode changed from 100644 to 100755. Executable file (mode 100755)."],
  ]);
});

test("every line can be gone to once, and the first of each change, unified and side by side", () => {
  const files = filesOf({ diff: edited, files: [file("src/login.ts")], truncated: false });
  const spots = (isSplit: boolean) => spotsOf(rowsOf(files, { folded: new Set(), isSplit }));
  expect(spots(false).map(({ key, isStart }) => `${key}${isStart ? " starts" : ""}`)).toEqual([
    "f0 h0 l0 new",
    "f0 h0 l1 old starts",
    "f0 h0 l2 old",
    "f0 h0 l3 new",
    "f0 h0 l4 new",
    "f0 h0 l5 new",
    "f0 h0 l6 new",
  ]);
  expect(spots(true).map(({ key }) => key)).toEqual([
    "f0 h0 p0 new",
    "f0 h0 p1 old",
    "f0 h0 p1 new",
    "f0 h0 p2 old",
    "f0 h0 p2 new",
    "f0 h0 p3 new",
    "f0 h0 p4 new",
  ]);
  const step = (from: number, by: 1 | -1, isStart: boolean) => spotAfter(spots(false), from, { by, isStart })?.key;
  expect(step(-1, 1, true)).toBe("f0 h0 l1 old");
  expect(step(6, -1, true)).toBe("f0 h0 l1 old");
  expect(step(3, 1, false)).toBe("f0 h0 l4 new");
  expect(step(1, 1, true)).toBeUndefined();
});
