import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { guidesFor } from "./code-guide.ts";

/** A folder with files; a path that ends in / is a folder. */
function tree(...files: string[]): string {
  const root = realpathSync(temporaryFolder());
  for (const path of files) {
    mkdirSync(path.endsWith("/") ? join(root, path) : dirname(join(root, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(root, path), `text of ${path}`);
  }
  return root;
}

const NOWHERE = "/nowhere";

it("is the AGENTS.md of the folder, before its CLAUDE.md", () => {
  const root = tree("AGENTS.md", "CLAUDE.md");
  expect(guidesFor(root, NOWHERE)).toMatchObject([
    { path: "AGENTS.md", file: join(root, "AGENTS.md"), text: "text of AGENTS.md" },
    { path: "CLAUDE.md", file: join(root, "CLAUDE.md"), text: "text of CLAUDE.md" },
  ]);
  expect(guidesFor(tree("CLAUDE.md"))).toMatchObject([{ path: "CLAUDE.md", text: "text of CLAUDE.md" }]);
  expect(guidesFor(tree())).toEqual([]);
});

it("is the nearest one up to the root of the repository, whichever of the two", () => {
  const root = tree(".git/", "AGENTS.md", "packages/CLAUDE.md", "packages/web/src/", "other/src/");
  expect(guidesFor(join(root, "packages/web/src"), NOWHERE)[0]?.path).toBe("../../CLAUDE.md");
  expect(guidesFor(join(root, "other/src"), NOWHERE)).toMatchObject([{ path: "../../AGENTS.md" }]);
});

it("is never one above the repository, nor above a folder in no repository", () => {
  const root = tree("AGENTS.md", "repository/.git/", "repository/src/", "plain/src/", "linked/.git", "linked/src/");
  expect(guidesFor(join(root, "repository/src"), NOWHERE)).toEqual([]);
  expect(guidesFor(join(root, "linked/src"), NOWHERE)).toEqual([]);
  expect(guidesFor(join(root, "plain/src"), NOWHERE)).toEqual([]);
});

it("is not that of the home folder, even when all of it is a repository", () => {
  const home = tree(".git/", "AGENTS.md", "code/shop/src/", "code/CLAUDE.md");
  expect(guidesFor(join(home, "code/shop/src"), home)).toEqual([]);
  expect(guidesFor(join(home, "code"), home)[0]?.path).toBe("CLAUDE.md");
  expect(guidesFor(home, home)[0]?.path).toBe("AGENTS.md");
});

it("is none that is blank, no text, a folder or a link to elsewhere", () => {
  const root = tree("CLAUDE.md");
  writeFileSync(join(root, "AGENTS.md"), " \n");
  expect(guidesFor(root)[0]?.path).toBe("CLAUDE.md");
  writeFileSync(join(root, "AGENTS.md"), Buffer.from([0xff, 0xfe, 0x00]));
  expect(guidesFor(root)[0]?.path).toBe("CLAUDE.md");
  const other = tree("AGENTS.md/", "CLAUDE.md");
  expect(guidesFor(other)[0]?.path).toBe("CLAUDE.md");
  const linked = tree("CLAUDE.md");
  symlinkSync(join(root, "CLAUDE.md"), join(linked, "AGENTS.md"));
  expect(guidesFor(linked)).toMatchObject([{ path: "CLAUDE.md", text: "text of CLAUDE.md" }]);
});
