import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Escalation } from "../../src/contract/documents/escalation.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { answerRun, pendingOf } from "../harness/escalating.ts";
import { entriesOf, furnish, journalOf, listRuns, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const asks = (input: object, rest = '  - text: "{{last.escalate}}"') => `
turns:
  - calls: [{tool: escalate, input: ${JSON.stringify({ type: "decision", ...input })}}]
${rest}
`;
const STORES = {
  question: "Redis or Memcached for {{title}}?",
  context: "Tokens need a blacklist.",
  suggestedAnswers: [{ label: "Redis", description: "Survives a restart" }, { label: "Memcached" }],
  priority: "high",
};
const playbooks = {
  // Its task's id is in the prompt; the tests give it.
  waits: asks({ ...STORES, blocksTask: "{{task}}" }),
  both: asks({ type: "blocker", question: "What is the staging key?", blocksTask: "{{title}}" }),
  goes: asks({ question: "Which color?" }, "  - text: Done for now."),
  long: asks({ type: "question", question: "Which font?" }, "  - {delayMs: 600000, text: Too late.}"),
  floods: `turns:
  - calls: [${Array.from({ length: 12 }, (_, at) => `{tool: escalate, input: {type: question, question: "What is ${at}?"}}`).join(", ")}]
  - text: Asked.
`,
  holds: asks({ question: "Go on with the plan?", blocksInitiative: true }, "  - text: Asked."),
};

let hall: Hall;
let tasks = 0;
beforeAll(async () => {
  const cleanups: (() => unknown)[] = [];
  hall = await startHall(undefined, { later: (clean) => cleanups.push(clean) });
  await furnish(hall, playbooks);
  // Readers need no turn in the folder.
  await hall.call("POST", "/api/roles", { id: "asker", name: "Asker", skills: ["read"] });
  return async () => {
    for (const clean of cleanups.reverse()) await clean();
  };
});

/** A run on a new task, whose title is its id. */
async function begin(playbook: string, more: object = {}): Promise<{ id: string; task: string }> {
  tasks += 1;
  const task = `TASK-${String(tasks).padStart(3, "0")}`;
  return { id: await spawnRun(hall, playbook, task, { roleId: "asker", ...more }), task };
}
const taskOf = async (id: string) => (await hall.call("GET", `/api/projects/shop/tasks/${id}`)).body.task;
const escalationOf = async (id: string): Promise<Escalation> =>
  (await hall.call("GET", `/api/escalations/${id}`)).body.escalation;
const untilDelivered = (id: string) =>
  eventually(
    () => escalationOf(id),
    ({ askers }) => askers.every(({ deliveredAt }) => deliveredAt !== undefined),
  );
const untilFollowed = (task: string) =>
  eventually(
    async () => (await listRuns(hall)).filter(({ taskId }) => taskId === task),
    ({ length }) => length === 2,
  );

describe("a question that blocks its task", () => {
  it("goes up to the person with every step, blocks the task by name, and frees it with the answer [S4-ESC-07 S4-ESC-08 S4-ESC-09 S4-GOAL-02 S4-GOAL-03]", async () => {
    const { id, task } = await begin("waits");
    const asked = await pendingOf(hall, id);
    expect(asked).toMatchObject({
      ...{
        type: "decision",
        question: `Redis or Memcached for ${task}?`,
        priority: "high",
        blocksTask: task,
        projectId: "shop",
      },
      escalatedBy: `run:${id}`,
      escalationPath: [`run:${id}`, "project:shop", "main", "person"],
      suggestedAnswers: [{ label: "Redis" }, { label: "Memcached" }],
    });
    expect(asked.history.map(({ by, action }) => `${by} ${action}`)).toEqual([
      `run:${id} asked`,
      "project:shop passed",
      "main passed",
      "main promoted",
    ]);
    expect(await taskOf(task)).toMatchObject({ status: "blocked", escalations: [asked.id], ready: false });
    const file = readFileSync(join(hall.workspace, `projects/shop/TASKS/todo/${task}.md`), "utf8");
    expect(file).toContain(`escalations: [${asked.id}]`);
    const { cards } = (await hall.call("GET", "/api/projects/shop/cards")).body;
    expect(cards.find((card) => card.id === task)).toMatchObject({ status: "blocked", escalations: [asked.id] });
    const refused = await hall.call("POST", "/api/team/spawn", { projectId: "shop", roleId: "worker", taskId: task });
    expect(refused.status).toBe(409);

    const before = performance.now();
    const answered = await hall.call("POST", `/api/escalations/${asked.id}/resolve`, { answer: "redis" });
    expect(answered.body.escalation).toMatchObject({
      ...{ status: "resolved", outcome: "answered", answer: "Redis", resolution: "Redis: Survives a restart" },
      ...{ resolvedBy: "person", scope: "project" },
    });
    expect(["in-progress", "done"]).toContain((await taskOf(task)).status);
    expect((await untilOver(hall, id)).result?.output).toBe(
      `${asked.id}: Redis or Memcached for ${task}?\nAnswer (person): Redis: Survives a restart`,
    );
    expect(performance.now() - before).toBeLessThan(5_000);
    const freed = await eventually(
      () => taskOf(task),
      ({ status }) => status === "done",
    );
    expect(freed).not.toHaveProperty("escalations");
    expect((await untilDelivered(asked.id)).askers).toMatchObject([{ id, deliveredAt: expect.any(String) }]);
  });

  it("reaches every agent that asked the same [S4-ESC-02 S4-ESC-16]", async () => {
    const one = await begin("both");
    const first = await pendingOf(hall, one.id);
    const two = await begin("both");
    const both = await eventually(
      () => escalationOf(first.id),
      ({ askers }) => askers.length === 2,
    );
    expect(both.askers.map(({ id, taskId }) => [id, taskId])).toEqual([
      [one.id, one.task],
      [two.id, two.task],
    ]);
    // The task follows its question a moment later.
    const blocked = await eventually(
      () => taskOf(two.task),
      ({ escalations }) => escalations !== undefined,
    );
    expect(blocked.escalations).toEqual([first.id]);
    expect(await answerRun(hall, one.id, "It is 4711")).toBe(200);
    for (const { id } of [one, two]) expect((await untilOver(hall, id)).result?.output).toContain("It is 4711");
    await untilDelivered(first.id);
  });

  it("tells a dismissal from a refusal", async () => {
    const { id } = await begin("waits");
    const asked = await pendingOf(hall, id);
    const dismissed = await hall.call("POST", `/api/escalations/${asked.id}/dismiss`, { reason: "Not now." });
    expect(dismissed.body.escalation).toMatchObject({ outcome: "dismissed", answer: null });
    expect((await untilOver(hall, id)).result?.output).toContain("Dismissed without an answer: Not now.");
  });

  it("lets its run continue when its file is deleted, and frees the task", async () => {
    const { id, task } = await begin("waits");
    const asked = await pendingOf(hall, id);
    rmSync(join(hall.workspace, asked.path ?? ""));
    expect((await untilOver(hall, id)).result?.output).toContain("Withdrawn: The file of this question was deleted.");
    const freed = await eventually(
      () => taskOf(task),
      ({ status }) => status === "done",
    );
    expect(freed).not.toHaveProperty("escalations");
  });

  it("is answered by an edit of its file", async () => {
    const { id } = await begin("waits");
    const asked = await pendingOf(hall, id);
    const path = join(hall.workspace, asked.path ?? "");
    const text = readFileSync(path, "utf8");
    const edited = text.replace('"status": "pending"', '"status": "resolved"');
    writeFileSync(path, edited.replace('"resolution": null', '"resolution": "By file"'));
    expect((await untilOver(hall, id)).result?.output).toContain("Answer (person): By file");
  });

  it("is withdrawn with its task, and takes no answer then", async () => {
    const { id, task } = await begin("waits");
    const asked = await pendingOf(hall, id);
    await hall.call("POST", `/api/projects/shop/tasks/${task}/move`, { status: "cancelled" });
    await eventually(
      () => escalationOf(asked.id),
      ({ outcome }) => outcome === "withdrawn",
    );
    const late = await hall.call("POST", `/api/escalations/${asked.id}/resolve`, { answer: "Redis" });
    expect([late.status, late.body.error]).toMatchObject([
      409,
      { code: "escalation_resolved", message: `${asked.id} was withdrawn: ${task} was cancelled.` },
    ]);
    await hall.call("POST", `/api/runs/${id}/stop`);
  });
});

describe("a question that blocks nothing", () => {
  it("lets its agent continue, and a run that is over is followed by one with the answer, once [S4-ESC-12] [S4-ESC-15]", async () => {
    const { id, task } = await begin("goes");
    const over = await untilOver(hall, id);
    expect(over.result?.output).toBe("Done for now.");
    const asked = await pendingOf(hall, id);
    const [result] = entriesOf(journalOf(hall.workspace, id), "result");
    expect(result?.output).toBe(`Recorded as ${asked.id}. Continue with other work; the answer arrives as a message.`);
    expect((await taskOf(task)).status).toBe("done");

    expect(await answerRun(hall, id, "Blue, as the logo.")).toBe(200);
    const runs = await untilFollowed(task);
    const next = runs.find((run) => run.id !== id)?.id ?? "";
    await untilOver(hall, next);
    const delivered = await untilDelivered(asked.id);
    expect(delivered.askers).toMatchObject([{ id, followUpRunId: next }]);
    const [plan] = entriesOf(journalOf(hall.workspace, next), "plan");
    expect(plan?.plan.prompt).toContain(
      `## Answers\nAn earlier run of this task asked this and is over. Continue with the answer:\n\n${asked.id}: Which color?\nAnswer (person): Blue, as the logo.`,
    );
    expect(await listRuns(hall, `&task=${task}`)).toHaveLength(2);
  });

  it("reaches a running agent as a message in its next model request [S4-ESC-03]", async () => {
    const { id } = await begin("long");
    const asked = await pendingOf(hall, id);
    expect(await answerRun(hall, id, "Mono")).toBe(200);
    expect((await untilDelivered(asked.id)).askers[0]).not.toHaveProperty("followUpRunId");
    const book = readFileSync(join(hall.workspace, "projects/shop/runs/index.jsonl"), "utf8");
    expect(book.split("\n").filter((line) => line.includes('"message"') && line.includes(asked.id))).toHaveLength(1);
    await hall.call("POST", `/api/runs/${id}/stop`);
    await untilOver(hall, id);
  });

  it("can hold a whole initiative", async () => {
    const plan = { title: "Relaunch", slug: "relaunch" };
    expect((await hall.call("POST", "/api/projects/shop/initiatives", plan)).status).toBe(201);
    tasks += 1;
    const [waiting] = [`TASK-${String(tasks).padStart(3, "0")}`];
    await hall.call("POST", "/api/projects/shop/tasks", { title: "Later", plan: "relaunch" });
    tasks += 1;
    const asking = `TASK-${String(tasks).padStart(3, "0")}`;
    await hall.call("POST", "/api/projects/shop/tasks", { title: "First", plan: "relaunch" });
    const id = await spawnRun(hall, "holds", "First", { roleId: "asker", task: undefined, taskId: asking });
    const asked = await pendingOf(hall, id);
    expect(asked).toMatchObject({ initiative: "relaunch", blocksInitiative: true });
    await untilOver(hall, id);
    const ready = async () => (await hall.call("GET", "/api/projects/shop/tasks?ready=true&plan=relaunch")).body.tasks;
    expect([await ready(), (await taskOf(waiting ?? "")).ready]).toEqual([[], false]);
    // A question is withdrawn with its plan.
    rmSync(join(hall.workspace, "projects/shop/plans/relaunch"), { recursive: true });
    const gone = await eventually(
      () => escalationOf(asked.id),
      ({ status }) => status === "resolved",
    );
    expect(gone).toMatchObject({ outcome: "withdrawn", resolution: "Initiative 'relaunch' was removed." });
    expect((await ready()).map((task) => task.id)).toContain(waiting);
  });
});

describe("over the API", () => {
  const ask = (body: object, headers = {}) =>
    hall.call("POST", "/api/escalations", { type: "question", ...body }, headers);

  it("asks, snoozes, answers and takes an answer back while nothing acted on it [S4-SCOPE-04]", async () => {
    const asked = await ask({ question: "Should the login page support SSO?", projectId: "shop" });
    expect([asked.status, asked.body.outcome]).toEqual([201, "asked"]);
    const id = asked.body.escalation?.id ?? "";
    expect((await ask({ question: "should the login page support SSO", projectId: "shop" })).body).toMatchObject({
      outcome: "joined",
      escalation: { id },
    });
    await eventually(
      () => escalationOf(id),
      ({ status }) => status === "pending",
    );
    const past = await hall.call("POST", `/api/escalations/${id}/snooze`, { until: "2020-01-01T00:00:00Z" });
    expect(past.status).toBe(422);
    const until = "2099-01-01T00:00:00.000Z";
    const snoozed = await hall.call("POST", `/api/escalations/${id}/snooze`, { until });
    expect(snoozed.body.escalation.snoozedUntil).toBe(until);
    const wrong = await hall.call("POST", `/api/escalations/${id}/resolve`, { answer: "Fantasy" });
    expect([wrong.status, wrong.body.error?.message]).toEqual([
      422,
      "answer: It has no suggested answers. For any other answer, send resolution.",
    ]);
    const answered = await hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "Yes" });
    expect(answered.body.escalation.undoUntil).toBeDefined();
    const undone = await hall.call("POST", `/api/escalations/${id}/undo`, {});
    expect(undone.body.escalation).toMatchObject({ status: "pending", resolution: null });
    const always = await hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "No", always: true });
    expect(always.body.escalation.ruleId).toBe("rule-001");
    // The rule ends with the answer that it came from.
    const again = await hall.call("POST", `/api/escalations/${id}/undo`, {});
    expect(again.body.escalation).toMatchObject({ status: "pending", resolution: null });
    expect(again.body.escalation).not.toHaveProperty("ruleId");
    expect((await hall.call("GET", "/api/answer-rules")).body.rules).toEqual([]);
    expect((await hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "No" })).status).toBe(200);
  });

  it("refuses what it can't place, and lets no offline model decide", async () => {
    const refused = [
      await ask({ question: "A?", projectId: "nowhere" }),
      await ask({ question: "A?", projectId: "shop", blocksTask: "TASK-999" }),
      await ask({ question: "A?", blocksTask: "TASK-001" }),
      await hall.call("POST", "/api/escalations/esc-999/resolve", { resolution: "Yes" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 422, 422, 404]);
    const id = (await ask({ question: "Decide for me?" })).body.escalation?.id ?? "";
    const { needsMe } = (await hall.call("GET", "/api/now")).body;
    expect(needsMe.find((line) => line.id === id)?.detail).toBe("Asked over the API.");
    const handed = await hall.call("POST", `/api/escalations/${id}/hand`, {});
    expect([handed.status, handed.body.error?.message]).toEqual([
      409,
      `The main agent could not decide ${id}: The offline model can't decide.`,
    ]);
  });
});

it("caps what one agent may ask, with words, and reports it once", async () => {
  const { id } = await begin("floods");
  await untilOver(hall, id);
  const outputs = entriesOf(journalOf(hall.workspace, id), "result").map(({ output }) => output);
  expect(outputs.slice(0, 10).every((output) => output.startsWith("Recorded as"))).toBe(true);
  expect(outputs.slice(10)).toEqual([
    "You asked 10 questions within an hour, which is the limit.",
    "You asked 10 questions within an hour, which is the limit.",
  ]);
  const { problems } = (await hall.call("GET", "/api/problems")).body;
  expect(problems.filter(({ kind }) => kind === "escalation")).toMatchObject([
    { reason: `run:${id} asks too many questions; 2 were refused in the last hour`, projectId: "shop" },
  ]);
});
