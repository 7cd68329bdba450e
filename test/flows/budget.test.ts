import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { ledgerOf, models } from "../harness/paid-calls.ts";
import { KEY, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { Turn } from "../harness/scripted-provider.ts";
import { entriesOf, journalOf, runOf, untilDoing, untilOver } from "../harness/spawned-runs.ts";
import { startReceiver } from "../harness/webhook-receiver.ts";

/** What costs a dollar, and is more than it looks like beforehand. */
const DOLLAR = { input: 19_800, output: 1_000 };
const looking = { calls: [{ name: "list", input: { path: "." } }], usage: DOLLAR } satisfies Turn;
const done = { text: "Done.", usage: DOLLAR } satisfies Turn;
const unlimited = { runUsd: null, dayUsd: null };
/** Runs that may write take turns; these work beside each other. */
const reading = { overrides: { model: "own/m", skills: ["read"] } };

/** A run of so many turns, each for a dollar. */
const ofTurns =
  (count: number) =>
  ({ turns }: { turns: number }): Turn =>
    turns + 1 < count ? { ...looking, calls: [{ name: "list", input: { path: ".", depth: turns + 1 } }] } : done;

const budgetOf = async (hall: Hall) => (await hall.call("GET", "/api/budget")).body;
const eventsOf = async (hall: Hall, type: string) =>
  (await hall.call("GET", `/api/events/log?type=${type}`)).body.events;

/** A run that stands still for want of money after two of its five calls. */
async function waitingHall(budget: object = { runUsd: 2.5, dayUsd: null }, more: object = {}, own?: object) {
  const scripted = await scriptedHall(ofTurns(5), { config: { models, budget, ...more } });
  if (own !== undefined) await scripted.hall.call("PUT", "/api/projects/shop", { config: { budget: own } });
  const { sessionId } = (await scripted.spawn()).body;
  await untilDoing(scripted.hall, sessionId, { kind: "waiting", for: "budget" });
  return { ...scripted, runId: sessionId as string };
}

describe("a budget", () => {
  it("is there without being asked for: five dollars a run, twenty-five a day", async () => {
    const hall = await startHall();
    expect((await budgetOf(hall)).limits).toMatchObject({ runUsd: 5, dayUsd: 25, totalUsd: null, runTokens: null });
  });

  it("of a project is told of before anything is spent, and so is which projects have limits of their own", async () => {
    const hall = await startHall();
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    await hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
    await hall.call("PUT", "/api/projects/shop", { config: { budget: { dayUsd: 3, runUsd: "none" } } });
    const { projects, scopes } = await budgetOf(hall);
    expect(projects).toEqual([{ projectId: "shop", limits: { dayUsd: 3, runUsd: "none" } }]);
    expect(scopes.filter(({ projectId }) => projectId !== undefined)).toMatchObject([
      { scope: "project-day", projectId: "shop", usd: { limit: 3, spent: 0, reserved: 0, left: 3 } },
      { scope: "project", projectId: "shop", usd: { limit: null, spent: 0, left: null } },
    ]);
  });

  it("refuses a call before it is sent; the run waits, holds no place, and can be cancelled", async () => {
    const { hall, provider, spawn, runId } = await waitingHall(undefined, { limits: { runs: 1 } });
    expect(provider.requests).toHaveLength(2);
    expect(await runOf(hall, runId)).toMatchObject({
      status: "running",
      waitingFor: "budget",
      activity: { kind: "waiting", for: "budget", detail: expect.stringContaining("run budget of $2.50 reached") },
      usage: { costUsd: 2 },
    });
    const report = await budgetOf(hall);
    expect(report.waiting).toMatchObject([{ runId, projectId: "shop", reason: "budget" }]);
    expect(report.scopes).toContainEqual(
      expect.objectContaining({ scope: "run", id: runId, usd: { limit: 2.5, spent: 2, reserved: 0, left: 0.5 } }),
    );
    expect((await hall.call("GET", "/api/problems")).body.problems).toMatchObject([
      { severity: "warning", reason: expect.stringContaining(`run ${runId} is waiting for budget`) },
    ]);
    provider.play([done]);
    const other = (await spawn({ ...reading, options: { waitForCompletion: true } })).body;
    expect(other.status).toBe("completed");
    const cancelled = await hall.call("POST", `/api/runs/${runId}/stop`);
    expect(cancelled.body.run.status).toBe("cancelled");
    expect((await budgetOf(hall)).waiting).toEqual([]);
  });

  it("that is raised lets the run go on where it stopped, by the API, by the project and by config.yml", async () => {
    const { hall, provider, runId } = await waitingHall();
    await hall.call("PUT", "/api/budget", { runUsd: 3.5 });
    await eventually(
      () => provider.requests.length,
      (count) => count === 3,
    );
    await untilDoing(hall, runId, { kind: "waiting", for: "budget", detail: /\$3\.50/ });
    await hall.call("PUT", "/api/projects/shop", { config: { budget: { runUsd: 4.5 } } });
    await eventually(
      () => provider.requests.length,
      (count) => count === 4,
    );
    await untilDoing(hall, runId, { kind: "waiting", for: "budget", detail: /\$4\.50/ });
    await hall.call("PUT", "/api/projects/shop", { config: { budget: { runUsd: null } } });
    const file = join(hall.workspace, "config.yml");
    writeFileSync(file, readFileSync(file, "utf8").replace(/"?runUsd"?: ?3\.5/, '"runUsd": 100'));
    expect(await untilOver(hall, runId)).toMatchObject({
      status: "completed",
      attempt: 1,
      usage: { turns: 5, costUsd: 5 },
    });
    const journal = journalOf(hall.workspace, runId);
    expect(entriesOf(journal, "waiting")).toHaveLength(3);
    expect(entriesOf(journal, "resumed")).toHaveLength(3);
    expect(await eventsOf(hall, "budget.changed")).toMatchObject([{ before: { runUsd: 2.5 }, after: { runUsd: 3.5 } }]);
  });

  it("outlives a restart, and the time it waits is not the run's", async () => {
    const { hall, provider, runId } = await waitingHall(undefined, { limits: { turns: 10 } });
    await hall.stop();
    const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY };
    const again = await startHall(hall.workspace, { env });
    await untilDoing(again, runId, { kind: "waiting", for: "budget" });
    expect(provider.requests).toHaveLength(2);
    expect((await budgetOf(again)).scopes).toContainEqual(
      expect.objectContaining({ scope: "run", id: runId, usd: expect.objectContaining({ spent: 2 }) }),
    );
    await again.call("PUT", "/api/budget", { runUsd: 50 });
    expect(await untilOver(again, runId)).toMatchObject({ status: "completed", usage: { turns: 5, costUsd: 5 } });
  });

  it("does not let a run time out while it waits", async () => {
    const scripted = await scriptedHall(ofTurns(4), { config: { models, budget: { runUsd: 2.5 } } });
    const { hall, spawn } = scripted;
    const { sessionId } = (await spawn({ overrides: { model: "own/m", timeout: 2 } })).body;
    const since = (await untilDoing(hall, sessionId, { kind: "waiting", for: "budget" })) && Date.now();
    await eventually(
      () => Date.now() - since,
      (waited) => waited > 2_300,
    );
    await hall.call("PUT", "/api/budget", { runUsd: 50 });
    expect(await untilOver(hall, sessionId)).toMatchObject({ status: "completed" });
  });

  it.each([
    ["a day", { ...unlimited, dayUsd: 2.5 }, /^daily budget of \$2\.50 reached/],
    ["the workspace", { ...unlimited, totalUsd: 2.5 }, /^total budget of \$2\.50 reached/],
    ["a run in tokens", { ...unlimited, runTokens: 50_000 }, /^run budget of 50000 tokens reached/],
    ["a day in tokens", { ...unlimited, dayTokens: 50_000 }, /^daily budget of 50000 tokens reached/],
  ])("can be that of %s", async (_, budget, detail) => {
    const { hall, provider, runId } = await waitingHall(budget);
    expect((await runOf(hall, runId)).activity).toMatchObject({ for: "budget", detail: expect.stringMatching(detail) });
    expect(provider.requests).toHaveLength(2);
  });

  it("of a project is its own", async () => {
    const { hall, provider, spawn } = await scriptedHall(ofTurns(3), { config: { models, budget: unlimited } });
    await hall.call("POST", "/api/projects", { id: "mill", name: "Mill" });
    await hall.call("PUT", "/api/projects/shop", { config: { budget: { dayUsd: 1.5 } } });
    const { sessionId } = (await spawn()).body;
    await untilDoing(hall, sessionId, { kind: "waiting", for: "budget", detail: /^daily budget of project shop / });
    expect(provider.requests).toHaveLength(1);
    const { body } = await spawn({ projectId: "mill", options: { waitForCompletion: true } });
    expect(body.status).toBe("completed");
  });

  it("of the hall does not hold for runs of a project that wants none", async () => {
    const { hall, runId } = await waitingHall();
    await hall.call("PUT", "/api/projects/shop", { config: { budget: { runUsd: "none" } } });
    expect(await untilOver(hall, runId)).toMatchObject({ status: "completed", usage: { costUsd: 5 } });
    const { scopes } = await budgetOf(hall);
    expect(scopes).toContainEqual(
      expect.objectContaining({ id: runId, usd: expect.objectContaining({ limit: null }) }),
    );
    const back = await hall.call("PUT", "/api/projects/shop", { config: { budget: { runUsd: null } } });
    expect([back.status, back.body.project.config.budget]).toEqual([200, undefined]);
    const wrong = await hall.call("PUT", "/api/projects/shop", { config: { budget: { dayUsd: "none" } } });
    expect(wrong.status).toBe(422);
  });

  it("of a project stays as it was while its file cannot be read", async () => {
    const { hall, provider, runId } = await waitingHall({ runUsd: 50 }, {}, { dayUsd: 2.5 });
    writeFileSync(join(hall.workspace, "projects/shop/PROJECT.json"), "{");
    await eventually(
      async () => (await hall.call("GET", "/api/problems")).body.problems,
      (problems) => problems.some(({ file }: { file: string }) => file === "projects/shop/PROJECT.json"),
    );
    // Whoever is asked for money looks again.
    await hall.call("PUT", "/api/budget", { runUsd: 60 });
    expect([(await runOf(hall, runId)).activity, provider.requests.length]).toEqual([
      expect.objectContaining({
        for: "budget",
        detail: expect.stringMatching(/^daily budget of project shop of \$2\.50/),
      }),
      2,
    ]);
  });

  it("stays as it was while config.yml makes no sense, and says so", async () => {
    const { hall, provider, runId } = await waitingHall();
    const file = join(hall.workspace, "config.yml");
    const before = readFileSync(file, "utf8");
    const problems = async () =>
      (await hall.call("GET", "/api/problems")).body.problems
        .map(({ reason }: { reason: string }) => reason)
        .join("\n");
    writeFileSync(file, before.replace(/"?runUsd"?: ?2\.5/, '"runUsd": "plenty"'));
    expect(await problems()).toMatch(/config\.yml is not valid: budget\.runUsd.*The earlier settings stay in effect/);
    expect((await budgetOf(hall)).limits.runUsd).toBe(2.5);
    expect([(await runOf(hall, runId)).waitingFor, provider.requests.length]).toEqual(["budget", 2]);
    writeFileSync(file, before.replace(/"?runUsd"?: ?2\.5/, '"runUsd": 50'));
    expect(await untilOver(hall, runId)).toMatchObject({ status: "completed" });
    expect(await problems()).toBe("");
  });

  it("that cannot be written down lets no call through", async () => {
    const { hall, provider, spawn } = await scriptedHall([done], { config: { models } });
    const costs = join(hall.workspace, "costs");
    rmSync(costs, { recursive: true });
    writeFileSync(costs, "in the way");
    const { body } = await spawn({ options: { waitForCompletion: true } });
    expect([body.status, provider.requests]).toEqual(["failed", []]);
    expect(body.error).toContain("The call was not sent: the ledger cannot be written");
    rmSync(costs);
    expect((await spawn({ options: { waitForCompletion: true } })).body.status).toBe("completed");
  });

  it("whose ledger is damaged says where", async () => {
    const { hall, runId } = await waitingHall();
    await hall.call("POST", `/api/runs/${runId}/stop`);
    await hall.stop();
    const [day = ""] = readdirSync(join(hall.workspace, "costs"));
    const file = join(hall.workspace, "costs", day);
    const lines = readFileSync(file, "utf8").split("\n");
    lines[2] = "\0\0\0";
    writeFileSync(file, lines.join("\n"));
    const again = await startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
    expect((await again.call("GET", "/api/problems")).body.problems).toMatchObject([
      { file: `costs/${day}`, line: 3, reason: "a line can't be read, so spending may be incomplete" },
    ]);
    const { scopes } = await budgetOf(again);
    const ever = scopes.find(({ scope }: { scope: string }) => scope === "total");
    expect(ever?.usd.spent).toBeGreaterThan(1);
  });

  it("warns at 50, 80 and 100 %, once each, also over a restart [S1-MOD-13]", async () => {
    const { hall, spawn } = await scriptedHall(ofTurns(9), {
      config: { models, budget: { runUsd: null, dayUsd: 10 } },
    });
    await spawn({ options: { waitForCompletion: true } });
    const { sessionId } = (await spawn()).body;
    const told = (events: HallEvent[]) => events.map(({ after }) => `${after?.scope} ${after?.percent}`);
    const warned = () => eventsOf(hall, "budget.warned");
    await untilDoing(hall, sessionId, { kind: "waiting", for: "budget" });
    expect(told(await eventually(warned, ({ length }) => length === 3))).toEqual(["day 50", "day 80", "day 100"]);
    await hall.stop();
    const again = await startHall(hall.workspace, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY } });
    await untilDoing(again, sessionId, { kind: "waiting", for: "budget" });
    expect(await eventsOf(again, "budget.warned")).toHaveLength(3);
  });

  it("that is used up is a notification", async () => {
    const receiver = await startReceiver();
    const { runId } = await waitingHall({ runUsd: 2.5 }, { notify: { url: receiver.url } });
    const { length } = await eventually(
      () => receiver.received,
      (received) => received.length === 2,
    );
    expect(receiver.received[length - 1]?.body).toMatchObject({
      event: "budget.warned",
      run: runId,
      project: "shop",
      summary: "Run budget of $2.50 reached.",
      status: "warning",
    });
  });

  it("counts an estimate where a price is unknown, also beside a limit in tokens", async () => {
    const { hall, spawn } = await scriptedHall(ofTurns(3), {
      config: { budget: { runUsd: 0.01, runTokens: 100_000 } },
    });
    const { sessionId } = (await spawn()).body;
    await untilDoing(hall, sessionId, {
      kind: "waiting",
      for: "budget",
      detail: /^run budget of \$0\.0100 reached: ≈ /,
    });
  });

  it("never refuses the offline model", async () => {
    const hall = await startHall(undefined, {
      config: { budget: { runUsd: 0, dayUsd: 0, runTokens: 0, totalTokens: 0 } },
    });
    await hall.call("POST", "/api/roles", { template: "coder" });
    const body = { roleId: "coder", task: { title: "Rehearse" }, options: { waitForCompletion: true } };
    expect((await hall.call("POST", "/api/team/spawn", body)).body.status).toBe("completed");
    expect(ledgerOf(hall.workspace)).toEqual([]);
  });
});

describe("config.yml", () => {
  it("that was changed after the start says that some settings wait for a restart", async () => {
    const { hall } = await scriptedHall([]);
    const file = join(hall.workspace, "config.yml");
    const before = readFileSync(file, "utf8");
    const reasons = async () =>
      (await hall.call("GET", "/api/problems")).body.problems.map(({ reason }: { reason: string }) => reason);
    expect((await hall.call("PUT", "/api/budget", { runUsd: 7 })).status).toBe(200);
    expect(await reasons()).toEqual([]);
    writeFileSync(file, JSON.stringify({ ...JSON.parse(before), limits: { runs: 3 } }));
    expect(await reasons()).toEqual([
      "config.yml was changed after the daemon started; some settings take effect after a restart",
    ]);
    writeFileSync(file, before);
    expect(await reasons()).toEqual([]);
  });
});

describe("a provider's rate limit", () => {
  it("that outlasts the tries of a call fails no run: all wait, one asks, and all go on by themselves", async () => {
    let isLimited = true;
    const limited = { status: 429, headers: { "retry-after-ms": "1" }, body: '{"error":{"message":"Slow down"}}' };
    const script = (): Turn => (isLimited ? limited : { text: "Done." });
    const { hall, provider, spawn }: ScriptedHall = await scriptedHall(script, {
      config: { limits: { runs: 8, runsPerProject: 8 } },
    });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await spawn(reading)).body.sessionId);
    await eventually(
      () => budgetOf(hall),
      ({ waiting }) => waiting.length === 3,
    );
    expect(await runOf(hall, ids[0] ?? "")).toMatchObject({ status: "running", waitingFor: "quota" });
    expect(provider.requests.length).toBeGreaterThanOrEqual(4);
    isLimited = false;
    for (const id of ids) expect(await untilOver(hall, id)).toMatchObject({ status: "completed", attempt: 1 });
  });

  it("is no reason to try again what was wrong with the request", async () => {
    const { hall, provider, spawn } = await scriptedHall(() => ({ status: 400, body: '{"error":{"message":"No"}}' }));
    const { sessionId } = (await spawn(reading)).body;
    expect((await untilOver(hall, sessionId)).status).toBe("failed");
    expect(provider.requests).toHaveLength(1);
  });
});

describe("a provider's quota", () => {
  const spent = {
    status: 429,
    headers: { "retry-after-ms": "400" },
    body: '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}',
  };

  it("stops its whole queue once, and all of it goes on by itself", async () => {
    let isSpent = true;
    const script = (): Turn => (isSpent ? spent : { text: "Done." });
    const { hall, provider, spawn }: ScriptedHall = await scriptedHall(script, {
      config: { limits: { runs: 8, runsPerProject: 8 } },
    });
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push((await spawn(reading)).body.sessionId);
    await eventually(
      () => budgetOf(hall),
      ({ waiting }) => waiting.length === 6,
    );
    expect(await runOf(hall, ids[0] ?? "")).toMatchObject({ status: "running", waitingFor: "quota" });
    expect((await budgetOf(hall)).paused).toMatchObject([
      { provider: "own", reason: expect.stringContaining("quota") },
    ]);
    const tries = provider.requests.length;
    expect(tries).toBeLessThanOrEqual(6);
    isSpent = false;
    for (const id of ids) expect(await untilOver(hall, id)).toMatchObject({ status: "completed", attempt: 1 });
    expect(await eventsOf(hall, "provider.paused")).toHaveLength(1);
    expect(
      await eventually(
        () => eventsOf(hall, "provider.resumed"),
        ({ length }) => length === 1,
      ),
    ).toHaveLength(1);
  });

  it("that is used up for long lets one call try at a time, and a run that waits can be cancelled", async () => {
    const { hall, provider, spawn } = await scriptedHall(() => spent);
    const ids = [(await spawn(reading)).body.sessionId, (await spawn(reading)).body.sessionId];
    await eventually(
      () => budgetOf(hall),
      ({ waiting }) => waiting.length === 2,
    );
    const before = provider.requests.length;
    await eventually(
      () => provider.requests.length,
      (count) => count >= before + 2,
    );
    for (const id of ids) expect((await hall.call("POST", `/api/runs/${id}/stop`)).body.run.status).toBe("cancelled");
    expect(await eventsOf(hall, "provider.paused")).toHaveLength(1);
  });
});
