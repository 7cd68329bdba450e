import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { branchOf, PROJECT, runOf, spawnRun, untilOver, writePlaybook } from "../harness/spawned-runs.ts";

const REVIEWED = { constraints: { requireReview: true } };

async function hallWith(config: object) {
  const repo = repository({ "a.txt": "a\n", "b.txt": "b\n" });
  const playbooks = { play: writing({ "a.txt": "agent\n" }), other: writing({ "b.txt": "other\n" }) };
  const setup = { config: { git: { authorName: "Pat 😀", authorEmail: "pat@example.org" } } };
  return { repo, hall: await hallOver(await startHall(undefined, setup), { root: repo.root, config, playbooks }) };
}

const play = async (hall: Hall, name = "play") => untilOver(hall, await spawnRun(hall, name, "Say it's $(done)"));
const diffOf = async (hall: Hall, id: string) => (await hall.call("GET", `/api/runs/${id}/diff`)).body;

describe("a result that is squashed", () => {
  it("is one commit with the title of its task and the configured author, and can be reverted", async () => {
    const { hall, repo } = await hallWith(REVIEWED);
    const first = repo.git("rev-parse", "main");
    const { id, taskId, delivery } = await play(hall);
    const shown = await diffOf(hall, id);
    const body = { hash: shown.hash, mergeMethod: "squash" };
    const approved = (await hall.call("POST", `/api/runs/${id}/approve`, body)).body.run;
    expect(approved.delivery).toMatchObject({ state: "delivered", squashed: shown.head });
    expect(repo.git("log", "--format=%P|%s|%an <%ae>", "-1", "main")).toBe(
      `${first}|${taskId}: Say it's $(done)|Pat 😀 <pat@example.org>`,
    );
    expect([repo.text("a.txt"), repo.branches(), repo.git("status", "--porcelain")]).toEqual(["agent\n", ["main"], ""]);
    // What it changed is shown when its branch is gone.
    expect(await diffOf(hall, id)).toMatchObject({ files: [{ path: "a.txt" }], diff: shown.diff });
    expect((await hall.call("POST", `/api/runs/${id}/revert`)).body.run.delivery?.state).toBe("reverted");
    expect([repo.text("a.txt"), repo.git("rev-list", "--count", `${first}..main`)]).toEqual(["a\n", "2"]);
    expect(branchOf({ delivery })?.target).toBe("main");
  });

  it("is so by a setting of its project, without a review too; the branch stays where the person wants it", async () => {
    const { hall, repo } = await hallWith({});
    const edit = await commandLine(["project", "edit", PROJECT, "--merge-method", "squash"], {
      workspace: hall.workspace,
    });
    expect(edit.code).toBe(0);
    await play(hall);
    expect(repo.git("log", "--merges", "--oneline", "main")).toBe("");
    expect(repo.git("rev-list", "--count", "main")).toBe("2");
    await hall.call("PUT", `/api/projects/${PROJECT}`, { config: REVIEWED });
    const { id, delivery } = await play(hall, "other");
    const { hash } = await diffOf(hall, id);
    const options = ["--hash", hash, "--merge-commit", "--keep-branch"];
    const done = await commandLine(["run", "approve", id, ...options], { workspace: hall.workspace });
    expect(done.stdout).toBe(`Approved ${id}: merged into main.\n`);
    expect(repo.git("log", "--merges", "--oneline", "main").split("\n")).toHaveLength(1);
    expect(repo.branches()).toEqual([branchOf({ delivery })?.name, "main"]);
    expect((await runOf(hall, id)).delivery).toMatchObject({ keepsBranch: true });
  });
});

it("a result that took two runs is reverted whole, and the checkpoint before that lists all its files", async () => {
  const { hall, repo } = await hallWith(REVIEWED);
  const { id } = await play(hall);
  writePlaybook(hall.workspace, "play", writing({ "b.txt": "second\n" }));
  const sent = await hall.call("POST", `/api/runs/${id}/request-changes`, { feedback: "The other one too." });
  const next = (await untilOver(hall, sent.body.sessionId)).id;
  const { hash } = await diffOf(hall, next);
  const approved = await hall.call("POST", `/api/runs/${next}/approve`, { hash, mergeMethod: "squash" });
  expect(approved.status).toBe(200);
  expect([repo.text("a.txt"), repo.text("b.txt")]).toEqual(["agent\n", "second\n"]);
  expect((await hall.call("POST", `/api/runs/${next}/revert`)).status).toBe(200);
  expect([repo.text("a.txt"), repo.text("b.txt")]).toEqual(["a\n", "b\n"]);
  const { checkpoints } = (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body;
  const changedAt = (reason: string) =>
    checkpoints.find((each) => each.reason === reason)?.changed.map(({ path }) => path);
  expect([changedAt("merge"), changedAt("revert")]).toEqual([
    ["a.txt", "b.txt"],
    ["a.txt", "b.txt"],
  ]);
});

describe("a result in a repository with a remote", () => {
  it("comes with the commands for a pull request, and after the merge with the one that pushes it", async () => {
    const { hall, repo } = await hallWith(REVIEWED);
    const { id, taskId, delivery } = await play(hall);
    const { workspace } = hall;
    expect((await commandLine(["run", "diff", id], { workspace })).stdout).not.toContain("git push");
    repo.git("remote", "add", "origin", "git@example.org:a/b.git");
    const name = branchOf({ delivery })?.name;
    const { stdout } = await commandLine(["run", "diff", id], { workspace });
    expect(stdout).toContain(`git push -u origin ${name}\n`);
    expect(stdout).toContain(`--head ${name} --title '${taskId}: Say it'\\''s $(done)' --body ''\n`);
    const { hash } = await diffOf(hall, id);
    const approved = await commandLine(["run", "approve", id, "--hash", hash], { workspace });
    expect(approved.stdout).toBe(`Approved ${id}: merged into main.\nPush with: git push origin main\n`);
    expect((await commandLine(["run", "diff", id], { workspace })).stdout).toContain("git push origin main\n");
  });
});
