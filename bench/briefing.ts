import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf } from "../src/autonomy/heartbeat/fingerprint.ts";
import { openHall } from "../src/workspace/hall/open-hall.ts";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { ms, percentile, timed } from "./kit/figures.ts";
import { atMost, type Table } from "./kit/report.ts";

const [RUNS, OTHERS, TASKS] = [500, 9_500, 10_000];

/** The briefing of a busy day, and what a heartbeat compares before it calls a model. */
export async function briefing({ workspaces, quick }: Bench): Promise<Table> {
  const rounds = quick ? 10 : 40;
  const day = await workspaces.empty();
  writeDay(day);
  const daemon = await startDaemon(day);
  const client = daemon.connect();
  const read = await sampled(rounds, () => client.call("GET", "/api/briefings/today"));
  client.close();
  await daemon.end();
  const { workspace } = await workspaces.withTasks(TASKS);
  const open = await openHall({ workspace, clock: () => new Date(), version: "0" });
  const beat = await sampled(rounds, async () => fingerprintOf(open));
  await open.close();
  const line = (name: string, samples: readonly number[], goal: number) => {
    const [p50, p95] = [percentile(samples, 0.5), percentile(samples, 0.95)];
    return { cells: [name, ms(p50), ms(p95)], goal: atMost(goal, p50, "ms") };
  };
  return {
    title: `A briefing of ${RUNS} runs among ${RUNS + OTHERS} events, and the fingerprint of ${TASKS} tasks`,
    columns: ["", "p50", "p95"],
    lines: [line("GET /api/briefings/today", read, 200), line("unchanged heartbeat", beat, 50)],
  };
}

async function sampled(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const took = await timed(work);
    // The first one warms up.
    if (round > 0) taken.push(took);
  }
  return taken;
}

/** The log of a day, as the daemon would have written it. */
function writeDay(workspace: string): void {
  const at = new Date().toISOString();
  const common = { at, actor: { kind: "agent", via: "daemon" }, projectId: "shop" };
  const lines = Array.from({ length: RUNS + OTHERS }, (_, index) => {
    const isRun = index % ((RUNS + OTHERS) / RUNS) === 0;
    const subject = { kind: "run", id: `run-${index}` };
    const after = { status: "completed", taskId: "TASK-001", costUsd: 0.01, summary: "A line of text. ".repeat(20) };
    const type = isRun ? "run.ended" : "checkpoint.created";
    const { at: time, ...rest } = common;
    return JSON.stringify({
      seq: index + 1,
      id: `e${index}`,
      at: time,
      type,
      ...rest,
      subject,
      after,
      prev: "",
      hash: "",
    });
  });
  mkdirSync(join(workspace, "events"), { recursive: true });
  writeFileSync(join(workspace, `events/${at.slice(0, 10)}.jsonl`), `${lines.join("\n")}\n`);
}
