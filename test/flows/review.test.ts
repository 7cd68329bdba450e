import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { branchOf, journalOf, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const REVIEWED = { constraints: { requireReview: true } };
const playbooks = {
  play: writing({ "a.txt": "agent\n", "n.txt": "n\n" }),
  better: writing({ "a.txt": "better\n" }),
};

async function waiting(config: object = REVIEWED): Promise<{ hall: Hall; repo: PersonsRepository; id: string }> {
  const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
  const hall = await hallOver(await startHall(), { root: repo.root, config, playbooks });
  const id = await spawnRun(hall, "play", "Do it");
  await untilOver(hall, id);
  return { hall, repo, id };
}

const diffOf = async (hall: Hall, id: string) => (await hall.call("GET", `/api/runs/${id}/diff`)).body;
const statusOf = async (hall: Hall, id: string) => {
  const { taskId } = await runOf(hall, id);
  return (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task.status;
};
const eventsOf = async (hall: Hall, type: string) =>
  (await hall.call("GET", `/api/events/log?type=${type}`)).body.events;

describe("the review of a result by the person [S0-SEC-04 S0-PROJ-14 S1-MOD-05]", () => {
  it("waits with requireReview, is shown as a diff, and is merged when the person approves what was shown", async () => {
    const { hall, repo, id } = await waiting();
    expect(await runOf(hall, id)).toMatchObject({ status: "completed", delivery: { kind: "branch", state: "review" } });
    expect(await statusOf(hall, id)).toBe("review");
    expect(repo.text("a.txt")).toBe("a\n");
    const shown = await diffOf(hall, id);
    expect(shown).toMatchObject({
      files: [
        { path: "a.txt", additions: 1, deletions: 1, binary: false },
        { path: "n.txt", additions: 1, deletions: 0, binary: false },
      ],
      truncated: false,
    });
    expect(shown.diff).toContain("-a\n+agent\n");
    const approve = (hash: string) => hall.call("POST", `/api/runs/${id}/approve`, { hash });
    expect(await approve("0".repeat(32))).toMatchObject({ status: 409, body: { error: { code: "diff_changed" } } });

    const name = shown.delivery.kind === "branch" ? shown.delivery.name : "";
    repo.git("worktree", "add", "--quiet", "../late", name);
    repo.write("../late/late.txt", "late\n");
    repo.git("-C", "../late", "add", "late.txt");
    repo.git("-C", "../late", "commit", "--quiet", "-m", "Late");
    repo.git("worktree", "remove", "../late");
    expect(await approve(shown.hash)).toMatchObject({ status: 409, body: { error: { code: "diff_changed" } } });
    expect(repo.text("a.txt")).toBe("a\n");

    const { hash } = await diffOf(hall, id);
    expect(await approve(hash)).toMatchObject({
      status: 200,
      body: { success: true, run: { delivery: { kind: "branch", state: "delivered" } } },
    });
    expect(repo.text("a.txt") + repo.text("n.txt") + repo.text("late.txt")).toBe("agent\nn\nlate\n");
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(await statusOf(hall, id)).toBe("done");
    expect(await eventsOf(hall, "run.approved")).toMatchObject([
      { actor: { kind: "person", via: "http" }, subject: { kind: "run", id }, after: { hash } },
    ]);
    expect(await approve(hash)).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
    expect(repo.branches()).toEqual(["main"]);
  });

  it("is not merged over work of the person, and can be approved when that is out of the way", async () => {
    const { hall, repo, id } = await waiting();
    const { hash } = await diffOf(hall, id);
    repo.write("a.txt", "mine\n");
    const refused = await hall.call("POST", `/api/runs/${id}/approve`, { hash });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "merge_refused" } } });
    expect(refused.body.error.message).toContain("a.txt");
    expect(repo.text("a.txt")).toBe("mine\n");
    repo.git("checkout", "--quiet", "a.txt");
    expect(await hall.call("POST", `/api/runs/${id}/approve`, { hash })).toMatchObject({ status: 200 });
    expect(repo.text("a.txt")).toBe("agent\n");
  });

  it("is sent back with words, which a new run on the same branch reads; then it is taken back again", async () => {
    const { hall, repo, id } = await waiting();
    const { name } = branchOf(await runOf(hall, id)) ?? { name: "" };
    const sent = await hall.call("POST", `/api/runs/${id}/request-changes`, { feedback: "Say it better, ünd 😀." });
    expect(sent).toMatchObject({ status: 200, body: { success: true } });
    const next = await untilOver(hall, sent.body.sessionId);
    expect(next).toMatchObject({ status: "completed", delivery: { kind: "branch", name, state: "review" } });
    expect(await runOf(hall, id)).toMatchObject({ delivery: { kind: "branch", state: "rejected", next: next.id } });
    const [plan] = journalOf(hall.workspace, next.id);
    expect(plan?.type === "plan" && plan.plan.prompt).toContain("Say it better, ünd 😀.");
    expect(repo.git("rev-list", "--count", `main..${name}`)).toBe("1");
    expect(await eventsOf(hall, "run.rejected")).toMatchObject([{ actor: { kind: "person" }, subject: { id } }]);

    const { hash } = await diffOf(hall, next.id);
    expect((await hall.call("POST", `/api/runs/${next.id}/approve`, { hash })).status).toBe(200);
    repo.write("b.txt", "mine\n");
    const back = await hall.call("POST", `/api/runs/${next.id}/revert`);
    expect(back).toMatchObject({ status: 200, body: { run: { delivery: { kind: "branch", state: "reverted" } } } });
    expect([repo.text("a.txt"), repo.exists("n.txt"), repo.text("b.txt")]).toEqual(["a\n", false, "mine\n"]);
    expect(repo.git("status", "--porcelain")).toBe(" M b.txt");
    expect(await statusOf(hall, next.id)).toBe("pending");
    expect(await hall.call("POST", `/api/runs/${next.id}/revert`)).toMatchObject({ status: 409 });
    const retried = await hall.call("POST", `/api/runs/${next.id}/retry`);
    expect(retried).toMatchObject({ status: 200, body: { taskId: next.taskId } });
  });

  it("is sent back although the worktree that it was made in is not cleared away yet", async () => {
    const { hall, repo, id } = await waiting();
    const { name } = branchOf(await runOf(hall, id)) ?? { name: "" };
    const worktree = join(hall.workspace, ".guildhall/worktrees", id);
    await expect.poll(() => existsSync(worktree)).toBe(false);
    repo.git("worktree", "add", "--quiet", worktree, name);
    repo.write(`.git/worktrees/${id}/guildhall-ready`, "");
    writeFileSync(join(worktree, "late.txt"), "late\n");
    const sent = await hall.call("POST", `/api/runs/${id}/request-changes`, { feedback: "Again" });
    const next = await untilOver(hall, sent.body.sessionId);
    expect(next).toMatchObject({ status: "completed", delivery: { kind: "branch", name, state: "review" } });
    expect(existsSync(worktree)).toBe(false);
    expect(repo.committed(name, "late.txt")).toBe("late");
  });

  it("is decided once for each Idempotency-Key, also after a restart", { timeout: 180_000 }, async () => {
    const { hall, repo, id } = await waiting();
    const sender =
      (to: Hall) =>
      <const Deed extends string>(of: string, deed: Deed, body?: object) =>
        to.call("POST", `/api/runs/${of}/${deed}`, body, { "idempotency-key": `${deed} once`.replace(" ", "-") });
    let send = sender(hall);
    const rejected = await send(id, "request-changes", { feedback: "Again" });
    const next = rejected.body.sessionId;
    expect(await send(id, "request-changes", { feedback: "Again" })).toMatchObject({
      status: 200,
      body: { sessionId: next },
    });
    expect(await send(id, "request-changes", { feedback: "Else" })).toMatchObject({ status: 409 });
    await untilOver(hall, next);
    const { hash } = await diffOf(hall, next);
    const approved = await send(next, "approve", { hash });
    expect(approved).toMatchObject({
      status: 200,
      body: { run: { delivery: { kind: "branch", state: "delivered" } } },
    });
    expect(await send(next, "approve", { hash })).toMatchObject({ status: 200, body: approved.body });
    const tip = repo.git("rev-parse", "main");
    await hall.stop();
    const again = await startHall(hall.workspace);
    send = sender(again);
    expect(await send(id, "request-changes", { feedback: "Again" })).toMatchObject({
      status: 200,
      body: { sessionId: next },
    });
    expect(await send(next, "approve", { hash })).toMatchObject({ status: 200, body: approved.body });
    expect(repo.git("rev-parse", "main")).toBe(tip);
    const reverted = await send(next, "revert");
    expect(reverted).toMatchObject({ status: 200, body: { run: { delivery: { kind: "branch", state: "reverted" } } } });
    expect(await send(next, "revert")).toMatchObject({ status: 200, body: reverted.body });
    expect(repo.git("rev-list", "--count", `${tip}..main`)).toBe("1");
    expect((await again.call("GET", "/api/runs")).body.runs).toHaveLength(2);
  });

  it("stands across a restart of the daemon", async () => {
    const { hall, repo, id } = await waiting();
    const { hash } = await diffOf(hall, id);
    await hall.stop();
    const again = await startHall(hall.workspace);
    expect(await diffOf(again, id)).toMatchObject({ hash });
    expect(await again.call("POST", `/api/runs/${id}/approve`, { hash })).toMatchObject({ status: 200 });
    expect(repo.text("a.txt")).toBe("agent\n");
  });

  it("is done on the command line as well", { timeout: 180_000 }, async () => {
    const { hall, repo, id } = await waiting();
    const options = { workspace: hall.workspace, folder: join(hall.workspace, "..") };
    const shown = await commandLine(["run", "diff", id], options);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain("+1 -1  a.txt");
    const hash = /--hash (\w+)/.exec(shown.stdout)?.[1] ?? "";
    expect(await commandLine(["run", "approve", id], options)).toMatchObject({ code: 2 });
    expect(await commandLine(["run", "approve", id, "--hash", "x"], options)).toMatchObject({ code: 4 });
    const approved = await commandLine(["run", "approve", id, "--hash", hash], options);
    expect(approved).toMatchObject({ code: 0, stdout: `Approved ${id}: merged into main.\n` });
    expect(repo.text("a.txt")).toBe("agent\n");
    const reverted = await commandLine(["run", "revert", id], options);
    expect(reverted.stdout).toMatch(/^Reverted run-\w+ on main with [0-9a-f]{12}\. TASK-001 is pending\.\n$/);
    const events = await eventsOf(hall, "run.reverted");
    expect(events).toMatchObject([{ actor: { kind: "person", via: "cli" } }]);
    expect(await commandLine(["run", "request-changes", id, "More"], options)).toMatchObject({ code: 4 });
  });
});
