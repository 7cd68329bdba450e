import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { type PersonsRepository, repository } from "../../../test/harness/repository.ts";
import { trustingGit } from "../../../test/harness/trusting-git.ts";
import { GitSync } from "../../store/git/git-sync.ts";
import { Merging } from "./merging.ts";

const UMASK = process.umask();

/** A repository with a branch `work` that changes a.txt, brings new/n.txt and takes gone.txt away. */
function withWork(): PersonsRepository {
  const repo = repository({ "a.txt": "a\n", "b.txt": "b\n", "gone.txt": "g\n" });
  repo.git("checkout", "--quiet", "-b", "work");
  repo.write("a.txt", "agent\n");
  repo.write("new/n.txt", "agent\n");
  repo.git("rm", "--quiet", "gone.txt");
  repo.git("add", "--all");
  repo.git("commit", "--quiet", "-m", "Work");
  repo.git("checkout", "--quiet", "main");
  return repo;
}

function merging(repo: PersonsRepository) {
  const scratch = temporaryFolder();
  const git = trustingGit({ umask: UMASK });
  const parts = new Merging({ git, disk: new GitSync(), scratch: () => join(scratch, "index") });
  const order = { repository: repo.at(".git"), target: "main", wording: { subject: "Merge it", runId: "run-1" } };
  return { parts, order, merge: () => parts.merge(order, repo.git("rev-parse", "work")) };
}

const state = (repo: PersonsRepository) => [
  repo.snapshot(),
  repo.git("rev-parse", "main"),
  repo.git("ls-files", "--stage", "-v"),
];

describe("merging into a branch that is checked out", () => {
  it.each<[string, (repo: PersonsRepository) => void]>([
    ["a changed file", (repo) => repo.write("a.txt", "mine\n")],
    [
      "a staged change that was taken back in the file",
      (repo) => {
        repo.write("a.txt", "mine\n");
        repo.git("add", "a.txt");
        repo.write("a.txt", "a\n");
      },
    ],
    [
      "a file hidden from git's status",
      (repo) => {
        repo.git("update-index", "--assume-unchanged", "a.txt");
        repo.write("a.txt", "mine\n");
      },
    ],
    ["a change in a file that is to go", (repo) => repo.write("gone.txt", "mine\n")],
    ["an untracked file under the new name", (repo) => repo.write("new/n.txt", "mine\n")],
    [
      "an ignored file under the new name",
      (repo) => {
        repo.write(".git/info/exclude", "new\n");
        repo.write("new/n.txt", "mine\n");
      },
    ],
    [
      "an ignored file where a folder is to be",
      (repo) => {
        repo.write(".git/info/exclude", "new\n");
        repo.write("new", "mine\n");
      },
    ],
    ["a folder where a file is to be", (repo) => repo.write("new/n.txt/mine.txt", "mine\n")],
    ["a link where a folder is to be", (repo) => symlinkSync(temporaryFolder(), repo.at("new"))],
    ["a removed file", (repo) => void repo.git("rm", "--quiet", "a.txt")],
    ["a merge under way", (repo) => writeFileSync(repo.at(".git/MERGE_HEAD"), `${repo.git("rev-parse", "HEAD")}\n`)],
    ["a lock of the index", (repo) => repo.write(".git/index.lock", "")],
  ])("changes nothing when %s is in the way", async (_, trample) => {
    const repo = withWork();
    trample(repo);
    const before = state(repo);
    expect(await merging(repo).merge()).toEqual({ obstacle: expect.stringMatching(/block the merge|in progress/) });
    expect(state(repo)).toEqual(before);
  });

  it("waits for a git command that has the index for a moment", async () => {
    const repo = withWork();
    repo.write(".git/index.lock", "");
    const [merged] = await Promise.all([
      merging(repo).merge(),
      delay(300).then(() => rmSync(repo.at(".git/index.lock"))),
    ]);
    expect(merged).toEqual({ commit: repo.git("rev-parse", "main") });
    expect(repo.text("a.txt")).toBe("agent\n");
  });

  it("brings files and index along, and keeps line endings as the person has them", async () => {
    const repo = withWork();
    repo.git("config", "core.autocrlf", "true");
    repo.write("b.txt", "mine\n");
    expect(await merging(repo).merge()).toEqual({ commit: repo.git("rev-parse", "main") });
    expect(repo.git("status", "--porcelain")).toBe(" M b.txt");
    expect([repo.text("a.txt"), repo.text("new/n.txt"), repo.exists("gone.txt")]).toEqual([
      "agent\r\n",
      "agent\r\n",
      false,
    ]);
  });

  it("finishes what a crash left between the files, the index and the branch", async () => {
    const repo = withWork();
    // The files have come, the index and the branch not yet.
    repo.write("a.txt", "agent\n");
    repo.write("new/n.txt", "agent\n");
    const { merge, parts, order } = merging(repo);
    const merged = await merge();
    expect(merged).toEqual({ commit: repo.git("rev-parse", "main") });
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(await parts.mergeOf(order, repo.git("rev-parse", "work"))).toBe(repo.git("rev-parse", "main"));
  });

  it("takes a merge back with a commit that touches only its files", async () => {
    const repo = withWork();
    const { merge, parts, order } = merging(repo);
    await merge();
    const commit = repo.git("rev-parse", "main");
    repo.write("later.txt", "later\n");
    repo.git("add", "later.txt");
    repo.git("commit", "--quiet", "-m", "Later");
    repo.write("b.txt", "mine\n");
    expect(await parts.revert(order, commit)).toEqual({ commit: repo.git("rev-parse", "main") });
    expect(repo.git("diff", "--name-only", "main^", "main").split("\n")).toEqual(["a.txt", "gone.txt", "new/n.txt"]);
    expect([repo.text("a.txt"), repo.text("gone.txt"), repo.exists("new")]).toEqual(["a\n", "g\n", false]);
    expect(repo.git("status", "--porcelain")).toBe(" M b.txt");
  });
});

describe("squashing", () => {
  it("makes one commit, the same one after a crash, and takes it back with another", async () => {
    const repo = withWork();
    const { parts, order } = merging(repo);
    const [first, head] = [repo.git("rev-parse", "main"), repo.git("rev-parse", "work")];
    const squash = () => parts.merge({ ...order, method: "squash" }, head);
    const made = await squash();
    expect([made, repo.git("rev-parse", "main^@")]).toEqual([{ commit: repo.git("rev-parse", "main") }, first]);
    expect(await squash()).toEqual(made);
    const commit = repo.git("rev-parse", "main");
    await parts.revert(order, commit);
    expect([repo.git("rev-parse", "main^"), repo.text("a.txt"), repo.exists("new")]).toEqual([commit, "a\n", false]);
  });
});

describe("merging without an approval", () => {
  it("asks about what would come into the branch, and leaves the branch when something is found in it", async () => {
    const repo = repository({ "a.txt": "a\n" });
    repo.git("checkout", "--quiet", "-b", "work");
    repo.write("b.txt", "b\n");
    repo.git("add", "--all");
    repo.git("commit", "--quiet", "-m", "Work");
    repo.git("checkout", "--quiet", "main");
    const tip = repo.git("rev-parse", "main");
    const { parts, order } = merging(repo);
    const asked: string[] = [];
    const unapproved = [{ path: "b.txt", kind: "hook" as const, change: "added" as const }];
    const held = await parts.merge(order, repo.git("rev-parse", "work"), async ({ from, to }) => {
      asked.push(...repo.git("diff", "--name-only", from, to).split("\n"));
      return { obstacle: "not allowed", unapproved };
    });
    expect(held).toEqual({ obstacle: "not allowed", unapproved });
    expect([asked, repo.git("rev-parse", "main"), repo.exists("b.txt")]).toEqual([["b.txt"], tip, false]);
    expect(await parts.merge(order, repo.git("rev-parse", "work"))).toHaveProperty("commit");
  });
});
