import { describe, expect, it } from "vitest";
import { eventually, startHall } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { listRuns, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const PACKAGE = JSON.stringify({ type: "module", scripts: { test: "node --test" } });
const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "./sum.js";
test("adds", () => assert.equal(sum(2, 3), 5));
`;
const WRONG = "export const sum = (a, b) => a - b;\n";
const RIGHT = "export const sum = (a, b) => a + b;\n";

const STAGES = ["architecture", "simplicity", "errors", "completeness"].map((name) => ({
  name,
  score: 95,
  findings: [],
}));

const playbooks = {
  judge: JSON.stringify({
    tool: "submit_review",
    turns: [{ calls: [{ tool: "submit_review", input: { stages: STAGES, integrated: true } }] }, { text: "Reviewed." }],
  }),
  wrong: writing({ "sum.js": WRONG }),
  twice: writing({
    "twice.js": 'import { sum } from "./sum.js";\nexport const twice = (a) => sum(a, a);\n',
    "twice.test.js": TEST.replaceAll("sum", "twice").replace("twice(2, 3), 5", "twice(2), 4"),
  }),
  right: writing({ "sum.js": RIGHT, "more.test.js": TEST.replace("sum(2, 3), 5", "sum(1, 1), 2") }),
};
const config = {
  qualityGates: {
    appliesTo: "all",
    maxReviewCycles: 1,
    escalationModel: "offline/right",
    proof: "off",
  },
};

describe("work that is judged by the gates themselves", () => {
  it("fails its tests first, and is merged when the rework passes them [S1-RL-03] [S1-RL-04] [S1-RL-05] [S1-RL-06] [S1-MOD-05]", {
    timeout: 240_000,
  }, async () => {
    const repo = repository({
      "package.json": PACKAGE,
      "sum.test.js": TEST,
      "sum.js": "export const sum = () => 5;\n",
    });
    const hall = await hallOver(await startHall(), { root: repo.root, config, playbooks });
    const id = await spawnRun(hall, "wrong", "Make sum add", { task: { title: "Make sum add", type: "feature" } });
    const run = await untilOver(hall, id);
    expect(run.delivery).toMatchObject({ state: "review", reasonCode: "gate-running" });
    await eventually(
      async () => (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${run.taskId}`)).body.task,
      ({ status }) => status === "done",
      200_000,
    );
    const [next] = (await listRuns(hall)).filter((one) => one.id !== id && one.purpose === "work");
    const { gates } = (await hall.call("GET", `/api/runs/${next?.id}/gates`)).body;
    expect(gates.map(({ verdict, cycle, runId }) => [verdict, cycle, runId])).toEqual([
      ["fail", 1, id],
      ["pass", 2, next?.id],
    ]);
    expect((await runOf(hall, id)).delivery?.findings).toMatchObject([{ severity: expect.any(String) }]);
    expect(repo.text("sum.js")).toBe(RIGHT);
    const events = (await hall.call("GET", "/api/events/log?type=gate.finished")).body.events;
    expect(events.map(({ after }) => after?.verdict)).toEqual(["fail", "pass"]);
  });

  it("is judged again by its tests alone when its target moved, and is not merged with what it does not work with", {
    timeout: 240_000,
  }, async () => {
    const repo = repository({ "package.json": PACKAGE, "sum.test.js": TEST, "sum.js": RIGHT });
    const hall = await hallOver(await startHall(), { root: repo.root, config, playbooks });
    const id = await spawnRun(hall, "twice", "Add twice", { task: { title: "Add twice", type: "feature" } });
    await untilOver(hall, id);
    for (const [file, content] of Object.entries({ "sum.js": RIGHT, "sum.test.js": TEST }))
      repo.write(file, content.replaceAll("sum ", "add ").replaceAll("sum(", "add("));
    repo.git("commit", "--quiet", "-am", "Rename sum");
    const gates = await eventually(
      async () => (await hall.call("GET", `/api/runs/${id}/gates`)).body.gates,
      (found) => found.filter(({ state }) => state === "finished").length === 2,
      200_000,
    );
    const [alone, merged] = gates;
    expect(alone).toMatchObject({ verdict: "pass", cycle: 1 });
    expect(merged).toMatchObject({
      ...{ verdict: "fail", cycle: 1, head: alone?.head, onto: repo.git("rev-parse", "main") },
      base: repo.git("rev-parse", "main"),
    });
    expect(merged?.stages[1]).toMatchObject({ name: "tests", verdict: "fail" });
    expect(merged?.costUsd).toBe(0);
    expect((await listRuns(hall)).filter(({ purpose }) => purpose === "review")).toHaveLength(1);
    expect(repo.exists("twice.js")).toBe(false);
  });
});
