import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { adoptSearches, toolFolders, toolSearches } from "./tool-folders.ts";

/** A folder of programs with a key in it, the only one on PATH. */
function toolFolder(): { folder: string; key: string } {
  const folder = join(temporaryFolder(), "bin");
  const key = join(folder, "ca.key");
  mkdirSync(folder);
  writeFileSync(key, "secret");
  const { PATH } = process.env;
  process.env.PATH = folder;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  return { folder, key };
}

const isSearched = true;

it("finds secrets in folders of programs, and tells what it searched since a moment", () => {
  const { folder, key } = toolFolder();
  const begun = Date.now();
  expect(toolFolders([], [], { isSearched }).masked).toContainEqual({ path: key, kind: "file" });
  const found = { folder, at: expect.any(Number), masked: [{ path: key, kind: "file" }] };
  expect(toolSearches(begun)).toContainEqual(found);
  expect(toolSearches(Date.now() + 1)).toEqual([]);
});

it("goes by what another process found, for as long as its own search would hold", () => {
  const { folder, key } = toolFolder();
  const other = { path: key, kind: "folder" as const };
  const search = { folder, at: Date.now() - 30_000, masked: [other] };
  adoptSearches([search]);
  expect(toolFolders(["/hidden/at/first"], [], { isSearched }).masked).toContainEqual(other);
  expect(toolSearches()).toContainEqual(search);
  const { folder: late, key: found } = toolFolder();
  adoptSearches([{ folder: late, at: Date.now() - 60_000, masked: [] }]);
  expect(toolFolders(["/hidden/later"], [], { isSearched }).masked).toContainEqual({ path: found, kind: "file" });
});

it("keeps its own search when another's is older", () => {
  const { folder, key } = toolFolder();
  toolFolders([], [], { isSearched });
  adoptSearches([{ folder, at: Date.now() - 1_000, masked: [] }]);
  const hidden = ["/hidden/anywhere"];
  expect(toolFolders(hidden, [], { isSearched }).masked).toContainEqual({ path: key, kind: "file" });
});
