import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import { BenchHall } from "./kit/bench-hall.ts";
import { median, ms } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

const TURNS = 15;
/** No model decides faster; meanwhile the sandbox of the next hook is prepared. */
const THINKING_MS = 300;
/** What the hook itself takes. */
const OWN_MS = 50;
const GOAL_MS = 15;

/** What hooks add to a turn with one call, against the same run without hooks. The hook is the only thing that differs. */
export async function hooks({ workspaces, quick }: Bench): Promise<Table> {
  const hall = await BenchHall.open(workspaces);
  try {
    const project = await hall.gitProject();
    const rounds = quick ? 2 : 5;
    await turn(hall, project);
    const without = await sampled(rounds, () => turn(hall, project));
    const lines: Line[] = [{ cells: ["without hooks", ms(without), ""] }];
    const file = join(hall.workspace, "hooks/bench.yml");
    mkdirSync(join(hall.workspace, "hooks"), { recursive: true });
    for (const [name, command, own] of HOOKS) {
      writeFileSync(file, JSON.stringify({ event: "PreToolUse", command }));
      const each = await sampled(rounds, () => turn(hall, project));
      const added = each - without - own;
      lines.push({ cells: [name, ms(each), ms(added)], goal: atMost(GOAL_MS, added, "ms added") });
    }
    writeFileSync(file, JSON.stringify({ event: "PreToolUse", matcher: "web_fetch", command: ["true"] }));
    const other = await sampled(rounds, () => turn(hall, project));
    lines.push({ cells: ["with a hook for another tool", ms(other), ms(other - without)] });
    rmSync(file);
    return { title: "Hooks", columns: ["a turn with one call", "median", "added to its own time"], lines };
  } finally {
    await hall.close();
  }
}

const HOOKS: readonly [string, string[], number][] = [
  ["a hook that does nothing", ["true"], 0],
  [`a hook that takes ${OWN_MS} ms`, ["sleep", String(OWN_MS / 1_000)], OWN_MS],
];

async function sampled(rounds: number, work: () => Promise<number>): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await work());
  return median(samples);
}

/** From one model request to the next. */
async function turn(hall: BenchHall, project: string): Promise<number> {
  const { tag, text } = hall.prompt(`turns=${TURNS} think=${THINKING_MS}`);
  await hall.spawn(project, text, "reader");
  const arrivals = await hall.seen(tag);
  return median(arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at)));
}
