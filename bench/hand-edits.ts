import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "./kit/bench.ts";
import type { Client } from "./kit/client.ts";
import { startDaemon } from "./kit/daemon.ts";
import { count, ms, percentile } from "./kit/figures.ts";
import type { Line, Table } from "./kit/report.ts";
import { MAIN_PROJECT } from "./kit/workspaces.ts";

const GIVEN_UP_MS = 10_000;
const ASKED_EVERY_MS = 2;

interface Listed {
  tasks: { title: string; path: string }[];
}

/** A person saves a task's file; how long until the list shows it. The daemon waits a moment for more before it looks. */
export async function handEdits({ workspaces, sizes, quick }: Bench): Promise<Table> {
  const lines: Line[] = [];
  for (const size of sizes) {
    const { workspace } = await workspaces.withTasks(size);
    const daemon = await startDaemon(workspace);
    const client = daemon.connect();
    const samples: number[] = [];
    for (let edit = 1; edit <= (quick ? 8 : 20); edit++)
      samples.push(await editUntilSeen(client, workspace, `Edited by hand, number ${edit}`));
    client.close();
    await daemon.end();
    lines.push({ cells: [`${count(size)} tasks`, ms(percentile(samples, 0.5)), ms(percentile(samples, 0.95))] });
  }
  return { title: "From saving a task's file to the list showing it", columns: ["", "p50", "p95"], lines };
}

async function editUntilSeen(client: Client, workspace: string, title: string): Promise<number> {
  const first = async () =>
    ((await client.call("GET", `/api/projects/${MAIN_PROJECT}/tasks?limit=1`)) as Listed).tasks[0];
  const path = join(workspace, (await first())?.path ?? "");
  const text = readFileSync(path, "utf8").replace(/^# .*$/m, `# ${title}`);
  const start = performance.now();
  writeFileSync(path, text);
  while ((await first())?.title !== title) {
    if (performance.now() - start > GIVEN_UP_MS) throw new Error(`${path} was edited and the list does not show it`);
    await pause(ASKED_EVERY_MS);
  }
  return performance.now() - start;
}
