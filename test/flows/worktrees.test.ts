import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { branchOf, journalOf, PROJECT, runOf, SOON, spawnBody, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const UMASK = process.umask();
const worktreesOf = (hall: Hall) =>
  readdirSync(join(hall.workspace, ".guildhall/worktrees")).filter((name) => !name.startsWith("."));
const taskOf = async (hall: Hall, id: string) =>
  (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${(await runOf(hall, id)).taskId}`)).body.task;

async function played(repo: PersonsRepository, playbook: string, more: { config?: object; title?: string } = {}) {
  const { config = {}, title = "Do it" } = more;
  const hall = await hallOver(await startHall(), { root: repo.root, config, playbooks: { play: playbook } });
  const id = await spawnRun(hall, "play", title);
  return { hall, id, run: await untilOver(hall, id) };
}

describe("a run that may write in a git repository", () => {
  it("works in its own worktree; its commits are merged, and the clean checkout follows [S1-MOD-05]", async () => {
    const repo = repository({ "src/a.ts": "old\n", ".gitignore": "dist/\n" });
    const config = { git: { authorName: "Hall of Shop", authorEmail: "hall@example.org" } };
    const playbooks = { play: writing({ "src/a.ts": "new\n", "src/deep/b.ts": "b\n", "dist/out.js": "built\n" }) };
    const hall = await hallOver(await startHall(undefined, { config }), { root: repo.root, playbooks });
    const id = await spawnRun(hall, "play", "Do it");
    const run = await untilOver(hall, id);
    const name = `guildhall/${run.taskId}-${id}`;
    expect(run).toMatchObject({
      status: "completed",
      result: { filesChanged: ["src/a.ts", "src/deep/b.ts"] },
      delivery: { kind: "branch", name, target: "main", state: "delivered", files: 2, additions: 2, deletions: 1 },
    });
    expect(repo.text("src/a.ts") + repo.text("src/deep/b.ts")).toBe("new\nb\n");
    expect(statSync(repo.at("src/deep/b.ts")).mode & 0o777).toBe(0o666 & ~UMASK);
    expect(repo.exists("dist")).toBe(false);
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(repo.git("log", "-1", "--format=%an <%ae> %cn|%s", "main^2")).toBe(
      `Hall of Shop <hall@example.org> Hall of Shop|${run.taskId}: Do it`,
    );
    expect(repo.git("log", "-1", "--format=%b", "main")).toContain(`Guildhall-Run: ${id}`);
    await expect.poll(() => worktreesOf(hall)).toEqual([]);
    expect(repo.branches()).toEqual(["main"]);
    expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(await taskOf(hall, id)).toMatchObject({ status: "done" });
    expect(JSON.stringify(journalOf(hall.workspace, id)[0])).toContain(
      `Work in: ${hall.workspace}/.guildhall/worktrees/`,
    );
    const { body } = await hall.call("GET", `/api/runs/${id}/diff`);
    expect(body).toMatchObject({ runId: id, delivery: { kind: "branch", state: "delivered" }, truncated: false });
    expect(body.diff).toContain("-old\n+new\n");
  });

  it("leaves what the person has changed, staged and stashed as it is, and merges beside it", async () => {
    const repo = repository({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.txt": "d\n" });
    repo.write("d.txt", "put away\n");
    repo.git("stash");
    repo.write("b.txt", "mine, not staged\n");
    repo.write("c.txt", "mine, staged\n");
    repo.git("add", "c.txt");
    repo.write("c.txt", "mine, staged and changed again\n");
    repo.write("untracked.txt", "mine\n");
    const status = repo.git("status", "--porcelain");
    const staged = repo.git("diff", "--cached");
    const { run } = await played(repo, writing({ "a.txt": "agent\n", "new.txt": "agent\n" }));
    expect(run.delivery).toMatchObject({ state: "delivered" });
    expect(repo.git("status", "--porcelain")).toBe(status);
    expect(repo.git("diff", "--cached")).toBe(staged);
    expect(repo.git("stash", "list")).toContain("stash@{0}");
    expect(repo.text("a.txt") + repo.text("new.txt")).toBe("agent\nagent\n");
    expect(repo.text("c.txt") + repo.text("b.txt")).toBe("mine, staged and changed again\nmine, not staged\n");
  });

  it("waits for review, and touches nothing, when work of the person is in the way [S0-SEC-04]", async () => {
    const repo = repository({ "a.txt": "a\n" });
    repo.write("a.txt", "mine\n");
    const before = [repo.snapshot(), repo.git("rev-parse", "main")];
    const { hall, id, run } = await played(repo, writing({ "a.txt": "agent\n", "new/n.txt": "agent\n" }));
    expect(run).toMatchObject({
      status: "completed",
      delivery: { kind: "branch", state: "review", reason: expect.stringContaining("uncommitted changes in a.txt") },
    });
    expect([repo.snapshot(), repo.git("rev-parse", "main")]).toEqual(before);
    expect(repo.committed(branchOf(run)?.name ?? "", "new/n.txt")).toBe("agent");
    expect(await taskOf(hall, id)).toMatchObject({ status: "review" });
    await expect.poll(() => worktreesOf(hall)).toEqual([]);
  });

  it("goes to review when it conflicts with what the branch has by then", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const hall = await hallOver(await startHall(), {
      root: repo.root,
      playbooks: { play: writing({ "a.txt": "agent\n" }, { delayMs: 1_500 }) },
    });
    const id = await spawnRun(hall, "play", "Do it");
    await expect.poll(() => worktreesOf(hall).length).toBe(1);
    await expect.poll(() => repo.branches().length).toBe(2);
    repo.write("a.txt", "person\n");
    repo.git("commit", "--quiet", "-am", "Mine");
    expect((await untilOver(hall, id)).delivery).toMatchObject({
      state: "review",
      reason: expect.stringContaining("conflicts"),
    });
    expect(repo.text("a.txt")).toBe("person\n");
  });

  it("merges into the branch that the project names, although another is checked out", async () => {
    const repo = repository({ "a.txt": "a\n" });
    repo.git("branch", "release");
    const before = repo.snapshot();
    const { run } = await played(repo, writing({ "a.txt": "agent\n" }), { config: { branch: "release" } });
    expect(run.delivery).toMatchObject({ target: "release", state: "delivered" });
    expect(repo.committed("release", "a.txt")).toBe("agent");
    expect(repo.snapshot()).toEqual(before);
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  it("runs no hook, filter, monitor or merge driver of the repository", async () => {
    const repo = repository({ "a.txt": "a\n", ".gitattributes": "* filter=evil merge=evil diff=evil\n" });
    const canary = join(temporaryFolder(), "ran");
    const script = join(temporaryFolder(), "evil.sh");
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`);
    chmodSync(script, 0o755);
    for (const hook of ["post-checkout", "pre-commit", "post-merge", "reference-transaction", "post-index-change"]) {
      repo.write(`.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> ${canary}\n`);
      chmodSync(repo.at(`.git/hooks/${hook}`), 0o755);
    }
    const settings = { "core.fsmonitor": script, "filter.evil.clean": script, "filter.evil.smudge": script };
    const drivers = { "merge.evil.driver": `${script} %A`, "diff.evil.command": script, "diff.evil.textconv": script };
    for (const [key, value] of Object.entries({ ...settings, ...drivers, "core.pager": script, "core.editor": script }))
      execFileSync("git", ["-C", repo.root, "config", key, value]);
    const { hall, id, run } = await played(repo, writing({ "b.txt": "agent\n" }));
    expect(run.delivery).toMatchObject({ state: "delivered" });
    await hall.call("GET", `/api/runs/${id}/diff`);
    expect(existsSync(canary) ? readFileSync(canary, "utf8") : "").toBe("");
  });

  it("keeps on its branch what a run that fails has done, and nothing of one that did nothing", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const playbooks = {
      fails: JSON.stringify({
        turns: [
          { calls: [{ tool: "write", input: { path: "half.txt", content: "half\n" } }] },
          { fail: { kind: "refused", times: 9 } },
        ],
      }),
      looks: JSON.stringify({ turns: [{ text: "Nothing to do." }] }),
    };
    const hall = await hallOver(await startHall(), { root: repo.root, playbooks });
    const failed = await untilOver(hall, await spawnRun(hall, "fails", "Fail"));
    expect(failed).toMatchObject({ status: "failed", delivery: { kind: "branch", state: "kept" } });
    expect(repo.committed(branchOf(failed)?.name ?? "", "half.txt")).toBe("half");
    const idle = await untilOver(hall, await spawnRun(hall, "looks", "Look"));
    expect(idle.delivery).toMatchObject({ state: "unchanged" });
    await expect.poll(() => worktreesOf(hall)).toEqual([]);
    expect(repo.branches().sort()).toEqual([branchOf(failed)?.name, "main"]);
  });

  it("shares its worktree with the agents it starts", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const spawn = { calls: [{ tool: "spawn_subagent", input: { role: "helper", title: "Help" } }] };
    const playbooks = {
      play: writing({ "a.txt": "parent\n" }, { more: JSON.stringify(spawn) }),
      helper: JSON.stringify({
        turns: [
          { calls: [{ tool: "read", input: { path: "a.txt" } }] },
          { calls: [{ tool: "write", input: { path: "h.txt", content: "saw {{last.read}}" } }] },
          { text: "Helped." },
        ],
      }),
    };
    const hall = await hallOver(await startHall(), { root: repo.root, playbooks });
    const run = await untilOver(hall, await spawnRun(hall, "play", "Both"));
    expect(run.delivery).toMatchObject({ state: "delivered", files: 2 });
    expect(repo.text("h.txt")).toContain("parent");
  });

  it("works in a part of a repository whose name has spaces and signs, and leaves read-only runs in the checkout", async () => {
    const repo = repository({ "packages/ü 😀/a.txt": "a\n", "other.txt": "o\n" }, "my work 😀 $(x)");
    const root = repo.at("packages/ü 😀");
    const { hall, run } = await played({ ...repo, root }, writing({ "a.txt": "agent\n", "n é.txt": "n\n" }));
    expect(run.delivery).toMatchObject({ state: "delivered" });
    expect(repo.text("packages/ü 😀/a.txt") + repo.text("packages/ü 😀/n é.txt")).toBe("agent\nn\n");
    const overrides = { model: "offline/play", skills: ["read"] };
    const reader = await untilOver(hall, await spawnRun(hall, "play", "Read", { overrides }));
    expect(reader.delivery).toBeUndefined();
  });
});

describe("a repository in which no run can write", () => {
  it("is refused at once, but not for runs that only read", async () => {
    const repo = repository({ "a.txt": "a\n" });
    repo.git("checkout", "--quiet", "--detach");
    const playbooks = { play: writing({ "a.txt": "agent\n" }) };
    const hall = await hallOver(await startHall(), { root: repo.root, playbooks });
    const answer = await hall.call("POST", "/api/team/spawn", spawnBody("play", "Do it"));
    expect(answer).toMatchObject({ status: 409, body: { error: { code: "repository_refused" } } });
    expect(answer.body.error.message).toContain("no branch checked out");
    const reader = spawnBody("play", "Look", { overrides: { model: "offline/play", skills: ["read"] } });
    expect(await hall.call("POST", "/api/team/spawn", reader)).toMatchObject({ status: 200 });
  });
});

describe("a result that is too large to commit", () => {
  it("waits for review with its files named, and costs the daemon nothing", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const playbooks = { play: SOON };
    const hall = await hallOver(await startHall(), { root: repo.root, playbooks });
    const id = await spawnRun(hall, "play", "Do it");
    const worktree = join(hall.workspace, ".guildhall/worktrees", id);
    await expect.poll(() => existsSync(join(worktree, "a.md"))).toBe(true);
    writeFileSync(join(worktree, "model.bin"), "");
    truncateSync(join(worktree, "model.bin"), 900 * 1_048_576);
    const run = await untilOver(hall, id);
    expect(run).toMatchObject({
      status: "completed",
      delivery: {
        kind: "branch",
        state: "review",
        reason: expect.stringMatching(/'model\.bin' \(900 MB\) over the limit of 100 MB/),
      },
    });
    expect(run.delivery?.reason).toContain("git.fileMb");
    expect(run.delivery?.reason).toContain(worktree);
    expect(repo.exists("a.md")).toBe(false);
    expect(existsSync(join(worktree, "b.md"))).toBe(true);
    await expect
      .poll(async () => JSON.stringify((await hall.call("GET", "/api/problems")).body))
      .toContain("model.bin");
  });
});
