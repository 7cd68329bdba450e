import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { type DaemonProcess, eventually, launchHall, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { numbersFrom } from "../harness/seeded-numbers.ts";
import { bookOf, entriesOf, furnish, journalOf, listRuns, PROJECT, spawnBody } from "../harness/spawned-runs.ts";
import { assertDoneOnce, assertJournalWhole, UNKNOWN } from "./run-traces.ts";

const CYCLES = Number(process.env.GUILDHALL_FAULT_CYCLES ?? 3);
const CYCLES_PER_WORKSPACE = 25;
const RESTART_WITHIN_MS = 20_000;
const LONGEST_LOAD_MS = 700;
const LONGEST_START_MS = 800;
const SPAWNERS = 3;

const WRITER = `
turns:
  - delayMs: 15
    calls: [{tool: write, input: {path: "out/{{title}}.md", content: "one\\n"}}]
  - delayMs: 15
    calls: [{tool: edit, input: {path: "out/{{title}}.md", oldText: one, newText: two}}]
  - delayMs: 15
    calls: [{tool: report, input: {summary: "wrote {{title}}", outcome: full}}]
  - text: Done.
`;
const PARENT = `
turns:
  - calls: [{tool: spawn_subagent, input: {role: helper, title: "for {{title}}"}}]
  - calls: [{tool: report, input: {summary: "heard: {{last.spawn_subagent}}", outcome: full}}]
  - text: Done.
`;
const HELPER = `
turns:
  - delayMs: 20
    calls: [{tool: list, input: {path: "."}}]
  - delayMs: 20
    text: I am the child.
`;

const rounds = Array.from({ length: Math.ceil(CYCLES / CYCLES_PER_WORKSPACE) }, (_, round) => ({
  seed: round + 1,
  cycles: Math.min(CYCLES_PER_WORKSPACE, CYCLES - round * CYCLES_PER_WORKSPACE),
}));

describe("SIGKILL at random moments of running spawns", () => {
  it.each(rounds)(
    "loses no run, does none twice and leaves no process (seed $seed, $cycles cycles) [S3-START-04]",
    { timeout: 600_000 },
    async ({ seed, cycles }) => {
      const workspace = join(temporaryFolder(), "workspace");
      const random = numbersFrom(seed);
      const acknowledged = new Map<string, string>();
      let hall = await spawnHall(workspace);
      await furnish(hall, { writer: WRITER, parent: PARENT, helper: HELPER });
      for (let cycle = 0; cycle < cycles; cycle++) {
        const load = spawnUntilGone(hall, acknowledged, `${seed}-${cycle}`);
        await after(random() * LONGEST_LOAD_MS);
        if (random() < 0.3) await killAProject(workspace, random);
        else {
          await hall.kill();
          await nobodyLeft(workspace);
          if (random() < 0.2) await killWhileStarting(workspace, random() * LONGEST_START_MS);
          hall = await restarted(workspace);
        }
        load.stop();
        await load.done;
      }
      const runs = await untilAllOver(hall);
      await assertNothingLostOrDoubled(hall, runs, acknowledged);
      await hall.stop();
      await nobodyLeft(workspace);
      report(cycles, runs);
    },
  );
});

/** Several clients that spawn one run after the other, until they are told to stop or the daemon is gone. */
function spawnUntilGone(hall: DaemonProcess, acknowledged: Map<string, string>, name: string) {
  let isOn = true;
  const spawner = async (number: number) => {
    for (let count = 0; isOn && count < 6; count++) {
      const title = `${name}-${number}-${count}`;
      const playbook = count % 3 === 2 ? "parent" : "writer";
      try {
        const wait = { options: { waitForCompletion: count % 2 === 0 } };
        const { status, body } = await hall.call("POST", "/api/team/spawn", spawnBody(playbook, title, wait));
        if (status === 200) acknowledged.set(body.sessionId, title);
      } catch {
        return;
      }
    }
  };
  const done = Promise.all(Array.from({ length: SPAWNERS }, (_, number) => spawner(number)));
  return {
    done,
    stop: () => {
      isOn = false;
    },
  };
}

async function killAProject(workspace: string, random: () => number): Promise<void> {
  const pids = projectProcesses(workspace);
  const pid = pids[Math.floor(random() * pids.length)];
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

async function nobodyLeft(workspace: string): Promise<void> {
  await untilNoProcess(workspace);
}

async function restarted(workspace: string): Promise<DaemonProcess> {
  const start = performance.now();
  const hall = await spawnHall(workspace);
  expect((await hall.call("GET", "/api/health")).body.status).toBe("ok");
  expect(performance.now() - start, "milliseconds until it answered again").toBeLessThan(RESTART_WITHIN_MS);
  return hall;
}

async function killWhileStarting(workspace: string, delay: number): Promise<void> {
  const launch = launchHall(workspace);
  await after(delay);
  await launch.kill();
  await nobodyLeft(workspace);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function untilAllOver(hall: DaemonProcess): Promise<Run[]> {
  const isOver = (run: Run) => !["pending", "running"].includes(run.status);
  return eventually(
    () => listRuns(hall),
    (runs) => runs.every(isOver),
    120_000,
  );
}

async function assertNothingLostOrDoubled(
  hall: DaemonProcess,
  runs: Run[],
  acknowledged: Map<string, string>,
): Promise<void> {
  const ids = new Set(runs.map((run) => run.id));
  expect(
    [...acknowledged.keys()].filter((id) => !ids.has(id)),
    "acknowledged and lost",
  ).toEqual([]);
  const notDone = runs.filter((run) => run.status !== "completed").map((run) => `${run.id} ${run.status} ${run.error}`);
  expect(notDone).toEqual([]);
  for (const run of runs) {
    if (run.parentRunId === undefined) await assertRoot(hall, run, runs);
    else assertChild(hall, run);
  }
  expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true, faults: [] });
}

async function assertRoot(hall: DaemonProcess, run: Run, runs: Run[]): Promise<void> {
  const journal = await assertDoneOnce(hall, run.id);
  const results = entriesOf(journal, "result");
  const children = runs.filter((other) => other.parentRunId === run.id);
  const asked = results.filter((result) => result.name === "spawn_subagent");
  expect(children, "children").toHaveLength(asked.length);
  for (const { output } of asked) expect(output).toContain("I am the child.");
  if (asked.length > 0 || results.some((result) => UNKNOWN.test(result.output))) return;
  const path = join(hall.workspace, "projects", PROJECT, "out", `${run.title}.md`);
  expect(existsSync(path) && readFileSync(path, "utf8"), path).toBe("two\n");
}

function assertChild(hall: DaemonProcess, run: Run): void {
  assertJournalWhole(journalOf(hall.workspace, run.id));
  expect(bookOf(hall.workspace, run.id).filter((line) => line.type === "settled")).toHaveLength(1);
}

function report(cycles: number, runs: Run[]): void {
  const again = runs.filter((run) => run.attempt > 1).length;
  process.stdout.write(`${cycles} kills, ${runs.length} runs, ${again} of them taken up again\n`);
}
