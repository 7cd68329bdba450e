import { chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../../test/harness/cpu-time.ts";
import { workingFolder } from "../../../../test/harness/working-folder.ts";

const SOURCE = "function login(user) {\n  // check\n  return true;\n}\n\nfunction logout() {\n  return true;\n}\n";

describe("an edit", () => {
  it("replaces a text that stands once, says where, and names the file as changed", async () => {
    const { call, text } = workingFolder({ "a.ts": SOURCE });
    const input = { path: "a.ts", oldText: "  // check\n  return true;", newText: "  return user.ok;" };
    expect(await call("edit", input)).toEqual({ output: "Edited a.ts (line 2).", files: ["a.ts"] });
    expect(text("a.ts")).toBe(SOURCE.replace("  // check\n  return true;", "  return user.ok;"));
  });

  it("takes both texts literally", async () => {
    const { told, text } = workingFolder({ "a.ts": "x = /a.*b$/;\nx = /a.+b$/;\n" });
    await told("edit", { path: "a.ts", oldText: "/a.*b$/", newText: "$& $1 $$ \\n" });
    expect(text("a.ts")).toBe("x = $& $1 $$ \\n;\nx = /a.+b$/;\n");
  });

  it("replaces every place if asked to, and names their lines", async () => {
    const { told, text } = workingFolder({ "a.ts": SOURCE });
    const input = { path: "a.ts", oldText: "return true", newText: "return false", all: true };
    expect(await told("edit", input)).toBe("Replaced 2 occurrences in a.ts (lines 3, 7).");
    expect(text("a.ts")).toBe(SOURCE.replaceAll("return true", "return false"));
  });

  it("can remove text, and put something at the very ends", async () => {
    const { told, text } = workingFolder({ "a.md": "first\nmiddle\nlast" });
    await told("edit", { path: "a.md", oldText: "middle\n", newText: "" });
    await told("edit", { path: "a.md", oldText: "first", newText: "zeroth\nfirst" });
    await told("edit", { path: "a.md", oldText: "last", newText: "last\n" });
    expect(text("a.md")).toBe("zeroth\nfirst\nlast\n");
  });

  it("keeps the permissions of the file", async () => {
    const { told, at } = workingFolder({ "run.sh": "exit 1\n" });
    chmodSync(at("run.sh"), 0o755);
    await told("edit", { path: "run.sh", oldText: "1", newText: "0" });
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o755);
  });

  it("that would change nothing says so and counts as no change", async () => {
    const { call, at } = workingFolder({ "a.md": "same\r\nline\r\n" });
    const before = statSync(at("a.md")).mtimeMs;
    for (const newText of ["same\nline", "same\r\nline"]) {
      expect(await call("edit", { path: "a.md", oldText: "same\nline", newText })).toEqual({
        output: "a.md: oldText and newText are the same; nothing was changed.",
        failed: true,
      });
    }
    expect(statSync(at("a.md")).mtimeMs).toBe(before);
  });
});

describe("line endings and byte order marks", () => {
  it.each([
    ["of a CRLF file, where several lines are replaced", "a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
    ["of a CRLF file, where one line becomes two", "a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n"],
    ["of a CRLF file, at an end without a line break", "a\r\nb", "b", "b\nc", "a\r\nb\r\nc"],
    ["of a mixed file, as they are around the place", "a\r\nb\nc\nd\r\n", "b\nc", "x\ny", "a\r\nx\ny\nd\r\n"],
    ["of a mixed file, at the other place", "a\r\nb\r\nc\nd\n", "a\nb", "x\ny", "x\r\ny\r\nc\nd\n"],
    ["of a mixed file, as they are within the place", "a\r\nb\nc\n", "a\nb", "x\ny", "x\r\ny\nc\n"],
    ["that are said are meant", "a\r\nb\r\n", "a\r\nb", "a\nb\r", "a\nb\r\r\n"],
    ["of an LF file stay LF", "a\nb\n", "a\nb", "x\ny", "x\ny\n"],
    ["of a file of one line are LF", "a", "a", "x\ny", "x\ny"],
    ["after a mark", "\ufeffa\r\nb\r\n", "a\nb", "x\ny", "\ufeffx\r\ny\r\n"],
  ])("are kept: %s", async (_name, content, oldText, newText, after) => {
    const { told, text } = workingFolder({ "a.txt": content });
    await told("edit", { path: "a.txt", oldText, newText });
    expect(text("a.txt")).toBe(after);
  });

  it("are kept at every place when all are replaced", async () => {
    const { told, text } = workingFolder({ "a.txt": "a\r\nb\r\na\nb\n" });
    expect(await told("edit", { path: "a.txt", oldText: "a\nb", newText: "x\ny\nz", all: true })).toContain(
      "2 occurrences",
    );
    expect(text("a.txt")).toBe("x\r\ny\r\nz\r\nx\ny\nz\n");
  });
});

describe("a text that does not stand in the file exactly once", () => {
  it.each([
    [
      "stands several times",
      "return true;",
      "oldText occurs 2 times (lines 3, 7). Add surrounding lines until it is unique, or set all.",
    ],
    [
      "has other white space",
      "function login(user) {\n\t// check",
      'it differs only in whitespace or similar-looking characters. Line 2 of the file is "  // check", and oldText has "\\t// check".',
    ],
    [
      "has other white space within its only line",
      "function  login(user)",
      'Line 1 of the file is "function login(user) {", and oldText has "function  login(user)".',
    ],
    [
      "goes on differently",
      "function logout() {\n  return false;\n}",
      'its first line is on line 6, but line 7 of the file is "  return true;", and oldText has "  return false;". Read these lines again.',
    ],
    [
      "goes on beyond the end",
      "function logout() {\n  return true;\n}\n\nmore",
      "its first 4 lines start at line 6, then the file ends.",
    ],
    ["is nowhere", "function signup() {", "oldText not found, nor anything like its first line. Read the file again"],
    [
      "has line numbers",
      "     2\t  // check\n     3\t  return true;",
      "it includes the line numbers shown by read, which are not part of the file.",
    ],
    ["has written-out line breaks", "  // check\\n  return true;", "it has \\n where the file has a line break."],
    [
      "has CRLF",
      "  // check\r\n  return true;",
      "it has CRLF line breaks where the file has LF; remove the carriage returns.",
    ],
    [
      "has a blank line too many",
      "function logout() {\n\n  return true;",
      'its first line is on line 6, but line 7 of the file is "  return true;", and oldText has "". Read',
    ],
    [
      "has other white space first and other words then",
      "function login(user) {\n// check\n  return 1;",
      'its first line is on line 1, but line 2 of the file is "  // check", and oldText has "// check". Read',
    ],
    [
      "begins with blank lines too many",
      "\n\n\nfunction logout() {\n  return",
      "it is on line 6, without the blank lines that oldText starts with.",
    ],
    ["is blank", "   \n   ", "oldText not found, nor anything like its first line."],
  ])("because it %s", async (_name, oldText, why) => {
    const { refused, text } = workingFolder({ "a.ts": SOURCE });
    expect(await refused("edit", { path: "a.ts", oldText, newText: "x" })).toContain(why);
    expect(text("a.ts")).toBe(SOURCE);
  });

  it("because it has other quotes, dashes or composed letters", async () => {
    const { refused } = workingFolder({ "a.md": "it\u2019s \u201cso\u201d \u2013 caf\u00e9\n" });
    const answer = await refused("edit", { path: "a.md", oldText: 'it\'s "so" - cafe\u0301', newText: "x" });
    expect(answer).toContain("it differs only in whitespace or similar-looking characters. Line 1 of the file is");
  });

  it("because it says itself which line ending it means", async () => {
    const { refused, text } = workingFolder({ "a.md": "a\r\r\nb\r\n" });
    await refused("edit", { path: "a.md", oldText: "a\r\nb", newText: "x" });
    expect(text("a.md")).toBe("a\r\r\nb\r\n");
  });

  it("because the lines there mix their endings", async () => {
    const { refused } = workingFolder({ "a.md": "a\r\nb\nc\n" });
    expect(await refused("edit", { path: "a.md", oldText: "a\nb\nc", newText: "x" })).toBe(
      "a.md: oldText not found: the file mixes CRLF and LF line breaks there; edit fewer lines at once.",
    );
  });

  it("counts places that overlap, because either could be meant", async () => {
    const { refused, told, text } = workingFolder({ "a.ts": "}\n}\n}\n" });
    expect(await refused("edit", { path: "a.ts", oldText: "}\n}\n", newText: "}\n" })).toContain(
      "2 times (lines 1, 2)",
    );
    await told("edit", { path: "a.ts", oldText: "}\n}\n", newText: "]\n", all: true });
    expect(text("a.ts")).toBe("]\n}\n");
  });

  it("is told soon, however long it is and however often it overlaps itself", async () => {
    const { refused } = workingFolder({ "a.md": "a".repeat(5_000_000) });
    const computed = cpuTimer();
    expect(await refused("edit", { path: "a.md", oldText: "a".repeat(200_000), newText: "x" })).toContain(
      "1000 or more",
    );
    expect(await refused("edit", { path: "a.md", oldText: `${"a".repeat(199_999)}b`, newText: "x" })).toContain(
      "not found",
    );
    expect(await refused("edit", { path: "a.md", oldText: "a".repeat(200_001), newText: "x" })).toContain("Too big");
    expect(computed()).toBeLessThan(3_000);
  });

  it("names ten lines at most, and finds the place that is most alike", async () => {
    const { refused } = workingFolder({ "a.md": "x\n".repeat(5_000), "b.md": "a\nb\n1\na\nb\nc\n2\na\n" });
    expect(await refused("edit", { path: "a.md", oldText: "x", newText: "y" })).toBe(
      "a.md: oldText occurs 1000 or more times (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …). Add surrounding lines until it is unique, or set all.",
    );
    expect(await refused("edit", { path: "b.md", oldText: "a\nb\nc\nd", newText: "y" })).toContain(
      'its first 3 lines start at line 4, but line 7 of the file is "2", and oldText has "d"',
    );
  });
});

describe("an edit that is refused", () => {
  it.each([
    ["gone.md", "There is no file 'gone.md'. Use list"],
    ["folder", "'folder' is a folder, not a file."],
    [".git/config", "files in '.git' can't be written this way"],
    ["image.png", "'image.png' is not a text file (3 bytes)."],
    [
      "latin.txt",
      "'latin.txt' is not UTF-8; an edit would damage it. To convert it to UTF-8, replace the whole file with write",
    ],
    ["wide.txt", "'wide.txt' is not UTF-8; an edit would damage it."],
  ])("of %s", async (path, why) => {
    const { refused } = workingFolder({
      "folder/a.md": "x",
      ".git/config": "a",
      "image.png": Buffer.from([97, 0, 1]),
      "latin.txt": Buffer.from("a\u00e9", "latin1"),
      "wide.txt": Buffer.from("\ufeffa", "utf16le"),
    });
    expect(await refused("edit", { path, oldText: "a", newText: "b" })).toContain(why);
  });

  it("of a file that is too large is not even begun", async () => {
    const { refused, at } = workingFolder({ "big.log": "a" });
    truncateSync(at("big.log"), 2 ** 31);
    expect(await refused("edit", { path: "big.log", oldText: "a", newText: "b" })).toBe(
      `'big.log' has ${2 ** 31} bytes; the limit for edit is 16 MiB.`,
    );
  });

  it("because the result would be too large, or of too many parts", async () => {
    const { refused, text } = workingFolder({ "a.md": "a".repeat(50_000), "b.md": "b".repeat(200_000) });
    const grown = { path: "a.md", oldText: "a", newText: "x".repeat(1_000), all: true };
    expect(await refused("edit", grown)).toBe("a.md: the file would grow to more than 16 MiB (50000000 characters).");
    expect(await refused("edit", { path: "b.md", oldText: "b", newText: "x", all: true })).toContain("too often");
    expect(text("a.md")).toBe("a".repeat(50_000));
  });

  it("when somebody else changed the file at the same moment", async () => {
    const { call, at } = workingFolder({ "a.md": "before\n" });
    const editing = call("edit", { path: "a.md", oldText: "before", newText: "after" });
    writeFileSync(at("a.md"), "before, by a person\n");
    expect(await editing).toEqual({
      output: "Nothing was changed: the file changed at the same moment. Read it again.",
      failed: true,
    });
    expect(readFileSync(at("a.md"), "utf8")).toBe("before, by a person\n");
  });

  it.each([
    [{ oldText: "", newText: "x" }, "oldText: Too small"],
    [{ oldText: "x" }, "newText: Invalid input: expected string, received undefined"],
    [{ oldText: "x", newText: "\0" }, "newText: must not contain NUL"],
    [{ old_string: "x", newText: "y" }, 'Unrecognized key: "old_string"'],
  ])("because of its input: %j", async (input, why) => {
    const { refused } = workingFolder({ "a.md": "x" });
    expect(await refused("edit", { path: "a.md", ...input })).toContain(why);
  });
});
