import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { bookOf, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CrashingHall, JOURNAL } from "./crashing-hall.ts";

const LOOKS = JSON.stringify({
  turns: [
    { text: "First.", calls: [{ tool: "read", input: { path: "a.txt" } }] },
    { calls: [{ tool: "report", input: { summary: "It says {{last.read}}", verdict: "approve" } }] },
    { text: "Read." },
  ],
});

const points: [string, CrashPoint][] = [
  ["after its checkout is made", { victim: "daemon", file: "^git$", text: "^worktree add", when: "after" }],
  ["while it reads", { victim: "project", file: JOURNAL, text: '"text":"First\\."', when: "after" }],
  ["before its checkout is removed", { victim: "daemon", file: BOOK, text: '"type":"settled"', when: "after" }],
];

it("a review is given once, whatever is killed meanwhile, and what it is about waits on as it did", {
  timeout: 120_000,
}, async () => {
  const repo = repository({ "a.txt": "a\n" });
  const crashing = new CrashingHall(temporaryFolder());
  onTestFinished(() => crashing.end());
  const config = { constraints: { requireReview: true } };
  const playbooks = { play: writing({ "a.txt": "agent\n" }), looks: LOOKS };
  await hallOver(await crashing.start(), { root: repo.root, config, playbooks });
  await crashing.hall.call("POST", "/api/roles", { id: "reader", name: "Reader", skills: ["read"] });
  const id = await spawnRun(crashing.hall, "play", "Do it");
  await untilOver(crashing.hall, id);
  const taskOf = async () => (await crashing.hall.call("GET", `/api/projects/${PROJECT}/tasks/TASK-001`)).body.task;
  const before = await taskOf();
  expect(before).toMatchObject({ status: "review", assignedSubAgentId: id });
  for (const [when, point] of points) {
    crashing.arm(point);
    const onTask = { roleId: "reader", task: undefined, taskId: "TASK-001" };
    const review = await spawnRun(crashing.hall, "looks", "", onTask);
    await crashing.struck(point);
    const run = await untilOver(crashing.hall, review);
    expect(run, when).toMatchObject({ status: "completed", purpose: "review", reviewOf: id });
    expect(run.result?.output, when).toContain("agent");
    expect(bookOf(crashing.workspace, review).filter(({ type }) => type === "settled")).toHaveLength(1);
    expect(await taskOf(), when).toEqual(before);
    const left = () => readdirSync(join(crashing.workspace, ".guildhall/worktrees"));
    await expect.poll(left, { message: when }).toEqual([".scratch"]);
    expect(repo.git("worktree", "list").split("\n"), when).toHaveLength(1);
  }
  const { hash } = (await crashing.hall.call("GET", `/api/runs/${id}/diff`)).body;
  expect((await crashing.hall.call("POST", `/api/runs/${id}/approve`, { hash })).status).toBe(200);
  expect([(await taskOf()).status, repo.branches()]).toEqual(["done", ["main"]]);
});
