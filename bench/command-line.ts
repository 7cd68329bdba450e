import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Bench } from "./kit/bench.ts";
import { LAUNCHER, startDaemon } from "./kit/daemon.ts";
import { count, median, ms, percentile, timed, times } from "./kit/figures.ts";
import { atMost, type Table } from "./kit/report.ts";
import { PROBES } from "./kit/words.ts";
import { MAIN_PROJECT } from "./kit/workspaces.ts";
import { bareNode } from "./start.ts";

const GOAL_MS = 150;
const run = promisify(execFile);

const COMMANDS = [
  ["task", "list", "-p", MAIN_PROJECT],
  ["task", "show", "TASK-007", "-p", MAIN_PROJECT],
  ["task", "search", PROBES.common, "-p", MAIN_PROJECT],
  ["search", PROBES.rare],
  ["status"],
];

/** A person's command to the daemon of 10,000 tasks, with the start of its own process. */
export async function commandLine({ workspaces, sizes, quick }: Bench): Promise<Table> {
  const size = sizes.find((each) => each >= 10_000) ?? sizes.at(-1) ?? 0;
  const { workspace } = await workspaces.withTasks(size);
  const daemon = await startDaemon(workspace);
  const floor: number[] = [];
  const samples = COMMANDS.map((): number[] => []);
  for (let round = 0; round <= (quick ? 6 : 15); round++) {
    const floorMs = await timed(bareNode);
    if (round > 0) floor.push(floorMs);
    for (const [at, command] of COMMANDS.entries()) {
      const ownMs = await timed(() => run(LAUNCHER, [...command, "--workspace", workspace]));
      if (round > 0) samples[at]?.push(ownMs);
    }
  }
  await daemon.end();
  const lines = COMMANDS.map((command, at) => {
    const p50 = median(samples[at] ?? []);
    return {
      cells: [
        `guildhall ${command.join(" ")}`,
        ms(p50),
        ms(percentile(samples[at] ?? [], 0.95)),
        times(p50 / median(floor)),
      ],
      goal: atMost(GOAL_MS, p50, "ms"),
    };
  });
  return {
    title: `Commands on ${count(size)} tasks`,
    columns: ["", "p50", "p95", "of node -e 0"],
    lines: [{ cells: ["node -e 0", ms(median(floor)), ms(percentile(floor, 0.95)), times(1)] }, ...lines],
  };
}
