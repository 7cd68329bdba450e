import { spawn } from "node:child_process";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { count, median, ms, timed, times } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";
import { MAIN_PROJECT } from "./kit/workspaces.ts";

/** On an empty workspace; other starts may take so much more. */
const EMPTY_GOAL_MS = 2_000;
const MORE_GOAL_MS = 1_000;
const CHANGES_BEFORE_KILL = 20;

/** From the start of the process to the first answer, after an orderly stop and after kill -9 while it was written to. */
export async function start({ workspaces, sizes, quick }: Bench): Promise<Table> {
  const floor: number[] = [];
  const cases = [{ size: 0, workspace: await workspaces.empty() }];
  for (const size of sizes.filter((each) => each >= 10_000))
    cases.push({ size, workspace: (await workspaces.withTasks(size)).workspace });
  const measured = cases.map((each) => ({ ...each, stopped: [] as number[], killed: [] as number[] }));
  for (let round = 0; round < (quick ? 3 : 5); round++) {
    floor.push(await timed(bareNode));
    for (const { workspace, stopped, killed } of measured) {
      stopped.push(await startAndKill(workspace));
      killed.push(await startAndStop(workspace));
    }
  }
  const [nodeMs, emptyMs] = [median(floor), median(measured[0]?.stopped ?? [])];
  const line = (name: string, samples: number[], isEmpty: boolean): Line => {
    const value = median(samples);
    const goal = isEmpty
      ? atMost(EMPTY_GOAL_MS, value, "ms")
      : atMost(MORE_GOAL_MS, value - emptyMs, "ms more than empty");
    return { cells: [name, ms(value), times(value / nodeMs), ms(value - emptyMs)], goal };
  };
  const lines = measured.flatMap(({ size, stopped, killed }) => {
    const name = size === 0 ? "empty workspace" : `${count(size)} tasks, warm index`;
    return [line(`${name}, after a stop`, stopped, size === 0), line(`${name}, after kill -9`, killed, size === 0)];
  });
  return {
    title: "Start: from the process to the first /api/health",
    columns: ["", "time", "of node -e 0", "above empty"],
    lines: [{ cells: ["node -e 0", ms(nodeMs), times(1), ""] }, ...lines],
  };
}

async function startAndKill(workspace: string): Promise<number> {
  const daemon = await startDaemon(workspace);
  const client = daemon.connect();
  for (let made = 0; made < CHANGES_BEFORE_KILL; made++)
    await client.call("POST", `/api/projects/${MAIN_PROJECT}/tasks`, { title: "Made just before the end" });
  await daemon.end("SIGKILL");
  client.close();
  return daemon.startMs;
}

async function startAndStop(workspace: string): Promise<number> {
  const daemon = await startDaemon(workspace);
  await daemon.end();
  return daemon.startMs;
}

export function bareNode(): Promise<void> {
  return new Promise((resolve, reject) => {
    spawn(process.execPath, ["-e", "0"], { stdio: "ignore" })
      .once("error", reject)
      .once("exit", () => resolve());
  });
}
