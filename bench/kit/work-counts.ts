import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BenchHall } from "./bench-hall.ts";
import { atMost, type Line } from "./report.ts";
import type { Workspaces } from "./workspaces.ts";

const SPAWNS = 20;
const TURNS = 200;
/** What follows a run a little later, such as pages and the search, is counted with it. */
const AFTER_MS = 400;

/** What a daemon asks of SQLite and of the disk, counted in one of its own, which is slower for being counted. */
export async function workCounts(workspaces: Workspaces): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-counts-"));
  const counts = join(folder, "counts.json");
  const counter = join(import.meta.dirname, "count-work.mjs");
  const hall = await BenchHall.open(workspaces, { GUILDHALL_COUNTS: counts, NODE_OPTIONS: `--import=${counter}` });
  const counted = async (work: () => Promise<unknown>) => {
    await taken(hall.pid, counts);
    await work();
    await pause(AFTER_MS);
    return taken(hall.pid, counts);
  };
  try {
    const project = await hall.project();
    const spawn = (turns: number) => hall.spawn(project, hall.prompt(`turns=${turns}`).text, "reader");
    for (let warm = 0; warm < 3; warm++) await spawn(1);
    await pause(AFTER_MS);
    const spawns = await counted(async () => {
      for (let round = 0; round < SPAWNS; round++) await spawn(1);
    });
    const turns = await counted(() => spawn(TURNS));
    const [statements, syncs] = [sum(spawns, "sql ") / SPAWNS, sum(spawns, "sync ") / SPAWNS];
    const reads = sum(turns, "sql SELECT ") / TURNS;
    return [
      { cells: ["  statements of the index for it", "", statements.toFixed(1), ""], goal: atMost(30, statements, "") },
      { cells: ["  syncs of the daemon for it", "", syncs.toFixed(1), ""], goal: atMost(6, syncs, "") },
      { cells: [`  reads of the index for a turn, ${TURNS} in a run`, "", reads.toFixed(2), ""] },
    ];
  } finally {
    await hall.close();
    rmSync(folder, { recursive: true });
  }
}

/** Since the last time. The daemon writes them down when it is asked to by a signal. */
async function taken(pid: number, path: string): Promise<Record<string, number>> {
  rmSync(path, { force: true });
  process.kill(pid, "SIGUSR2");
  while (!existsSync(path)) await pause(5);
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, number>;
}

function sum(counts: Record<string, number>, kind: string): number {
  return Object.entries(counts).reduce((all, [name, n]) => (name.startsWith(kind) ? all + n : all), 0);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
