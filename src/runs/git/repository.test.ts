import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { type PersonsRepository, repository, repositoryAt } from "../../../test/harness/repository.ts";
import { trustingGit } from "../../../test/harness/trusting-git.ts";
import { ProjectCreate } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { realPlaceOf } from "../../store/files/folders.ts";
import { gitAround } from "../../store/git/git-checkout.ts";
import { newProject } from "../../workspace/projects/project-rules.ts";
import { findRepository } from "./repository.ts";

function find(workdir: string, more: { branch?: string; home?: string } = {}) {
  const body = ProjectCreate.parse({
    name: "Shop",
    workdir,
    config: more.branch === undefined ? {} : { branch: more.branch },
  });
  const git = trustingGit();
  const folder = realPlaceOf(workdir);
  const sight = { state: "ok" as const, path: folder, git: gitAround(folder, more.home ?? "/nowhere"), changes: [] };
  return findRepository(git, newProject("shop", body, "2026-11-15T12:00:00.000Z"), sight);
}

describe("finding the repository of a working folder", () => {
  it.each<[string, RegExp, (repo: PersonsRepository) => string | undefined]>([
    ["without a branch", /no branch checked out/, (repo) => void repo.git("checkout", "--quiet", "--detach")],
    [
      "without a commit",
      /no commit on the branch 'new'/,
      (repo) => void repo.git("symbolic-ref", "HEAD", "refs/heads/new"),
    ],
    ["on a branch of a run", /belongs to a run/, (repo) => void repo.git("checkout", "--quiet", "-b", "guildhall/x")],
    [
      "in the middle of a rebase",
      /middle of a rebase/,
      (repo) => {
        repo.git("checkout", "--quiet", "--detach");
        repo.write(".git/rebase-merge/head-name", "refs/heads/main\n");
        return undefined;
      },
    ],
    [
      "that is bare",
      /bare repository/,
      (repo) => {
        repo.git("clone", "--quiet", "--bare", ".", "../bare.git");
        return join(repo.root, "../bare.git");
      },
    ],
  ])("refuses one %s, with the reason", async (_, reason, make) => {
    const repo = repository({ "a.txt": "a\n" });
    const found = await find(make(repo) ?? repo.root);
    expect(found).toBeInstanceOf(HallError);
    expect(found).toMatchObject({ code: "repository_refused", message: expect.stringMatching(reason) });
  });

  it("takes a detached one when the project names a branch, and refuses a branch that is not there", async () => {
    const repo = repository({ "a.txt": "a\n" });
    repo.git("checkout", "--quiet", "--detach");
    expect(await find(repo.root, { branch: "main" })).toMatchObject({ target: "main", prefix: "" });
    expect(await find(repo.root, { branch: "--all" })).toBeInstanceOf(HallError);
  });

  it("finds the repository of a linked worktree and of a folder with spaces and signs in it", async () => {
    const repo = repository({ "in side 😀/a.txt": "a\n" }, "my work $(x)");
    const linked = join(temporaryFolder(), "linked");
    repo.git("worktree", "add", "--quiet", "-b", "feature", linked);
    const common = { gitDir: repo.at(".git") };
    expect(await find(join(linked, "in side 😀"))).toMatchObject({
      ...common,
      target: "feature",
      prefix: "in side 😀",
    });
    expect(repositoryAt(linked).git("status", "--porcelain")).toBe("");
  });

  it("sees none around an ignored folder, in no repository, or in one that holds the home folder", async () => {
    const repo = repository({ ".gitignore": "scratch/\n" });
    mkdirSync(repo.at("scratch"));
    mkdirSync(repo.at("me/code"), { recursive: true });
    expect(await find(repo.at("scratch"))).toBeUndefined();
    expect(await find(temporaryFolder())).toBeUndefined();
    expect(await find(repo.at("me/code"), { home: repo.at("me") })).toBeUndefined();
  });
});
