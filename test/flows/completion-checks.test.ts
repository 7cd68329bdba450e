import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type ScriptedHall, scriptedHall, taskOf } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";

let shop: ScriptedHall;
beforeAll(async () => {
  shop = await scriptedHall([], { later: afterAll, clients: { ci: CLIENT } });
});

const CLIENT = "client-token-0123456789abcdef0123456789abcdef";
const ADDRESSED = "not in your report";

async function addTask(acceptanceCriteria: string[], more: object = {}): Promise<string> {
  const { body } = await shop.hall.call("POST", "/api/projects/shop/tasks", {
    title: "Paint the door",
    acceptanceCriteria,
    ...more,
  });
  return body.task.id;
}

async function work(taskId: string, script: readonly Turn[]): Promise<SeenRequest[]> {
  const { provider, spawn } = shop;
  const before = provider.requests.length;
  provider.play(script);
  const { body } = await spawn({ task: undefined, taskId, options: { waitForCompletion: true } });
  expect(body).toMatchObject({ status: "completed" });
  return provider.requests.slice(before);
}

const report = (criteria?: object[]): Turn => ({
  calls: [{ name: "report", input: { summary: "Painted it green.", ...(criteria === undefined ? {} : { criteria }) } }],
});

it("tells a run once of criteria that it ignores, then ends it with them marked as not met, and fills the notes [S4-HOOK-07, S4-HOOK-08, S4-SCOPE-07]", async () => {
  const id = await addTask(["It is green", "It is dry"]);
  const seen = await work(id, [report(), { text: "Done." }, { text: "I have nothing to add." }]);
  expect(seen).toHaveLength(3);
  expect(seen[2]?.text).toContain(ADDRESSED);
  expect(seen[2]?.text).toContain("1. It is green");
  const task = await taskOf(shop.hall, id);
  expect(task).toMatchObject({ completionNotes: "Painted it green." });
  expect(task.acceptanceCriteria.map(({ done }: { done: boolean }) => done)).toEqual([false, false]);
});

it("checks the criteria that a run reports as met, and asks nothing more [S4-HOOK-08]", async () => {
  const id = await addTask(["It is green", "It is dry"]);
  const reported = [
    { criterion: 1, met: true },
    { criterion: 2, met: false, note: "The paint needs a day." },
  ];
  expect(await work(id, [report(reported), { text: "Done." }])).toHaveLength(2);
  const { acceptanceCriteria, assignedSubAgentId } = await taskOf(shop.hall, id);
  expect(acceptanceCriteria).toEqual([
    { text: "It is green", done: true },
    { text: "It is dry", done: false },
  ]);
  const { body } = await shop.hall.call("GET", `/api/runs/${assignedSubAgentId}`);
  expect(body.run.result?.criteria).toEqual(reported);
  const { plan } = (await shop.hall.call("GET", `/api/runs/${assignedSubAgentId}/prompt`)).body;
  expect(plan.criteriaTexts).toEqual(["It is green", "It is dry"]);
});

it("takes a second report together with the first [S4-HOOK-08]", async () => {
  const id = await addTask(["It is green", "It is dry"]);
  const seen = await work(id, [
    report([{ criterion: 1, met: true }]),
    { text: "Done." },
    report([{ criterion: 2, met: true }]),
    { text: "Now it is." },
  ]);
  expect(seen[2]?.text).toContain("2. It is dry");
  expect(seen[2]?.text).not.toContain("1. It is green");
  const { acceptanceCriteria } = await taskOf(shop.hall, id);
  expect(acceptanceCriteria.map(({ done }: { done: boolean }) => done)).toEqual([true, true]);
});

it("keeps the completion notes that a person wrote [S4-HOOK-07]", async () => {
  const id = await addTask([], { completionNotes: "Ask the neighbor." });
  expect(await work(id, [report(), { text: "Done." }])).toHaveLength(2);
  expect((await taskOf(shop.hall, id)).completionNotes).toBe("Ask the neighbor.");
});

it("leaves a run alone when the check is switched off", async () => {
  const path = "/api/hooks/criteria-addressed";
  expect((await shop.hall.call("PUT", path, { enabled: false })).status).toBe(200);
  expect((await shop.hall.call("PUT", "/api/hooks/completion-notes", { enabled: false })).status).toBe(200);
  const id = await addTask(["It is green"]);
  expect(await work(id, [report(), { text: "Done." }])).toHaveLength(2);
  expect((await taskOf(shop.hall, id)).completionNotes).toBeUndefined();
  for (const name of ["criteria-addressed", "completion-notes"])
    await shop.hall.call("PUT", `/api/hooks/${name}`, { enabled: true });
});

it("tells a client once which criteria are not checked, and a person not at all [S4-HOOK-08]", async () => {
  const { hall } = shop;
  const ids = [await addTask(["It is green"]), await addTask(["It is green"])];
  for (const id of ids) await hall.call("POST", `/api/projects/shop/tasks/${id}/move`, { status: "in-progress" });
  const finish = (id: string, headers?: Record<string, string>) =>
    hall.call("POST", `/api/projects/shop/tasks/${id}/move`, { status: "done" }, headers);
  const headers = { authorization: `Bearer ${CLIENT}` };
  const [first = "", second = ""] = ids;
  const refused = await finish(first, headers);
  expect(refused).toMatchObject({ status: 409, body: { error: { code: "hook_refused" } } });
  expect(JSON.stringify(refused.body)).toContain("1. It is green");
  expect((await finish(first, headers)).status).toBe(200);
  expect((await finish(second)).status).toBe(200);
});

it("a hook of the person has the last word on results, and a run that it refuses fails", async () => {
  const asked: { round?: number; task_id?: string }[] = [];
  const door = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(JSON.parse(body));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ decision: "block", reason: "The tests do not pass." }));
    });
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void door.close());
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}/`;
  const hooks = [{ event: "TaskCompleted", name: "tests-pass", url }];
  const { hall, spawn } = await scriptedHall(({ results }) => (results.length > 0 ? { text: "Done." } : report()), {
    config: { hooks },
  });
  const { body } = await spawn({ options: { waitForCompletion: true } });
  expect(body).toMatchObject({ status: "failed", cause: "result_refused" });
  expect(body.error).toContain("The tests do not pass.");
  expect(asked.map(({ round }) => round)).toEqual([1, 2, 3]);
  const task = await taskOf(hall);
  expect(task.status).not.toBe("done");
  await hall.call("POST", "/api/projects/shop/tasks", { title: "By hand", status: "in-progress" });
  const byHand = await hall.call("POST", "/api/projects/shop/tasks/TASK-002/move", { status: "done" });
  expect(byHand).toMatchObject({ status: 409, body: { error: { code: "hook_refused" } } });
});
