import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import {
  branchOf,
  journalOf,
  listRuns,
  PROJECT,
  runOf,
  spawnRun,
  untilOver,
  writePlaybook,
} from "../harness/spawned-runs.ts";

const REVIEWED = { constraints: { requireReview: true } };
const FAILS = `
turns:
  - calls: [{tool: write, input: {path: a.txt, content: "half\\n"}}]
  - fail: {kind: refused}
    text: Never.
`;
const playbooks = {
  play: writing({ "a.txt": "agent\n" }),
  better: writing({ "a.txt": "better\n" }),
  nothing: "turns: [{text: All done.}]",
  fails: FAILS,
  part: "turns: [{calls: [{tool: report, input: {summary: Half of it, outcome: partial}}]}, {text: Over.}]",
};

async function inRepository(config: object = REVIEWED) {
  const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
  return { repo, hall: await hallOver(await startHall(), { root: repo.root, config, playbooks }) };
}

async function inFolder(config: object = REVIEWED) {
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "a\n");
  return { root, hall: await hallOver(await startHall(), { root, config, playbooks }) };
}

const play = async (hall: Hall, name: string, more: object = {}) =>
  untilOver(hall, await spawnRun(hall, name, "Improve it", more));
const diffOf = async (hall: Hall, id: string) => (await hall.call("GET", `/api/runs/${id}/diff`)).body;
const post = <const Deed extends string>(hall: Hall, id: string, deed: Deed, body?: object) =>
  hall.call("POST", `/api/runs/${id}/${deed}`, body);
const taskOf = async (hall: Hall, taskId: string) =>
  (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task;
const logOf = (hall: Hall) =>
  readFileSync(join(hall.workspace, "projects", PROJECT, "MEMORY.md"), "utf8")
    .split("\n")
    .filter((line) => /^- \d{4}-/.test(line))
    .map((line) => line.slice("- 2026-11-15 ".length));
const planOf = (hall: Hall, id: string) => {
  const [first] = journalOf(hall.workspace, id);
  return first?.type === "plan" ? first.plan : undefined;
};

it("a decision whose task can't be moved applies, and the log says why the task stays", async () => {
  const { hall, repo } = await inRepository();
  const { id, taskId } = await play(hall, "play");
  const folder = join(hall.workspace, "projects", PROJECT, "TASKS");
  const [file = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.includes(taskId),
  );
  writeFileSync(join(folder, file), "---\nid: [broken\n---\n");
  const { hash } = await diffOf(hall, id);
  expect((await post(hall, id, "approve", { hash })).body.run.delivery?.state).toBe("delivered");
  expect(repo.committed("main", "a.txt")).toBe("agent");
  const { events } = (await hall.call("GET", "/api/events/log?type=run.approved")).body;
  const reason = expect.stringContaining(taskId);
  expect(events).toMatchObject([{ subject: { id }, after: { taskNotMoved: { code: expect.any(String), reason } } }]);
});

describe("feedback of the person", () => {
  it("may be comments on lines, which the next run gets as a list and answers one by one", async () => {
    const { hall } = await inRepository();
    const { id } = await play(hall, "play");
    const answers = [{ comment: "C2", answer: "Renamed it." }];
    const report = { tool: "report", input: { summary: "Better.", answers } };
    const turns = [
      { calls: [{ tool: "write", input: { path: "a.txt", content: "better\n" } }] },
      { calls: [report] },
      { text: "Done." },
    ];
    writePlaybook(hall.workspace, "play", JSON.stringify({ turns }));
    const comments = [
      { file: "a.txt", line: 1, text: "Say more." },
      { file: "a.txt", line: 2, text: `Name it\notherwise than ${hall.token}.` },
    ];
    expect(await post(hall, id, "request-changes", {})).toMatchObject({ status: 422 });
    const words = comments.flatMap(({ file, line, text }) => ["--comment", `${file}:${line}=${text}`]);
    const { stdout } = await commandLine(["run", "request-changes", id, ...words, "--json"], hall);
    const sent = { body: JSON.parse(stdout) };
    const plan = planOf(hall, sent.body.sessionId);
    expect(plan?.continues).toMatchObject({ feedback: "See the 2 comments.", comments: [{ id: "C1" }, { id: "C2" }] });
    expect(plan?.prompt).toContain(
      "- C1 `a.txt:1`: Say more.\n- C2 `a.txt:2`: Name it\n  otherwise than [secret: token].",
    );
    expect((await untilOver(hall, sent.body.sessionId)).result?.answers).toEqual(answers);
  });

  it("reaches the next run and the project's memory without the secrets in it", async () => {
    const { hall } = await inRepository();
    const { id, taskId } = await play(hall, "play");
    const sent = await post(hall, id, "request-changes", { feedback: `You did\nnothing with ${hall.token}.` });
    expect(sent.status).toBe(200);
    expect(planOf(hall, sent.body.sessionId)?.prompt).toContain("You did\nnothing with [secret: token].");
    expect(JSON.stringify(journalOf(hall.workspace, sent.body.sessionId))).not.toContain(hall.token);
    expect(await untilOver(hall, sent.body.sessionId)).toMatchObject({ status: "completed" });
    expect(logOf(hall)).toContain(
      `${taskId} Improve it: changes requested by the person: You did nothing with [secret: token]. (changes requested, ${id})`,
    );
    expect(logOf(hall).join("\n")).not.toContain(hall.token);
  });
});

describe("what a run left that did not complete", () => {
  it("is taken as it is, or gone on with, on its branch", async () => {
    const { hall, repo } = await inRepository({});
    const taken = await play(hall, "fails");
    expect(taken).toMatchObject({
      status: "failed",
      delivery: { kind: "branch", state: "kept", reason: "the run failed" },
    });
    const { hash } = await diffOf(hall, taken.id);
    expect(await post(hall, taken.id, "approve", { hash })).toMatchObject({
      status: 200,
      body: { run: { delivery: { kind: "branch", state: "delivered" } } },
    });
    expect([repo.text("a.txt"), (await taskOf(hall, taken.taskId)).status]).toEqual(["half\n", "done"]);
    expect(await post(hall, taken.id, "revert")).toMatchObject({ status: 200 });

    const playbook = `turns:\n  - calls: [{tool: write, input: {path: b.txt, content: half}}]\n  - {delayMs: 60000, text: x}\n`;
    writePlaybook(hall.workspace, "stuck", playbook);
    const stuck = await spawnRun(hall, "stuck", "Never ends");
    await eventually(
      () => journalOf(hall.workspace, stuck),
      (entries) => entries.some(({ type }) => type === "result"),
    );
    const { run: cancelled } = (await post(hall, stuck, "stop")).body;
    expect(cancelled.delivery).toMatchObject({ state: "kept", reason: "the run was stopped" });
    const half = await diffOf(hall, stuck);
    expect((await post(hall, stuck, "approve", { hash: half.hash })).status).toBe(200);
    expect([repo.text("b.txt"), (await taskOf(hall, cancelled.taskId)).status]).toEqual(["half", "done"]);

    const left = await play(hall, "fails");
    const refused = await post(hall, left.id, "revert");
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
    expect(refused.body.error.hintAction).toMatchObject({
      action: "run-decide",
      args: { run: left.id },
    });
    const sent = await post(hall, left.id, "request-changes", { feedback: "Finish it." });
    expect(sent.status).toBe(200);
    expect(planOf(hall, sent.body.sessionId)).toMatchObject({
      workplace: { branch: branchOf(left)?.name },
      continues: { runId: left.id, feedback: "Finish it." },
    });
    await untilOver(hall, sent.body.sessionId);
  });

  it("is taken as it is, or gone on with, in a folder", async () => {
    const { hall, root } = await inFolder({});
    const taken = await play(hall, "fails");
    expect(taken.delivery).toMatchObject({ state: "kept", reason: "the run failed" });
    const { hash } = await diffOf(hall, taken.id);
    expect(await post(hall, taken.id, "approve", { hash })).toMatchObject({
      status: 200,
      body: { run: { delivery: { kind: "folder", state: "delivered" } } },
    });
    expect((await taskOf(hall, taken.taskId)).status).toBe("done");
    writeFileSync(join(root, "a.txt"), "a\n");
    const left = await play(hall, "fails");
    const sent = await post(hall, left.id, "request-changes", { feedback: "Finish it." });
    expect(planOf(hall, sent.body.sessionId)).toMatchObject({ continues: { runId: left.id } });
    expect(await runOf(hall, left.id)).toMatchObject({
      delivery: { kind: "folder", state: "rejected", next: sent.body.sessionId },
    });
    await untilOver(hall, sent.body.sessionId);
  });
});

describe("a result that conflicts with what the branch has", () => {
  it("is refused with what to do, tells the newest obstacle, and tells the run that goes on with it", async () => {
    const { hall, repo } = await inRepository();
    const played = await play(hall, "play");
    const [{ id }, branch] = [played, branchOf(played)];
    const { hash } = await diffOf(hall, id);
    repo.write("a.txt", "mine\n");
    const inTheWay = (await post(hall, id, "approve", { hash })).body.error;
    expect([inTheWay.code, inTheWay.hint]).toEqual(["merge_refused", expect.stringContaining("Commit or stash")]);
    expect((await runOf(hall, id)).delivery?.reason).toBe("uncommitted changes in a.txt block the merge");
    repo.git("commit", "--quiet", "-a", "-m", "Mine");
    const { error } = (await post(hall, id, "approve", { hash })).body;
    expect(error).toMatchObject({ code: "merge_refused", message: expect.stringContaining("conflicts") });
    expect(error.hintAction).toMatchObject({ action: "merge-by-hand", args: { branch: branch?.name } });
    expect((await runOf(hall, id)).delivery).toMatchObject({
      state: "review",
      reasonCode: "merge-conflict",
      reason: "it conflicts with the current branch in a.txt",
    });
    const sent = await post(hall, id, "request-changes", { feedback: "Mend it." });
    const plan = planOf(hall, sent.body.sessionId);
    expect(plan?.continues?.conflict).toBe("a.txt");
    expect(plan?.prompt).toContain("These files conflict: a.txt.");
    await untilOver(hall, sent.body.sessionId);
    expect((await runOf(hall, id)).delivery).toMatchObject({ state: "rejected", next: sent.body.sessionId });
    expect((await runOf(hall, id)).delivery).not.toHaveProperty("reason");
    // It worked with both sides, so nothing keeps its result from being merged.
    const next = await diffOf(hall, sent.body.sessionId);
    expect(await post(hall, sent.body.sessionId, "approve", { hash: next.hash })).toMatchObject({ status: 200 });
  });
});

describe("a result that is reverted", () => {
  it("stands so in the project's memory, and is reverted once", { timeout: 180_000 }, async () => {
    const { hall } = await inFolder({});
    const { id, taskId } = await play(hall, "play");
    expect((await post(hall, id, "revert")).status).toBe(200);
    expect(logOf(hall).at(-1)).toBe(`${taskId} Improve it: reverted by the person (reverted, ${id})`);
    const again = await post(hall, id, "revert");
    expect(again).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
    expect(again.body.error.message).toContain("it was reverted");
    expect(logOf(hall)).toHaveLength(2);
  });

  it("is refused in words of its own, and its checkpoints say what they are of", { timeout: 180_000 }, async () => {
    const { hall, repo } = await inRepository({});
    const { id } = await play(hall, "play");
    repo.write("a.txt", "mine\n");
    const { error } = (await post(hall, id, "revert")).body;
    expect(error.hint).toBe("Commit or stash those changes, then retry.");
    expect(error).toMatchObject({
      code: "merge_refused",
      message: expect.stringMatching(/^It can't be reverted: /),
    });
    repo.git("checkout", "--quiet", "a.txt");
    expect((await post(hall, id, "revert")).status).toBe(200);
    const list = await commandLine(["checkpoint", "list", "-p", PROJECT], { workspace: hall.workspace });
    const before = list.stdout
      .split("\n")
      .map((line) => /\d\d:\d\d:\d\d +(\(?[a-z ]+\)?) +run-/.exec(line)?.[1]?.trim());
    expect(before.filter(Boolean)).toEqual(["(reverted)", "a revert", "(merged)", "a merge"]);
    expect(list.stdout).not.toContain("PROJECT");
  });
});

describe("a branch that the person deleted", () => {
  it("is closed by a discard, and its task is pending again", { timeout: 180_000 }, async () => {
    const { hall, repo } = await inRepository();
    const played = await play(hall, "play");
    const [{ id, taskId }, branch] = [played, branchOf(played)];
    expect(await post(hall, id, "revert")).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
    await expect.poll(() => repo.git("worktree", "list").split("\n")).toHaveLength(1);
    repo.git("branch", "-D", branch?.name ?? "");
    expect((await diffOf(hall, id)).error.hintAction).toEqual({ action: "run-unwanted", args: { run: id } });
    const { workspace } = hall;
    const { stdout } = await commandLine(["run", "discard", id], { workspace });
    expect(stdout).toContain(`Discarded ${id} (its branch was already deleted). ${taskId} is pending.\n`);
    expect(await listRuns(hall, "&review=true")).toEqual([]);
  });
});

describe("what waits for the person", () => {
  it("is counted, listed and named", { timeout: 180_000 }, async () => {
    const { hall } = await inRepository();
    const { workspace } = hall;
    const [waits, done] = [await play(hall, "play"), await play(hall, "nothing")];
    expect((await listRuns(hall, "&review=true")).map(({ id }) => id)).toEqual([waits.id]);
    expect(await listRuns(hall, `&review=true&project=inbox`)).toEqual([]);
    expect((await commandLine(["status"], { workspace })).stdout).toMatch(
      /review +1 result ready for review: guildhall run list --review\n/,
    );
    const listed = (await commandLine(["run", "list", "--review"], { workspace })).stdout;
    expect(listed).toMatch(new RegExp(`${waits.id} +In review `));
    expect(listed).not.toContain(done.id);
    expect((await commandLine(["task", "show", waits.taskId, "-p", PROJECT], { workspace })).stdout).toMatch(
      new RegExp(`review +view the changes: guildhall run diff ${waits.id}`),
    );
    expect((await commandLine(["task", "list", "--status", "review"], { workspace })).stdout).toContain(
      "guildhall run list --review",
    );
  });
});

describe("a rollback for one run", () => {
  it("is refused for a run that is not the project's", async () => {
    const { hall } = await inFolder({});
    await play(hall, "play");
    const { checkpoints } = (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body;
    const path = `/api/projects/${PROJECT}/checkpoints/${checkpoints.at(-1)?.id}/rollback`;
    expect(await hall.call("POST", path, { runId: "nope" })).toMatchObject({
      status: 404,
      body: { error: { code: "run_not_found" } },
    });
  });
});
