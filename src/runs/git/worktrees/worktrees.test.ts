import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../../test/harness/daemon.ts";
import { type PersonsRepository, repository, repositoryAt } from "../../../../test/harness/repository.ts";
import { sandboxHere, trustingGit } from "../../../../test/harness/trusting-git.ts";
import { GitSync } from "../../../store/git/git-sync.ts";
import { Worktrees } from "./worktrees.ts";

const MEGABYTE = 1_048_576;
const WORDING = { subject: "Work", runId: "run-1" };

/** A worktree on the branch `guildhall/x` of a repository with these files, as a run has it. */
async function worktreeOf(repo: PersonsRepository, { sandbox = sandboxHere } = {}) {
  const folder = temporaryFolder();
  const git = trustingGit({ sandbox, indexes: folder });
  const worktrees = new Worktrees({
    git,
    disk: new GitSync(),
    scratch: () => join(folder, "index"),
    limits: { file: 2 * MEGABYTE, total: 5 * MEGABYTE },
  });
  const worktree = join(folder, "run-1");
  const place = { owner: "run-1", branch: "guildhall/x", target: "main", repository: repo.at(".git"), worktree };
  const whole = { ...place, workdir: worktree };
  await worktrees.prepare(whole);
  const tree = () => repo.git("ls-tree", "-r", "-z", "guildhall/x").split("\0").filter(Boolean);
  return {
    ...repositoryAt(worktree),
    save: () => worktrees.save(whole, WORDING),
    tip: () => git.resolve({ gitDir: place.repository }, "refs/heads/guildhall/x"),
    remove: (branchAt: string | undefined) => worktrees.remove(whole, { branchAt }),
    /** What the branch has, without the objects' names. */
    saved: () => tree().map((line) => line.replace(/ [0-9a-f]{40}/, "")),
    blob: (path: string) => repo.git("cat-file", "blob", `guildhall/x:${path}`),
  };
}

/** A program that leaves a trace when it is run. */
function trap() {
  const folder = temporaryFolder();
  const program = join(folder, "trap.sh");
  writeFileSync(program, `#!/bin/sh\necho "$@" >> ${join(folder, "ran")}\ncat\n`);
  chmodSync(program, 0o755);
  return { program, ran: () => (existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8") : "") };
}

/** What a program of the agent could set up in a repository of its own, so that git runs a program for it. */
function arm(folder: string, program: string): void {
  const run = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "pipe" });
  writeFileSync(join(folder, "f"), "f\n");
  run("add", "f");
  run("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "f");
  for (const key of ["core.fsmonitor", "core.sshCommand", "diff.external", "filter.x.clean", "filter.x.process"])
    run("config", key, program);
  run("config", "core.hooksPath", dirname(program));
  writeFileSync(join(folder, ".gitattributes"), "* filter=x diff=x\n");
  // Now git has to look at the contents again.
  utimesSync(join(folder, "f"), 1, 1);
}

describe("the sandboxes of a worktree", () => {
  it("are two: one to look at its repository, and one to make it, save it and merge it", async () => {
    const repo = repository({ a: "a\n" });
    await sandboxHere();
    // However long the machine takes, none is taken down because nothing came.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const sandbox = vi.fn(sandboxHere);
    const tree = await worktreeOf(repo, { sandbox });
    tree.write("a", "A\n");
    await tree.save();
    expect(await tree.tip()).toBe(repo.git("rev-parse", "guildhall/x"));
    expect(sandbox).toHaveBeenCalledTimes(2);
  });
});

describe("saving a worktree", () => {
  it("takes what is new, changed, gone, renamed, executable and linked, and leaves what is ignored", async () => {
    const repo = repository({ ".gitignore": "*.log\n", a: "a\n", b: "b\n", "d/x": "x\n", "e/y": "y\n", moved: "m\n" });
    const tree = await worktreeOf(repo);
    tree.write("a", "A\n");
    rmSync(tree.at("b"));
    // A folder becomes a link, a file a folder, a name another.
    renameSync(tree.at("d"), tree.at("real"));
    symlinkSync("real", tree.at("d"));
    rmSync(tree.at("e"), { recursive: true });
    tree.write("e", "now a file\n");
    renameSync(tree.at("moved"), tree.at("-n"));
    tree.write("moved/inside", "i\n");
    for (const name of ["sp ace 😀", "new\nline", "tab\t", ":(top)", "*"]) tree.write(name, "n\n");
    symlinkSync("/etc/passwd", tree.at("out"));
    tree.write("noise.log", "l\n");
    tree.write("run.sh", "#!/bin/sh\n");
    chmodSync(tree.at("run.sh"), 0o755);
    await tree.save();
    expect(tree.saved()).toEqual(
      [
        ...[
          "*",
          "-n",
          ".gitignore",
          ":(top)",
          "a",
          "e",
          "moved/inside",
          "new\nline",
          "real/x",
          "sp ace 😀",
          "tab\t",
        ].map((name) => `100644 blob\t${name}`),
        ...["d", "out"].map((name) => `120000 blob\t${name}`),
        "100755 blob\trun.sh",
      ].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
    );
    expect(tree.blob("out")).toBe("/etc/passwd");
    expect(tree.blob("a")).toBe("A");
  });

  it("takes the files of a repository that was made in it, and runs nothing that it configures", async () => {
    const { program, ran } = trap();
    const tree = await worktreeOf(repository({ a: "a\n" }));
    tree.write("lib/.gitignore", "out\n");
    tree.write("lib/out/built", "o\n");
    tree.write("lib/deep/er", "d\n");
    for (const folder of ["lib", "lib/deep/own"]) {
      tree.git("init", "--quiet", tree.at(folder));
      arm(tree.at(folder), program);
    }
    await tree.save();
    await tree.save();
    const names = [".gitattributes", ".gitignore", "deep/er", "deep/own/.gitattributes", "deep/own/f", "f"];
    expect(tree.saved()).toEqual(["a", ...names.map((name) => `lib/${name}`)].map((name) => `100644 blob\t${name}`));
    expect(ran()).toBe("");
  });

  it("says that what lies in a submodule is not saved, keeps the submodule, and saves the rest", async () => {
    const { program, ran } = trap();
    const repo = repository({ a: "a\n" });
    const other = repository({ s: "s\n" });
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root, "sub");
    repo.git("commit", "--quiet", "-m", "Sub");
    const tree = await worktreeOf(repo);
    expect(existsSync(tree.at("sub"))).toBe(true);
    tree.write("a", "A\n");
    await tree.save();
    const before = tree.saved();
    tree.git("init", "--quiet", tree.at("sub"));
    arm(tree.at("sub"), program);
    tree.write("b", "b\n");
    await expect(tree.save()).rejects.toThrow(/submodule 'sub'/);
    await expect(tree.save()).rejects.toThrow(/submodule 'sub'/);
    expect(tree.saved()).toEqual(
      [...before, "100644 blob\tb"].sort((one, two) => (nameOf(one) < nameOf(two) ? -1 : 1)),
    );
    expect(before).toContain("160000 commit\tsub");
    expect([tree.text("sub/f"), tree.blob("a"), ran()]).toEqual(["f\n", "A", ""]);
    // Folders that are empty are often cleared away; nobody means the submodule by it.
    rmSync(tree.at("sub"), { recursive: true });
    await tree.save();
    expect(tree.saved()).toContain("160000 commit\tsub");
  });

  it.each<[string, (root: string, program: string) => void]>([
    [
      "a folder with hooks and filters",
      (root, program) => {
        execFileSync("git", ["init", "--quiet", root]);
        arm(root, program);
      },
    ],
    ["a link elsewhere", (root) => symlinkSync(temporaryFolder(), join(root, ".git"))],
    ["nothing", () => undefined],
    ["a file that names another repository", (root) => writeFileSync(join(root, ".git"), "gitdir: /nowhere\n")],
  ])("does not believe the .git of the worktree when it is now %s", async (_, replace) => {
    const { program, ran } = trap();
    const tree = await worktreeOf(repository({ a: "a\n" }));
    rmSync(tree.at(".git"));
    replace(tree.root, program);
    tree.write("n", "n\n");
    await tree.save();
    expect(tree.saved()).toContain("100644 blob\tn");
    expect(tree.saved().filter((line) => line.includes(".git/"))).toEqual([]);
    expect(ran()).toBe("");
  });

  it("passes over pipes, also where a file was, and does not wait for anybody", async () => {
    const tree = await worktreeOf(repository({ a: "a\n", "d/x": "x\n" }));
    rmSync(tree.at("d/x"));
    for (const name of ["pipe", "d/x"]) execFileSync("mkfifo", [tree.at(name)]);
    tree.write("n", "n\n");
    await tree.save();
    expect(tree.saved()).toEqual(["100644 blob\ta", "100644 blob\tn"]);
  });

  it("says so when a name cannot be in a repository, and leaves the work where it is", async () => {
    const tree = await worktreeOf(repository({ a: "a\n" }));
    mkdirSync(tree.at("d/.GIT"), { recursive: true });
    tree.write("d/.GIT/config", "[core]\n");
    await expect(tree.save()).rejects.toThrow(/'d\/\.GIT\/config'/);
    expect(tree.text("d/.GIT/config")).toBe("[core]\n");
  });

  it("is not kept from it by a lock that a killed git left behind", async () => {
    const repo = repository({ a: "a\n" });
    const tree = await worktreeOf(repo);
    tree.write("a", "A\n");
    repo.write(".git/worktrees/run-1/index.lock", "");
    await tree.save();
    expect(tree.blob("a")).toBe("A");
  });

  it("keeps what a sparse checkout leaves out, and takes what was written there", async () => {
    const repo = repository({ "in/a": "a\n", "out/b": "b\n", "out/c": "c\n" });
    repo.git("sparse-checkout", "set", "--cone", "in");
    const tree = await worktreeOf(repo);
    tree.write("out/c", "C\n");
    tree.write("out/n", "n\n");
    tree.write("in/a", "A\n");
    await tree.save();
    expect(tree.saved()).toEqual(["in/a", "out/b", "out/c", "out/n"].map((name) => `100644 blob\t${name}`));
    expect([tree.blob("out/b"), tree.blob("out/c"), tree.blob("in/a")]).toEqual(["b", "C", "A"]);
  });
});

function nameOf(line: string): string {
  return line.slice(line.indexOf("\t") + 1);
}

describe("what is too large to commit", () => {
  const sparse = (path: string, megabytes: number) => {
    writeFileSync(path, "");
    truncateSync(path, Math.round(megabytes * MEGABYTE));
  };

  it("is named and left in the worktree before git reads any of it, and saved once it is gone", async () => {
    const worktree = await worktreeOf(repository({ "a.txt": "a\n", ".gitignore": "cache/\n" }));
    worktree.write("b.txt", "b\n");
    worktree.write("cache/x", "");
    sparse(worktree.at("cache/ignored.bin"), 500_000);
    // Git would be at it for hours.
    sparse(worktree.at("big.bin"), 900_000);
    truncateSync(worktree.at("a.txt"), 3 * MEGABYTE);
    await expect(worktree.save()).rejects.toThrow(
      /'big.bin' \(900000 MB\), 'a.txt' \(3 MB\) over the limit of 2 MB for a file\. .* git\.fileMb/,
    );
    expect(worktree.saved()).toEqual(["100644 blob\t.gitignore", "100644 blob\ta.txt"]);
    rmSync(worktree.at("big.bin"));
    writeFileSync(worktree.at("a.txt"), "short\n");
    await worktree.save();
    expect(worktree.saved()).toContain("100644 blob\tb.txt");
  });

  it("counts all files together, and links for what they are", async () => {
    const worktree = await worktreeOf(repository({ "a.txt": "a\n" }));
    for (const name of ["1", "2", "3"]) sparse(worktree.at(`${name}.bin`), 1.9);
    symlinkSync("/dev/zero", worktree.at("zero"));
    await expect(worktree.save()).rejects.toThrow(/5\.\d MB in total, over the limit of 5 MB/);
    rmSync(worktree.at("3.bin"));
    await worktree.save();
    expect(worktree.saved()).toHaveLength(4);
  });
});

describe("removing a worktree", () => {
  it("deletes its branch only at the commit that was looked at, so that no later commit is lost", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const { write, save, remove } = await worktreeOf(repo);
    write("a.txt", "agent\n");
    const tip = await save();
    const tree = repo.git("rev-parse", "guildhall/x^{tree}").trim();
    const later = repo.git("commit-tree", tree, "-p", "guildhall/x", "-m", "Later").trim();
    repo.git("update-ref", "refs/heads/guildhall/x", later);
    await remove(tip);
    expect(repo.git("rev-parse", "guildhall/x").trim()).toBe(later);
    await remove(later);
    expect(repo.branches()).toEqual(["main"]);
  });
});

describe("git in a worktree", () => {
  it("finds its repository as a person's own git does", async () => {
    const repo = repository({ a: "a\n" });
    const tree = await worktreeOf(repo);
    expect(repositoryAt(tree.at(".")).git("rev-parse", "--path-format=absolute", "--git-common-dir")).toBe(
      repo.at(".git"),
    );
    expect(repo.git("worktree", "list", "--porcelain")).not.toContain("prunable");
  });
});
