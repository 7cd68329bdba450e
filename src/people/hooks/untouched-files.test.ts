import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { untouchedSince } from "./untouched-files.ts";

function hookIn(text: string) {
  const root = temporaryFolder();
  const path = join(root, "check.sh");
  writeFileSync(path, text);
  const reader = new FolderReader(root);
  return { path, since: () => untouchedSince(reader, ["check.sh"]) };
}

it("notices a file that was written or replaced, also when its times were set back", () => {
  const { path, since } = hookIn("exit 2\n");
  const isUntouched = since();
  expect(isUntouched(() => true)).toBe(true);
  writeFileSync(`${path}.new`, "exit 0\n");
  renameSync(`${path}.new`, path);
  utimesSync(path, 1, 1);
  expect(isUntouched(() => true)).toBe(false);
});

it("notices by its content a file that was changed twice within one tick of the kernel's clock", () => {
  const { since } = hookIn("exit 2\n");
  // The change times are those of this very moment, so a later write may not change them.
  const isUntouched = since();
  expect([isUntouched(() => true), isUntouched(() => false)]).toEqual([true, false]);
});
