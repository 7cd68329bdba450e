import { execFileSync } from "node:child_process";
import { existsSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/daemon.ts";
import { type PersonsRepository, repository, repositoryAt } from "../../../test/harness/repository.ts";
import { trustingGit } from "../../../test/harness/trusting-git.ts";
import { GitSync } from "../../store/git/git-sync.ts";
import { gitEnvironment } from "./git-environment.ts";
import { Merging } from "./merging.ts";
import { Worktrees } from "./worktrees/worktrees.ts";

const UMASK = process.umask();
const WORDING = { subject: "Work", runId: "run-1" };

/** Notes what is synced, and where the branch was at that moment. */
class NotedSync extends GitSync {
  readonly noted: string[] = [];
  readonly #tip: () => string;

  constructor(tip: () => string) {
    super();
    this.#tip = tip;
  }

  override async objects(repository: string) {
    this.noted.push(`objects at ${this.#tip()}`);
    await super.objects(repository);
  }

  override async checkout(at: { gitDir: string; workTree: string }, paths: readonly string[]) {
    this.noted.push(`checkout ${paths.join(" ")} at ${this.#tip()}`);
    await super.checkout(at, paths);
  }

  override async ref(repository: string, ref: string, commit: string) {
    this.noted.push(`${ref} at ${this.#tip()}`);
    await super.ref(repository, ref, commit);
  }
}

function bench(branch: string) {
  const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
  const [folder, tipOf] = [temporaryFolder(), () => tip(repo, branch)];
  const git = trustingGit({ umask: UMASK });
  let indexes = 0;
  const disk = new NotedSync(tipOf);
  const scratch = () => join(folder, `index-${++indexes}`);
  const made = { git, disk, scratch, limits: { file: 1e8, total: 1e8 } };
  const worktree = join(folder, "run-1");
  const at = { owner: "run-1", branch: "guildhall/x", target: "main", repository: repo.at(".git") };
  const place = { ...at, worktree, workdir: worktree };
  return { repo, git, disk, tipOf, place, merging: new Merging(made), worktrees: new Worktrees(made) };
}

function tip(repo: PersonsRepository, branch: string): string {
  return repo.branches().includes(branch) ? repo.git("rev-parse", branch) : "nothing";
}

describe("what is told to be in git", () => {
  it("is written by a git that syncs objects, refs and the index", () => {
    const env = { ...process.env, ...gitEnvironment(process.env.PATH ?? "") };
    const setting = (key: string) => execFileSync("git", ["config", key], { encoding: "utf8", env }).trim();
    expect([setting("core.fsync"), setting("core.fsyncMethod")]).toEqual(["all", "fsync"]);
  });

  it("is synced in order: the files and objects of a merge before its branch moves, the branch before it is told", async () => {
    const { repo, disk, tipOf, merging } = bench("main");
    repo.git("checkout", "--quiet", "-b", "work");
    repo.write("made/new.txt", "new\n");
    repo.git("add", "--all");
    repo.git("commit", "--quiet", "-m", "Work");
    repo.git("checkout", "--quiet", "main");
    const before = tipOf();
    const order = { repository: repo.at(".git"), target: "main", wording: WORDING };
    const merged = await merging.merge(order, repo.git("rev-parse", "work"));
    const after = tipOf();
    expect(merged).toEqual({ commit: after });
    expect(disk.noted).toEqual([
      `checkout made/new.txt at ${before}`,
      `objects at ${before}`,
      `refs/heads/main at ${after}`,
    ]);
    disk.noted.length = 0;
    await merging.confirm(order, after);
    expect(disk.noted).toEqual([
      `checkout made/new.txt at ${after}`,
      `objects at ${after}`,
      `refs/heads/main at ${after}`,
    ]);
  });

  it("is synced before it is told when a crash kept it from being told: a revert that is there already", async () => {
    const { repo, disk, tipOf, merging } = bench("main");
    repo.git("checkout", "--quiet", "-b", "work");
    repo.write("a.txt", "changed\n");
    repo.git("commit", "--quiet", "-am", "Work");
    repo.git("checkout", "--quiet", "main");
    const order = { repository: repo.at(".git"), target: "main", wording: WORDING };
    await merging.merge(order, repo.git("rev-parse", "work"));
    const revert = () => merging.revert({ ...order, wording: { ...WORDING, subject: "Revert Work" } }, merge);
    const merge = tipOf();
    const reverted = await revert();
    const after = tipOf();
    disk.noted.length = 0;
    expect([reverted, await revert(), tipOf()]).toEqual([{ commit: after }, { commit: after }, after]);
    expect(disk.noted).toEqual([`checkout a.txt at ${after}`, `objects at ${after}`, `refs/heads/main at ${after}`]);
  });

  it("is synced when a run's work is saved to its branch", async () => {
    const { place, disk, tipOf, worktrees } = bench("guildhall/x");
    await worktrees.prepare(place);
    writeFileSync(join(place.worktree, "new.txt"), "new\n");
    const before = tipOf();
    const saved = await worktrees.save(place, WORDING);
    expect(disk.noted).toEqual([`objects at ${before}`, `refs/heads/guildhall/x at ${saved}`]);
    expect(tipOf()).toBe(saved);
  });
});

describe("a worktree that a run goes on in after a power cut", () => {
  it("has the files again that the cut emptied, and not those that somebody emptied since", async () => {
    const { place, worktrees, repo } = bench("guildhall/x");
    await worktrees.prepare(place);
    const long = new Date(Date.now() - 3_600_000);
    truncateSync(join(place.worktree, "a.txt"));
    utimesSync(join(place.worktree, "a.txt"), long, long);
    truncateSync(join(place.worktree, "b.txt"));
    await worktrees.prepare(place);
    expect(["a.txt", "b.txt"].map((path) => repositoryAt(place.worktree).text(path))).toEqual(["a\n", ""]);
    expect(existsSync(repo.at("a.txt"))).toBe(true);
  });
});

describe("work that was saved", () => {
  it("is looked at once more before its worktree goes, and saved again if something came", async () => {
    const { place, worktrees, repo } = bench("guildhall/x");
    await worktrees.prepare(place);
    writeFileSync(join(place.worktree, "new.txt"), "new\n");
    const first = await worktrees.save(place, WORDING);
    expect(await worktrees.save(place, WORDING)).toBe(first);
    writeFileSync(join(place.worktree, "a.txt"), "late\n");
    const second = await worktrees.save(place, WORDING);
    expect([second === first, repo.committed("guildhall/x", "a.txt")]).toEqual([false, "late"]);
  });
});
