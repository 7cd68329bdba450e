import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Gatekeeper, JudgedResult } from "../../src/runs/results/gatekeeper.ts";
import type { Judgement } from "../../src/runs/results/lifecycle-events.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { branchOf, furnish, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const FINDING = { severity: "high", file: "a.txt", line: 1, message: "A test fails." } as const;
const FAIL: Judgement = { is: "fail", findings: [FINDING] };
const playbooks = { play: writing({ "a.txt": "agent\n" }) };

/** Gates that say what they are told to, and remember what they were asked. */
function gates(judge: () => Judgement): Gatekeeper & { asked: JudgedResult[] } {
  const asked: JudgedResult[] = [];
  return {
    asked,
    judge: async (_run, result) => {
      asked.push(result);
      return judge();
    },
    passed: () => undefined,
    judgeAgain: async () => {
      throw new Error("not asked for");
    },
  };
}

const finished = async (hall: Hall) => {
  const id = await spawnRun(hall, "play", "Do it");
  await untilOver(hall, id);
  return runOf(hall, id);
};
const taskOf = async (hall: Hall, id: string) =>
  (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${id}`)).body.task.status;

describe("gates between a result that is handed in and one that counts", () => {
  it("keep a completed run from being merged when they fail, until a person approves it", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const keeper = gates(() => FAIL);
    const hall = await hallOver(await startHall(undefined, { gates: keeper }), { root: repo.root, playbooks });
    const run = await finished(hall);
    expect(run).toMatchObject({
      status: "completed",
      delivery: { kind: "branch", state: "review", reasonCode: "gate-failed", findings: [FINDING], files: 1 },
    });
    expect(await taskOf(hall, run.taskId)).toBe("review");
    expect(repo.text("a.txt")).toBe("a\n");
    const head = repo.git("rev-parse", branchOf(run)?.name ?? "");
    expect(keeper.asked).toEqual([
      { kind: "branch", repository: expect.any(String), base: repo.git("rev-parse", "main"), head, files: ["a.txt"] },
    ]);
    const { hash } = (await hall.call("GET", `/api/runs/${run.id}/diff`)).body;
    expect((await hall.call("POST", `/api/runs/${run.id}/approve`, { hash })).status).toBe(200);
    expect(repo.text("a.txt")).toBe("agent\n");
  });

  it.each<[name: string, judge: () => Judgement, expected: object]>([
    [
      "cannot judge it",
      () => ({ is: "unable", reason: "no compiler" }),
      { state: "review", reasonCode: "gate-unable" },
    ],
    [
      "break",
      () => {
        throw new Error("defect");
      },
      { state: "review", reasonCode: "gate-unable" },
    ],
    ["pass it", () => ({ is: "pass" }), { state: "delivered" }],
  ])("leave it as they should when they %s", async (_name, judge, expected) => {
    const repo = repository({ "a.txt": "a\n" });
    const keeper = gates(judge);
    const hall = await hallOver(await startHall(undefined, { gates: keeper }), { root: repo.root, playbooks });
    expect((await finished(hall)).delivery).toMatchObject(expected);
    expect(keeper.asked).toHaveLength(1);
  });

  it("judge results in a folder without git as well, which then wait for review", async () => {
    const workdir = temporaryFolder();
    const keeper = gates(() => FAIL);
    const hall = await furnish(await startHall(undefined, { gates: keeper }), playbooks);
    await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir });
    const run = await finished(hall);
    expect(run.delivery).toMatchObject({ state: "review", reasonCode: "gate-failed", findings: [FINDING], files: 1 });
    expect(await taskOf(hall, run.taskId)).toBe("review");
    expect(readFileSync(join(workdir, "a.txt"), "utf8")).toBe("agent\n");
    expect(keeper.asked).toMatchObject([{ kind: "folder" }]);
  });

  it("are not asked about a run that failed", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const keeper = gates(() => ({ is: "pass" }));
    const write = { tool: "write", input: { path: "a.txt", content: "x\n" } };
    const failing = { play: JSON.stringify({ turns: [{ calls: [write] }, { fail: { kind: "refused" } }] }) };
    const hall = await hallOver(await startHall(undefined, { gates: keeper }), { root: repo.root, playbooks: failing });
    expect(await finished(hall)).toMatchObject({ status: "failed", delivery: { kind: "branch", state: "kept" } });
    expect(keeper.asked).toEqual([]);
  });
});
