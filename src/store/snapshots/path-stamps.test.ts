import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { areUntouched, countsOf, holdsOthers, othersIn, stampsOfPaths } from "./path-stamps.ts";

const FILES = ["a.txt", "b/c.txt", "b/d/e.txt"];

function folderWith(paths: readonly string[]): string {
  const root = temporaryFolder();
  mkdirSync(join(root, "b/d"), { recursive: true });
  for (const path of paths) writeFileSync(join(root, path), "1");
  return root;
}

it("notices a file that was written, moved in, made executable, set back in time, or is missing", async () => {
  const before = new Date(1_000_000_000_000);
  const touches: Record<string, (path: string) => void> = {
    written: (path) => writeFileSync(path, "2"),
    executable: (path) => chmodSync(path, 0o755),
    gone: (path) => rmSync(path),
    back: (path) => {
      writeFileSync(path, "2");
      utimesSync(path, before, before);
    },
  };
  for (const [name, touch] of Object.entries(touches)) {
    const root = folderWith(FILES);
    utimesSync(join(root, "b/c.txt"), before, before);
    const stamps = await stampsOfPaths(root, FILES);
    expect(await areUntouched(root, stamps)).toBe(true);
    touch(join(root, "b/c.txt"));
    expect([name, await areUntouched(root, stamps)]).toEqual([name, false]);
  }
  const lacking = folderWith(["a.txt"]);
  expect(await areUntouched(lacking, await stampsOfPaths(lacking, FILES))).toBe(false);
});

it("notices whatever is beside the files, wherever it is", () => {
  const counts = countsOf(FILES);
  for (const other of ["x", "b/x", "b/d/x"]) {
    const root = folderWith(FILES);
    expect(holdsOthers(root, counts)).toBe(false);
    mkdirSync(join(root, other));
    expect([other, holdsOthers(root, counts)]).toEqual([other, true]);
    expect(othersIn(root, new Set(FILES))).toEqual([other]);
  }
});
