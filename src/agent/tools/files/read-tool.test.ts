import { chmodSync, statSync, truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../../test/harness/cpu-time.ts";
import { workingFolder } from "../../../../test/harness/working-folder.ts";

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, at) => `line ${at + from}`).join("\n");

describe("reading a range of lines", () => {
  it("numbers the lines from the beginning of the file, wherever it begins", async () => {
    const { told } = workingFolder({ "a.md": "one\ntwo\nthree\nfour\n" });
    expect(await told("read", { path: "a.md" })).toBe("     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour");
    expect(await told("read", { path: "a.md", offset: 2, limit: 2 })).toBe(
      "     2\ttwo\n     3\tthree\n(lines 2 to 3 of 4; continue with offset 4)",
    );
    expect(await told("read", { path: "a.md", offset: 4 })).toBe("     4\tfour");
  });

  it.each([
    ["", "(the file is empty)"],
    ["\n", "     1\t"],
    ["no break at the end", "     1\tno break at the end"],
    ["\n\nx", "     1\t\n     2\t\n     3\tx"],
  ])("of %j", async (content, shown) => {
    const { told } = workingFolder({ "a.md": content });
    expect(await told("read", { path: "a.md" })).toBe(shown);
  });

  it("says how many lines there are when none of them was asked for", async () => {
    const { told } = workingFolder({ "a.md": "one\ntwo" });
    expect(await told("read", { path: "a.md", offset: 3 })).toBe("(the file has only 2 lines)");
  });

  it("ends where an answer is long enough, by tokens and not by letters, and goes on from there", async () => {
    const { told } = workingFolder({
      "english.md": `${"a hundred letters ".repeat(6).slice(0, 93)}\n`.repeat(1_000),
      "japanese.md": `${"日".repeat(93)}\n`.repeat(1_000),
    });
    const lastOf = (answer: string) => Number(/continue with offset (\d+)\)$/.exec(answer)?.[1]) - 1;
    const english = await told("read", { path: "english.md" });
    expect(lastOf(english)).toBe(396);
    expect(lastOf(await told("read", { path: "japanese.md" }))).toBe(139);
    const next = await told("read", { path: "english.md", offset: 397, limit: 5_000 });
    expect(next.split("\n")[0]).toMatch(/^ {3}397\t/);
    expect(lastOf(next)).toBe(792);
  });

  it("shows hidden files", async () => {
    const { told } = workingFolder({ ".github/workflows/ci.yml": "on: push\n", ".gitignore": "dist\n" });
    expect(await told("read", { path: ".github/workflows/ci.yml" })).toBe("     1\ton: push");
    expect(await told("read", { path: ".gitignore" })).toBe("     1\tdist");
  });

  it.each([{ offset: 0 }, { offset: 1.5 }, { offset: "1" }, { limit: 0 }, { limit: -1 }, { lines: 3 }])(
    "refuses %j and says what is wrong",
    async (more) => {
      const { refused } = workingFolder({ "a.md": "x" });
      expect(await refused("read", { path: "a.md", ...more })).toMatch(
        /^The input of read is not valid: .*(offset|limit|lines).*\.$/,
      );
    },
  );
});

describe("lines that are longer than an answer should be", () => {
  it("are cut, at a whole character, and their length is told", async () => {
    const { told } = workingFolder({ "a.js": `x${"😀".repeat(3_000)}\nshort\n`, "b.js": "y".repeat(2_000) });
    const [first = "", second] = (await told("read", { path: "a.js" })).split("\n");
    expect(first).toMatch(/… \(cut; the line has 12001 bytes; search shows the text around a match\)$/);
    expect(first.isWellFormed()).toBe(true);
    expect(first.indexOf("…")).toBe(7 + 2_000);
    expect(second).toBe("     2\tshort");
    expect(await told("read", { path: "b.js" })).toBe(`     1\t${"y".repeat(2_000)}`);
  });

  it("are counted as one, however many blocks they are read in", async () => {
    const long = `${"é".repeat(100_001)}\r\n`;
    const { told } = workingFolder({ "a.js": `first\n${long}${long}last` });
    const lines = (await told("read", { path: "a.js" })).split("\n");
    expect(lines.map((line) => line.slice(0, 8))).toEqual(["     1\tf", "     2\té", "     3\té", "     4\tl"]);
    expect(lines[1]).toContain("the line has 200003 bytes");
    expect(await told("read", { path: "a.js", offset: 4 })).toBe("     4\tlast");
  });
});

describe("a file of any size", () => {
  it("is read no further than the lines that are wanted", async () => {
    const { told, at } = workingFolder({ "big.log": `${numbered(2_000)}\n` });
    truncateSync(at("big.log"), 2 ** 31 + 1);
    const computed = cpuTimer();
    expect(await told("read", { path: "big.log", limit: 2 })).toBe(
      `     1\tline 1\n     2\tline 2\n(lines 1 to 2 of a file of ${2 ** 31 + 1} bytes; continue with offset 3)`,
    );
    expect(computed()).toBeLessThan(1_000);
  });

  it("is read in the middle without being held in memory", async () => {
    const { told } = workingFolder({ "big.log": `${numbered(2_500_000)}\n` });
    const before = process.memoryUsage().arrayBuffers;
    const answer = await told("read", { path: "big.log", offset: 1_234_567, limit: 1 });
    expect(answer).toMatch(/^1234567\tline 1234567\n\(lines 1234567 to 1234567 of (2500000|a file of 36388896 bytes);/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
    expect(await told("read", { path: "big.log", offset: 2_500_000 })).toBe("2500000\tline 2500000");
  });

  it("is shown by its beginning, even if it is all one line", async () => {
    const { told, at } = workingFolder({ "big.log": `${numbered(2_000)}\nlast ` });
    const start = statSync(at("big.log")).size - 5;
    truncateSync(at("big.log"), start + 2 ** 28);
    expect(await told("read", { path: "big.log", offset: 2_001 })).toMatch(
      new RegExp(`^ {2}2001\tlast ␀{1995}… \\(cut; the line has ${2 ** 28} bytes`),
    );
  });

  it("is let go of when nobody wants it any more, and lets others work meanwhile", async () => {
    const { call, at } = workingFolder({ "big.log": `${numbered(2_000)}\n` });
    truncateSync(at("big.log"), 2 ** 36);
    const cancel = new AbortController();
    const reading = call("read", { path: "big.log", offset: 5_000 }, cancel.signal);
    setTimeout(() => cancel.abort(new Error("cancelled by the test")), 50);
    const computed = cpuTimer();
    await expect(reading).rejects.toThrow("cancelled by the test");
    expect(computed()).toBeLessThan(1_000);
  });

  it("is given up after ten seconds, with a word on how far it came", async () => {
    let time = 0;
    const { told } = workingFolder({ "big.log": `${numbered(100_000)}\n` }, () => (time += 500));
    expect(await told("read", { path: "big.log", offset: 90_000 })).toMatch(
      /^\(stopped after 10 seconds at line \d+, before line 90000; use search, or a smaller offset\)$/,
    );
  });
});

describe("text that is not plain UTF-8 with line feeds", () => {
  it.each([
    ["one\r\ntwo\r\n", "     1\tone\n     2\ttwo\n(lines end with CRLF; edit keeps that)"],
    ["\ufeffone\n", "     1\tone\n(starts with a byte order mark, not shown; edit keeps it)"],
    ["one\rtwo\n", "     1\tone\rtwo"],
  ])("%j", async (content, shown) => {
    const { told } = workingFolder({ "a.txt": content });
    expect(await told("read", { path: "a.txt" })).toBe(shown);
  });

  it("has zeros far from its beginning", async () => {
    const { told } = workingFolder({ "a.txt": `${"x\n".repeat(4_000)}a\0b` });
    expect(await told("read", { path: "a.txt", offset: 4_001 })).toBe("  4001\ta␀b");
  });

  it("in Latin-1 is shown as far as it can be", async () => {
    const { told } = workingFolder({ "a.txt": Buffer.from("caf\u00e9\nplain\n", "latin1"), "b.txt": "a \ufffd\n" });
    expect(await told("read", { path: "a.txt" })).toBe(
      "     1\tcaf\ufffd\n     2\tplain\n(bytes that are not UTF-8 are shown as \ufffd; edit refuses this file)",
    );
    expect(await told("read", { path: "b.txt" })).toBe("     1\ta \ufffd");
  });

  it("in UTF-16 is read all the same, and said to be that", async () => {
    const little = Buffer.from("\ufeffGrüße\r\nzwei\r\n", "utf16le");
    const { told } = workingFolder({ "little.txt": little, "big.txt": Buffer.from(little).swap16() });
    for (const path of ["little.txt", "big.txt"]) {
      const answer = await told("read", { path });
      expect(answer).toMatch(/^ {5}1\tGrüße\n {5}2\tzwei\n/);
      expect(answer).toContain("(the file is UTF-16, which edit refuses; write replaces it with UTF-8)");
    }
  });

  it("is no text at all", async () => {
    const { refused } = workingFolder({ "a.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]) });
    expect(await refused("read", { path: "a.png" })).toBe("'a.png' is not a text file (7 bytes, with NUL bytes).");
  });
});

describe("what cannot be read", () => {
  it.each([
    ["gone.md", "There is no file 'gone.md'. Use list to see what exists."],
    ["no/folder/a.md", "There is no file 'no/folder/a.md'. Use list to see what exists."],
    ["a.md/b.md", "There is no folder 'a.md'. Use list to see what exists."],
    ["folder", "'folder' is a folder, not a file. Use a path relative"],
    ["../a.md", 'The path "../a.md" is refused: it leaves the folder. Use a path relative to the working folder'],
    [".env", "The path \".env\" is refused: '.env' usually holds secrets."],
  ])("%s", async (path, told) => {
    const { refused } = workingFolder({ "a.md": "x", "folder/b.md": "x", ".env": "KEY=canary" });
    expect(await refused("read", { path })).toContain(told);
  });

  it.skipIf(process.getuid?.() === 0)("is said without the machine's own paths", async () => {
    const { refused, at } = workingFolder({ "closed.md": "x" });
    chmodSync(at("closed.md"), 0);
    expect(await refused("read", { path: "closed.md" })).toBe("File system error: permission denied.");
  });
});
