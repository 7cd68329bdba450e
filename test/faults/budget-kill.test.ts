import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isOver } from "../../src/contract/run-status.ts";
import type { LedgerLine } from "../../src/models/ledger-line.ts";
import { type DaemonProcess, eventually, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { makeShop } from "../harness/scripted-hall.ts";
import { type ScriptedProvider, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { listRuns } from "../harness/spawned-runs.ts";

const KILLS = 4;
const RUNS = 8;
const TURNS = 4;
const DOLLAR = { input: 19_800, output: 1_000 };

/** Each run takes four calls for a dollar each, that take their time. */
function script({ turns }: { turns: number }): Turn {
  const calls = [{ name: "list", input: { path: ".", depth: turns + 1 } }];
  return { delayMs: 40, usage: DOLLAR, ...(turns + 1 < TURNS ? { calls } : { text: "Done." }) };
}

async function paidWorkspace(): Promise<{ workspace: string; provider: ScriptedProvider }> {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  const workspace = join(temporaryFolder(), "workspace");
  mkdirSync(workspace, { recursive: true });
  const config = {
    providers: { own: { kind: "openai-compatible", baseUrl: `${provider.url}/v1` } },
    models: { default: "own/m", prices: { "own/m": { input: 50, output: 10 } } },
    budget: { runUsd: null, dayUsd: null },
    limits: { runs: RUNS, runsPerProject: RUNS, modelCalls: 4 },
  };
  writeFileSync(join(workspace, "config.yml"), JSON.stringify(config));
  return { workspace, provider };
}

function ledgerOf(workspace: string): LedgerLine[] {
  const folder = join(workspace, "costs");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return texts.flatMap((text) => text.split("\n").slice(0, -1)).map((line) => JSON.parse(line) as LedgerLine);
}

const linesOf = <Type extends LedgerLine["type"]>(lines: LedgerLine[], type: Type) =>
  lines.filter((line): line is Extract<LedgerLine, { type: Type }> => line.type === type);

async function untilAllOver(hall: DaemonProcess): Promise<void> {
  await eventually(
    () => listRuns(hall),
    (runs) => runs.length === RUNS && runs.every(isOver),
    30_000,
  );
}

describe("a daemon killed while models are paid", () => {
  it("knows of every call that was sent, each with one end, and /api/costs says the same", async () => {
    const { workspace, provider } = await paidWorkspace();
    const random = numbersFrom(7);
    let hall = await spawnHall(workspace);
    await makeShop(hall);
    const body = { projectId: "shop", roleId: "coder", task: { title: "Look around" } };
    for (let run = 0; run < RUNS; run++) await hall.call("POST", "/api/team/spawn", body);
    for (let kill = 0; kill < KILLS; kill++) {
      const seen = provider.requests.length + 1 + Math.floor(random() * 3);
      await eventually(
        () => provider.requests.length,
        (count) => count >= seen,
      );
      await hall.kill("SIGKILL");
      hall = await spawnHall(workspace);
    }
    await untilAllOver(hall);
    const runs = await listRuns(hall);
    expect(runs.map(({ status }) => status)).toEqual(Array(RUNS).fill("completed"));
    const lines = ledgerOf(workspace);
    const reserved = linesOf(lines, "reserved").map(({ id }) => id);
    const settled = linesOf(lines, "settled");
    expect(reserved.length).toBeGreaterThanOrEqual(provider.requests.length);
    expect(settled.map(({ id }) => id).sort()).toEqual(reserved.sort());
    expect(settled.filter(({ how }) => how === "lost").length).toBeGreaterThan(0);
    const spent = settled.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
    expect(spent).toBeGreaterThanOrEqual(RUNS * TURNS - 1e-9);
    const { total } = (await hall.call("GET", "/api/costs?by=run")).body;
    expect(total.costUsd).toBeCloseTo(spent, 6);
    const { scopes } = (await hall.call("GET", "/api/budget")).body;
    const ever = scopes.find(({ scope }: { scope: string }) => scope === "total");
    expect(ever.usd).toMatchObject({ reserved: 0, spent: expect.closeTo(spent, 6) });
  }, 60_000);
});
