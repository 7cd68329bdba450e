import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "../../../test/harness/repository.ts";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import type { RepositoryIdentity } from "../../contract/documents/workdir.ts";
import { folderIdentity, identityAt, isSameIdentity } from "../files/path-identity.ts";
import { gitAround } from "./git-checkout.ts";

const HOME = "/nowhere";

function identityOf(folder: string): RepositoryIdentity {
  const found = gitAround(folder, HOME);
  if (found.state !== "repository") throw new Error(JSON.stringify(found));
  return found;
}

describe("the identity of a path", () => {
  it("follows links to a folder, and tells a new one at the same path from the old one", () => {
    const root = temporaryFolder();
    const folder = join(root, "a");
    mkdirSync(folder);
    symlinkSync(folder, join(root, "link"));
    const before = folderIdentity(join(root, "link"));
    expect(before).toEqual(identityAt(folder));
    renameSync(folder, join(root, "b"));
    mkdirSync(folder);
    expect(before && isSameIdentity(before, folderIdentity(folder))).toBe(false);
    writeFileSync(join(root, "file"), "");
    expect([folderIdentity(join(root, "file")), folderIdentity(join(root, "none"))]).toEqual([undefined, undefined]);
  });

  it("counts a birth time only where one was recorded", () => {
    const known = { path: "/a", inode: "1" };
    expect(isSameIdentity(known, { ...known, born: "5" })).toBe(true);
    expect(isSameIdentity({ ...known, born: "5" }, known)).toBe(false);
    expect(isSameIdentity({ ...known, born: "5" }, { ...known, born: "6" })).toBe(false);
    expect(isSameIdentity(known, { ...known, inode: "2" })).toBe(false);
  });
});

describe("the repository around a folder", () => {
  it("is that of the checkout, also from below, and none at home", () => {
    const repo = repository({ "deep/er/a.txt": "a\n" });
    const found = identityOf(repo.root);
    expect(found).toMatchObject({ kind: "folder", records: { path: repo.at(".git") }, alternates: [] });
    expect(identityOf(repo.at("deep/er"))).toEqual(found);
    expect(gitAround(repo.at("deep/er"), repo.at("deep"))).toEqual({ state: "none" });
    expect(gitAround(temporaryFolder(), HOME)).toEqual({ state: "none" });
  });

  it("is the common one of a linked checkout and of a submodule", () => {
    const repo = repository({ "a.txt": "a\n" });
    const linked = join(temporaryFolder(), "linked");
    repo.git("worktree", "add", "--quiet", linked);
    expect(identityOf(linked)).toMatchObject({
      kind: "file",
      records: { path: repo.at(".git/worktrees/linked") },
      repository: { path: repo.at(".git") },
    });
    const inner = repository({ "b.txt": "b\n" }, "inner");
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
    expect(identityOf(repo.at("sub"))).toMatchObject({
      kind: "file",
      repository: { path: repo.at(".git/modules/sub") },
    });
  });

  it("is passed over where a folder only has the name, as git does", () => {
    const repo = repository({ "sub/a.txt": "a\n" });
    mkdirSync(repo.at("sub/.git"));
    expect(identityOf(repo.at("sub")).checkout.path).toBe(repo.root);
  });

  it("has its alternates by their real paths, at every step", () => {
    const [first, second, third] = ["one", "two", "three"].map((name) => repository({ "a.txt": name }, name));
    if (first === undefined || second === undefined || third === undefined) throw new Error("three are needed");
    const info = (repo: typeof first) => repo.at(".git/objects/info/alternates");
    symlinkSync(second.at(".git/objects"), join(dirname(first.root), "objects"));
    writeFileSync(info(first), `# others\n${join(dirname(first.root), "objects")}\n`);
    writeFileSync(info(second), `${third.at(".git/objects")}\n${first.at(".git/objects")}\n`);
    const { alternates } = identityOf(first.root);
    expect(alternates.slice(0, 2)).toEqual([second.at(".git/objects"), third.at(".git/objects")]);
    writeFileSync(info(first), '"quoted"\n');
    expect(gitAround(first.root, HOME)).toMatchObject({
      state: "unusable",
      reason: expect.stringMatching(/alternates/),
    });
  });

  it.each<[string, RegExp, (root: string, other: string) => void]>([
    ["a link", /is a link/, (root, other) => symlinkSync(join(other, ".git"), join(root, ".git"))],
    ["a dangling link", /is a link/, (root) => symlinkSync("/nowhere/at/all", join(root, ".git"))],
    ["an empty file", /does not name/, (root) => writeFileSync(join(root, ".git"), "")],
    [
      "a file that names another checkout's repository",
      /does not name/,
      (root, other) => writeFileSync(join(root, ".git"), `gitdir: ${join(other, ".git")}\n`),
    ],
  ])("cannot be used where .git is %s", (_, reason, make) => {
    const root = temporaryFolder();
    make(root, repository({ "a.txt": "a\n" }).root);
    expect(gitAround(root, HOME)).toMatchObject({ state: "unusable", at: root, reason: expect.stringMatching(reason) });
  });

  it("is another one when .git is made anew", () => {
    const repo = repository({ "a.txt": "a\n" });
    const before = identityOf(repo.root);
    renameSync(repo.at(".git"), repo.at("away"));
    repo.git("init", "--quiet");
    expect(isSameIdentity(before.dotGit, identityOf(repo.root).dotGit)).toBe(false);
    rmSync(repo.at(".git"), { recursive: true });
    renameSync(repo.at("away"), repo.at(".git"));
    expect(identityOf(repo.root)).toEqual(before);
  });
});
