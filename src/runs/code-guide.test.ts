import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import { findGuide, guideIn } from "./code-guide.ts";

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
  expect(findGuide(root, NOWHERE)).toEqual({ path: "AGENTS.md", text: "text of AGENTS.md" });
  expect(guideIn(tree("CLAUDE.md"))).toEqual({ path: "CLAUDE.md", text: "text of CLAUDE.md" });
  expect(guideIn(tree())).toBeUndefined();
});

it("is the nearest one up to the root of the repository, whichever of the two", () => {
  const root = tree(".git/", "AGENTS.md", "packages/CLAUDE.md", "packages/web/src/", "other/src/");
  expect(findGuide(join(root, "packages/web/src"), NOWHERE)?.path).toBe("../../CLAUDE.md");
  expect(findGuide(join(root, "other/src"), NOWHERE)).toEqual({ path: "../../AGENTS.md", text: "text of AGENTS.md" });
});

it("is never one above the repository, nor above a folder in no repository", () => {
  const root = tree("AGENTS.md", "repository/.git/", "repository/src/", "plain/src/", "linked/.git", "linked/src/");
  expect(findGuide(join(root, "repository/src"), NOWHERE)).toBeUndefined();
  expect(findGuide(join(root, "linked/src"), NOWHERE)).toBeUndefined();
  expect(findGuide(join(root, "plain/src"), NOWHERE)).toBeUndefined();
});

it("is not that of the home folder, even when all of it is a repository", () => {
  const home = tree(".git/", "AGENTS.md", "code/shop/src/", "code/CLAUDE.md");
  expect(findGuide(join(home, "code/shop/src"), home)).toBeUndefined();
  expect(findGuide(join(home, "code"), home)?.path).toBe("CLAUDE.md");
  expect(findGuide(home, home)?.path).toBe("AGENTS.md");
});

it("is none that is blank, no text, a folder or a link to elsewhere", () => {
  const root = tree("CLAUDE.md");
  writeFileSync(join(root, "AGENTS.md"), " \n");
  expect(guideIn(root)?.path).toBe("CLAUDE.md");
  writeFileSync(join(root, "AGENTS.md"), Buffer.from([0xff, 0xfe, 0x00]));
  expect(guideIn(root)?.path).toBe("CLAUDE.md");
  const other = tree("AGENTS.md/", "CLAUDE.md");
  expect(guideIn(other)?.path).toBe("CLAUDE.md");
  const linked = tree("CLAUDE.md");
  symlinkSync(join(root, "CLAUDE.md"), join(linked, "AGENTS.md"));
  expect(guideIn(linked)).toEqual({ path: "CLAUDE.md", text: "text of CLAUDE.md" });
});
