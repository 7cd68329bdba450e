import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cpuTimer } from "../../../../test/harness/cpu-time.ts";
import { workingFolder } from "../../../../test/harness/working-folder.ts";
import { Files } from "../../../store/files/files.ts";
import { lookingTools } from "./file-tools.ts";

describe("a search", () => {
  it("names path, line and text of every line that fits, in the order of the paths", async () => {
    const { told } = workingFolder({
      "b.ts": "const b = 1;\nlet c = 2;\nconst d = 3;\n",
      "a/a.ts": "const a = 0;\n",
      ".github/ci.yml": "run: const\n",
    });
    expect(await told("search", { pattern: "\\bconst\\b" })).toBe(
      ".github/ci.yml:1: run: const\na/a.ts:1: const a = 0;\nb.ts:1: const b = 1;\nb.ts:3: const d = 3;",
    );
    expect(await told("search", { pattern: "const", path: "a" })).toBe("a/a.ts:1: const a = 0;");
    expect(await told("search", { pattern: "const", path: "b.ts" })).toBe("b.ts:1: const b = 1;\nb.ts:3: const d = 3;");
    expect(await told("search", { pattern: "const", glob: "*.yml" })).toBe(".github/ci.yml:1: run: const");
    expect(await told("search", { pattern: "const", path: "a", glob: "b.ts" })).toBe("(no matches)");
  });

  it.each([
    ["^x", ["1"]],
    ["x$", ["1", "2"]],
    ["^$", ["3"]],
    ["(?i)^Y", ["2"]],
    ["\\p{Lu}", ["4"]],
    ["\\.", ["5"]],
  ])("looks at each line for itself, without its line ending: %s", async (pattern, lines) => {
    const { told } = workingFolder({ "a.txt": "x\r\nyx\r\n\r\nÜ\r\na.b\r\n" });
    const found = (await told("search", { pattern })).split("\n");
    expect(found.map((line) => line.split(":")[1])).toEqual(lines);
  });

  it("opens no folder that usually holds secrets, not even to list it", async () => {
    const { told } = workingFolder({ ".guildhall/token": "hit\n", ".guildhall/deep/a.md": "hit\n", "a.md": "hit\n" });
    const note = "(skipped: protected folders, 1)";
    expect(await told("search", { pattern: "hit" })).toBe(`a.md:1: hit\n${note}`);
    expect(await told("list", { glob: "**" })).toBe(`a.md\n${note}`);
    expect(await told("list", { glob: ".guildhall/**" })).toBe(`(no entries)\n${note}`);
  });

  it("comes in parts, each of which says where to go on", async () => {
    const { told } = workingFolder({ "a.txt": "hit\n".repeat(450), "b.txt": "hit\n" });
    const first = (await told("search", { pattern: "hit" })).split("\n");
    expect(first.slice(-2)).toEqual(["a.txt:200: hit", "(matches 1 to 200; continue with offset 201)"]);
    const last = (await told("search", { pattern: "hit", offset: 401 })).split("\n");
    expect([last[0], last.at(-1)]).toEqual(["a.txt:401: hit", "b.txt:1: hit"]);
    expect(await told("search", { pattern: "hit", offset: 452 })).toBe("(there are only 451 matches)");
  });

  it("numbers lines rightly in files of many blocks, and finds what stands deep in a long line", async () => {
    const long = `${"é".repeat(150_000)}needle${"é".repeat(150_000)}`;
    const { told } = workingFolder({ "a.txt": `${"filler\n".repeat(50_000)}${long}\nneedle\n` });
    const [deep = "", plain] = (await told("search", { pattern: "needle" })).split("\n");
    expect(deep).toMatch(/^a\.txt:50001: …é{100}needleé{194}…$/);
    expect(plain).toBe("a.txt:50002: needle");
  });

  it("passes over what is no text, links, folders of dependencies, and secrets, and says so", async () => {
    const { told, at } = workingFolder({
      "a.txt": "canary\n",
      ".env": "KEY=canary\n",
      "image.png": Buffer.from("canary\0"),
      "wide.txt": Buffer.from("\ufeffcanary", "utf16le"),
      "node_modules/x/index.js": "canary\n",
    });
    symlinkSync("a.txt", at("b.txt"));
    expect(await told("search", { pattern: "canary" })).toBe(
      [
        "a.txt:1: canary",
        "(skipped: folders named node_modules; set path to search one)",
        "(skipped: protected or unreadable files, 1)",
      ].join("\n"),
    );
    expect(await told("search", { pattern: "canary", path: "node_modules" })).toBe("node_modules/x/index.js:1: canary");
  });

  it("passes over very large files, unless they are named", async () => {
    const { told, at } = workingFolder({ "a.txt": "hit\n", "big.log": `hit\n${"x\n".repeat(8_000)}` });
    truncateSync(at("big.log"), 20 * 1024 * 1024);
    expect(await told("search", { pattern: "hit" })).toBe(
      "a.txt:1: hit\n(skipped: files over 16 MiB, 1; set path to search one)",
    );
    expect(await told("search", { pattern: "hit", path: "big.log" })).toBe("big.log:1: hit");
  });

  it.each([
    [{ pattern: "(" }, "Invalid pattern: Invalid regular expression: /(/: Unterminated group."],
    [{ pattern: "" }, "pattern: Too small"],
    [{ pattern: "x", path: "../" }, "it leaves the folder"],
    [{ pattern: "x", path: "gone" }, "There is no file or folder 'gone'."],
    [{ pattern: "x", path: "image.png" }, "'image.png' is not a UTF-8 text file."],
    [{ pattern: "x", path: ".env" }, "'.env' usually holds secrets"],
  ])("refuses %j", async (input, why) => {
    const { refused } = workingFolder({ "image.png": Buffer.from("x\0"), ".env": "x" });
    expect(await refused("search", input)).toContain(why);
  });
});

describe("a search that would take long", () => {
  it("is stopped when the expression runs wild", async () => {
    const { refused } = workingFolder({ "a.txt": `${"a".repeat(60)}!\n`, "b.txt": "a\n" });
    expect(await refused("search", { pattern: "(a+)+$" })).toBe(
      "Search stopped: the pattern takes too long. Use a simpler regular expression without nested repetition.",
    );
  });

  it("stops after ten seconds and shows what it found", async () => {
    let time = 0;
    const { told, at } = workingFolder({}, () => (time += 10));
    for (let number = 100; number < 300; number++) writeFileSync(at(`f${number}`), "hit");
    const answer = await told("search", { pattern: "hit" });
    expect(answer).toMatch(/^f100:1: hit\n/);
    expect(answer).toMatch(/\(incomplete: stopped after 10 seconds; use a narrower path\)$/);
    time = 0;
    const one = workingFolder({ "a.txt": "hit\n".repeat(4_000) }, () => (time += 1_000));
    truncateSync(one.at("a.txt"), 2 ** 36);
    expect(await one.told("search", { pattern: "nothing", path: "a.txt" })).toBe(
      "(no matches)\n(incomplete: stopped after 10 seconds)",
    );
  });

  it("in a single large file ends soon when it is cancelled", async () => {
    const { call, at } = workingFolder({ "big.log": "line\n".repeat(4_000) });
    truncateSync(at("big.log"), 2 ** 36);
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(new Error("cancelled by the test")), 50);
    const searching = call("search", { pattern: "nothing", path: "big.log" }, cancel.signal);
    await expect(searching).rejects.toThrow("cancelled by the test");
  });

  it("in a big tree leaves the process free for others and ends soon when it is cancelled", async () => {
    const { call, at } = workingFolder();
    for (let folder = 0; folder < 40; folder++) {
      mkdirSync(at(`d${folder}`));
      for (let file = 0; file < 50; file++) writeFileSync(at(`d${folder}/f${file}`), "some words\n".repeat(2_000));
    }
    const cancel = new AbortController();
    let longest = 0;
    let last = 0;
    const beat = setInterval(() => {
      longest = Math.max(longest, computed() - last);
      last = computed();
      if (computed() > 150) cancel.abort(new Error("cancelled by the test"));
    }, 1);
    const computed = cpuTimer();
    await expect(call("search", { pattern: "(some|no) (words|thing) else" }, cancel.signal)).rejects.toThrow(
      "cancelled by the test",
    );
    clearInterval(beat);
    expect(computed()).toBeLessThan(1_500);
    expect(longest).toBeLessThan(1_000);
  });
});

it("holds a process that others wait for only a moment over a pattern that takes for ever", async () => {
  const { at } = workingFolder({ "a.txt": `${"x".repeat(500)}\n` });
  const search = lookingTools(new Files(at("."), "private", "refused")).find(({ spec }) => spec.name === "search");
  const computed = cpuTimer();
  const outcome = await search?.run(JSON.stringify({ pattern: "(x+x+)+y" }), {
    callId: "c",
    signal: new AbortController().signal,
  });
  expect(outcome?.output).toContain("the pattern takes too long");
  expect(computed()).toBeLessThan(2_000);
});
