import type { Bench } from "./kit/bench.ts";
import type { Client } from "./kit/client.ts";
import { startDaemon } from "./kit/daemon.ts";
import { count, percentile, timed, times } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";
import { type Chance, PROBES, pick, seededChance } from "./kit/words.ts";
import { MAIN_PROJECT, PROJECTS } from "./kit/workspaces.ts";

/** Milliseconds for what looks for words, at 10,000 tasks. */
const WORDS_GOAL = 20;
const TASKS = `/api/projects/${MAIN_PROJECT}/tasks`;

/** A task that is moved to and fro. */
interface Mover {
  id: string;
  status: string;
}

interface Operation {
  name: string;
  /** Milliseconds at the median; where words are looked for, three times as much at 100,000 tasks. */
  goal: number;
  call(client: Client, at: { id: string; mover: Mover; turn: number }): Promise<unknown>;
}

const reading = (name: string, goal: number, path: string): Operation => ({
  name,
  goal,
  call: (client) => client.call("GET", path),
});
const listing = (name: string, query: string): Operation =>
  reading(`list of 50${name}`, 5, `${TASKS}?limit=50${query}`);
const searching = (name: string, query: string): Operation =>
  reading(`search, ${name}`, WORDS_GOAL, `/api/search?q=${query}`);

const OPERATIONS: Operation[] = [
  { name: "get", goal: 3, call: (client, { id }) => client.call("GET", `${TASKS}/${id}`) },
  {
    name: "update",
    goal: 3,
    call: (client, { id, turn }) => client.call("PUT", `${TASKS}/${id}`, { title: `Revised the ${turn}th time` }),
  },
  {
    name: "move",
    goal: 3,
    call: (client, { mover }) => {
      mover.status = mover.status === "review" ? "in-progress" : "review";
      return client.call("POST", `${TASKS}/${mover.id}/move`, { status: mover.status });
    },
  },
  listing("", ""),
  reading("list of 50 of all projects, by update", 5, "/api/tasks?limit=50&sort=updated"),
  reading("list of 50 of all projects, in progress", 5, "/api/tasks?limit=50&status=in-progress&sort=priority"),
  listing(", status and label", "&status=pending&label=infra"),
  listing(", role and type", "&role=coder&type=bug"),
  listing(", by priority", "&sort=priority"),
  listing(", by update", "&sort=updated"),
  listing(", done, by update", "&status=done&sort=updated"),
  listing(", ready", "&ready=true"),
  listing(", ready, by priority", "&ready=true&sort=priority"),
  listing(", rare label", `&label=${PROBES.rare}&sort=updated`),
  listing(", none found, by update", "&status=failed&sort=updated"),
  reading("list of 50, common word", WORDS_GOAL, `${TASKS}?limit=50&q=${PROBES.common}`),
  searching("rare word", PROBES.rare),
  searching("common word", PROBES.common),
  searching("two common words", `${PROBES.common}+${PROBES.second}`),
  searching("rare and common word", `${PROBES.rare}+${PROBES.common}`),
  searching("beginning of words", PROBES.prefix),
  searching("no such word", "qqqqqqq"),
  searching("common word in the small project", `${PROBES.common}&project=${PROJECTS[1]}`),
];

interface Measured {
  floor: number[];
  operations: Map<string, number[]>;
}

/** What a client waits for, against the health check on the same connection; both are asked in turn. */
export async function warmApi({ workspaces, sizes, quick }: Bench): Promise<Table> {
  const measured = new Map<number, Measured>();
  for (const size of sizes) {
    const { workspace } = await workspaces.withTasks(size);
    const daemon = await startDaemon(workspace);
    const client = daemon.connect();
    measured.set(size, await measure(client, size, quick ? { rounds: 12, each: 4 } : { rounds: 30, each: 6 }));
    client.close();
    await daemon.end();
  }
  return tableOf(measured);
}

async function measure(
  client: Client,
  size: number,
  { rounds, each }: { rounds: number; each: number },
): Promise<Measured> {
  const chance = seededChance(size);
  const { tasks: movers } = (await client.call("GET", `${TASKS}?limit=50&status=in-progress`)) as { tasks: Mover[] };
  const floor: number[] = [];
  const operations = new Map(OPERATIONS.map(({ name }): [string, number[]] => [name, []]));
  let turn = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const operation of OPERATIONS) {
      for (let time = 0; time < each; time++, turn++) {
        const healthMs = await timed(() => client.call("GET", "/api/health"));
        const ownMs = await timed(() =>
          operation.call(client, { id: someId(chance, size), mover: pick(chance, movers), turn }),
        );
        // The first round warms both sides up.
        if (round > 0) {
          floor.push(healthMs);
          operations.get(operation.name)?.push(ownMs);
        }
      }
    }
  }
  return { floor, operations };
}

function someId(chance: Chance, size: number): string {
  return `TASK-${String(1 + Math.floor(chance() * size * 0.9)).padStart(3, "0")}`;
}

function tableOf(measured: Map<number, Measured>): Table {
  const sizes = [...measured.keys()];
  const p50 = (size: number, name?: string) => percentile(samplesOf(measured, size, name), 0.5);
  const cells = (name?: string) =>
    sizes.map(
      (size) =>
        `${p50(size, name).toFixed(2)} / ${percentile(samplesOf(measured, size, name), 0.95).toFixed(2)} (${times(p50(size, name) / p50(size))})`,
    );
  const growth = (name?: string) => times(p50(sizes.at(-1) ?? 0, name) / p50(sizes[0] ?? 0, name));
  const line = ({ name, goal }: Operation): Line => {
    const limit = (size: number) => (goal >= WORDS_GOAL && size > 10_000 ? 3 * goal : goal);
    const missed = sizes.find((size) => p50(size, name) > limit(size)) ?? sizes.at(-1) ?? 0;
    return { cells: [name, ...cells(name), growth(name)], goal: atMost(limit(missed), p50(missed, name), "ms") };
  };
  return {
    title: "Warm API: milliseconds p50 / p95 (ratio to the health check on the same connection), by number of tasks",
    columns: ["", ...sizes.map(count), "growth"],
    lines: [{ cells: ["GET /api/health", ...cells(), growth()] }, ...OPERATIONS.map(line)],
  };
}

function samplesOf(measured: Map<number, Measured>, size: number, name?: string): number[] {
  const at = measured.get(size);
  return (name === undefined ? at?.floor : at?.operations.get(name)) ?? [];
}
