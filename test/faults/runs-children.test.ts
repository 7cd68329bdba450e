import { expect, it } from "vitest";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import {
  entriesOf,
  furnish,
  journalOf,
  listRuns,
  PROJECT,
  spawnBody,
  spawnRun,
  untilOver,
  writePlaybook,
} from "../harness/spawned-runs.ts";
import { workspaceWith } from "../harness/workspace-config.ts";

const ask = (role: string, title: string) => `{tool: spawn_subagent, input: {role: ${role}, title: ${title}}}`;

/** Asks for an agent of its own kind, as long as it is let. */
const DEEP = `turns:\n  - calls: [${ask("digger", "deeper")}]\n  - text: "Below: {{last.spawn_subagent}}"\n`;
const WIDE = `turns:\n  - calls: [${["a", "b", "c"].map((title) => ask("helper", title)).join(", ")}]\n  - text: Done.\n`;
const HELPER = "turns: [{text: Helped.}]\n";

async function hallWith(limits: string): Promise<Hall> {
  const hall = await furnish(await startHall(workspaceWith(`limits: {${limits}}\n`)), {
    deep: DEEP,
    wide: WIDE,
    helper: HELPER,
  });
  const digger = { id: "digger", name: "Digger", skills: ["spawn_subagent"], modelConfig: { model: "offline/deep" } };
  expect((await hall.call("POST", "/api/roles", digger)).status).toBe(201);
  return hall;
}

const answersTo = (hall: Hall, id: string) =>
  entriesOf(journalOf(hall.workspace, id), "result").map((result) => result.output);

it("no agent is started deeper than allowed, and whoever asks is told the limit", async () => {
  const hall = await hallWith("spawnDepth: 2");
  const id = await spawnRun(hall, "deep", "top");
  const run = await untilOver(hall, id);
  expect(run.result?.output).toBe("Below: Below: Below: No more agents can be started here: limits.spawnDepth is 2.");
  expect(await listRuns(hall)).toHaveLength(3);
});

it.each([
  ["one agent", "spawnsPerRun"],
  ["a whole tree", "spawnsPerTree"],
])("no more agents are started by %s than allowed", async (_of, limit) => {
  const hall = await hallWith(`${limit}: 2`);
  const id = await spawnRun(hall, "wide", "top");
  expect((await untilOver(hall, id)).status).toBe("completed");
  const answers = answersTo(hall, id);
  expect(answers.filter((output) => output === "Helped.")).toHaveLength(2);
  expect(answers.filter((output) => output.includes(`limits.${limit} is 2`))).toHaveLength(1);
});

it("an agent that asks for a role there is none of is told so and goes on", async () => {
  const hall = await furnish(await startHall(), {
    lost: `turns:\n  - calls: [${ask("nobody", "x")}]\n  - text: Then not.\n`,
  });
  const id = await spawnRun(hall, "lost", "top");
  expect(await untilOver(hall, id)).toMatchObject({ status: "completed", result: { output: "Then not." } });
  expect(answersTo(hall, id)[0]).toContain("nobody");
});

it("an agent whose child fails is told why, and what the child said last", async () => {
  const hall = await furnish(await startHall(), {
    ask: `turns:\n  - calls: [${ask("helper", "x")}]\n  - text: Then not.\n`,
    helper:
      "turns:\n  - text: I look.\n    calls: [{tool: read, input: {path: a}}]\n  - fail: {kind: refused, times: 9}\n",
  });
  const id = await spawnRun(hall, "ask", "top");
  expect((await untilOver(hall, id)).status).toBe("completed");
  expect(answersTo(hall, id)[0]).toMatch(/^The agent failed: The playbook makes .*refused.*I look\.$/s);
});

it("what an agent starts while it is being cancelled ends with it", async () => {
  const title = "Never answered";
  const calls = Array.from({ length: 8 }, () => ({ name: "spawn_subagent", input: { role: "boss", title } }));
  const { hall, provider, spawn } = await scriptedHall(({ text }) =>
    text.includes(title) ? { hang: true } : { calls },
  );
  await hall.call("POST", "/api/roles", { id: "boss", name: "Boss", skills: ["spawn_subagent"] });
  for (let times = 0; times < 3; times++) {
    const seen = provider.requests.length;
    const { sessionId } = (await spawn({ roleId: "boss" })).body;
    await provider.request(seen);
    const { body } = await hall.call("POST", `/api/runs/${sessionId}/stop`);
    expect(body.run.status).toBe("cancelled");
    await eventually(
      () => listRuns(hall),
      (runs) => runs.every((run) => run.status === "cancelled"),
    );
  }
});

it("a child works on its parent's task and leaves its closing, the artifact and the memory to the parent", async () => {
  const hall = await furnish(await startHall(), { wide: WIDE, helper: HELPER });
  const id = await spawnRun(hall, "wide", "top");
  await untilOver(hall, id);
  const runs = await listRuns(hall);
  expect(new Set(runs.map((run) => run.taskId))).toEqual(new Set(["TASK-001"]));
  const { artifacts } = (await hall.call("GET", `/api/projects/${PROJECT}/artifacts`)).body;
  expect(artifacts).toHaveLength(1);
  const { task } = (await hall.call("GET", `/api/projects/${PROJECT}/tasks/TASK-001`)).body;
  expect(task).toMatchObject({ status: "done", assignedSubAgentId: id });
});

it("what a child changed counts among what its parent changed", async () => {
  const hall = await furnish(await startHall(), {
    ask: `turns:\n  - calls: [${ask("helper", "x")}]\n  - text: Done.\n`,
    helper: "turns:\n  - calls: [{tool: write, input: {path: kid.txt, content: k}}]\n  - text: Written.\n",
  });
  const run = await untilOver(hall, await spawnRun(hall, "ask", "top"));
  expect(run.result?.filesChanged).toEqual(["kid.txt"]);
});

it("a run on the offline model has no part of it done by a model that costs money", async () => {
  const { hall, provider, spawn } = await scriptedHall([{ text: "That will be one dollar." }]);
  await hall.call("POST", "/api/projects/shop/team", { roleId: "coder" });
  writePlaybook(hall.workspace, "boss", `turns:\n  - calls: [${ask("coder", "x")}]\n  - text: Done.\n`);
  const overrides = { model: "offline/boss", skills: ["spawn_subagent"] };
  const { body } = await spawn({ overrides, options: { waitForCompletion: true } });
  expect(body).toMatchObject({ status: "completed" });
  expect((await listRuns(hall)).map((run) => run.model).sort()).toEqual(["offline/boss", "offline/rehearsal"]);
  expect(provider.requests).toEqual([]);
});

it("of two requests for one task at once, one is refused [S0-SPAWN-02]", async () => {
  const hall = await furnish(await startHall(), { helper: "turns:\n  - delayMs: 300\n    text: Helped.\n" });
  await hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "Wanted" });
  const body = { ...spawnBody("helper", "x"), taskId: "TASK-001" };
  const answers = await Promise.all([1, 2, 3].map(() => hall.call("POST", "/api/team/spawn", body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await listRuns(hall)).toHaveLength(1);
});

it("a run is retried as it was asked for, and a child only with its parent", async () => {
  const hall = await furnish(await startHall(), { wide: WIDE, helper: HELPER });
  const id = await spawnRun(hall, "wide", "top", { options: { createArtifact: false } });
  await untilOver(hall, id);
  const child = (await listRuns(hall)).find((run) => run.parentRunId === id);
  expect((await hall.call("POST", `/api/runs/${child?.id}/retry`)).body.error.code).toBe("illegal_move");
  const { status, body } = await hall.call("POST", `/api/runs/${id}/retry`);
  expect([status, body.taskId]).toEqual([200, "TASK-001"]);
  const again = await untilOver(hall, body.sessionId);
  expect(again).toMatchObject({
    status: "completed",
    model: "offline/wide",
    taskId: "TASK-001",
    result: { artifacts: [] },
  });
});
