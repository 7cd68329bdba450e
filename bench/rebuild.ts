import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { count, median, ms } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

/** By the number of files. */
const GOALS_MS = new Map([
  [10_000, 2_000],
  [100_000, 12_000],
]);

/** The whole index from the files: asked for while the daemon runs, and by a start that finds none. */
export async function rebuild({ workspaces, sizes, quick }: Bench): Promise<Table> {
  const lines: Line[] = [];
  for (const size of sizes.filter((each) => each >= 10_000)) {
    const { workspace, coldStartMs } = await workspaces.withTasks(size);
    const rounds = quick || size > 10_000 ? 1 : 3;
    const asked: number[] = [];
    const cold: number[] = size > 10_000 ? [coldStartMs] : [];
    for (let round = 0; round < rounds; round++) {
      if (size <= 10_000) cold.push(await coldStart(workspace));
      asked.push(await askedRebuild(workspace));
    }
    const most = GOALS_MS.get(size);
    const line = (name: string, value: number): Line => ({
      cells: [`${count(size)} files, ${name}`, ms(value), ms((value / size) * 1_000)],
      goal: most === undefined ? undefined : atMost(most, value, "ms"),
    });
    lines.push(line("POST /api/index/rebuild", median(asked)), line("start without an index", median(cold)));
  }
  return { title: "Full rebuild of the index", columns: ["", "time", "per 1,000 files"], lines };
}

async function askedRebuild(workspace: string): Promise<number> {
  const daemon = await startDaemon(workspace);
  const client = daemon.connect();
  const start = performance.now();
  await client.call("POST", "/api/index/rebuild");
  const took = performance.now() - start;
  client.close();
  await daemon.end();
  return took;
}

async function coldStart(workspace: string): Promise<number> {
  rmSync(join(workspace, ".guildhall/index.db"));
  const daemon = await startDaemon(workspace);
  await daemon.end();
  return daemon.startMs;
}
