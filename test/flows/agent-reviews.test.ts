import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { furnish, journalOf, PROJECT, runOf, SLOW, spawnBody, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const REVIEW = {
  verdict: "request_changes",
  findings: [{ severity: "high", file: "a.txt", line: 1, message: "It says agent.", fix: "Say a." }],
};
const LOOKS = (delayMs = 0) =>
  JSON.stringify({
    turns: [
      { delayMs, calls: [{ tool: "read", input: { path: "a.txt" } }] },
      {
        calls: [{ tool: "report", input: { summary: "It says {{last.read}}", ...REVIEW } }],
      },
      { text: "Read." },
    ],
  });
const playbooks = {
  play: writing({ "a.txt": "agent\n" }),
  looks: LOOKS(),
  takesTime: LOOKS(800),
  slow: SLOW,
  mute: 'turns:\n  - text: "Verdict: approve."\n',
};
const REVIEWED = { constraints: { requireReview: true } };

/** A result that waits for review, and a role that can only read. */
async function waiting(): Promise<{ hall: Hall; repo: PersonsRepository; id: string }> {
  const repo = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(), { root: repo.root, config: REVIEWED, playbooks });
  await addReader(hall);
  const id = await spawnRun(hall, "play", "Do it");
  await untilOver(hall, id);
  return { hall, repo, id };
}

async function addReader(hall: Hall): Promise<void> {
  expect((await hall.call("POST", "/api/roles", { id: "reader", name: "Reader", skills: ["read"] })).status).toBe(201);
}

const onTask = { roleId: "reader", task: undefined, taskId: "TASK-001" };
const ask = (hall: Hall, playbook: string) => spawnRun(hall, playbook, "", onTask);
const taskOf = async (hall: Hall) => (await hall.call("GET", `/api/projects/${PROJECT}/tasks/TASK-001`)).body.task;
const approve = async (hall: Hall, id: string) => {
  const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
  return hall.call("POST", `/api/runs/${id}/approve`, { hash });
};
const worktreeOf = (hall: Hall, id: string) => join(hall.workspace, ".guildhall/worktrees", id);

describe("a review by an agent", { timeout: 60_000 }, () => {
  it("on a task in review is made of what was handed in, and leaves the task and its review as they are", async () => {
    const { hall, repo, id } = await waiting();
    const before = await taskOf(hall);
    const { body } = await hall.call("POST", "/api/team/spawn?dryRun=true", spawnBody("looks", "", onTask));
    expect(body.plan).toMatchObject({ purpose: "review", reviewOf: id });
    expect(body.plan.prompt).toMatch(/Don't work on it.*Submitted by run-\S+ \(worker\).*> Written\..*\+agent/s);

    const [first, second] = await Promise.all([ask(hall, "looks"), ask(hall, "takesTime")]);
    const reviews = await Promise.all([untilOver(hall, first), untilOver(hall, second)]);
    for (const run of reviews) {
      expect(run).toMatchObject({ status: "completed", purpose: "review", reviewOf: id });
      expect(run.delivery).toBeUndefined();
      expect(run.result).toMatchObject({ output: expect.stringContaining("agent"), review: REVIEW });
      expect(run.result?.artifacts).toHaveLength(1);
      await expect.poll(() => existsSync(worktreeOf(hall, run.id))).toBe(false);
    }
    expect(await taskOf(hall)).toEqual(before);
    expect(before).toMatchObject({ status: "review", assignedSubAgentId: id, assignedRoleId: "worker" });
    const now = (await hall.call("GET", "/api/now")).body;
    expect(now.review.map((run: { id: string }) => run.id)).toEqual([id]);
    expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(readFileSync(join(hall.workspace, `projects/${PROJECT}/MEMORY.md`), "utf8")).toContain("Do it (review):");

    expect(await approve(hall, id)).toMatchObject({
      status: 200,
      body: { run: { delivery: { kind: "branch", state: "delivered" } } },
    });
    expect([(await taskOf(hall)).status, repo.text("a.txt"), repo.branches()]).toEqual(["done", "agent\n", ["main"]]);
  });

  it("does not stand in the way of the person, who approves meanwhile; on a task that is done it works alike", async () => {
    const { hall, repo, id } = await waiting();
    const slow = await ask(hall, "slow");
    await expect.poll(() => existsSync(join(worktreeOf(hall, slow), "a.txt"))).toBe(true);
    const late = await ask(hall, "takesTime");
    expect((await approve(hall, id)).status).toBe(200);
    expect((await untilOver(hall, late)).result?.output).toContain("agent");
    const done = await taskOf(hall);
    expect(done).toMatchObject({ status: "done", assignedSubAgentId: id, outcome: "full" });
    await hall.call("POST", `/api/runs/${slow}/stop`);
    expect((await untilOver(hall, slow)).status).toBe("cancelled");
    await expect.poll(() => readdirSync(worktreeOf(hall, ""))).toEqual([".scratch"]);

    const after = await untilOver(hall, await ask(hall, "looks"));
    expect(after).toMatchObject({ status: "completed", purpose: "review", reviewOf: id });
    expect(after.result?.output).toContain("agent");
    const [plan] = journalOf(hall.workspace, after.id);
    expect(plan).toMatchObject({ plan: { prompt: expect.stringContaining("It was merged into main") } });
    expect(await taskOf(hall)).toEqual(done);
    expect(repo.branches()).toEqual(["main"]);
  });

  it("does not keep the result from being sent back, and cannot be retried while the task has no result", async () => {
    const { hall, id } = await waiting();
    const slow = await ask(hall, "slow");
    await expect.poll(() => existsSync(join(worktreeOf(hall, slow), "a.txt"))).toBe(true);
    const sent = await hall.call("POST", `/api/runs/${id}/request-changes`, { feedback: "Better" });
    expect(sent.status).toBe(200);
    await untilOver(hall, sent.body.sessionId);
    expect(await taskOf(hall)).toMatchObject({ status: "review", assignedSubAgentId: sent.body.sessionId });
    await hall.call("POST", `/api/runs/${slow}/stop`);
    await untilOver(hall, slow);
    expect(await taskOf(hall)).toMatchObject({ status: "review", assignedSubAgentId: sent.body.sessionId });
    await hall.call("POST", `/api/projects/${PROJECT}/tasks/TASK-001/move`, { status: "in-progress" });
    const again = await hall.call("POST", `/api/runs/${slow}/retry`);
    expect(again).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
    expect(await runOf(hall, slow)).toMatchObject({ purpose: "review", reviewOf: id });
  });

  it("is not the default of a role that can change files: it does the task again, and what waited is kept", async () => {
    const { hall, repo, id } = await waiting();
    const next = await untilOver(hall, await spawnRun(hall, "play", "", { task: undefined, taskId: "TASK-001" }));
    expect([next.purpose, next.delivery?.state]).toEqual(["work", "review"]);
    const kept = { state: "kept", reason: `superseded by ${next.id}` };
    expect((await runOf(hall, id)).delivery).toMatchObject(kept);
    const now = (await hall.call("GET", "/api/now")).body;
    expect(now.review.map((run: { id: string }) => run.id)).toEqual([next.id]);
    expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
    expect((await runOf(hall, id)).delivery).toMatchObject(kept);
    expect((await approve(hall, next.id)).status).toBe(200);
    expect([(await taskOf(hall)).status, repo.text("a.txt")]).toEqual(["done", "agent\n"]);
  });

  it("is given without git as well, and waits for no review itself", async () => {
    const hall = await furnish(await startHall(), playbooks);
    await addReader(hall);
    await hall.call("PUT", `/api/projects/${PROJECT}`, { config: REVIEWED });
    const id = await spawnRun(hall, "play", "Do it");
    expect((await untilOver(hall, id)).delivery?.state).toBe("review");
    const review = await untilOver(hall, await ask(hall, "looks"));
    expect(review).toMatchObject({ status: "completed", purpose: "review", reviewOf: id });
    expect([review.delivery, review.result?.output]).toEqual([undefined, expect.stringContaining("agent")]);
    expect(await taskOf(hall)).toMatchObject({ status: "review", assignedSubAgentId: id });
    expect((await approve(hall, id)).status).toBe(200);
    expect((await taskOf(hall)).status).toBe("done");
  });

  it("is not what a run does that is retried: its purpose stays what it was", async () => {
    const hall = await furnish(await startHall(), { looks: LOOKS() });
    await addReader(hall);
    await hall.call("PUT", `/api/projects/${PROJECT}`, { config: REVIEWED });
    const first = await untilOver(hall, await spawnRun(hall, "looks", "Read it", { roleId: "reader" }));
    // A run that cannot write leaves nothing to review.
    expect([first.purpose, first.delivery, (await taskOf(hall)).status]).toEqual(["work", undefined, "done"]);
    const again = await hall.call("POST", `/api/runs/${first.id}/retry`);
    const second = await untilOver(hall, again.body.sessionId);
    expect(second.purpose).toBe("work");
    expect(await taskOf(hall)).toMatchObject({ status: "done", assignedSubAgentId: second.id });
    const other = await hall.call("POST", `/api/runs/${first.id}/retry`);
    // What it is for is recorded with the run, whatever has become of the task since.
    expect((await untilOver(hall, other.body.sessionId)).purpose).toBe("work");
  });

  it("is asked for by its purpose from any role, which then has no tool that could change the result", async () => {
    const { hall, id } = await waiting();
    const before = await taskOf(hall);
    const asked = { ...onTask, roleId: "worker", purpose: "review" };
    const { body } = await hall.call("POST", "/api/team/spawn?dryRun=true", spawnBody("looks", "", asked));
    expect(body.plan).toMatchObject({ purpose: "review", reviewOf: id });
    expect(body.plan.tools.value).toEqual(["read", "list", "search", "notify", "report", "escalate"]);
    const run = await untilOver(hall, await spawnRun(hall, "looks", "", asked));
    expect([run.status, run.purpose, run.delivery]).toEqual(["completed", "review", undefined]);
    expect(await taskOf(hall)).toEqual(before);

    const unmade = await hall.call("POST", "/api/team/spawn", spawnBody("looks", "New", { purpose: "review" }));
    expect(unmade).toMatchObject({ status: 422, body: { error: { code: "invalid" } } });
    await hall.call("POST", `/api/projects/${PROJECT}/tasks/TASK-001/move`, { status: "in-progress" });
    const early = await hall.call("POST", "/api/team/spawn", spawnBody("looks", "", asked));
    expect(early).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
  });

  it("reports its verdict and findings as fields, which the event, the artifact and the command line show", async () => {
    const { hall } = await waiting();
    const run = await untilOver(hall, await ask(hall, "looks"));
    const { events } = (await hall.call("GET", "/api/events/log?tail=100&type=run.ended")).body;
    expect(events.at(-1)?.after).toMatchObject({ purpose: "review", verdict: "request_changes" });
    const artifact = readFileSync(join(hall.workspace, `projects/${PROJECT}`, run.result?.artifacts[0] ?? ""), "utf8");
    expect(artifact).toContain("- high `a.txt:1`: It says agent. Fix: Say a.");
    const shown = await commandLine(["run", "show", run.id, "--workspace", hall.workspace]);
    expect(shown.stdout).toMatch(/Verdict {2}Changes requested\n.*high a\.txt:1: It says agent\./);
    const rows = (await hall.call("GET", "/api/now")).body.done;
    expect(rows.find(({ id }: { id: string }) => id === run.id)).toMatchObject({ verdict: "request_changes" });
  });

  it("has no verdict when it reports none, whatever its text says", async () => {
    const { hall } = await waiting();
    const run = await untilOver(hall, await ask(hall, "mute"));
    expect(run).toMatchObject({ status: "completed", result: { review: { verdict: "unable", findings: [] } } });
    const offline = await untilOver(hall, await ask(hall, "rehearsal"));
    expect(offline).toMatchObject({
      status: "completed",
      calls: { failed: 0 },
      result: { review: { verdict: "unable" } },
    });
  });

  it("is not what a role does that only reads, when the request says work", async () => {
    const { hall, id } = await waiting();
    const run = await untilOver(hall, await spawnRun(hall, "looks", "", { ...onTask, purpose: "work" }));
    expect([run.purpose, run.reviewOf]).toEqual(["work", undefined]);
    expect((await taskOf(hall)).assignedSubAgentId).toBe(run.id);
    expect((await runOf(hall, id)).delivery?.state).toBe("kept");
  });

  it("is what an opinion was in lines of the version before", async () => {
    const { hall, id } = await waiting();
    const review = await untilOver(hall, await ask(hall, "looks"));
    await hall.stop();
    const book = join(hall.workspace, `projects/${PROJECT}/runs/index.jsonl`);
    const older = readFileSync(book, "utf8")
      .replaceAll(`"purpose":"review",`, `"opinion":{"of":"${id}"},`)
      .replaceAll(`"reviewOf":"${id}",`, "")
      .replaceAll(`"purpose":"work",`, "")
      .replaceAll(`,"format":2}`, "}");
    writeFileSync(book, older);
    rmSync(join(hall.workspace, "state/format.json"));
    const next = await startHall(hall.workspace);
    expect(await runOf(next, review.id)).toMatchObject({ purpose: "review", reviewOf: id });
    expect(await runOf(next, review.id)).not.toHaveProperty("opinion");
    expect((await runOf(next, id)).purpose).toBe("work");
  });
});
