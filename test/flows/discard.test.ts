import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { branchOf, PROJECT, runOf, SLOW, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const config = { constraints: { requireReview: true } };
const FAILS = `
turns:
  - calls: [{tool: write, input: {path: a.txt, content: "half\\n"}}]
  - fail: {kind: refused}
    text: Never.
`;
const playbooks = {
  play: writing({ "a.txt": "agent\n", "new.txt": "new\n" }),
  nothing: "turns: [{text: All done.}]",
  fails: FAILS,
  slow: SLOW,
};
const ENDED = { status: 409, body: { error: { code: "illegal_move" } } };

async function inRepository(setup: Parameters<typeof startHall>[1] = {}, workspace?: string) {
  const repo = repository({ "a.txt": "a\n" });
  return { repo, hall: await hallOver(await startHall(workspace, setup), { root: repo.root, config, playbooks }) };
}

async function inFolder() {
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "a\n");
  const hall = await hallOver(await startHall(), { root, config, playbooks });
  return { hall, root, text: (path: string) => readFileSync(join(root, path), "utf8") };
}

const play = async (hall: Hall, name = "play", more: object = {}) =>
  untilOver(hall, await spawnRun(hall, name, "Improve it 😀", more));
const discard = (hall: Hall, id: string, body: object = {}) => hall.call("POST", `/api/runs/${id}/discard`, body);
const undo = (hall: Hall, id: string) => hall.call("POST", `/api/runs/${id}/discard/undo`);
const statusOf = async (hall: Hall, taskId: string) =>
  (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task.status;
const move = (hall: Hall, taskId: string, status: string) =>
  hall.call("POST", `/api/projects/${PROJECT}/tasks/${taskId}/move`, { status });
const hidden = (repo: PersonsRepository) =>
  repo.git("for-each-ref", "--format=%(refname)", "refs/guildhall").split("\n").filter(Boolean);
const stateOf = async (hall: Hall, id: string) => (await runOf(hall, id)).delivery?.state;
const events = async (hall: Hall, type: string) => (await hall.call("GET", `/api/events/log?type=${type}`)).body.events;

describe("a result that is discarded", () => {
  it("loses its branch at once, gives its task back, and comes back whole when that is undone", async () => {
    const { hall, repo } = await inRepository();
    const { id, taskId, delivery } = await play(hall);
    const branch = branchOf({ delivery })?.name ?? "";
    const tip = repo.git("rev-parse", branch);
    const { status, body } = await discard(hall, id);
    expect({ status, state: body.run.delivery?.state }).toEqual({ status: 200, state: "discarded" });
    expect(body.run.delivery?.discard).toMatchObject({ task: "pending", taskFrom: "review", commit: tip });
    expect([repo.branches(), await statusOf(hall, taskId)]).toEqual([["main"], "pending"]);
    expect(repo.git("worktree", "list").split("\n")).toHaveLength(1);
    expect((await hall.call("GET", "/api/runs?review=true")).body.runs).toEqual([]);
    expect((await hall.call("GET", `/api/runs/${id}/diff`)).body).toMatchObject({ files: [{}, {}] });

    const again = await discard(hall, id);
    expect(again).toMatchObject(ENDED);
    expect(JSON.stringify(again.body)).toContain("it was discarded");
    const { hash } = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
    expect(await hall.call("POST", `/api/runs/${id}/approve`, { hash })).toMatchObject(ENDED);

    expect((await undo(hall, id)).body.run.delivery).toEqual(delivery);
    expect([repo.git("rev-parse", branch), hidden(repo), await statusOf(hall, taskId)]).toEqual([tip, [], "review"]);
    expect(await undo(hall, id)).toMatchObject(ENDED);
    expect(await events(hall, "run.restored")).toMatchObject([{ actor: { kind: "person" }, subject: { id } }]);

    // Once more, and with the task; then what was restored can be approved.
    expect((await discard(hall, id, { task: "cancelled" })).status).toBe(200);
    expect(await statusOf(hall, taskId)).toBe("cancelled");
    expect((await undo(hall, id)).status).toBe(200);
    expect([await statusOf(hall, taskId), await events(hall, "run.discarded")]).toMatchObject(["review", [{}, {}]]);
    const shown = (await hall.call("GET", `/api/runs/${id}/diff`)).body;
    expect((await hall.call("POST", `/api/runs/${id}/approve`, { hash: shown.hash })).status).toBe(200);
    expect(repo.text("a.txt")).toBe("agent\n");
    expect(await discard(hall, id)).toMatchObject(ENDED);
  });

  it("is gone for good after its time, also where the daemon was down then", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const { hall, repo } = await inRepository({ config: { review: { undoSeconds: 1 } } }, workspace);
    const first = await play(hall);
    await discard(hall, first.id);
    expect(hidden(repo)).toHaveLength(1);
    await expect.poll(() => hidden(repo)).toEqual([]);
    const late = await undo(hall, first.id);
    expect(late).toMatchObject(ENDED);
    expect(JSON.stringify(late.body)).toMatch(/the time to undo ended at .*The commit was [0-9a-f]{12}/);

    const second = await play(hall);
    await discard(hall, second.id);
    await hall.stop();
    await expect.poll(() => Date.now() > Date.parse(second.endedAt ?? "") + 2_500).toBe(true);
    expect(hidden(repo)).toHaveLength(1);
    const next = await startHall(workspace);
    expect([hidden(repo), await stateOf(next, second.id), repo.branches()]).toEqual([[], "discarded", ["main"]]);
    expect(readdirSync(join(workspace, ".guildhall/discarded"))).toEqual([]);
  });

  it("is refused while its branch is checked out, and closed where its branch was deleted", async () => {
    const { hall, repo } = await inRepository();
    const [one, other] = [await play(hall), await play(hall)];
    const [branch = "", deleted = ""] = [one, other].map((run) => branchOf(run)?.name);
    repo.git("checkout", "--quiet", branch);
    const refused = await discard(hall, one.id);
    expect(refused).toMatchObject({ status: 409, body: { error: { code: "merge_refused" } } });
    expect(JSON.stringify(refused.body)).toContain(`'${branch}' is checked out in '${repo.root}'`);
    expect([await stateOf(hall, one.id), repo.branches().includes(branch)]).toEqual(["review", true]);
    repo.git("checkout", "--quiet", "main");
    expect((await discard(hall, one.id)).status).toBe(200);

    repo.git("branch", "-D", deleted);
    expect((await discard(hall, other.id)).body.run.delivery).toMatchObject({
      state: "discarded",
      reason: "its branch was already deleted",
    });
    expect((await undo(hall, other.id)).body.run.delivery?.state).toBe("review");
    expect((await discard(hall, other.id)).status).toBe(200);
    // A branch of the same name is not overwritten.
    repo.git("branch", branch, "main");
    const taken = await undo(hall, one.id);
    expect(taken).toMatchObject(ENDED);
    expect(JSON.stringify(taken.body)).toContain(`the branch '${branch}' exists`);
    repo.git("branch", "-D", branch);
    expect((await undo(hall, one.id)).status).toBe(200);
  });

  it("waits its turn behind an approval, and is decided once by two tabs", async () => {
    const { hall, repo } = await inRepository();
    const one = await play(hall);
    const { hash } = (await hall.call("GET", `/api/runs/${one.id}/diff`)).body;
    const [approved, late] = await Promise.all([
      hall.call("POST", `/api/runs/${one.id}/approve`, { hash }),
      discard(hall, one.id),
    ]);
    expect([approved.status, late.status].sort()).toEqual([200, 409]);
    const state = await stateOf(hall, one.id);
    expect([state, repo.text("a.txt")]).toEqual(
      approved.status === 200 ? ["delivered", "agent\n"] : ["discarded", "a\n"],
    );
    writeFileSync(join(hall.workspace, "playbooks/play.yml"), writing({ "b.txt": "b\n" }));
    const two = await play(hall);
    const tabs = await Promise.all([discard(hall, two.id), discard(hall, two.id)]);
    expect(tabs.map(({ status }) => status).sort()).toEqual([200, 409]);
    const undone = await Promise.all([undo(hall, two.id), undo(hall, two.id)]);
    expect(undone.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("comes back beside the run that has its task meanwhile, and takes nothing from it", async () => {
    const { hall, repo } = await inRepository();
    const { id, taskId, delivery } = await play(hall);
    await discard(hall, id);
    const next = await spawnRun(hall, "slow", "", { task: undefined, taskId });
    expect((await undo(hall, id)).body.run.delivery).toMatchObject({ state: "kept", reason: `superseded by ${next}` });
    expect(repo.branches()).toContain(branchOf({ delivery })?.name);
    expect(await statusOf(hall, taskId)).toBe("in-progress");
    // What a stopped run left is discarded as well, also when the run was still at work a moment ago.
    expect(await discard(hall, next)).toMatchObject(ENDED);
    await hall.call("POST", `/api/runs/${next}/stop`);
    expect((await discard(hall, id)).status).toBe(200);
    const failed = await play(hall, "fails");
    expect((await discard(hall, failed.id)).body.run.delivery?.discard).toMatchObject({ taskFrom: "failed" });
    expect(await statusOf(hall, failed.taskId)).toBe("pending");
    expect((await undo(hall, failed.id)).body.run.delivery).toEqual(failed.delivery);
    expect(await statusOf(hall, failed.taskId)).toBe("failed");
  });

  it("is rolled back in a folder without git, and put back by an undo", async () => {
    const { hall, root, text } = await inFolder();
    const { id, taskId } = await play(hall);
    writeFileSync(join(root, "mine.txt"), "mine\n");
    const { body } = await discard(hall, id);
    expect(body).toMatchObject({ run: { delivery: { state: "discarded" } }, rollback: { left: [] } });
    expect([text("a.txt"), existsSync(join(root, "new.txt")), await statusOf(hall, taskId)]).toEqual([
      ...["a\n", false, "pending"],
    ]);
    writeFileSync(join(root, "later.txt"), "later\n");
    expect((await undo(hall, id)).body.run.delivery).toMatchObject({ state: "review", reasonCode: "required" });
    expect(["a.txt", "new.txt", "mine.txt", "later.txt"].map(text)).toEqual(["agent\n", "new\n", "mine\n", "later\n"]);
    expect(await statusOf(hall, taskId)).toBe("review");
    // A file that was changed since stays; when all were, nothing is discarded.
    for (const path of ["a.txt", "new.txt"]) writeFileSync(join(root, path), "person\n");
    const refused = await discard(hall, id);
    expect(refused).toMatchObject(ENDED);
    expect([await stateOf(hall, id), text("a.txt")]).toEqual(["review", "person\n"]);
  });
});

describe("a result whose task ends", () => {
  it("is discarded with a task that a person cancels, and comes back with it", async () => {
    const { hall, repo } = await inRepository();
    const { id, taskId } = await play(hall);
    expect((await move(hall, taskId, "cancelled")).status).toBe(200);
    await expect.poll(() => stateOf(hall, id)).toBe("discarded");
    expect(repo.branches()).toEqual(["main"]);
    expect((await move(hall, taskId, "pending")).status).toBe(200);
    await expect.poll(() => stateOf(hall, id)).toBe("review");
    await expect.poll(() => statusOf(hall, taskId)).toBe("review");
    expect(repo.branches()).toHaveLength(2);
  });

  it("leaves its branch in a hidden ref for good when the file of its task is deleted", async () => {
    const { hall, repo } = await inRepository();
    const { id, taskId, delivery } = await play(hall);
    const branch = branchOf({ delivery })?.name ?? "";
    const tip = repo.git("rev-parse", branch);
    rmSync(join(hall.workspace, `projects/${PROJECT}/TASKS/review/${taskId}.md`));
    await expect.poll(() => stateOf(hall, id)).toBe("discarded");
    expect([repo.branches(), hidden(repo)]).toEqual([["main"], [`refs/guildhall/archived/${id}`]]);
    const { reason } = (await runOf(hall, id)).delivery ?? {};
    repo.git(...(reason?.split("git ").at(-1)?.split(" ") ?? []));
    expect(repo.git("rev-parse", branch)).toBe(tip);
  });
});

describe("a run that changed nothing", () => {
  it("does not wait for a review, with git or without, whether it can write or not", async () => {
    for (const { hall } of [await inRepository(), await inFolder()]) {
      await hall.call("POST", "/api/roles", { id: "reader", name: "Reader", skills: ["read"] });
      const plain = await play(hall, "nothing");
      const reader = await play(hall, "nothing", { roleId: "reader" });
      expect([plain.delivery?.state, reader.delivery]).toEqual(["unchanged", undefined]);
      expect([await statusOf(hall, plain.taskId), await statusOf(hall, reader.taskId)]).toEqual(["done", "done"]);
      expect((await hall.call("GET", "/api/runs?review=true")).body.runs).toEqual([]);
      expect((await commandLine(["run", "list"], { workspace: hall.workspace })).stdout).toContain("No changes");
    }
  });
});

describe("run discard", () => {
  it("discards, undoes, and says what became of the task", async () => {
    const { hall, repo } = await inRepository();
    const { id, taskId, delivery } = await play(hall);
    const options = { workspace: hall.workspace };
    const { stdout: out } = await commandLine(["run", "discard", id, "--cancel-task"], options);
    expect(out).toContain(`Discarded ${id}: deleted ${branchOf({ delivery })?.name}.`);
    expect(out).toContain(`run discard ${id} --undo`);
    expect(out).toContain(`${taskId} is cancelled.`);
    expect((await commandLine(["run", "list"], options)).stdout).toContain("Discarded");
    const undone = await commandLine(["run", "discard", id, "--undo"], options);
    expect(undone.stdout).toContain(`Restored ${id}: in review`);
    expect(undone.stdout).toContain(`${taskId} is in review.`);
    expect(repo.branches()).toHaveLength(2);
    const json = await commandLine(["run", "discard", id, "--json"], options);
    expect(JSON.parse(json.stdout)).toMatchObject({ success: true, run: { delivery: { state: "discarded" } } });
    expect(await commandLine(["run", "discard", id], options)).toMatchObject({ code: 4 });
  });
});

it("the branch of a failed run is deleted by the timer when its days are over, and can be restored", async () => {
  let ahead = 0;
  const clock = () => new Date(Date.now() + ahead);
  const days = (count: number) => count * 86_400_000;
  const { hall, repo } = await inRepository({
    ...{ clock, archiveEveryMs: 20 },
    config: { git: { keepBranchesDays: 3 } },
  });
  const { id, delivery } = await play(hall, "fails");
  const branch = branchOf({ delivery })?.name ?? "";
  const tip = repo.git("rev-parse", branch);
  ahead = days(2.9);
  const young = await play(hall, "fails");
  expect(await stateOf(hall, id)).toBe("kept");
  ahead = days(3.1);
  await eventually(
    () => stateOf(hall, id),
    (state) => state === "discarded",
  );
  expect(repo.branches()).toEqual([branchOf(young)?.name, "main"]);
  expect(await stateOf(hall, young.id)).toBe("kept");
  const [ref = ""] = hidden(repo);
  expect(repo.git("rev-parse", ref)).toBe(tip);
  const { reason } = (await runOf(hall, id)).delivery ?? {};
  expect(reason).toBe(`kept for 3 days; restore it with: git branch ${branch} ${ref}`);
  expect(await events(hall, "run.discarded")).toMatchObject([{ subject: { id }, actor: { kind: "daemon" } }]);
});
