import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../harness/daemon.ts";
import { held, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { untilOver } from "../harness/spawned-runs.ts";

let shop: ScriptedHall;
beforeAll(async () => {
  shop = await scriptedHall([], { later: afterAll });
});

const REMINDED = "Before you finish:";
const switches = () => join(shop.hall.workspace, "policies/hooks.yml");
const reminded = (seen: readonly SeenRequest[]) =>
  seen.filter(({ text }) => text.includes(REMINDED)).map(({ text }) => text);

async function addTask(more: object = {}): Promise<string> {
  const body = { title: "Paint the door", ...more };
  return (await shop.hall.call("POST", "/api/projects/shop/tasks", body)).body.task.id;
}

/** What the agent was asked and what it answered, when it makes these calls first. */
async function turn(calls: { name: string; input: object }[], more: readonly Turn[] = []) {
  const { hall, provider } = shop;
  const before = provider.requests.length;
  provider.play([{ calls }, { text: "Done." }, ...more, { text: "Now it is done." }]);
  const { body } = await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Go on." });
  const answers = body.answers.map(({ text }) => text);
  return { answers, seen: provider.requests.slice(before) };
}

const cancel = (id: string) => shop.hall.call("POST", `/api/projects/shop/tasks/${id}/move`, { status: "cancelled" });
const call = (name: string, input: object) => ({ name, input });
const done = (id: string, more: object = {}) => call("task_complete", { id, summary: "Painted it green.", ...more });
const saved = call("memory_write", { path: "facts/paint.md", content: "The green paint dries in a day." });

beforeEach(() => rmSync(switches(), { force: true }));

describe("a project's agent that ends its turn", () => {
  it("is told once which task it left in progress without a run [S4-HOOK-01, S4-GOAL-08, S4-SCOPE-07]", async () => {
    const id = await addTask();
    const { answers, seen } = await turn([call("task_update", { id, status: "in-progress" })]);
    expect(answers).toEqual(["Now it is done."]);
    expect(seen).toHaveLength(3);
    expect(reminded(seen)).toEqual([expect.stringContaining(`${id} is in progress, but no run is working on it.`)]);
    await cancel(id);
  });

  it("is not told what was switched off", async () => {
    const id = await addTask();
    mkdirSync(join(shop.hall.workspace, "policies"), { recursive: true });
    writeFileSync(switches(), "enabled:\n  tasks-updated: false\n");
    const { answers, seen } = await turn([call("task_update", { id, status: "in-progress" })]);
    expect(answers).toEqual(["Done."]);
    expect(reminded(seen)).toEqual([]);
    await cancel(id);
  });

  it("is told that finished work left nothing in its knowledge or memory, and not when it did [S4-HOOK-04, S4-KN-06]", async () => {
    const first = await turn([done(await addTask())]);
    expect(reminded(first.seen)).toEqual([expect.stringContaining("nothing was saved to knowledge or memory")]);
    const second = await turn([done(await addTask()), saved]);
    expect(second.answers).toEqual(["Done."]);
    expect(reminded(second.seen)).toEqual([]);
  });

  it("is told of what a result left undone, of an old plan, and of a blocked task without a question [S4-HOOK-02, S4-HOOK-03, S4-HOOK-06]", async () => {
    const plan = { plan: "new-door" };
    const half = await addTask({ ...plan, acceptanceCriteria: ["It is green", "It is dry"] });
    const stuck = await addTask();
    expect((await turn([call("task_list", {})])).answers).toEqual(["Done."]);
    const criteria = [
      { criterion: 1, met: true },
      { criterion: 2, met: false },
    ];
    const { seen } = await turn([
      done(half, { criteria }),
      call("task_update", { id: stuck, status: "blocked" }),
      saved,
    ]);
    const [text = ""] = reminded(seen);
    expect(text).toContain(`${half} has 1 acceptance criterion not met, and no task covers the rest.`);
    expect(text).toContain(`${half} changed, but the plan of 'new-door' did not.`);
    expect(text).toContain(`${stuck} is blocked, but no open question says why.`);
    await cancel(stuck);
  });

  it("is told that nobody hears of its work when it answers nothing [S4-HOOK-05]", async () => {
    const { hall, provider } = shop;
    const before = provider.requests.length;
    provider.play([{ calls: [call("task_create", { title: "Paint the roof" })] }, { text: "" }, { text: "A task." }]);
    const { body } = await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Go on." });
    expect(body.answers.map(({ text }) => text)).toEqual(["A task."]);
    expect(reminded(provider.requests.slice(before))).toEqual([expect.stringContaining("Your answer is empty.")]);
  });
});

it("an agent that completes a task without a word on its criteria is refused once [S4-HOOK-08]", async () => {
  const id = await addTask({ acceptanceCriteria: ["It is green"] });
  const { hall, provider } = shop;
  const before = provider.requests.length;
  provider.play([{ calls: [done(id)] }, { calls: [done(id), saved] }, { text: "Done." }, { text: "Done." }]);
  await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Go on." });
  const [, second, third] = provider.requests.slice(before);
  expect(second?.results[0]?.output).toContain("1. It is green");
  expect(third?.results[0]?.output).toBe(`${id} is done.`);
  const { task } = (await hall.call("GET", `/api/projects/shop/tasks/${id}`)).body;
  expect(task).toMatchObject({ status: "done", completionNotes: "Painted it green." });
  expect(task.acceptanceCriteria).toEqual([{ text: "It is green", done: false }]);
});

it("what agents left open is listed when the daemon is stopped, and prevents nothing [S4-HOOK-09, S4-HOOK-10, S4-HOOK-11, S4-SCOPE-07]", async () => {
  const run = held();
  const { hall, provider } = await scriptedHall(async ({ text, tools, turns }) => {
    // The reviewer of the question takes its time, and so does the answer to the second message.
    if (tools.includes("decide") || text.includes("Anything else?")) return { hang: true };
    if (tools.includes("report")) await run.opened;
    if (tools.includes("report") || turns > 0) return { text: "Noted." };
    return {
      calls: [
        call("task_update", { id: "TASK-001", status: "in-progress" }),
        call("spawn_subagent", { role: "coder", title: "Paint the roof" }),
        call("escalate", { type: "question", question: "Are prices in euros?" }),
      ],
    };
  });
  await hall.call("POST", "/api/projects/shop/team", { roleId: "coder" });
  await hall.call("POST", "/api/knowledge", { text: "Prices are in euros.", topic: "conventions", project: "shop" });
  await hall.call("POST", "/api/projects/shop/tasks", { title: "Paint the door" });
  await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Go on." });
  await hall.call("POST", "/api/projects/shop/messages", { text: "Anything else?" });
  await eventually(
    async () => provider.requests.some(({ text }) => text.includes("Anything else?")),
    (isAsked) => isAsked,
  );
  run.open();
  const { runs } = (await hall.call("GET", "/api/runs")).body;
  const [{ id } = { id: "" }] = runs;
  await untilOver(hall, id);
  const resumed = { status: "active" };
  const moved = await hall.call("POST", "/api/projects/shop/move", { status: "suspended" });
  expect((await hall.call("POST", "/api/projects/shop/move", resumed)).body).not.toHaveProperty("open");
  const { status, body } = await hall.call("POST", "/api/shutdown");
  expect(status).toBe(200);
  expect([moved.status, moved.body.open]).toEqual([200, body.open]);
  expect(body.open).toEqual([
    { code: "draft_question", projectId: "shop", text: expect.stringContaining("esc-001 is a draft") },
    { code: "task_without_run", projectId: "shop", text: expect.stringContaining("TASK-001 is in progress") },
    { code: "unread_result", projectId: "shop", text: expect.stringContaining(id) },
  ]);
});
