import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { traps } from "../../../../test/cases/links.ts";
import { acceptedPaths, refusedPaths, unwritablePaths } from "../../../../test/cases/paths.ts";
import { temporaryFolder } from "../../../../test/harness/daemon.ts";
import { filesOver } from "../../../../test/harness/temporary-folder.ts";
import { type WorkingFolder, workingFolder } from "../../../../test/harness/working-folder.ts";
import { reach, reachFile } from "./working-files.ts";

/** A working folder and, beside it, one with a secret. */
function beside(): WorkingFolder & { inside: string; outside: string; seen: () => unknown } {
  const above = temporaryFolder();
  const [inside, outside] = [join(above, "work"), join(above, "outside")];
  mkdirSync(outside);
  writeFileSync(join(outside, "secret"), "canary\n");
  const folder = workingFolder({ "own.md": "own\n" }, undefined, inside);
  const seen = () => treeOf(outside);
  return { ...folder, inside, outside, seen };
}

const usesOf = (path: string): [string, object][] => [
  ["read", { path }],
  ["write", { path, content: "by an agent" }],
  ["edit", { path, oldText: "canary", newText: "by an agent" }],
  ["list", { path }],
  ["list", { path, glob: "*" }],
  ["search", { path, pattern: "canary" }],
];

describe("what leads out of the working folder", () => {
  it.each(traps)(
    "$name is refused by every tool, and nothing is told or changed [S0-SEC-02]",
    async ({ set, paths }) => {
      const { call, inside, outside, seen } = beside();
      set(inside, outside);
      const before = [seen(), treeOf(inside)];
      for (const path of paths)
        for (const [tool, input] of usesOf(path)) {
          const answer = await call(tool, input);
          expect(answer, `${tool} ${path}`).toMatchObject({ failed: true });
          expect(answer.output).not.toMatch(/canary|root:|\/proc\/|\/tmp\/|guildhall-test-/);
          expect(answer.output).toMatch(/^[^.].*[.]$/s);
          expect(answer.files).toBeUndefined();
        }
      const around = await Promise.all([call("search", { pattern: "canary" }), call("list", { glob: "**" })]);
      for (const { output } of around) expect(output).not.toMatch(/:1: .*canary|secret|passwd/);
      expect([seen(), treeOf(inside)]).toEqual(before);
      expect(["/etc/guildhall-new", "/tmp/guildhall-new"].filter((path) => existsSync(path))).toEqual([]);
    },
  );

  it("is said to be a link, a hard link, a pipe or a socket", async () => {
    const { refused, inside, outside } = beside();
    for (const { set, name } of traps)
      if (/^(a link to a file outside|a second name|a pipe|a relative)/.test(name)) set(inside, outside);
    const server = createServer().listen(join(inside, "s"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const said = await Promise.all(
      ["l", "h", "f", "s", "d/secret"].map((path) => refused("write", { path, content: "x" })),
    );
    expect(said.map((text) => text.split(". ")[0])).toEqual([
      "'l' is a link, and links are not followed",
      "'h' is a hard link; its other names may be outside the working folder",
      "'f' is a pipe, a socket or a device, not a regular file",
      "'s' is a pipe, a socket or a device, not a regular file",
      "The folder 'd' leads outside the workspace",
    ]);
  });

  it("is not reached by a link within the folder either, because its name hides what is protected", async () => {
    const { refused, told, inside } = beside();
    mkdirSync(join(inside, ".git/hooks"), { recursive: true });
    mkdirSync(join(inside, "shared"));
    symlinkSync(".git", join(inside, "git"));
    symlinkSync("shared", join(inside, "alias"));
    expect(await refused("write", { path: "git/hooks/pre-commit", content: "x" })).toBe(
      "'git/hooks' leads through a link to '.git/hooks'. Links are not followed; use the path it leads to.",
    );
    expect(await refused("write", { path: "git/new/x", content: "x" })).toContain(
      "'git' leads through a link to '.git'",
    );
    expect(await refused("write", { path: "alias/a.md", content: "x" })).toContain("through a link to 'shared'");
    await told("write", { path: "shared/a.md", content: "x" });
    expect(treeOf(join(inside, ".git"))).toHaveLength(1);
  });

  it("may be a package's file that its manager shares with others: that is read, and not written", async () => {
    const { told, refused, inside, outside, seen } = beside();
    const before = seen();
    for (const folder of ["node_modules/p/lib", ".venv/lib/site-packages/p", "lib"]) {
      mkdirSync(join(inside, folder), { recursive: true });
      linkSync(join(outside, "secret"), join(inside, folder, "index.js"));
    }
    for (const path of ["node_modules/p/lib/index.js", ".venv/lib/site-packages/p/index.js"]) {
      expect(await told("read", { path })).toBe("     1\tcanary");
      expect(await told("search", { path, pattern: "canary" })).toContain(":1: canary");
      expect(await refused("write", { path, content: "x" })).toContain("is a hard link");
      expect(await refused("edit", { path, oldText: "canary", newText: "x" })).toContain("is a hard link");
    }
    expect(await refused("read", { path: "lib/index.js" })).toContain("is a hard link");
    linkSync(join(outside, "secret"), join(inside, "node_modules/p/.env"));
    expect(await refused("read", { path: "node_modules/p/.env" })).toContain("usually holds secrets");
    expect(seen()).toEqual(before);
  });

  it("may be the board of tasks in another case, on disks that take both for the same", async () => {
    const { told, refused, inside } = beside();
    await told("write", { path: "tasks/clean.py", content: "x" });
    rmSync(join(inside, "tasks"), { recursive: true });
    mkdirSync(join(inside, "TASKS/todo"), { recursive: true });
    expect(await refused("write", { path: "tasks/todo/TASK-001.md", content: "x" })).toContain("files in 'TASKS'");
    expect(await refused("write", { path: "Tasks/todo/TASK-001.md", content: "x" })).toContain("files in 'TASKS'");
    mkdirSync(join(inside, "tasks"));
    await told("write", { path: "tasks/clean.py", content: "x" });
  });

  it("stays out of reach when a folder becomes a link while a search is under way", async () => {
    const { call, inside, outside } = beside();
    mkdirSync(join(inside, "folder"));
    writeFileSync(join(inside, "folder/secret"), "own canary\n");
    const searching = call("search", { pattern: "canary" });
    renameSync(join(inside, "folder"), join(inside, ".aside"));
    symlinkSync(outside, join(inside, "folder"));
    const { output } = await searching;
    expect(output).not.toContain("secret:1: canary");
  });
});

describe("a path that an agent gives", () => {
  const refused = Object.values(refusedPaths).flat();

  it("is refused by every tool if it is not a plain path inside, and nothing changes [S0-SEC-02]", async () => {
    const { call, inside, seen } = beside();
    mkdirSync(join(inside, "a"));
    const before = [seen(), treeOf(inside)];
    for (const path of refused)
      for (const [tool, input] of usesOf(path)) {
        const isFolderItself = ["", ".", "./"].includes(path) && ["list", "search"].includes(tool);
        const { failed, output } = await call(tool, input);
        expect([tool, path, failed ?? false], output).toEqual([tool, path, !isFolderItself]);
      }
    expect([seen(), treeOf(inside)]).toEqual(before);
  });

  it("is refused for writing if it leads to what steers the hall or other tools", async () => {
    const { call, inside } = beside();
    const before = treeOf(inside);
    for (const path of unwritablePaths)
      for (const [tool, input] of usesOf(path).slice(1, 3))
        expect([path, (await call(tool, input)).failed]).toEqual([path, true]);
    expect(treeOf(inside)).toEqual(before);
  });

  it("is taken if it is merely unusual: written, read, listed, found and edited", async () => {
    const { told, inside } = beside();
    for (const path of acceptedPaths) {
      expect(await told("write", { path, content: "needle\n" })).toBe(`Created ${path} (1 line, 7 bytes).`);
      expect(await told("read", { path })).toBe("     1\tneedle");
      expect(await told("search", { path, pattern: "needle" })).toBe(`${path}:1: needle`);
      expect(await told("edit", { path, oldText: "needle", newText: "thread" })).toBe(`Edited ${path} (line 1).`);
      expect(await told("list", { glob: "*" })).toContain(path);
      rmSync(join(inside, path));
    }
  });
});

/** Every name with what it is, and the content of files. Links are not followed. */
function treeOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      const content = entry.isFile() ? readFileSync(path, "utf8") : "";
      return [`${path} ${lstatSync(path).mode} ${content}`, ...(entry.isDirectory() ? treeOf(path) : [])];
    });
}

it("a path through a link to another folder of the same ground is refused, even where the store would follow it", () => {
  const { files, root } = filesOver("own", "other");
  writeFileSync(join(root, "other/a.md"), "a");
  symlinkSync("../other", join(root, "own/door"));
  expect(files.read("own/door/a.md").toString()).toBe("a");
  for (const use of [
    () => reach(files, "own/door"),
    () => reach(files, "own/door/a.md"),
    () => reachFile(files, "own/door/a.md", "read"),
    () => reachFile(files, "own/door/new.md", "write"),
  ])
    expect(use).toThrow("leads through a link to 'other'");
});
