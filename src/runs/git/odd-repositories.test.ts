import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { type PersonsRepository, repository, repositoryAt } from "../../../test/harness/repository.ts";
import { trustingGit } from "../../../test/harness/trusting-git.ts";
import { ControlFiles } from "../../store/git/control-files.ts";
import { GitSync } from "../../store/git/git-sync.ts";
import { Merging } from "./merging.ts";
import { diffOf } from "./run-diff.ts";
import { Worktrees } from "./worktrees/worktrees.ts";

/** What a run does in a repository, from its worktree to the merge. */
async function worked(repo: PersonsRepository, work: (tree: PersonsRepository) => void, gitDir = repo.at(".git")) {
  const folder = temporaryFolder();
  const git = trustingGit();
  let indexes = 0;
  const scratch = () => join(folder, `index-${++indexes}`);
  const made = { git, disk: new GitSync(), scratch, limits: { file: 1e8, total: 1e8 } };
  const worktrees = new Worktrees(made);
  const merging = new Merging(made);
  const worktree = join(folder, "run-1");
  const place = {
    owner: "run-1",
    branch: "guildhall/x",
    target: "main",
    repository: gitDir,
    worktree,
    workdir: worktree,
  };
  const wording = { subject: "Work", runId: "run-1" };
  await worktrees.prepare(place);
  work(repositoryAt(worktree));
  const head = (await worktrees.save(place, wording)) ?? "";
  const merged = await merging.merge({ repository: gitDir, target: "main", wording }, head);
  const { diff } = await diffOf(
    { git, control: new ControlFiles() },
    { repository: gitDir, from: `${head}^`, to: head },
  );
  await worktrees.remove(place, { branchAt: head });
  return { merged, diff };
}

const write = (tree: PersonsRepository) => {
  tree.write("a.txt", "agent\n");
  tree.write("new/n.txt", "agent\n");
};

function configured(settings: Record<string, string>, files: Record<string, string> = {}): PersonsRepository {
  const repo = repository({ "a.txt": "a\n", "b.txt": "b\n", ...files });
  for (const [key, value] of Object.entries(settings)) repo.git("config", key, value);
  return repo;
}

const manyNames = [
  "sp ace",
  "😀.txt",
  "new\nline",
  "-dash",
  "ünï",
  "tab\there",
  'quo"te',
  "back\\slash",
  "*",
  ":(glob)x",
];

describe("a run in a repository", () => {
  it.each<[string, () => PersonsRepository]>([
    [
      "with settings that change how git keeps its index",
      () =>
        configured({
          "core.splitIndex": "true",
          "core.untrackedCache": "true",
          "feature.manyFiles": "true",
          "core.fileMode": "false",
          "extensions.worktreeConfig": "true",
        }),
    ],
    [
      "that shows diffs in another way",
      () =>
        configured({
          "diff.noprefix": "true",
          "diff.mnemonicPrefix": "true",
          "color.ui": "always",
          "diff.context": "0",
        }),
    ],
    ["with names of all kinds", () => configured({}, Object.fromEntries(manyNames.map((name) => [name, "x\n"])))],
    [
      "with names that differ in case alone",
      () => configured({}, { "Case/A": "1\n", "case/a": "2\n", "case/A": "3\n" }),
    ],
    [
      "with links that lead outside",
      () => {
        const repo = configured({});
        symlinkSync("/etc", repo.at("etc"));
        symlinkSync("nowhere", repo.at("dangling"));
        repo.git("add", "--all");
        repo.git("commit", "--quiet", "-m", "Links");
        return repo;
      },
    ],
    [
      "with files that have marks and ends of their own",
      () => {
        const attributes = "i.txt ident\nc.txt eol=crlf\nu.txt working-tree-encoding=UTF-16LE-BOM\n";
        const repo = configured({}, { ".gitattributes": attributes, "i.txt": "$Id$\n", "c.txt": "c\r\n" });
        repo.write("u.txt", Buffer.from("\ufeffu\n", "utf16le"));
        repo.git("add", "--all");
        repo.git("commit", "--quiet", "-m", "Encoded");
        return repo;
      },
    ],
    [
      "whose objects have long names",
      () => {
        const root = join(temporaryFolder(), "work");
        mkdirSync(root);
        const repo = repositoryAt(root);
        repo.git("init", "--quiet", "--initial-branch=main", "--object-format=sha256");
        repo.write("a.txt", "a\n");
        repo.git("add", "--all");
        repo.git("commit", "--quiet", "-m", "First");
        return repo;
      },
    ],
    [
      "that lies in another",
      () => {
        const outer = configured({});
        const root = outer.at("inner");
        mkdirSync(root);
        const repo = repositoryAt(root);
        repo.git("init", "--quiet", "--initial-branch=main");
        repo.write("a.txt", "a\n");
        repo.git("add", "--all");
        repo.git("commit", "--quiet", "-m", "First");
        return repo;
      },
    ],
  ])("%s brings its result home and changes nothing else", async (_, make) => {
    const repo = make();
    const before = repo.snapshot();
    const { merged, diff } = await worked(repo, write);
    expect(merged).toEqual({ commit: repo.git("rev-parse", "main") });
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(repo.git("diff", "--name-only", "main^1", "main").split("\n")).toEqual(["a.txt", "new/n.txt"]);
    const { "a.txt": _a, ...others } = before;
    expect(repo.snapshot()).toMatchObject(others);
    expect([repo.text("a.txt"), repo.text("new/n.txt")]).toEqual(["agent\n", "agent\n"]);
    expect(diff).toContain("diff --git a/a.txt b/a.txt\n");
    expect(diff).toContain("+agent");
  });

  it("runs no program that the person, the repository or the machine has set up", async () => {
    const folder = temporaryFolder();
    const trap = join(folder, "trap");
    const hooks = join(folder, "hooks");
    mkdirSync(hooks);
    for (const path of [
      trap,
      ...["post-checkout", "reference-transaction", "post-index-change"].map((name) => join(hooks, name)),
    ]) {
      writeFileSync(path, `#!/bin/sh\necho "$0" >> ${join(folder, "ran")}\ncat\n`);
      chmodSync(path, 0o755);
    }
    const programs = [
      "core.fsmonitor",
      "core.sshCommand",
      "core.pager",
      "diff.external",
      "diff.x.textconv",
      "gpg.program",
    ];
    const filters = ["filter.x.clean", "filter.x.smudge", "filter.x.process", "merge.x.driver", "credential.helper"];
    const config = Object.fromEntries([...programs, ...filters].map((key) => [key, trap]));
    const more = {
      "commit.gpgSign": "true",
      "core.hooksPath": hooks,
      "init.templateDir": folder,
      "alias.diff-tree": `!${trap}`,
      "merge.default": "x",
      "filter.x.required": "true",
    };
    writeFileSync(join(folder, "included"), "");
    for (const [key, value] of Object.entries({ ...config, ...more }))
      execFileSync("git", ["config", "--file", join(folder, "included"), key, value]);
    writeFileSync(join(folder, ".gitconfig"), `[include]\n\tpath = ${join(folder, "included")}\n`);
    const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
    repo.write(".gitattributes", "*.txt filter=x diff=x merge=x\n");
    repo.git("add", ".gitattributes");
    repo.git("commit", "--quiet", "-m", "Attributes");
    const variables = {
      HOME: folder,
      GIT_EXTERNAL_DIFF: trap,
      GIT_DIR: "/nowhere",
      GIT_INDEX_FILE: join(folder, "other"),
      GIT_SSH_COMMAND: trap,
      GIT_TRACE: join(folder, "ran"),
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${trap}'`,
      GIT_NAMESPACE: "elsewhere",
      GIT_OBJECT_DIRECTORY: folder,
    };
    for (const [key, value] of Object.entries(variables)) vi.stubEnv(key, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { merged } = await worked(repo, write);
    vi.unstubAllEnvs();
    expect(merged).toEqual({ commit: repo.git("rev-parse", "main") });
    expect(existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : "").toBe("");
    expect(repo.git("log", "-2", "--format=%G?", "main").split("\n")).toEqual(["N", "N"]);
    expect(repo.text("a.txt")).toBe("agent\n");
  });

  it("leaves files alone that a filter makes other than they are stored, and merges beside them", async () => {
    const repo = configured(
      { "filter.up.clean": "tr A-Z a-z", "filter.up.smudge": "tr a-z A-Z" },
      { ".gitattributes": "*.big filter=up\n", "x.big": "x\n", "y.big": "y\n" },
    );
    repo.git("rm", "--quiet", "--cached", "x.big", "y.big");
    repo.git("reset", "--quiet", "--hard");
    expect(repo.text("x.big")).toBe("X\n");
    expect((await worked(repo, write)).merged).toHaveProperty("commit");
    expect([repo.text("x.big"), repo.git("status", "--porcelain")]).toEqual(["X\n", ""]);
    const onIt = await worked(repo, (tree) => {
      expect(tree.text("y.big")).toBe("y\n");
      tree.write("y.big", "new\n");
    });
    expect(onIt.merged).toEqual({ obstacle: expect.stringContaining("y.big") });
    expect([repo.text("y.big"), repo.git("status", "--porcelain")]).toEqual(["Y\n", ""]);
  });

  it("whose branch a person has in another worktree lets the files there follow", async () => {
    const repo = repository({ "a.txt": "a\n" });
    repo.git("checkout", "--quiet", "--detach");
    const linked = repositoryAt(join(temporaryFolder(), "linked"));
    repo.git("worktree", "add", "--quiet", linked.root, "main");
    linked.write("mine.txt", "mine\n");
    expect((await worked(repo, write)).merged).toHaveProperty("commit");
    expect([linked.text("a.txt"), linked.text("mine.txt"), repo.text("a.txt")]).toEqual(["agent\n", "mine\n", "a\n"]);
    expect([linked.git("status", "--porcelain"), repo.git("status", "--porcelain")]).toEqual(["?? mine.txt", ""]);
  });

  it("with 5,000 files touches those that changed, and no other", async () => {
    const files = Array.from({ length: 5_000 }, (_, at) => [`d${at % 50}/f${at}.txt`, `${at}\n`]);
    const repo = repository(Object.fromEntries([["a.txt", "a\n"], ...files]));
    const before = statSync(repo.at("d1/f1.txt")).mtimeMs;
    expect((await worked(repo, write)).merged).toHaveProperty("commit");
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(statSync(repo.at("d1/f1.txt")).mtimeMs).toBe(before);
  });
});
