import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Watcher } from "./watcher.ts";

describe("the watcher tells of", () => {
  it("files that are added, changed, renamed and deleted", async () => {
    const { root, seen } = watched({ "old.md": "1", "gone.md": "2", "from.md": "3" });
    writeFileSync(join(root, "new.md"), "4");
    appendFileSync(join(root, "old.md"), "more");
    rmSync(join(root, "gone.md"));
    renameSync(join(root, "from.md"), join(root, "to.md"));
    await seen("new.md", "old.md", "gone.md", "from.md", "to.md");
  });

  it("files in folders that were there before, at any depth", async () => {
    const { root, seen } = watched({ "a/b/c/deep.md": "1" });
    writeFileSync(join(root, "a/b/c/deep.md"), "2");
    writeFileSync(join(root, "a/b/beside.md"), "3");
    await seen("a/b/c/deep.md", "a/b/beside.md");
  });

  it("everything in folders that come while it watches, however fast they are filled", async () => {
    const { root, seen } = watched();
    for (let count = 0; count < 50; count++) {
      mkdirSync(join(root, `folder-${count}/below/deeper`), { recursive: true });
      writeFileSync(join(root, `folder-${count}/below/deeper/file.md`), "1");
    }
    await seen(...Array.from({ length: 50 }, (_, count) => `folder-${count}/below/deeper/file.md`));
    writeFileSync(join(root, "folder-7/below/late.md"), "2");
    await seen("folder-7/below/late.md");
  });

  it("everything in a folder that was moved in whole, and in it under its new name later", async () => {
    const outside = temporaryFolder();
    mkdirSync(join(outside, "project/TASKS"), { recursive: true });
    writeFileSync(join(outside, "project/TASKS/one.md"), "1");
    const { root, seen } = watched();
    renameSync(join(outside, "project"), join(root, "project"));
    await seen("project/TASKS/one.md");
    renameSync(join(root, "project"), join(root, "renamed"));
    await seen("project", "renamed/TASKS/one.md");
    writeFileSync(join(root, "renamed/TASKS/two.md"), "2");
    await seen("renamed/TASKS/two.md");
  });

  it("a folder that went, and what is in it when it comes again", async () => {
    const { root, seen } = watched({ "box/a.md": "1" });
    for (let round = 0; round < 20; round++) {
      rmSync(join(root, "box"), { recursive: true });
      mkdirSync(join(root, "box"));
      writeFileSync(join(root, `box/round-${round}.md`), "2");
      await seen(`box/round-${round}.md`);
    }
    writeFileSync(join(root, "box/after.md"), "3");
    await seen("box/after.md");
  });

  it("a folder in whose place another one is put", async () => {
    const { root, seen } = watched({ "box/a.md": "1", "other/b.md": "2" });
    renameSync(join(root, "box"), join(root, "aside"));
    renameSync(join(root, "other"), join(root, "box"));
    await seen("box/b.md", "aside/a.md");
    writeFileSync(join(root, "box/new.md"), "3");
    writeFileSync(join(root, "aside/new.md"), "4");
    await seen("box/new.md", "aside/new.md");
  });

  it("each of 2,000 files written in one burst, and each of them deleted in another", async () => {
    const { root, seen, forget } = watched({ "burst/first.md": "0" });
    const names = Array.from({ length: 2_000 }, (_, count) => `burst/file-${count}.md`);
    for (const name of names) writeFileSync(join(root, name), "1");
    await seen(...names);
    forget();
    for (const name of names) rmSync(join(root, name));
    await seen(...names);
  });

  it("files replaced the way editors do it", async () => {
    const { root, seen, forget } = watched({ "notes.md": "1" });
    for (let round = 0; round < 10; round++) {
      forget();
      writeFileSync(join(root, ".notes.md.swp"), String(round));
      renameSync(join(root, ".notes.md.swp"), join(root, "notes.md"));
      await seen("notes.md");
    }
  });

  it("a change that has the size and time of what was there before", async () => {
    const { root, seen } = watched({ "same.md": "one" });
    const time = new Date("2026-01-01T00:00:00Z");
    writeFileSync(join(root, "same.md"), "two");
    utimesSync(join(root, "same.md"), time, time);
    await seen("same.md");
  });
});

describe("the watcher says nothing of", () => {
  it("hidden files and folders, and folders nobody wants to know of", async () => {
    const { root, seen, all } = watched({ ".git/HEAD": "1", "skipped/x.md": "1", "kept/x.md": "1" });
    writeFileSync(join(root, ".hidden"), "2");
    writeFileSync(join(root, ".git/HEAD"), "2");
    writeFileSync(join(root, "skipped/x.md"), "2");
    writeFileSync(join(root, "kept/x.md"), "2");
    await seen("kept/x.md");
    expect(all()).toEqual(["kept/x.md"]);
  });

  it("what lies behind a link", async () => {
    const outside = temporaryFolder();
    const { root, seen, all } = watched();
    symlinkSync(outside, join(root, "link"));
    await seen("link");
    writeFileSync(join(outside, "secret.md"), "1");
    writeFileSync(join(root, "own.md"), "1");
    await seen("own.md");
    expect(all()).toEqual(["link", "own.md"]);
  });

  it("anything once it is closed", async () => {
    const { root, watcher, all } = watched();
    await watcher.close();
    writeFileSync(join(root, "late.md"), "1");
    await watcher.settled();
    expect(all()).toEqual([]);
  });
});

it("a watcher says so when there was more at once than the system remembers", async () => {
  const { root, overflowed } = watched({ "flood/first.md": "0" });
  for (let count = 0; count < 12_000; count++) writeFileSync(join(root, `flood/file-${count}.md`), "1");
  await overflowed;
});

it("a watcher delivers one batch after the other, and 'settled' waits for what was noticed", async () => {
  const order: string[] = [];
  let release: () => void = () => undefined;
  const { root, watcher, seen } = watched({}, async (paths) => {
    order.push(`begin ${paths[0]}`);
    if (paths[0] === "first.md") await new Promise<void>((resolve) => (release = resolve));
    order.push(`end ${paths[0]}`);
  });
  writeFileSync(join(root, "first.md"), "1");
  await seen("first.md");
  writeFileSync(join(root, "second.md"), "2");
  await noticed(root, "second.md");
  const settled = watcher.settled();
  release();
  await settled;
  expect(order.filter((entry) => entry.endsWith("first.md"))).toEqual(["begin first.md", "end first.md"]);
  await seen("second.md");
  expect(order.indexOf("end first.md")).toBeLessThan(order.indexOf("begin second.md"));
});

function watched(
  files: Record<string, string> = {},
  deliver: (paths: string[]) => Promise<void> = async () => undefined,
) {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  let told = new Set<string>();
  const overflow = Promise.withResolvers<void>();
  let whenTold: () => void = () => undefined;
  const watcher = new Watcher({
    root,
    wants: (folder) => !folder.startsWith("skipped"),
    onChange: async (paths) => {
      for (const path of paths) told.add(path);
      whenTold();
      await deliver(paths);
    },
    onOverflow: async () => overflow.resolve(),
    onTrouble: (reason) => {
      throw new Error(reason);
    },
  });
  onTestFinished(() => watcher.close());
  /** Resolves when all of these were told of. The test runs out of time when one is missed. */
  const seen = async (...paths: string[]) => {
    while (!paths.every((path) => told.has(path))) await new Promise<void>((resolve) => (whenTold = resolve));
  };
  const forget = () => {
    told = new Set();
  };
  return { root, watcher, seen, forget, overflowed: overflow.promise, all: () => [...told].sort() };
}

/** A second watcher of the same folder hears of the file when the first has had the chance to. */
async function noticed(root: string, path: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const witness = new Watcher({
    root,
    wants: () => true,
    onChange: async (paths) => {
      if (paths.includes(path)) resolve();
    },
    onOverflow: async () => undefined,
    onTrouble: () => undefined,
  });
  writeFileSync(join(root, path), "again");
  await promise;
  await witness.close();
}
