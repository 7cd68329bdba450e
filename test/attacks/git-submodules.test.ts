import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Checkout } from "../../src/runs/git/checkout.ts";
import type { Git } from "../../src/runs/git/git.ts";
import { Worktrees } from "../../src/runs/git/worktrees/worktrees.ts";
import { GitSync } from "../../src/store/git/git-sync.ts";
import { type PersonsRepository, repository, repositoryAt } from "../harness/repository.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";
import { trustingGit } from "../harness/trusting-git.ts";

/** A repository with a submodule, which asks git to compare all of it. */
function withSubmodule(): PersonsRepository {
  const repo = repository({
    "a.txt": "a\n",
    ".gitmodules": '[submodule "lib"]\npath = lib\nurl = ./lib\nignore = none\n',
  });
  repo.git("update-index", "--add", "--cacheinfo", `160000,${repo.git("rev-parse", "HEAD")},lib`);
  repo.git("commit", "--quiet", "-m", "Submodule");
  return repo;
}

/** What a command of an agent can leave where a submodule belongs; the program's mark is where git can write. */
function plantIn(folder: string, repo: PersonsRepository): { mark: string } {
  const mark = repo.at(".git/ran");
  mkdirSync(folder, { recursive: true });
  const { git } = repositoryAt(folder);
  git("init", "--quiet");
  writeFileSync(join(folder, "f"), "f\n");
  writeFileSync(join(folder, ".gitattributes"), "* filter=x\n");
  git("add", "--all");
  git("fetch", "--quiet", repo.root, "main");
  const [, , commit = ""] = repo.git("ls-tree", "HEAD", "lib").split(/\s/);
  writeFileSync(join(folder, ".git/HEAD"), `${commit}\n`);
  appendFileSync(join(folder, ".git/config"), `[filter "x"]\nclean = "echo ran >> '${mark}'; cat"\n`);
  utimesSync(join(folder, "f"), 1, 1);
  return { mark };
}

function runsFor(git: Git, repo: PersonsRepository) {
  const folder = temporaryFolder();
  const scratch = () => join(folder, "index");
  const worktree = join(folder, "run-1");
  const place = { owner: "run-1", branch: "guildhall/x", target: "main", repository: repo.at(".git"), worktree };
  const limits = { file: 1_000_000, total: 1_000_000 };
  const worktrees = new Worktrees({ git, disk: new GitSync(), scratch, limits });
  return { worktrees, scratch, place: { ...place, workdir: worktree } };
}

it("git starts no program of a repository that an agent puts where a submodule belongs", async () => {
  const repo = withSubmodule();
  const git = trustingGit();
  const { worktrees, place } = runsFor(git, repo);
  await worktrees.prepare(place);
  const { mark } = plantIn(join(place.worktree, "lib"), repo);
  execFileSync("git", ["diff-files"], { cwd: place.worktree });
  expect(existsSync(mark), "a plain git starts it").toBe(true);
  rmSync(mark);
  writeFileSync(join(place.worktree, "a.txt"), "more\n");
  await worktrees.prepare(place);
  await worktrees.save(place, { subject: "Work", runId: "run-1" }).catch(() => undefined);
  expect(existsSync(mark)).toBe(false);
});

it("git starts no program of such a repository in the person's checkout", async () => {
  const repo = withSubmodule();
  const git = trustingGit();
  const { scratch } = runsFor(git, repo);
  const before = repo.git("rev-parse", "HEAD");
  const { mark } = plantIn(repo.at("lib"), repo);
  const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], {
    cwd: repo.root,
    input: "b\n",
    encoding: "utf8",
  });
  repo.git("update-index", "--cacheinfo", `100644,${blob.trim()},a.txt`);
  const after = repo.git("write-tree");
  repo.git("reset", "--quiet", "--mixed", before);
  rmSync(mark, { force: true });
  const at = { gitDir: repo.at(".git"), workTree: repo.root };
  const checkout = new Checkout({ git, disk: new GitSync(), at, scratch: scratch() });
  expect(await checkout.follow({ from: before, to: after })).toBeUndefined();
  await checkout.restoreEmptied([{ from: before, to: after }]);
  expect([repo.text("a.txt"), existsSync(mark)]).toEqual(["b\n", false]);
});
