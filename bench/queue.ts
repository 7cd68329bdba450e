import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import type { Client } from "./kit/client.ts";
import { startDaemon } from "./kit/daemon.ts";
import { ms, percentile, timed, times } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

/** Half of them documents, half derived from files that cannot be read. */
const PENDING = 500;
const LIST = "/api/escalations?status=pending&limit=500";

const READS: { name: string; path: string; goal: number }[] = [
  { name: `list of ${PENDING} pending`, path: LIST, goal: 60 },
  { name: "list of the first 50", path: "/api/escalations?status=pending&limit=50", goal: 30 },
  { name: "one document", path: "/api/escalations/esc-007", goal: 3 },
  { name: "Now", path: "/api/now", goal: 30 },
];

/** What a person's inbox waits for, against the health check on the same connection. */
export async function queue({ workspaces, quick }: Bench): Promise<Table> {
  const workspace = await workspaces.empty();
  const daemon = await startDaemon(workspace);
  const client = daemon.connect();
  await fill(client, workspace);
  const floor: number[] = [];
  const taken = new Map(READS.map(({ name }): [string, number[]] => [name, []]));
  for (let round = 0; round <= (quick ? 20 : 60); round++)
    for (const { name, path } of READS) {
      const [health, own] = [await read(client, "/api/health"), await read(client, path)];
      // The first round warms both sides up.
      if (round > 0) floor.push(health);
      if (round > 0) taken.get(name)?.push(own);
    }
  client.close();
  await daemon.end();
  const bare = percentile(floor, 0.5);
  const lines = READS.map(({ name, goal }): Line => {
    const samples = taken.get(name) ?? [];
    const [p50, p95] = [percentile(samples, 0.5), percentile(samples, 0.95)];
    return { cells: [name, ms(p50), ms(p95), times(p50 / bare)], goal: atMost(goal, p50, "ms") };
  });
  const title = `The queue with ${PENDING} pending entries, against the health check on the same connection (${ms(bare)})`;
  return { title, columns: ["", "p50", "p95", "ratio"], lines };
}

const read = (client: Client, path: string) => timed(() => client.call("GET", path));

async function fill(client: Client, workspace: string): Promise<void> {
  await client.call("POST", "/api/projects", { id: "shop", name: "Shop" });
  const pending = join(workspace, "escalations/pending");
  const board = join(workspace, "projects/shop/TASKS/todo");
  for (const folder of [pending, board]) mkdirSync(folder, { recursive: true });
  for (let at = 1; at <= PENDING / 2; at++) {
    const id = `esc-${String(at).padStart(3, "0")}`;
    const question = { id, type: "question", question: `Which color for part ${at}?`, projectId: "shop" };
    writeFileSync(
      join(pending, `${id}.json`),
      JSON.stringify({ ...question, context: "A line of context. ".repeat(20) }),
    );
    writeFileSync(join(board, `TASK-${1_000 + at}.md`), "---\nid: [\n---\n");
  }
  for (;;) {
    const { total } = (await client.call("GET", LIST)) as { total: number };
    if (total === PENDING) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
