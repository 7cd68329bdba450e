import { expect, it, onTestFinished } from "vitest";
import { ARCHIVE, makeBusyHall } from "../../scripts/busy/busy-hall.ts";
import { TASK_STATUSES } from "../../src/contract/documents/task-status.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";

it("a busy hall has tasks in every status, runs in every state, a past, and things that need a person", {
  timeout: 180_000,
}, async () => {
  const { client, stop } = await makeBusyHall({ folder: temporaryFolder(), tasks: 300, days: 3 });
  onTestFinished(stop);
  const { counts } = await client.call("getStatus", {});
  expect([counts.roles, counts.projects, counts.tasks > 450]).toEqual([15, 13, true]);
  const { tasks } = await client.call("listTasks", { params: { id: ARCHIVE }, query: { limit: 1_000 } });
  expect([tasks.length, new Set(tasks.map(({ status }) => status)).size]).toEqual([300, TASK_STATUSES.length]);
  await eventually(
    async () => (await client.call("listRuns", { query: { status: "running" } })).runs.map((run) => run.waitingFor),
    (waiting) => waiting.includes("budget"),
  );
  const { runs } = await client.call("listRuns", { query: { limit: 1_000 } });
  const { runs: review } = await client.call("listRuns", { query: { review: true } });
  expect(review.map(({ delivery }) => delivery?.files)).toEqual([2, 2]);
  const having = (status: string) => runs.filter((run) => run.status === status).length;
  expect([having("failed"), having("running"), having("completed") > 10]).toEqual([2, 5, true]);
  const old = runs.at(-1)?.id ?? "";
  const { entries } = await client.call("getTranscript", { params: { runId: old } });
  expect(entries.at(-1)?.type).toBe("ended");
  const { rows, total } = await client.call("getCosts", { query: { by: "day" } });
  expect([rows.length, total.costUsd > 1]).toEqual([4, true]);
  const ever = (await client.call("getBudget", {})).scopes.find(({ scope }) => scope === "total");
  // What works just now is played, and not in the ledger.
  expect(Math.abs((ever?.usd.spent ?? 0) / total.costUsd - 1)).toBeLessThan(0.05);
  expect((await client.call("listChat", { query: {} })).messages.length).toBeGreaterThan(3);
  expect((await client.call("verifyAudit", {})).ok).toBe(true);
});
