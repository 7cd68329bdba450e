import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { removeFolder } from "./folders.ts";

/** Folders in folders, deeper than any path can say, with a file at the bottom. */
const DEEP = `
  const fs = require("node:fs");
  for (let depth = 0; depth < 3000; depth++) { fs.mkdirSync("deep"); process.chdir("deep"); }
  fs.writeFileSync("file", "");
`;

it("removes folders however deep they are, and nothing that links in them lead to", async () => {
  const root = temporaryFolder();
  const [folder, other] = [join(root, "work"), join(root, "other")];
  for (const made of [folder, other]) mkdirSync(made);
  writeFileSync(join(other, "kept"), "kept");
  symlinkSync(other, join(folder, "link"));
  execFileSync(process.execPath, ["-e", DEEP], { cwd: folder });
  await removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  expect(readFileSync(join(other, "kept"), "utf8")).toBe("kept");
});
