import { describe, expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { accountsOf, agreed, bookkeeper, ledgerOf, linesOf, models, priceOf } from "../harness/paid-calls.ts";
import { KEY, makeShop, scriptedHall } from "../harness/scripted-hall.ts";
import type { Turn } from "../harness/scripted-provider.ts";
import { runOf, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const USUAL = { input: 1_000, output: 50 };
const done: Turn = { text: "Done, and written in so many words that the answer can break off.", usage: USUAL };
const budget = { runUsd: null, dayUsd: null };

async function played(turns: Turn[], more: object = {}) {
  let at = 0;
  const books = bookkeeper(() => turns[at++] ?? done);
  const scripted = await scriptedHall(books.script, { config: { models, budget, ...more } });
  const { body } = await scripted.spawn({ options: { waitForCompletion: true } });
  const settled = linesOf(ledgerOf(scripted.hall.workspace), "settled");
  const spent = settled.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
  return { ...scripted, books, body, settled, spent };
}

describe("a call that does not go as it should", () => {
  it.each<[string, Turn[]]>([
    ["is put off twice", [{ status: 429, headers: { "retry-after-ms": "1" } }, { status: 429 }, done]],
    ["fails within the provider", [{ status: 500, headers: { "retry-after-ms": "1" } }, done]],
  ])("is charged once when it %s", async (_, turns) => {
    const { hall, provider, books, body, settled } = await played(turns);
    expect(body.status).toBe("completed");
    expect(provider.requests).toHaveLength(turns.length);
    expect(settled).toHaveLength(turns.length);
    expect(await accountsOf(hall)).toEqual(agreed(books.bill()));
    expect(books.bill()).toBe(priceOf(USUAL));
  });

  it.each<[string, Turn]>([
    ["before the first word", { ...done, cutAfterBytes: 0 }],
    ["after the first words", { ...done, cutAfterBytes: 300 }],
    ["with an answer that makes no sense", { ...done, garbage: "<html>Bad gateway</html>" }],
  ])("counts with what it may have cost when it ends %s", async (_, broken) => {
    const { hall, books, body, settled, spent } = await played([broken, done]);
    expect(body.status).toBe("completed");
    expect(settled.map(({ how }) => how)).toEqual(["broken", "answered"]);
    expect(books.served).toHaveLength(2);
    expect(spent).toBeGreaterThanOrEqual(books.bill());
    expect(await accountsOf(hall)).toEqual(agreed(spent));
  });

  it.each<[string, NonNullable<Turn["usage"]> | null]>([
    ["says nothing of its tokens", null],
    ["says that it took none", { input: 0, output: 0 }],
  ])("counts as it was estimated when the provider %s", async (_, usage) => {
    const { hall, settled, spent } = await played([{ text: "Done.", usage }]);
    const [reserved] = linesOf(ledgerOf(hall.workspace), "reserved");
    expect(settled).toMatchObject([{ how: "answered", input: reserved?.input }]);
    expect(spent).toBeGreaterThan(0);
    expect((await accountsOf(hall)).budget).toBe(Math.round(spent * 1e6));
  });

  it("costs nothing when nobody was there to be asked, and its cached part as little as it is worth", async () => {
    const cached = { input: 10_000, output: 0, cacheRead: 9_000 };
    const prices = { "own/m": { input: 50, output: 10, cacheRead: 5 } };
    const { settled } = await played([{ text: "Done.", usage: cached }], { models: { ...models, prices } });
    expect(settled).toMatchObject([{ usd: 0.095, input: 10_000, cacheRead: 9_000 }]);
    const providers = { own: { kind: "openai-compatible", baseUrl: `http://${NOBODY}/v1`, apiKeyEnv: "SCRIPTED_KEY" } };
    const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY };
    const hall = await startHall(undefined, { config: { providers, models }, env });
    await makeShop(hall);
    const task = { projectId: "shop", roleId: "coder", task: { title: "Ask" } };
    const { sessionId } = (await hall.call("POST", "/api/team/spawn", task)).body;
    await eventually(
      () => linesOf(ledgerOf(hall.workspace), "settled"),
      ({ length }) => length > 0,
    );
    await hall.call("POST", `/api/runs/${sessionId}/stop`);
    expect(await accountsOf(hall)).toEqual(agreed(0));
  });

  it("counts when it is cancelled before the provider has said a word", async () => {
    const { hall, spawn } = await scriptedHall(() => ({ hang: true }), { config: { models, budget } });
    const { sessionId } = (await spawn()).body;
    await untilDoing(hall, sessionId, { kind: "thinking" });
    await eventually(
      () => linesOf(ledgerOf(hall.workspace), "reserved"),
      ({ length }) => length > 0,
    );
    await hall.call("POST", `/api/runs/${sessionId}/stop`);
    const [settled] = linesOf(ledgerOf(hall.workspace), "settled");
    expect(settled).toMatchObject({ how: "broken", output: 0 });
    expect(await accountsOf(hall)).toEqual(agreed(settled?.usd ?? Number.NaN));
  });
});

describe("a model whose price nobody knows", () => {
  const dear = { input: 300_000, output: 20_000 };
  const looking = ({ turns }: { turns: number }): Turn => ({
    calls: [{ name: "list", input: { path: ".", depth: turns + 1 } }],
    usage: dear,
  });

  it("is held back by the limits in money, at an assumed price, and goes on when it has one", async () => {
    const { hall, spawn, provider } = await scriptedHall(looking);
    const { sessionId } = (await spawn()).body;
    await untilDoing(hall, sessionId, {
      kind: "waiting",
      for: "budget",
      detail: /^run budget of \$5\.00 reached: ≈ \$4\.00 spent/,
    });
    // Each comes to two dollars, of five.
    expect(provider.requests).toHaveLength(2);
    const { scopes } = (await hall.call("GET", "/api/budget")).body;
    expect(scopes).toContainEqual(
      expect.objectContaining({
        id: sessionId,
        assumedUsd: 4,
        usd: expect.objectContaining({ spent: 4, limit: 5, left: 1 }),
      }),
    );
    // The same figure everywhere.
    expect((await hall.call("GET", "/api/costs?by=run")).body.total).toMatchObject({ costUsd: 4, unpriced: 1 });
    expect((await runOf(hall, sessionId)).usage).toMatchObject({ costUsd: 4, costKnown: false, estimatedUsd: 4 });
    const { today, working } = (await hall.call("GET", "/api/now")).body;
    expect([today.costUsd, today.costKnown, working]).toEqual([4, false, []]);
    provider.play([{ text: "Done.", usage: dear }]);
    const { stdout, stderr } = await commandLine(["model", "price", "own/m", "0.1", "0.5"], {
      workspace: hall.workspace,
    });
    expect(stderr).toBe("");
    expect(stdout).toBe("own/m now costs $0.1 per million input tokens and $0.5 per million output tokens.\n");
    const run = await untilOver(hall, sessionId);
    expect(run).toMatchObject({ status: "completed", usage: { costKnown: false, estimatedUsd: 4 } });
    expect(run.usage.costUsd).toBeCloseTo(4.04);
    const report = (await hall.call("GET", "/api/budget")).body;
    expect(report.unpriced).toEqual([]);
    expect((await hall.call("GET", "/api/problems")).body.problems).toEqual([]);
  });
});
