import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isOver } from "../../src/contract/runs/run-status.ts";
import { type DaemonProcess, eventually, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { accountsOf, agreed, bookkeeper, ledgerOf, linesOf, models, priceOf } from "../harness/paid-calls.ts";
import { held, makeShop } from "../harness/scripted-hall.ts";
import { type SeenRequest, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { listRuns } from "../harness/spawned-runs.ts";

const KILLS = 3;
const RUNS = 8;
const TURNS = 4;
/** Less than it looks like beforehand. */
const USUAL = { input: 1_500, output: 100 };

async function paidWorkspace(script: (request: SeenRequest) => Turn, budget: object) {
  const books = bookkeeper(script);
  const provider = await startProvider(books.script);
  onTestFinished(() => provider.close());
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace, { recursive: true });
  const config = {
    providers: { own: { kind: "openai-compatible", baseUrl: `${provider.url}/v1` } },
    models,
    budget,
    limits: { runs: RUNS, runsPerProject: RUNS, modelCalls: 4 },
  };
  writeFileSync(join(workspace, "config.yml"), JSON.stringify(config));
  return { workspace, provider, books };
}

/** Each run takes four calls that take their time; now and then one is put off first. */
function working(random: () => number) {
  return ({ turns }: SeenRequest): Turn => {
    if (random() < 0.15) return { status: 429, headers: { "retry-after-ms": "5" } };
    const calls = [{ name: "list", input: { path: ".", depth: turns + 1 } }];
    const delayMs = Math.floor(random() * 60);
    return { delayMs, usage: USUAL, ...(turns + 1 < TURNS ? { calls } : { text: "Done." }) };
  };
}

async function spawnAll(hall: DaemonProcess): Promise<void> {
  await makeShop(hall);
  // Runs that may write take turns; these work beside each other.
  const overrides = { skills: ["read", "list"] };
  const body = { projectId: "shop", roleId: "coder", task: { title: "Look around" }, overrides };
  for (let run = 0; run < RUNS; run++) await hall.call("POST", "/api/team/spawn", body);
}

async function untilAllOver(hall: DaemonProcess): Promise<void> {
  await eventually(
    () => listRuns(hall),
    (runs) => runs.length === RUNS && runs.every(isOver),
    90_000,
  );
}

/** What the ledger has against what the provider did: each call once, and what nobody knows the end of as estimated. */
function compare(workspace: string, seen: number, served: number) {
  const lines = ledgerOf(workspace);
  const reserved = new Map(linesOf(lines, "reserved").map((line) => [line.id, line]));
  const settled = linesOf(lines, "settled");
  expect(reserved.size).toBeGreaterThanOrEqual(seen);
  expect(settled.map(({ id }) => id).sort()).toEqual([...reserved.keys()].sort());
  const lost = settled.filter(({ how }) => how === "lost");
  for (const { id, usd } of lost) expect(usd).toBe(reserved.get(id)?.usd);
  const answered = settled.filter(({ how }) => how === "answered");
  for (const { usd } of answered) expect(usd).toBeCloseTo(priceOf(USUAL), 9);
  expect(answered.length).toBeLessThanOrEqual(served);
  expect(answered.length + lost.length).toBeGreaterThanOrEqual(served);
  return { spent: settled.reduce((sum, { usd }) => sum + (usd ?? 0), 0), lost: lost.length };
}

describe("a daemon killed while models are paid", () => {
  it("knows of every call that was sent, each with one end, and every account says the same", async () => {
    const random = numbersFrom(7);
    const { workspace, provider, books } = await paidWorkspace(working(random), { runUsd: null, dayUsd: null });
    let hall = await spawnHall(workspace);
    await spawnAll(hall);
    for (let kill = 0; kill < KILLS; kill++) {
      const seen = provider.requests.length + 1 + Math.floor(random() * 5);
      await eventually(
        () => provider.requests.length,
        (count) => count >= seen,
      );
      await hall.kill("SIGKILL");
      const owed = books.bill();
      hall = await spawnHall(workspace);
      expect((await accountsOf(hall)).ledger).toBeGreaterThanOrEqual(Math.round(owed * 1e6));
    }
    await untilAllOver(hall);
    expect((await listRuns(hall)).map(({ status }) => status)).toEqual(Array(RUNS).fill("completed"));
    const { spent, lost } = compare(workspace, provider.requests.length, books.served.length);
    expect(lost).toBeGreaterThan(0);
    expect(spent).toBeGreaterThanOrEqual(books.bill() - 1e-9);
    expect(await accountsOf(hall)).toEqual(agreed(spent));
  }, 180_000);

  it("spends no more than the limit, however often it dies", async () => {
    const random = numbersFrom(11);
    const dayUsd = RUNS * TURNS * priceOf(USUAL) * 0.6;
    const { workspace, provider, books } = await paidWorkspace(working(random), { runUsd: null, dayUsd });
    let hall = await spawnHall(workspace);
    await spawnAll(hall);
    const waiting = async () => (await hall.call("GET", "/api/budget")).body.waiting.length;
    const left = async () => (await listRuns(hall, "&status=running")).length;
    for (let kill = 0; kill < 2; kill++) {
      const seen = provider.requests.length + 2;
      await eventually(
        async () => provider.requests.length >= seen || (await waiting()) > 0,
        (isTime) => isTime,
      );
      await hall.kill("SIGKILL");
      hall = await spawnHall(workspace);
    }
    await eventually(
      async () => (await left()) - (await waiting()),
      (working) => working === 0,
    );
    expect(books.bill()).toBeLessThanOrEqual(dayUsd);
    await hall.call("PUT", "/api/budget", { dayUsd: 1_000 });
    await untilAllOver(hall);
    const { spent } = compare(workspace, provider.requests.length, books.served.length);
    expect(await accountsOf(hall)).toEqual(agreed(spent));
  }, 180_000);
});

describe("a provider's quota that was used up before the daemon died", () => {
  it("is asked about by one run, not by all of them", async () => {
    const error = '{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}';
    const refusal = (ms: number): Turn => ({ status: 429, headers: { "retry-after-ms": String(ms) }, body: error });
    const { workspace, provider } = await paidWorkspace(() => refusal(1_500), {});
    const first = await spawnHall(workspace);
    await spawnAll(first);
    const waiting = async (hall: DaemonProcess) => (await hall.call("GET", "/api/budget")).body.waiting.length;
    await eventually(
      () => waiting(first),
      (count) => count === RUNS,
    );
    await first.kill("SIGKILL");
    await Promise.all(provider.requests.map(({ ended }) => ended));
    const before = provider.requests.length;
    // Each is answered only when the others were looked at: how long that takes must not matter.
    const tries = [held(), held()] as const;
    provider.play(async ({ number }) => {
      const at = number - before;
      await tries[at]?.opened;
      return at === 0 ? refusal(1) : { text: "Done.", usage: USUAL };
    });
    const hall = await spawnHall(workspace);
    for (const [at, { open }] of tries.entries()) {
      await provider.request(before + at);
      await eventually(
        () => waiting(hall),
        (count) => count === RUNS - 1,
      );
      expect(provider.requests.length).toBe(before + at + 1);
      open();
    }
    await untilAllOver(hall);
    const { events } = (await hall.call("GET", "/api/events/log?type=provider.paused")).body;
    expect(events).toHaveLength(1);
  }, 180_000);
});
