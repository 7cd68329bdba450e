import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TaskCreate } from "../src/contract/documents/task.ts";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { ms, percentile, timed } from "./kit/figures.ts";
import { atMost, type Table } from "./kit/report.ts";
import { writeTaskFiles } from "./kit/task-files.ts";

const [PROJECTS, TASKS, INITIATIVES] = [100, 10_000, 3];

/** A cycle of the orchestrator over many projects, without what it starts and without a model. */
export async function orchestrator({ workspaces, quick }: Bench): Promise<Table> {
  const rounds = quick ? 10 : 40;
  const workspace = await workspaces.empty();
  const settings = { enabled: true, generate: "propose", never: ["lead", "question", "initiative"] };
  writeFileSync(join(workspace, "config.yml"), JSON.stringify({ orchestrator: settings }));
  await furnish(workspace);
  const daemon = await startDaemon(workspace);
  const client = daemon.connect();
  const portfolio = await sampled(rounds, () => client.call("GET", "/api/portfolio"));
  const cycle = await sampled(rounds, () => client.call("POST", "/api/orchestrator/cycle"));
  client.close();
  await daemon.end();
  const line = (name: string, samples: readonly number[]) => {
    const [p50, p95] = [percentile(samples, 0.5), percentile(samples, 0.95)];
    return { cells: [name, ms(p50), ms(p95)], goal: atMost(100, p50, "ms") };
  };
  return {
    title: `The orchestrator over ${PROJECTS} projects and ${TASKS} tasks`,
    columns: ["", "p50", "p95"],
    lines: [line("a cycle, recorded", cycle), line("GET /api/portfolio", portfolio)],
  };
}

async function furnish(workspace: string): Promise<void> {
  const daemon = await startDaemon(workspace);
  const client = daemon.connect();
  const ids = Array.from({ length: PROJECTS }, (_, at) => `project-${at}`);
  for (const id of ids) {
    await client.call("POST", "/api/projects", { id, name: id, config: { autonomy: "work", goals: ["Sell"] } });
    for (let plan = 0; plan < INITIATIVES; plan++)
      await client.call("POST", `/api/projects/${id}/initiatives`, {
        slug: `plan-${plan}`,
        title: "Plan",
        goals: ["Go"],
      });
  }
  client.close();
  await daemon.end();
  const each = TASKS / PROJECTS;
  const orders = Array.from({ length: TASKS }, (_, at) => {
    const number = Math.floor(at / PROJECTS) + 1;
    const body = TaskCreate.parse({ title: `Task ${number} of ${each}`, plan: `plan-${number % INITIATIVES}` });
    return { projectId: ids[at % PROJECTS] ?? "", number, at: new Date(), body };
  });
  await writeTaskFiles(workspace, orders);
  rmSync(join(workspace, ".guildhall/index.db"));
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
