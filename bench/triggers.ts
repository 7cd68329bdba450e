import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { ticksOf } from "./kit/process-figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

const COUNT = 1_000;
const [SETTLE_MS, IDLE_MS] = [30_000, 10_000];

/** What triggers and projects cost while nothing is due. */
export async function triggers({ workspaces, quick }: Bench): Promise<Table> {
  const many = quick ? 50 : COUNT;
  const workspace = await workspaces.empty();
  const first = await startDaemon(workspace);
  const client = first.connect(4);
  for (let at = 0; at < many; at++) await client.call("POST", "/api/projects", { id: `quiet-${at}`, name: `${at}` });
  client.close();
  await first.end();
  writeTriggers(workspace, many);
  const daemon = await startDaemon(workspace);
  await pause(SETTLE_MS);
  const before = ticksOf(daemon.pid);
  await pause(IDLE_MS);
  const ticks = ticksOf(daemon.pid) - before;
  await daemon.end();
  const line: Line = { cells: ["ticks in 10 s", String(ticks)], goal: atMost(0, ticks, "") };
  return { title: `Idle with ${many} triggers and ${many} projects`, columns: ["", ""], lines: [line] };
}

/** None of them is due soon; every other one waits for something to happen. */
function writeTriggers(workspace: string, many: number): void {
  mkdirSync(join(workspace, "triggers"), { recursive: true });
  for (let at = 0; at < many; at++) {
    const on = at % 2 === 0 ? `{ cron: "0 0 ${1 + (at % 28)} 1 *", timezone: UTC }` : "{ event: run.ended }";
    writeFileSync(join(workspace, `triggers/quiet-${at}.md`), `---\non: ${on}\ndo: { message: Look. }\n---\n`);
  }
}
