import { chmodSync, existsSync, mkdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workingFolder } from "../../../../test/harness/working-folder.ts";

describe("writing a file", () => {
  it("creates it with the folders it needs, and says how much it wrote", async () => {
    const { call, text, at } = workingFolder();
    expect(await call("write", { path: "docs/new/a.md", content: "eins\nzwei ü\n" })).toEqual({
      output: "Created docs/new/a.md (2 lines, 13 bytes).",
      files: ["docs/new/a.md"],
    });
    expect(text("docs/new/a.md")).toBe("eins\nzwei ü\n");
    expect(statSync(at("docs/new/a.md")).mode & 0o777).toBe(0o644);
    expect(statSync(at("docs/new")).mode & 0o777).toBe(0o755 & ~process.umask());
  });

  it.each([
    ["", "0 lines, 0 bytes"],
    ["x", "1 line, 1 bytes"],
    ["x\n", "1 line, 2 bytes"],
    ["x\n\n", "2 lines, 3 bytes"],
    ["x\ny", "2 lines, 3 bytes"],
  ])("counts the lines of %j", async (content, size) => {
    const { told } = workingFolder();
    expect(await told("write", { path: "a.md", content })).toBe(`Created a.md (${size}).`);
  });

  it("replaces it whole, keeps its permissions, and says that it was there", async () => {
    const { call, text, at } = workingFolder({ "run.sh": "#!/bin/sh\nexit 1\n" });
    chmodSync(at("run.sh"), 0o750);
    expect(await call("write", { path: "./run.sh", content: "#!/bin/sh\n" })).toEqual({
      output: "Replaced run.sh (1 line, 10 bytes; before: 17 bytes).",
      files: ["run.sh"],
    });
    expect(text("run.sh")).toBe("#!/bin/sh\n");
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o750);
  });

  it("that already has this content changes nothing and counts as no change", async () => {
    const { call, at } = workingFolder({ "a.md": "same\n" });
    const before = statSync(at("a.md"));
    expect(await call("write", { path: "a.md", content: "same\n" })).toEqual({
      output: "a.md already has this content; nothing was changed.",
    });
    expect(statSync(at("a.md"))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(await call("write", { path: "a.md", content: "sane\n" })).toMatchObject({ files: ["a.md"] });
  });

  it("that is large and has this content already is found to be so", async () => {
    const { told } = workingFolder();
    const content = "日".repeat(6_000_000);
    await told("write", { path: "a.md", content });
    expect(await told("write", { path: "a.md", content })).toContain("nothing was changed");
  });

  it("replaces one that is too large to be read", async () => {
    const { told, at, text } = workingFolder({ "big.log": "x" });
    truncateSync(at("big.log"), 2 ** 31);
    expect(await told("write", { path: "big.log", content: "small" })).toContain(`before: ${2 ** 31} bytes`);
    expect(text("big.log")).toBe("small");
  });

  it("keeps every byte of the content", async () => {
    const { told, text } = workingFolder();
    const content = "\ufeffa\r\nb\rc\u2028 \t \n";
    await told("write", { path: "a.txt", content });
    expect(text("a.txt")).toBe(content);
  });

  it("is allowed for hidden files and for names that the hall uses elsewhere", async () => {
    const { told, text } = workingFolder();
    const paths = [
      ".github/workflows/ci.yml",
      "src/events/handler.ts",
      "packages/a/project.json",
      "events/a.ts",
      "knowledge/a.md",
    ];
    for (const path of paths) {
      await told("write", { path, content: path });
      expect(text(path)).toBe(path);
    }
  });

  it("is refused in the logs and the knowledge of a project's own folder, which is told by what stands in it", async () => {
    const { call, at } = workingFolder({ "PROJECT.json": "{}", "TASKS/todo/TASK-001.md": "" });
    for (const path of [
      "events/a.ts",
      "runs/2026-11-15/x",
      "Session/a.md",
      "teams/t/team.json",
      "Knowledge/decisions.md",
    ]) {
      expect((await call("write", { path, content: "x" })).output).toContain("can't be written this way");
      expect(existsSync(at(path))).toBe(false);
    }
  });
});

describe("a write that is refused", () => {
  it.each([{ "a.md": "before" }, {}])("because somebody else wrote at the same moment, over %j", async (contents) => {
    const { call, at, text } = workingFolder(contents);
    const writing = call("write", { path: "a.md", content: "by an agent" });
    writeFileSync(at("a.md"), "by a person");
    expect(await writing).toEqual({
      output: "Nothing was changed: the file changed at the same moment. Read it again.",
      failed: true,
    });
    expect(text("a.md")).toBe("by a person");
  });

  it.each([
    [{ path: "folder", content: "x" }, "'folder' is a folder, not a file."],
    [{ path: "a.md/b.md", content: "x" }, "There is no folder 'a.md'."],
    [{ path: "../a.md", content: "x" }, "it leaves the folder"],
    [{ path: ".git/hooks/pre-commit", content: "x" }, "files in '.git' can't be written this way"],
    [{ path: "PROJECT.json", content: "x" }, "'PROJECT.json' can't be written this way"],
    [{ path: ".env", content: "x" }, "'.env' usually holds secrets"],
    [{ path: "a.md", content: "\ud800" }, "content: must be well-formed Unicode."],
    [{ path: "a.md", content: "x\0" }, "content: must not contain NUL."],
    [{ path: "a.md" }, "The input of write is not valid: content: Invalid input: expected string"],
    [{ path: "a.md", content: { text: "x" } }, "content: Invalid input: expected string, received object."],
  ])("%j says why and changes nothing", async (input, why) => {
    const { refused, text, at } = workingFolder({ "a.md": "before", "folder/b.md": "before" });
    mkdirSync(at(".git"));
    expect(await refused("write", input)).toContain(why);
    expect([text("a.md"), text("folder/b.md")]).toEqual(["before", "before"]);
    expect([".git/hooks", "PROJECT.json", ".env", "../a.md"].filter((path) => existsSync(at(path)))).toEqual([]);
  });
});
