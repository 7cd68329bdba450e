import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { pictureOf } from "../harness/folder-picture.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { journalOf, PROJECT, runOf, spawnRun, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const REVIEWED = { constraints: { requireReview: true } };
const SOURCE = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "picture.bin": "\0\u0001", "tool.sh": "#!/bin/sh\n" };
const playbooks = {
  play: writing({ "a.txt": "one\n2\nthree\n", "deep/new.txt": "new", "picture.bin": "text\n" }),
  better: writing({ "a.txt": "one\nbetter\nthree\n" }),
  nothing: "turns: [{text: Nothing to do.}]",
  slow: `
turns:
  - delayMs: 1500
    calls: [{tool: write, input: {path: slow.txt, content: x}}]
  - text: Done.
`,
};

async function inFolder(config: object = {}) {
  const folder = join(temporaryFolder(), "work");
  const at = (path: string) => join(folder, path);
  for (const [path, content] of Object.entries(SOURCE)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }
  const hall = await hallOver(await startHall(), { root: folder, config, playbooks });
  const text = (path: string) => readFileSync(at(path), "utf8");
  const play = async (name: string) => {
    const id = await spawnRun(hall, name, "Do it");
    expect((await untilOver(hall, id)).status).toBe("completed");
    return id;
  };
  return { hall, folder, at, text, play };
}

const diffOf = (hall: Hall, id: string) => hall.call("GET", `/api/runs/${id}/diff`);
const post = <const What extends string>(hall: Hall, id: string, what: What, body?: object) =>
  hall.call("POST", `/api/runs/${id}/${what}`, body);
const statusOf = async (hall: Hall, id: string) => {
  const { taskId } = await runOf(hall, id);
  return (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task.status;
};
const eventsOf = async (hall: Hall, type: string) =>
  (await hall.call("GET", `/api/events/log?type=${type}`)).body.events;

describe("the review of what a run changed in a folder without git [S0-PROJ-14 S1-MOD-05]", () => {
  it("shows a unified diff, and closes the task when the person approves what was shown", async () => {
    const { hall, at, text, play } = await inFolder(REVIEWED);
    const id = await play("play");
    expect(await runOf(hall, id)).toMatchObject({ delivery: { kind: "folder", state: "review", files: 3 } });
    expect(await statusOf(hall, id)).toBe("review");
    const { body: shown } = await diffOf(hall, id);
    expect(shown).toMatchObject({
      runId: id,
      delivery: { kind: "folder", state: "review" },
      files: [
        { path: "a.txt", additions: 1, deletions: 1, binary: false },
        { path: "deep/new.txt", additions: 1, deletions: 0, binary: false },
        { path: "picture.bin", additions: 0, deletions: 0, binary: true },
      ],
      truncated: false,
      changedSince: [],
    });
    expect(shown.diff).toBe(
      [
        ...["diff --git a/a.txt b/a.txt", "--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@"],
        ...[" one", "-two", "+2", " three", "diff --git a/deep/new.txt b/deep/new.txt", "new file mode 100644"],
        ...["--- /dev/null", "+++ b/deep/new.txt", "@@ -0,0 +1,1 @@", "+new", "\\ No newline at end of file"],
        ...["diff --git a/picture.bin b/picture.bin", "Binary files a/picture.bin and b/picture.bin differ", ""],
      ].join("\n"),
    );
    writeFileSync(at("a.txt"), "mine\n");
    expect(await post(hall, id, "approve", { hash: shown.hash })).toMatchObject({
      status: 409,
      body: { error: { code: "diff_changed" } },
    });
    const again = (await diffOf(hall, id)).body;
    expect(again.changedSince).toEqual(["a.txt"]);
    expect(await post(hall, id, "approve", { hash: again.hash })).toMatchObject({
      status: 200,
      body: { success: true, run: { delivery: { kind: "folder", state: "delivered", files: 3 } } },
    });
    expect([await statusOf(hall, id), text("a.txt"), text("deep/new.txt")]).toEqual(["done", "mine\n", "new"]);
    expect(await eventsOf(hall, "run.approved")).toMatchObject([
      { actor: { kind: "person" }, subject: { kind: "run", id }, after: { hash: again.hash } },
    ]);
    expect(await post(hall, id, "approve", { hash: again.hash })).toMatchObject({ status: 409 });
  });

  it("starts a run that goes on from the files as they are when the person requests changes", async () => {
    const { hall, text, play } = await inFolder(REVIEWED);
    const id = await play("play");
    await hall.call("PUT", "/api/roles/worker", { modelConfig: { model: "offline/better" } });
    const { status, body } = await post(hall, id, "request-changes", { feedback: "Say it in words, not in figures." });
    expect([status, body.success]).toEqual([200, true]);
    const next = body.sessionId;
    expect(await runOf(hall, id)).toMatchObject({ delivery: { kind: "folder", state: "rejected", next } });
    await untilOver(hall, next);
    const [first] = journalOf(hall.workspace, next);
    expect(first).toMatchObject({ type: "plan", plan: { continues: { runId: id } } });
    expect(JSON.stringify(first)).toContain("Say it in words, not in figures.");
    expect(text("deep/new.txt")).toBe("new");
    // It wrote the same once more: what is in the folder is still the first run's, and nobody has approved it.
    expect(await runOf(hall, next)).toMatchObject({ status: "completed", delivery: { state: "unchanged" } });
    expect(await runOf(hall, id)).toMatchObject({ delivery: { state: "review", reasonCode: "not-continued" } });
    expect(await statusOf(hall, id)).toBe("review");
    const retried = await post(hall, next, "retry");
    expect(journalOf(hall.workspace, retried.body.sessionId)[0]).toMatchObject({ plan: { continues: { runId: id } } });
    await untilOver(hall, retried.body.sessionId);
  });

  it("takes back what the run changed, to the byte, and leaves what was changed since [S1-MOD-04]", async () => {
    const { hall, folder, at, text, play } = await inFolder();
    chmodSync(at("a.txt"), 0o640);
    const before = pictureOf(folder);
    const first = await play("play");
    expect(await runOf(hall, first)).toMatchObject({ delivery: { kind: "folder", state: "delivered", files: 3 } });
    expect(await statusOf(hall, first)).toBe("done");
    const reverted = await post(hall, first, "revert");
    expect(reverted).toMatchObject({
      status: 200,
      body: { run: { delivery: { kind: "folder", state: "reverted" } }, rollback: { left: [], runs: [first] } },
    });
    expect(pictureOf(folder)).toEqual(before);
    expect(await eventsOf(hall, "run.reverted")).toMatchObject([{ subject: { id: first } }]);

    const second = await play("play");
    writeFileSync(at("a.txt"), "mine\n");
    const { body } = await post(hall, second, "revert");
    expect(body.run.delivery).toMatchObject({ state: "reverted", reason: "1 of its paths were left unchanged" });
    expect(body.rollback?.left).toEqual([{ path: "a.txt", reason: "it was edited since, not by an agent" }]);
    expect([text("a.txt"), existsSync(at("deep"))]).toEqual(["mine\n", false]);
    writeFileSync(at("a.txt"), SOURCE["a.txt"]);

    const [third, fourth] = [await play("better"), await play("play")];
    const left = await post(hall, third, "revert");
    expect(left.body.run.delivery?.state).toBe("delivered");
    expect(left.body.rollback).toMatchObject({
      restored: [],
      left: [{ path: "a.txt", reason: `run ${fourth} changed it too` }],
    });
  });

  it("has nothing to show of a run that changed nothing, and refuses what cannot be", async () => {
    const { hall, play } = await inFolder();
    const id = await play("nothing");
    expect(await runOf(hall, id)).toMatchObject({ delivery: { kind: "folder", state: "unchanged" } });
    expect((await diffOf(hall, id)).body).toMatchObject({ files: [], diff: "" });
    expect(await post(hall, id, "revert")).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
    const slow = await spawnRun(hall, "slow", "Slowly");
    await untilDoing(hall, slow);
    expect(await diffOf(hall, slow)).toMatchObject({ status: 200, body: { isLive: true, files: [] } });
    await post(hall, slow, "stop");
    expect(await runOf(hall, slow)).toMatchObject({
      status: "cancelled",
      delivery: { kind: "folder", state: "unchanged" },
    });
    await hall.call("POST", "/api/roles", { id: "reader", name: "Reader", skills: ["read"] });
    const reading = await spawnRun(hall, "nothing", "Read", { roleId: "reader" });
    expect(await untilOver(hall, reading)).not.toHaveProperty("changes");
    expect(await diffOf(hall, reading)).toMatchObject({ status: 409, body: { error: { code: "illegal_move" } } });
  });

  it("is done from the command line", async () => {
    const { hall, play } = await inFolder(REVIEWED);
    const { workspace } = hall;
    const id = await play("play");
    const shown = await commandLine(["run", "diff", id], { workspace });
    expect(shown).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("in the folder: in review"),
    });
    expect(shown.stdout).toContain("-two\n+2\n");
    const hash = /hash (\w+)/.exec(shown.stdout)?.[1] ?? "";
    const approved = await commandLine(["run", "approve", id, "--hash", hash], { workspace });
    expect(approved).toMatchObject({ code: 0, stdout: `Approved ${id}: changes kept in the folder.\n` });
    const card = await commandLine(["run", "show", id], { workspace });
    expect(card.stdout).toMatch(/changes +in the folder: applied/);
    const reverted = await commandLine(["run", "revert", id], { workspace });
    expect(reverted.stdout).toMatch(
      /reverted: a\.txt.*removed: deep\/new\.txt.*Reverted run-\w+\. TASK-001 is pending\./s,
    );
  });
});

describe("a rollback in a repository", () => {
  it("tells that the files go back and the commits stay, and can undo a revert", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const hall = await hallOver(await startHall(), {
      root: repo.root,
      playbooks: { play: writing({ "a.txt": "b\n" }) },
    });
    const id = await spawnRun(hall, "play", "Do it");
    expect((await untilOver(hall, id)).delivery?.state).toBe("delivered");
    const head = repo.git("rev-parse", "HEAD");
    const list = async () => (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body.checkpoints;
    const back = (checkpoint = "") =>
      hall.call("POST", `/api/projects/${PROJECT}/checkpoints/${checkpoint}/rollback`, {});
    const { body } = await back((await list()).at(-1)?.id);
    expect([repo.text("a.txt"), repo.git("rev-parse", "HEAD")]).toEqual(["a\n", head]);
    expect(body.note).toMatch(/commits stay/);
    await back(body.checkpointId);
    expect([repo.text("a.txt"), repo.git("status", "--porcelain")]).toEqual(["b\n", ""]);
    expect((await post(hall, id, "revert")).body.run.delivery?.state).toBe("reverted");
    const [after, before] = await list();
    expect([before?.reason, before?.changed]).toEqual(["revert", [{ path: "a.txt", how: "changed" }]]);
    expect(after?.reason).toBe("reverted");
  });
});
