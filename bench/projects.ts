import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { buildFolder } from "../bin/program.js";
import { ProjectProcess } from "../src/processes/project-process.ts";
import type { Bench } from "./kit/bench.ts";
import { BenchHall, wallClock } from "./kit/bench-hall.ts";
import { startDaemon } from "./kit/daemon.ts";
import { count, median, ms, percentile, timed, times } from "./kit/figures.ts";
import { childrenOf, commandOf, pssOf, ticksOf } from "./kit/process-figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

const ENTRY = join(buildFolder(join(import.meta.dirname, "..")), "project.cjs");
const BARE = join(import.meta.dirname, "kit/bare-child.mjs");
/** Until processes that have nothing to do were told to rest, and V8 has tidied up once more by itself. */
const RESTED_MS = 20_000;
const IDLE_MS = 10_000;
const TURNS = 150;
/** Projects that come back after the daemon was killed, and lines of the session of each. */
const BACK = 20;
const LINES = 1_000;

/** Many active projects, some of them awake, against bare Node children with a channel. */
export async function projects({ workspaces, quick }: Bench): Promise<Table> {
  const [size, awake] = quick ? [200, 10] : [1_000, 50];
  const floor = await bareChildren(awake);
  const ready = await readyTimes(quick ? 5 : 15);
  const emptyMs = await emptyStart(await workspaces.empty());
  const comingBack = await comeback(workspaces);
  const hall = await BenchHall.open(workspaces);
  try {
    const ids: string[] = [];
    for (let made = 0; made < size; made++) ids.push(await hall.project());
    const woken = await wakeAll(hall, ids.slice(0, awake));
    await pause(RESTED_MS);
    return {
      title: `${count(size)} active projects, ${awake} of them awake, against bare Node children with a channel`,
      columns: ["", "bare", "guildhall", "ratio"],
      lines: [
        against("from the daemon's decision to wake a project until it is ready, p50", [floor.ready, ready], 0.5, 300),
        against("from a request over HTTP to the first model request, p50", [floor.ready, woken], 0.5, 300),
        against("  p95", [floor.ready, woken], 0.95),
        ...(await idleLines(hall, { awake, barePss: floor.pss })),
        ...(await neighbours(hall, ids)),
        await restart(hall, emptyMs),
        comingBack,
      ],
    };
  } finally {
    await hall.close();
  }
}

/** A message to its agent wakes a project. Resolves with the model's first request. */
async function wake(hall: BenchHall, projectId: string): Promise<number> {
  const { tag, text } = hall.prompt("turns=1");
  const start = wallClock();
  await hall.say(projectId, text);
  return (await hall.arrival(tag)) - start;
}

async function wakeAll(hall: BenchHall, ids: string[]): Promise<number[]> {
  const taken: number[] = [];
  for (const id of ids) taken.push(await wake(hall, id));
  return taken;
}

function against(name: string, [bare, own]: [number[], number[]], share: number, limit?: number): Line {
  const [floor, value] = [percentile(bare, share), percentile(own, share)];
  const goal = limit === undefined ? undefined : atMost(limit, value, "ms");
  return { cells: [name, ms(floor), ms(value), times(value / floor)], goal };
}

async function bareChildren(number: number): Promise<{ ready: number[]; pss: number }> {
  const children: ChildProcess[] = [];
  const ready: number[] = [];
  try {
    for (let made = 0; made < number; made++) {
      const taken = await timed(async () => {
        const child = fork(BARE, { stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: [] });
        children.push(child);
        child.send("hello");
        await new Promise((resolve) => child.once("message", resolve));
      });
      ready.push(taken);
    }
    return { ready, pss: median(children.map(({ pid }) => pssOf(pid as number))) };
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
}

async function readyTimes(rounds: number): Promise<number[]> {
  // As the launcher does for the daemon, whose processes share it.
  enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/guildhall"));
  const taken: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const folder = mkdtempSync(join(tmpdir(), "guildhall-bench-wake-"));
    const start = performance.now();
    const { promise: ended, resolve: onExit } = Promise.withResolvers<unknown>();
    const web = { userAgent: "Bench/1", ports: [80, 443], allow: [] };
    const process = new ProjectProcess({
      entry: ENTRY,
      projectPath: folder,
      workdir: folder,
      toolSlots: 3,
      web,
      onMessage: () => undefined,
      onExit,
    });
    await process.ready();
    // The first one fills the cache of compiled code.
    if (round > 0) taken.push(performance.now() - start);
    else await pause(1_500);
    await process.stop();
    await ended;
  }
  return taken;
}

async function idleLines(hall: BenchHall, { awake, barePss }: { awake: number; barePss: number }): Promise<Line[]> {
  const processes = childrenOf(hall.pid);
  const pss = processes.map(pssOf);
  const mean = pss.reduce((sum, each) => sum + each, 0) / pss.length;
  const [before, daemonBefore] = [processes.map(ticksOf), ticksOf(hall.pid)];
  await pause(IDLE_MS);
  const spent = processes.reduce((sum, pid, at) => sum + ticksOf(pid) - (before[at] ?? 0), 0);
  const daemon = ticksOf(hall.pid) - daemonBefore;
  const seconds = `in ${IDLE_MS / 1_000} s`;
  const megabytes = (value: number) => `${value.toFixed(1)} MB`;
  return [
    {
      cells: ["processes, parked projects having none", "", `${processes.length}`, ""],
      goal: atMost(awake, processes.length, ""),
    },
    {
      cells: [
        "memory (PSS) of each that is awake and idle",
        megabytes(barePss),
        megabytes(mean),
        times(mean / barePss),
      ],
      goal: atMost(30, mean, "MB"),
    },
    {
      cells: [`processor time of all of them, idle, ${seconds}`, "", ms(spent * 10), ""],
      goal: atMost(100, spent * 10, "ms"),
    },
    {
      cells: [`processor time of the daemon, idle, ${seconds}`, "", ms(daemon * 10), ""],
      goal: atMost(100, daemon * 10, "ms"),
    },
  ];
}

/** Turns of one project while the processes of others are killed in the middle of their work, and while they are not. */
async function neighbours(hall: BenchHall, ids: string[]): Promise<Line[]> {
  const [watched = "", ...others] = ids.slice(0, 4);
  const measure = async (kill: boolean) => {
    const hung = others.map((id) => ({ id, ...hall.prompt("turns=3 hang=1") }));
    for (const { id, text, tag } of hung) {
      await hall.begin(id, text);
      await hall.arrival(tag, 2);
    }
    const { tag, text } = hall.prompt(`turns=${TURNS}`);
    const done = hall.spawn(watched, text, "reader");
    await hall.arrival(tag, 20);
    if (kill) process.kill(processOf(hall, others[0] ?? ""), "SIGKILL");
    await done;
    const seen = await hall.seen(tag);
    await hall.client.call("POST", "/api/stop", {}).catch(() => undefined);
    return seen.slice(1).map((at, index) => at - (seen[index] ?? 0));
  };
  await measure(false);
  const quiet = await measure(false);
  const killed = await measure(true);
  const line = (name: string, share: number): Line => {
    const [without, with_] = [percentile(quiet, share), percentile(killed, share)];
    return { cells: [name, ms(without), ms(with_), times(with_ / without)] };
  };
  return [
    line("a turn while another project's process is killed (left: while none is), p50", 0.5),
    line("  p95", 0.95),
  ];
}

/** From the start of a daemon after a kill until every one of them, with its long session, has answered. */
async function comeback(workspaces: Bench["workspaces"]): Promise<Line> {
  const hall = await BenchHall.open(workspaces);
  try {
    const ids: string[] = [];
    for (let made = 0; made < BACK; made++) ids.push(await hall.project());
    return await killedAndBack(hall, ids);
  } finally {
    await hall.close();
  }
}

async function killedAndBack(hall: BenchHall, ids: string[]): Promise<Line> {
  await hall.end("SIGKILL");
  for (const id of ids) writeFileSync(join(hall.workspace, "projects", id, "session/current.jsonl"), longSession());
  const start = performance.now();
  await hall.start();
  const up = performance.now() - start;
  await Promise.all(ids.map((id) => hall.say(id, "Are you there?")));
  const all = performance.now() - start;
  const name = `kill -9 of the daemon: ${ids.length} projects, ${count(LINES)} lines of session each, until all have answered (left: until it is up)`;
  return { cells: [name, ms(up), ms(all), times(all / up)], goal: atMost(5_000, all, "ms") };
}

function longSession(): string {
  const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  const at = "2026-11-15T10:00:00.000Z";
  const turns = Array.from({ length: Math.ceil(LINES / 3) }, (_, turn) => [
    {
      type: "message",
      id: `m${turn}`,
      from: "person",
      channel: { type: "project", id: "x" },
      text: "Go on. ".repeat(20),
      at,
    },
    { type: "answer", text: "So be it. ".repeat(40), finish: "end", model: "bench/model", usage, costUsd: null, at },
    { type: "ended", messageId: `m${turn}`, outcome: "answered", at },
  ]);
  return `${turns
    .flat()
    .map((line) => JSON.stringify(line))
    .join("\n")}\n`;
}

/** A project's process is started with the folder of its project. */
function processOf(hall: BenchHall, projectId: string): number {
  const found = childrenOf(hall.pid).find((pid) => commandOf(pid).endsWith(`/projects/${projectId}`));
  if (found === undefined) throw new Error(`project ${projectId} has no process`);
  return found;
}

async function emptyStart(workspace: string): Promise<number> {
  const daemon = await startDaemon(workspace);
  await daemon.end();
  return daemon.startMs;
}

async function restart(hall: BenchHall, emptyMs: number): Promise<Line> {
  await hall.end();
  const taken = await hall.start();
  const cells = ["start of the daemon (left: with two projects)", ms(emptyMs), ms(taken), times(taken / emptyMs)];
  return { cells, goal: atMost(1_000, taken - emptyMs, "ms more") };
}
