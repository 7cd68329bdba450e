import { describe, expect, it } from "vitest";
import { eventually, type Hall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { accountsOf, agreed, bookkeeper, models, priceOf } from "../harness/paid-calls.ts";
import { held, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { listRuns, untilOver } from "../harness/spawned-runs.ts";

const CHILDREN = 50;
const TURNS = 4;
/** Less than it looks like beforehand. */
const USUAL = { input: 2_000, output: 100 };
const limits = { modelCalls: 60, toolCalls: 60, runs: 60, runsPerProject: 60, spawnsPerRun: 60, spawnsPerTree: 60 };

const budgetOf = async (hall: Hall) => (await hall.call("GET", "/api/budget")).body;
const isChild = ({ body }: SeenRequest) => !JSON.stringify(body).includes("Lead the rest");

/** One that starts fifty at once and waits for them, each of which takes four calls. */
function team(usage: object, before: Promise<void> = Promise.resolve()) {
  const parts = Array.from({ length: CHILDREN }, (_, part) => ({
    name: "spawn_subagent",
    input: { role: "coder", title: `Part ${part}`, description: `Do part ${part}.` },
  }));
  return async (request: SeenRequest): Promise<Turn> => {
    const { turns } = request;
    if (!isChild(request)) return { usage: USUAL, ...(turns === 0 ? { calls: parts } : { text: "All done." }) };
    await before;
    const calls = [{ name: "list", input: { path: ".", depth: turns + 1 } }];
    return { usage, ...(turns + 1 < TURNS ? { calls } : { text: "Done." }) };
  };
}

async function teamHall(script: (request: SeenRequest) => Promise<Turn>, runUsd: number) {
  const books = bookkeeper(script);
  const config = { models, budget: { runUsd, dayUsd: null }, limits };
  const { hall, spawn, provider } = await scriptedHall(books.script, { config });
  await hall.call("PUT", "/api/roles/coder", { skills: ["read", "list", "spawn_subagent"] });
  const lead = (await spawn({ task: { title: "Lead the rest" } })).body.sessionId as string;
  return { hall, provider, books, lead };
}

/** Nobody is at work any more: all that are left wait for money. */
async function untilAllWait(hall: Hall) {
  const looks = async () => ({ report: await budgetOf(hall), runs: await listRuns(hall, "&status=running") });
  const { report } = await eventually(
    looks,
    ({ report, runs }) => runs.length > 1 && report.waiting.length === runs.length - 1,
    30_000,
  );
  return report;
}

describe("fifty agents at once against one limit", () => {
  it("do not overspend it by a cent, wait, and all go on when it is raised; every account agrees", async () => {
    const cap = ((CHILDREN * TURNS) / 2) * priceOf(USUAL);
    const { hall, books, lead } = await teamHall(team(USUAL), cap);
    const { scopes } = await untilAllWait(hall);
    const tree = scopes.find(({ scope }: { scope: string }) => scope === "run");
    expect(tree).toMatchObject({ id: lead, usd: { limit: cap, reserved: 0 } });
    expect(books.bill()).toBeLessThanOrEqual(cap);
    expect(books.bill()).toBeGreaterThan(cap * 0.8);
    expect(await accountsOf(hall)).toEqual(agreed(books.bill()));
    const raised = await guildhall(["budget", "--run-usd", "1000"], { workspace: hall.workspace });
    expect(raised).toMatchObject({ code: 0 });
    expect(await untilOver(hall, lead, 30_000)).toMatchObject({ status: "completed", attempt: 1 });
    const runs = await listRuns(hall);
    expect(runs.map(({ status }) => status)).toEqual(Array(CHILDREN + 1).fill("completed"));
    expect(books.served).toHaveLength(CHILDREN * TURNS + 2);
    expect(await accountsOf(hall)).toEqual(agreed(books.bill()));
    expect((await budgetOf(hall)).waiting).toEqual([]);
    const { events } = (await hall.call("GET", "/api/events/log?type=run.ended&tail=200")).body;
    const told = events.reduce((sum, { after }) => sum + Number(after?.costUsd), 0);
    expect(told).toBeCloseTo(books.bill(), 6);
  }, 180_000);

  it("overspend it by at most one call each where calls take far more than anybody could know", async () => {
    const gate = held();
    const dear = { input: 40_000, output: 1_000 };
    const { hall, provider, books, lead } = await teamHall(team(dear, gate.opened), 20);
    await eventually(
      () => provider.requests.filter(isChild),
      ({ length }) => length === CHILDREN,
    );
    gate.open();
    await untilAllWait(hall);
    expect(provider.requests.filter(isChild)).toHaveLength(CHILDREN);
    expect(books.bill()).toBeLessThanOrEqual(20 + CHILDREN * priceOf(dear));
    expect(await accountsOf(hall)).toEqual(agreed(books.bill()));
    await hall.call("POST", `/api/runs/${lead}/stop`);
  }, 180_000);
});
