import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type DaemonProcess, launchHall, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { Ledger } from "./ledger.ts";
import { assertFilesAreWhole, assertIndexEqualsRebuild, dump, indexRows } from "./whole-workspace.ts";
import { prepare, repeatCreations, writeUntilGone } from "./write-load.ts";

const CYCLES = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 3);
/** To see a round again that failed in a longer run. */
const FIRST_SEED = Number(process.env.GUILDHALL_FAULT_SEED ?? 1);
/** A workspace serves this many cycles, so that a long run looks as closely as a short one. */
const CYCLES_PER_WORKSPACE = 50;
const RESTART_WITHIN_MS = 20_000;
const LONGEST_LOAD_MS = 250;
const LONGEST_START_MS = 400;

const rounds = Array.from({ length: Math.ceil(CYCLES / CYCLES_PER_WORKSPACE) }, (_, round) => ({
  seed: FIRST_SEED + round,
  cycles: Math.min(CYCLES_PER_WORKSPACE, CYCLES - round * CYCLES_PER_WORKSPACE),
}));

describe("a daemon killed with SIGKILL at any moment under write load", () => {
  it.each(rounds)("loses nothing it acknowledged (seed $seed, $cycles cycles)", { timeout: 900_000 }, async (round) => {
    const workspace = join(temporaryFolder(), "workspace");
    const random = numbersFrom(round.seed);
    const ledger = new Ledger();
    const restarts: number[] = [];
    let hall = await spawnHall(workspace);
    await prepare(hall, ledger);
    for (let cycle = 0; cycle < round.cycles; cycle++) {
      await Promise.all([writeUntilGone(hall, ledger, random), killAfter(hall, random() * LONGEST_LOAD_MS)]);
      if (cycle % 5 === 4) await killWhileStarting(workspace, random() * LONGEST_START_MS);
      hall = await restart(workspace, restarts);
      await assertWhole(hall, ledger);
    }
    await ledger.settleAll(hall);
    await assertKeysMadeOneTaskEach(hall, ledger);
    await assertIndexRowsEqualRebuild(hall);
    report(round.cycles, ledger, restarts);
  });
});

async function assertWhole(hall: DaemonProcess, ledger: Ledger): Promise<void> {
  await assertFilesAreWhole(hall.workspace);
  await ledger.settle(hall);
  await repeatCreations(hall, ledger);
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
  await assertIndexEqualsRebuild(hall);
}

/** Every request to create left its own label: a label that stands twice is a request that was carried out twice. */
async function assertKeysMadeOneTaskEach(hall: DaemonProcess, ledger: Ledger): Promise<void> {
  const { tasks } = (await dump(hall)) as { tasks: { id: string; labels: string[] }[] };
  const made = tasks.map((task) => `${task.labels[0]} ${task.id}`).sort();
  expect(made).toEqual([...ledger.created].map(([key, { id }]) => `${key} ${id}`).sort());
}

/** The deepest look: every row of every table, as it grew through all the crashes and as it is built from nothing. */
async function assertIndexRowsEqualRebuild(hall: DaemonProcess): Promise<void> {
  await hall.stop();
  const grown = indexRows(hall.workspace);
  rmSync(join(hall.workspace, ".guildhall/index.db"));
  await (await spawnHall(hall.workspace)).stop();
  expect(indexRows(hall.workspace)).toEqual(grown);
}

async function restart(workspace: string, restarts: number[]): Promise<DaemonProcess> {
  const start = performance.now();
  const hall = await spawnHall(workspace);
  expect((await hall.call("GET", "/api/health")).body.status).toBe("ok");
  const took = performance.now() - start;
  expect(took, "milliseconds from the start of the process to the first answer").toBeLessThan(RESTART_WITHIN_MS);
  restarts.push(took);
  return hall;
}

async function killWhileStarting(workspace: string, delay: number): Promise<void> {
  await killAfter(launchHall(workspace), delay);
}

function killAfter(victim: { kill(): Promise<void> }, delay: number): Promise<void> {
  return new Promise((resolve, reject) => setTimeout(() => victim.kill().then(resolve, reject), delay));
}

function report(cycles: number, ledger: Ledger, restarts: number[]): void {
  const sorted = restarts.toSorted((left, right) => left - right);
  const median = Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
  const slowest = Math.round(sorted.at(-1) ?? 0);
  process.stdout.write(
    `${cycles} kills, ${ledger.acknowledgements} acknowledged writes, ${ledger.created.size} tasks; ` +
      `restart to first answer: median ${median} ms, slowest ${slowest} ms\n`,
  );
}
