import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workingFolder } from "../../../../test/harness/working-folder.ts";
import { HallError } from "../../../contract/errors.ts";

const TREE = {
  ".github/workflows/ci.yml": "on: push",
  ".gitignore": "dist",
  "README.md": "# Shop",
  "src/app.ts": "app",
  "src/ui/button.tsx": "button",
  "src/ui/button.test.tsx": "test",
  "node_modules/left-pad/index.js": "pad",
  "packages/a/dist/out.js": "built",
  "packages/a/src/a.ts": "a",
};

const listed = (answer: string) => answer.split("\n").filter((line) => !line.startsWith("("));

describe("listing a folder", () => {
  it("names what is in it, folders first, hidden names too, and looks no further", async () => {
    const { told } = workingFolder(TREE);
    const shown = [".github/", "node_modules/", "packages/", "src/", ".gitignore", "README.md"].join("\n");
    for (const path of [".", "./", ""]) expect(await told("list", { path })).toBe(shown);
    expect(await told("list", {})).toBe(shown);
    expect(await told("list", { path: "src/" })).toBe("ui/\napp.ts");
    expect(await told("list", { path: "node_modules" })).toBe("left-pad/");
  });

  it("tells links and special files from others, and leaves out what a write has there for a moment", async () => {
    const { told, at } = workingFolder({ "a.md": "x", ".tmp-0123456789abcdef": "half", ".tmp-notes": "mine" });
    symlinkSync("a.md", at("b.md"));
    execFileSync("mkfifo", [at("c.md")]);
    expect(await told("list", {})).toBe(".tmp-notes\na.md\nb.md (link, not followed)\nc.md (not a regular file)");
  });

  it("comes in parts, each of which says where to go on", async () => {
    const { told, at } = workingFolder();
    for (let number = 0; number < 1_100; number++) writeFileSync(at(`f${String(number).padStart(4, "0")}`), "");
    const first = await told("list", {});
    expect(first.split("\n").slice(-2)).toEqual(["f0499", "(entries 1 to 500; continue with offset 501)"]);
    const last = await told("list", { offset: 1_001 });
    expect([last.split("\n")[0], last.split("\n").at(-1)]).toEqual(["f1000", "f1099"]);
    expect(await told("list", { offset: 1_101 })).toBe("(there are only 1100 entries)");
    expect(await told("list", { glob: "f1*", offset: 100 })).toBe("f1099");
  });

  it("ends early where names are long", async () => {
    const { told, at } = workingFolder();
    for (let number = 0; number < 300; number++) writeFileSync(at(`${number + 100}${"n".repeat(200)}`), "");
    const answer = await told("list", {});
    expect(Buffer.byteLength(answer)).toBeLessThan(41_000);
    expect(answer).toMatch(/\(entries 1 to 196; continue with offset 197\)$/);
  });

  it.each([
    [{ path: "gone" }, "There is no file or folder 'gone'. Use list to see what exists."],
    [{ path: "gone/deeper" }, "There is no folder 'gone'."],
    [{ path: "README.md" }, "'README.md' is a file, not a folder."],
    [{ path: ".." }, "it leaves the folder"],
    [{ path: "/" }, "it is absolute"],
    [{ path: "a\0b" }, "it has a character that is not allowed in file names"],
    [{ glob: "{a,b}".repeat(7) }, "The glob expands to more than 100 patterns. Use fewer braces."],
  ])("refuses %j", async (input, why) => {
    const { refused } = workingFolder(TREE);
    expect(await refused("list", input)).toContain(why);
  });

  it("of an empty one says so", async () => {
    const { told, at } = workingFolder();
    mkdirSync(at("empty"));
    expect(await told("list", { path: "empty" })).toBe("(no entries)");
  });
});

describe("listing by a glob", () => {
  it.each([
    ["*.ts", ".", ["packages/a/src/a.ts", "src/app.ts"]],
    ["**/*.yml", ".", [".github/workflows/ci.yml"]],
    [".git*", ".", [".gitignore"]],
    ["src/*", ".", ["src/app.ts"]],
    ["src/**", ".", ["src/app.ts", "src/ui/button.test.tsx", "src/ui/button.tsx"]],
    ["./src/*.{ts,tsx}", ".", ["src/app.ts"]],
    ["ui/*.tsx", "src", ["src/ui/button.test.tsx", "src/ui/button.tsx"]],
    ["src/ui/*.tsx", "src", ["src/ui/button.test.tsx", "src/ui/button.tsx"]],
    ["*", "packages/a/dist", ["packages/a/dist/out.js"]],
    ["node_modules/**/*.js", ".", ["node_modules/left-pad/index.js"]],
  ])("%s in %s", async (glob, path, found) => {
    const { told } = workingFolder(TREE);
    expect(listed(await told("list", { glob, path }))).toEqual(found);
  });

  it("says which folders it passed over", async () => {
    const { told } = workingFolder(TREE);
    expect(await told("list", { glob: "*.js" })).toBe(
      "(no entries)\n(skipped: folders named dist, node_modules; set path to search one)",
    );
    expect(await told("list", { glob: "*.ts", path: "src" })).toBe("src/app.ts");
  });

  it("does not follow links, not even in a circle", async () => {
    const { told, at } = workingFolder({ "src/a.ts": "a" });
    symlinkSync("..", at("src/up"));
    symlinkSync("a.ts", at("src/b.ts"));
    expect(await told("list", { glob: "*" })).toBe(
      "src/a.ts\nsrc/b.ts (link, not followed)\nsrc/up (link, not followed)",
    );
  });

  it("stops after ten seconds, and says that it is not complete", async () => {
    let time = 0;
    const { told, at } = workingFolder({}, () => (time += 100));
    for (let number = 0; number < 200; number++) writeFileSync(at(`f${number}`), "");
    expect(await told("list", { glob: "*" })).toMatch(/\(incomplete: stopped after 10 seconds; use a narrower path\)$/);
  });

  it("ends when nobody wants it any more", async () => {
    const { call } = workingFolder(TREE, tick());
    const cancel = new AbortController();
    const listing = call("list", { glob: "**" }, cancel.signal);
    const reason = new HallError("stopping", "Guildhall is stopping.");
    cancel.abort(reason);
    await expect(listing).rejects.toBe(reason);
  });
});

/** A clock by which a rest is always due. */
function tick(): () => number {
  let time = 0;
  return () => (time += 11);
}
