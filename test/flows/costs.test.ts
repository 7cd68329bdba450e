import { describe, expect, it } from "vitest";
import { eventually, startHall } from "../harness/daemon.ts";
import { held, scriptedHall } from "../harness/scripted-hall.ts";

const waiting = { options: { waitForCompletion: true } };
const prices = {
  "own/m": { input: 2, output: 10 },
  "claude/m": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
};
const config = { models: { default: "own/m", prices } };
const cached = { input: 1_000_000, output: 100_000, cacheRead: 600_000, cacheWrite: 200_000 };
/** 200,000 plain at 3, 600,000 read at 0.3, 200,000 written at 3.75, 100,000 out at 15. */
const CACHED_COST = 0.6 + 0.18 + 0.75 + 1.5;

type Row = { key: string; runs: number; costUsd: number; unpriced: number };

/** Four runs: two of a plain price, one with cached tokens, one whose price nobody knows. */
async function spentHall() {
  const scripted = await scriptedHall(
    ({ format }) =>
      format === "anthropic"
        ? { text: "Done.", usage: cached }
        : { text: "Done.", usage: { input: 100_000, output: 10_000 } },
    { config },
  );
  const { hall, spawn } = scripted;
  await hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
  await hall.call("POST", "/api/roles", { id: "tester", name: "Tester", skills: ["read"] });
  const ids: string[] = [];
  for (const more of [
    {},
    { projectId: "mill" },
    { roleId: "tester", overrides: { model: "claude/m" } },
    { overrides: { model: "gpt/m" } },
  ])
    ids.push((await spawn({ ...more, ...waiting })).body.sessionId);
  const costs = async (query: string) => (await hall.call("GET", `/api/costs${query}`)).body;
  const rowsBy = async (query: string): Promise<Row[]> => (await costs(query)).rows;
  return { ...scripted, ids, costs, rowsBy };
}

const near = (value: number) => expect.closeTo(value, 9);

describe("GET /api/costs", () => {
  it("sums by run, role, project, model and day; cached tokens have their own price, an unknown one is said", async () => {
    const { ids, costs, rowsBy } = await spentHall();
    const [plain, mill, claude, unknown] = ids;
    expect(await rowsBy("?by=run")).toMatchObject([
      { key: claude, costUsd: near(CACHED_COST), cacheReadTokens: 600_000, cacheWriteTokens: 200_000, unpriced: 0 },
      { key: unknown, costUsd: near(0.75), inputTokens: 100_000, outputTokens: 10_000, unpriced: 1 },
      ...[plain, mill].sort().map((key) => ({ key, runs: 1, calls: 1, costUsd: near(0.3), unpriced: 0 })),
    ]);
    expect(await rowsBy("?by=role")).toMatchObject([
      { key: "tester", runs: 1, costUsd: near(CACHED_COST) },
      { key: "coder", runs: 3, costUsd: near(1.35), unpriced: 1 },
    ]);
    expect(await rowsBy("?by=project")).toMatchObject([
      { key: "shop", runs: 3, costUsd: near(CACHED_COST + 1.05), unpriced: 1 },
      { key: "mill", runs: 1, costUsd: near(0.3), unpriced: 0 },
    ]);
    expect((await rowsBy("?by=model")).map(({ key }) => key)).toEqual(["claude/m", "gpt/m", "own/m"]);
    const byDay = await costs("");
    expect(byDay).toMatchObject({ by: "day", total: { key: "total", runs: 4, calls: 4, unpriced: 1 } });
    expect(byDay.rows.map(({ key }: Row) => key).join()).toMatch(/^\d{4}-\d\d-\d\d(,\d{4}-\d\d-\d\d)?$/);
    expect(byDay.total.costUsd).toBeCloseTo(CACHED_COST + 1.35, 9);
    expect(await rowsBy("?by=run&project=mill")).toMatchObject([{ key: mill }]);
  });

  it("counts from a day or a time on, and refuses what is neither", async () => {
    const { hall, costs, ids } = await spentHall();
    const { run } = (await hall.call("GET", `/api/runs/${ids[2]}`)).body;
    expect((await costs(`?since=${run.createdAt.slice(0, 10)}`)).total.runs).toBe(4);
    expect((await costs(`?since=${run.createdAt}`)).total.runs).toBe(2);
    expect((await costs("?since=2999-01-01")).total.runs).toBe(0);
    for (const query of ["?since=yesterday", "?since=1", "?by=colour", "?project=No Slug", "?x=1"])
      expect([query, (await hall.call("GET", `/api/costs${query}`)).status]).toEqual([query, 422]);
  });

  it("counts what a run at work has used so far", async () => {
    const gate = held();
    const { hall, provider, spawn } = await scriptedHall(
      ({ turns }) =>
        turns === 0
          ? { calls: [{ name: "list", input: { path: "." } }], usage: { input: 100_000, output: 10_000 } }
          : gate.opened.then(() => ({ text: "Done." })),
      { config },
    );
    const { sessionId } = (await spawn()).body;
    await provider.request(1);
    const { rows } = await eventually(
      async () => (await hall.call("GET", "/api/costs?by=run")).body,
      ({ total }) => total.calls === 1,
    );
    expect(rows).toMatchObject([{ key: sessionId, costUsd: near(0.3), inputTokens: 100_000 }]);
    const { run } = (await hall.call("GET", `/api/runs/${sessionId}`)).body;
    expect(run).toMatchObject({ status: "running", usage: { turns: 1, costUsd: near(0.3) } });
    gate.open();
    await hall.call("POST", `/api/runs/${sessionId}/stop`);
  });

  it("is empty before the first run, and the offline model costs nothing", async () => {
    const hall = await startHall();
    const nothing = (await hall.call("GET", "/api/costs")).body;
    expect(nothing).toMatchObject({ rows: [], total: { runs: 0, costUsd: 0, unpriced: 0 } });
    await hall.call("POST", "/api/roles", { template: "coder" });
    await hall.call("POST", "/api/team/spawn", { roleId: "coder", task: { title: "Rehearse" }, ...waiting });
    const { total } = (await hall.call("GET", "/api/costs?by=model")).body;
    expect(total).toMatchObject({ runs: 1, costUsd: 0, unpriced: 0 });
  });
});
