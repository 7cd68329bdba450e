import { afterAll, beforeAll, expect, it } from "vitest";
import { type ScriptedHall, scriptedHall, taskOf } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";

let shop: ScriptedHall;
beforeAll(async () => {
  shop = await scriptedHall([], { later: afterAll });
});

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

it("tells a run once of criteria that it ignores, then ends it with them marked as not met, and fills the notes [S4-HOOK-07, S4-HOOK-08]", async () => {
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
