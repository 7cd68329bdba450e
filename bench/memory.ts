import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "./kit/bench.ts";
import type { Client } from "./kit/client.ts";
import { type Daemon, startDaemon } from "./kit/daemon.ts";
import { count } from "./kit/figures.ts";
import type { Line, Table } from "./kit/report.ts";
import { PROBES } from "./kit/words.ts";
import { MAIN_PROJECT } from "./kit/workspaces.ts";

const GOAL_MB = 120;

interface Footprint {
  rss: number;
  /** Without the share of pages that other processes hold too, such as the program text of Node. */
  pss: number;
}

/** What the idle daemon holds: after its start, and after some thousand requests of all kinds. */
export async function memory({ workspaces, sizes, quick }: Bench): Promise<Table> {
  const cases = [{ name: "empty workspace", workspace: await workspaces.empty() }];
  for (const size of sizes.filter((each) => each >= 10_000))
    cases.push({ name: `${count(size)} tasks`, workspace: (await workspaces.withTasks(size)).workspace });
  const lines: Line[] = [];
  for (const { name, workspace } of cases) {
    const daemon = await startDaemon(workspace);
    lines.push(lineOf(`${name}, after start`, await idleFootprint(daemon, quick)));
    const client = daemon.connect(4);
    await load(client, quick ? 400 : 2_000);
    client.close();
    lines.push(lineOf(`${name}, after a load`, await idleFootprint(daemon, quick)));
    await daemon.end();
  }
  return { title: "Memory of the idle daemon", columns: ["", "RSS", "PSS"], lines };
}

async function load(client: Client, requests: number): Promise<void> {
  const tasks = `/api/projects/${MAIN_PROJECT}/tasks`;
  const kinds = [
    () => client.call("POST", tasks, { title: "Part of a load", description: "Some words for the index." }),
    () => client.call("GET", `${tasks}?limit=50&sort=priority`),
    () => client.call("GET", `/api/search?q=${PROBES.common}`),
    () => client.call("GET", "/api/status"),
  ];
  const worker = async (share: number) => {
    for (let sent = 0; sent < requests / 4; sent++) await kinds[(sent + share) % kinds.length]?.();
  };
  await Promise.all([0, 1, 2, 3].map(worker));
}

async function idleFootprint({ pid }: Daemon, quick: boolean): Promise<Footprint> {
  await pause(quick ? 700 : 2_000);
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const megabytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? Number.NaN) / 1_024;
  return { rss: megabytes("Rss"), pss: megabytes("Pss") };
}

function lineOf(name: string, { rss, pss }: Footprint): Line {
  return {
    cells: [name, `${rss.toFixed(0)} MB`, `${pss.toFixed(0)} MB`],
    goal: { text: `< ${GOAL_MB} MB`, isMet: rss < GOAL_MB },
  };
}
