import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { realPlaceOf } from "../../store/files/folders.ts";
import { listFolders } from "./host-folders.ts";

function machine() {
  const home = realPlaceOf(temporaryFolder());
  for (const path of ["code/shop/.git", "code/Mill", "code/.hidden", "hall/projects/shop", "other"])
    mkdirSync(join(home, path), { recursive: true });
  writeFileSync(join(home, "code/notes.txt"), "");
  symlinkSync(join(home, "other"), join(home, "code/linked"));
  symlinkSync(join(home, "nowhere"), join(home, "code/dangling"));
  const of = { root: join(home, "hall"), home };
  return { home, list: (path?: string, hidden = false) => listFolders({ path, hidden }, of) };
}

const names = ({ folders }: { folders: { name: string }[] }) => folders.map(({ name }) => name);
const codeOf = (act: () => unknown) => {
  try {
    act();
    return "nothing";
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

it("shows the folders in a folder by name, those behind links too, and which are kept in git", () => {
  const { home, list } = machine();
  const found = list(join(home, "code"));
  expect(found).toMatchObject({ path: join(home, "code"), parent: home, isGit: false, more: false });
  expect(found).not.toHaveProperty("refused");
  expect(found.folders.map(({ name, isGit }) => [name, isGit])).toEqual([
    ["linked", false],
    ["Mill", false],
    ["shop", true],
  ]);
  expect(names(list(join(home, "code"), true))).toContain(".hidden");
  expect(list(join(home, "code/shop")).isGit).toBe(true);
  expect(list("/")).not.toHaveProperty("parent");
});

it("starts at home, leaves the workspace out, and says where no project can be", () => {
  const { home, list } = machine();
  const found = list();
  expect(found.path).toBe(home);
  expect(names(found)).toEqual(["code", "other"]);
  expect(found.refused).toContain("it contains the workspace");
  for (const path of ["hall", "hall/projects", "hall/projects/shop"])
    expect(codeOf(() => list(join(home, path)))).toBe("invalid");
});

it("shows five hundred, and says that there are more", () => {
  const { home, list } = machine();
  for (let each = 0; each < 501; each++) mkdirSync(join(home, `other/f${each}`));
  const found = list(join(home, "other"));
  expect([found.folders.length, found.more]).toEqual([500, true]);
  expect(names(found).slice(0, 3)).toEqual(["f0", "f1", "f2"]);
});

it("refuses what is no folder, or is none of the machine", () => {
  const { home, list } = machine();
  expect(codeOf(() => list("code"))).toBe("invalid");
  expect(codeOf(() => list("/a\0b"))).toBe("invalid");
  expect(codeOf(() => list(join(home, "code/notes.txt")))).toBe("invalid");
  expect(codeOf(() => list(join(home, "gone")))).toBe("file_not_found");
});

it.skipIf(process.getuid?.() === 0)("refuses a folder that may not be read (not for root, who may read all)", () => {
  const { home, list } = machine();
  chmodSync(join(home, "other"), 0o000);
  expect(codeOf(() => list(join(home, "other")))).toBe("path_refused");
  chmodSync(join(home, "other"), 0o700);
});
