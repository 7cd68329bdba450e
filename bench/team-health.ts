import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Config } from "../src/contract/documents/config.ts";
import { Files } from "../src/store/files/files.ts";
import { lineText } from "../src/store/logs/durable-line.ts";
import { HealthMonitor } from "../src/teams/health/health-monitor.ts";
import { PlayedWorld } from "../test/fakes/team-world.ts";
import type { Bench } from "./kit/bench.ts";
import { median, ms, percentile } from "./kit/figures.ts";
import { atMost, type Table } from "./kit/report.ts";

const MEMBERS = 50;
const USAGE = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** One look at 50 members at work, each of which took another turn since the last. */
export async function teamHealth({ quick }: Bench): Promise<Table> {
  const root = mkdtempSync(join(tmpdir(), "guildhall-bench-"));
  try {
    const { turn, look } = monitored(root);
    const samples: number[] = [];
    for (let round = 0; round < (quick ? 20 : 100); round++) {
      turn(round);
      const from = performance.now();
      look();
      samples.push(performance.now() - from);
    }
    const cells = (value: number) => [ms(value)];
    const middle = median(samples);
    return {
      title: `Health of ${MEMBERS} members, one round`,
      columns: ["", "took"],
      lines: [
        { cells: ["least", ...cells(Math.min(...samples))] },
        { cells: ["p50", ...cells(middle)], goal: atMost(5, middle, "ms") },
        { cells: ["p95", ...cells(percentile(samples, 0.95))] },
      ],
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function monitored(root: string) {
  const world = new PlayedWorld();
  world.settle();
  const names = Array.from({ length: MEMBERS }, (_, at) => `worker-${at}`);
  const runs = new Map(
    names.map((name) => [
      `run-${name}`,
      {
        run: { id: `run-${name}`, projectId: "shop", status: "running", model: "test/m" },
        epoch: 1,
        journal: `${name}.jsonl`,
      },
    ]),
  );
  for (const name of names) {
    world.append({ type: "member-joined", name, rank: "worker", roleId: "coder" });
    const member = world.state.members.get(name);
    if (member !== undefined) member.runId = `run-${name}`;
  }
  const settings = Config.parse({}).agentTeams.health;
  const parts = {
    core: { runs: { get: (id: string) => runs.get(id), unsettled: () => [] }, files: new Files(root) },
    store: { open: () => [world.state], find: () => world.state, append: async () => undefined },
    keeper: { alone: (_: string, work: () => Promise<unknown>) => work(), look: () => undefined },
    live: { subscribe: () => () => undefined, shown: (run: object) => ({ ...run, activity: { kind: "thinking" } }) },
    settings: () => settings,
    means: () => ({ threshold: 2 }),
    uptime: () => performance.now(),
    onTrouble: () => undefined,
  };
  const monitor = new HealthMonitor(parts as unknown as ConstructorParameters<typeof HealthMonitor>[0]);
  return {
    look: () => monitor.look(),
    turn: (round: number) => {
      for (const name of names) {
        const id = `call-${round}`;
        const at = "2026-11-18T00:00:00.000Z";
        const calls = [{ id, name: "read", input: JSON.stringify({ path: `src/${"a".repeat(round + 1)}.ts` }) }];
        const answer = {
          type: "answer",
          text: "I read it.",
          calls,
          finish: "calls",
          model: "test/m",
          usage: USAGE,
          costUsd: 0,
          at,
        };
        const result = { type: "result", id, name: "read", output: "line\n".repeat(800) };
        appendFileSync(join(root, `${name}.jsonl`), `${lineText(answer)}\n${lineText(result)}\n`);
      }
    },
  };
}
