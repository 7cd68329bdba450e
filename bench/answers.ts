import type { Bench } from "./kit/bench.ts";
import { BenchHall, wallClock } from "./kit/bench-hall.ts";
import { ms, percentile, timed, times } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

/** From a person's answer to the model request that has it, against the health check on the same connection. */
export async function answers({ workspaces, quick }: Bench): Promise<Table> {
  const hall = await BenchHall.open(workspaces);
  try {
    const project = await hall.project();
    const taken = { warm: [] as number[], parked: [] as number[] };
    const floor: number[] = [];
    for (let round = 0; round <= (quick ? 5 : 15); round++) {
      const bare = await timed(() => hall.client.call("GET", "/api/health"));
      const warm = await answered(hall, project, async () => undefined);
      const parked = await answered(hall, project, async () => {
        await hall.end();
        await hall.start();
      });
      // The first round warms both sides up.
      if (round === 0) continue;
      floor.push(bare);
      taken.warm.push(warm);
      taken.parked.push(parked);
    }
    const bare = percentile(floor, 0.5);
    const line = (name: string, samples: number[], goal: number): Line => {
      const [p50, p95] = [percentile(samples, 0.5), percentile(samples, 0.95)];
      return { cells: [name, ms(p50), ms(p95), times(p50 / bare)], goal: atMost(goal, p50, "ms") };
    };
    const title = `From an answer to the agent's next model request, against the health check (${ms(bare)})`;
    const lines = [
      line("the project's process is awake", taken.warm, 100),
      line("the project has no process", taken.parked, 400),
    ];
    return { title, columns: ["", "p50", "p95", "ratio"], lines };
  } finally {
    await hall.close();
  }
}

/** An agent asks and waits; `meanwhile` happens before the answer. */
async function answered(hall: BenchHall, project: string, meanwhile: () => Promise<void>): Promise<number> {
  const { tag, text } = hall.prompt("turns=2 ask=1");
  await hall.begin(project, text);
  const id = await questionOf(hall, tag);
  await meanwhile();
  const start = wallClock();
  await hall.client.call("POST", `/api/escalations/${id}/resolve`, { resolution: `Paint ${tag} blue.` });
  return (await hall.arrival(tag, 2)) - start;
}

async function questionOf(hall: BenchHall, tag: string): Promise<string> {
  for (;;) {
    const { escalations } = (await hall.client.call("GET", "/api/escalations?status=pending&limit=1000")) as {
      escalations: { id: string; question: string }[];
    };
    const found = escalations.find(({ question }) => question.includes(tag));
    if (found !== undefined) return found.id;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
