import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Escalation } from "../../src/contract/documents/escalation.ts";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { eventually } from "../harness/daemon.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { entriesOf, furnish, journalOf, PROJECT } from "../harness/spawned-runs.ts";
import { ASKING } from "./asking-playbooks.ts";
import type { CrashPoint } from "./crash-point.ts";
import { BOOK, CHANGES, CrashingHall, JOURNAL } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

const CYCLES = Math.min(100, Number(process.env.GUILDHALL_FAULT_CYCLES ?? 2));

/** The task's title is its id. `waits` stays with the answer; `goes` is over by then. */
type Way = keyof typeof ASKING;

const after = "after" as const;
const before = "before" as const;
interface Step extends Omit<CrashPoint, "victim"> {
  name: string;
  way?: Way;
}
const both = (name: string, point: Omit<CrashPoint, "victim" | "when">, way?: Way): Step[] =>
  [before, after].map((when) => ({ name: `${when} ${name}`, ...point, when, ...(way === undefined ? {} : { way }) }));
const steps: Step[] = [
  ...both("the question is recorded", { file: CHANGES, text: "escalation\\.created" }),
  ...both("its file", { file: "/escalations/draft/esc-" }),
  ...both("the task is blocked", { file: CHANGES, text: "task\\.moved.*blocked by esc-" }),
  ...both("the run waits", { file: BOOK, text: '"type":"waiting"' }),
  ...both("it is promoted", { file: CHANGES, text: "escalation\\.promoted" }),
  ...both("its file is pending", { file: "/escalations/pending/esc-" }),
  ...both("it is answered", { file: CHANGES, text: "escalation\\.resolved" }),
  ...both("its file is resolved", { file: "/escalations/resolved/esc-" }),
  ...both("the task is freed", { file: CHANGES, text: "task\\.moved.*answered" }),
  ...both("the run continues", { file: BOOK, text: '"type":"resumed"' }),
  ...both("the result of the call", { file: JOURNAL, text: '"result".*Answer \\(person\\)' }),
  ...both("the delivery is recorded", { file: CHANGES, text: "escalation\\.delivered" }),
  ...both("the follow-up run has an id", { file: CHANGES, text: "escalation\\.updated.*followUpRunId" }, "goes"),
  ...both("the follow-up run is created", { file: CHANGES, text: "## Answers.*run\\.created" }, "goes"),
  ...both("its delivery is recorded", { file: CHANGES, text: "escalation\\.delivered" }, "goes"),
  ...both("the answer is a statement", { file: "/knowledge/decisions\\.md$" }),
];

const folder = mkdtempSync(join(tmpdir(), "guildhall-test-"));
const crashing = new CrashingHall(folder);
let tasks = 0;
/** Fewer than the questions that a project may ask within an hour. */
const TASKS_A_PROJECT = 20;

interface AskingTask {
  id: string;
  projectId: string;
}

beforeAll(async () => {
  const hall = await crashing.start();
  await furnish(hall, ASKING);
  // Readers need no turn in the folder.
  await hall.call("POST", "/api/roles", { id: "asker", name: "Asker", skills: ["read"] });
});

afterAll(async () => {
  await crashing.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Whatever it asks is asked again while the daemon is being killed and started. */
function patiently<Result>(ask: () => Promise<Result>, isWanted: (result: Result) => boolean): Promise<Result> {
  const tried = async () => ask().catch(() => undefined);
  return eventually(tried, (result) => result !== undefined && isWanted(result), 60_000) as Promise<Result>;
}

async function newTask(): Promise<AskingTask> {
  const number = tasks % TASKS_A_PROJECT;
  const projectId = `${PROJECT}-${Math.floor(tasks / TASKS_A_PROJECT)}`;
  tasks += 1;
  const { hall } = crashing;
  if (number === 0) {
    const made = await hall.call("POST", "/api/projects", { id: projectId, name: projectId });
    expect(made.status).toBe(201);
  }
  const id = `TASK-${String(number + 1).padStart(3, "0")}`;
  const made = await hall.call("POST", `/api/projects/${projectId}/tasks`, { title: id });
  expect(made.body.task.id).toBe(id);
  return { id, projectId };
}

/** Sent again under its key until there is a response. */
async function spawn({ id, projectId }: AskingTask, way: Way): Promise<string> {
  const overrides = { model: `offline/${way}` };
  const body = { projectId, roleId: "asker", taskId: id, purpose: "work", overrides };
  const { body: spawned } = await patiently(
    () => crashing.hall.call("POST", "/api/team/spawn", body, { "idempotency-key": `spawn-${projectId}-${id}` }),
    ({ status }) => status === 200,
  );
  return spawned.sessionId;
}

async function questionsOf({ id, projectId }: AskingTask): Promise<Escalation[]> {
  const path = `/api/escalations?limit=1000&snoozed=true&project=${projectId}` as const;
  const { escalations } = (await crashing.hall.call("GET", path)).body;
  return escalations.filter(({ question }) => question === `Which color for ${id}?`);
}

async function answer(task: AskingTask): Promise<void> {
  const [found] = await patiently(
    () => questionsOf(task),
    ([one]) => one !== undefined && one.status !== "draft",
  );
  await patiently(
    () =>
      crashing.hall.call(
        "POST",
        `/api/escalations/${found?.id}/resolve`,
        { resolution: `Blue for ${task.id}` },
        { "idempotency-key": `answer-${task.projectId}-${task.id}` },
      ),
    ({ status }) => status === 200 || status === 409,
  );
}

/** Nothing is lost, nothing is delivered twice, and nothing stays blocked. */
async function assertOnce(task: AskingTask, runId: string): Promise<void> {
  const { id, projectId } = task;
  const [escalation] = await patiently(
    () => questionsOf(task),
    ([one]) => one?.status === "resolved" && one.askers.every(({ deliveredAt }) => deliveredAt !== undefined),
  );
  expect(await questionsOf(task)).toHaveLength(1);
  expect(escalation).toMatchObject({ resolution: `Blue for ${id}`, outcome: "answered" });
  const { runs } = await patiently(
    async () => (await crashing.hall.call("GET", `/api/runs?limit=500&project=${projectId}&task=${id}`)).body,
    (list) => list.runs.every(isOver),
  );
  const told = runs.flatMap((run) => toldIn(run.id, task));
  expect(told, `${projectId} ${id}: ${runs.map((run) => run.id).join(", ")} after ${runId}`).toHaveLength(1);
  const { status, escalations } = await patiently(
    async () => (await crashing.hall.call("GET", `/api/projects/${projectId}/tasks/${id}`)).body.task,
    (shown) => shown.status === "done",
  );
  expect([status, escalations]).toEqual(["done", undefined]);
}

/** Where the answer reached a model: as a result of the call, as a message, or in a prompt. */
function toldIn(runId: string, { id, projectId }: AskingTask): string[] {
  const journal = journalOf(crashing.workspace, runId, projectId);
  const words = [
    ...entriesOf(journal, "result").map(({ output }) => output),
    ...entriesOf(journal, "message").map(({ text }) => text),
    ...entriesOf(journal, "plan").map(({ plan }) => plan.prompt),
  ];
  return words.filter((text) => text.includes(`: Blue for ${id}`) && text.includes("Answer (person)"));
}

it.each(sampled(steps, { every: 8, from: 1 }))(
  "SIGKILL $name: asked once, answered once, delivered once",
  { timeout: 120_000 },
  async ({ name: _, way = "waits", ...at }) => {
    const point: CrashPoint = { ...at, victim: "daemon" };
    const task = await newTask();
    crashing.arm(point);
    const struck = crashing.struck(point);
    const runId = await spawn(task, way);
    await answer(task);
    await struck;
    await assertOnce(task, runId);
  },
);

it("SIGKILL at random moments loses no question and no answer, and delivers none twice", {
  timeout: 30_000 + CYCLES * 60_000,
}, async () => {
  const random = numbersFrom(16);
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const asked = [await newTask(), await newTask(), await newTask()];
    const work = asked.map(async (task, at) => {
      const runId = await spawn(task, at === 1 ? "goes" : "waits");
      await answer(task);
      return { task, runId };
    });
    await new Promise((resolve) => setTimeout(resolve, random() * 900));
    await crashing.killAndStart();
    for (const { task, runId } of await Promise.all(work)) await assertOnce(task, runId);
  }
});
