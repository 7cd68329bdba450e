import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { agents } from "./agents.ts";
import { answers } from "./answers.ts";
import { briefing } from "./briefing.ts";
import { commandLine } from "./command-line.ts";
import { creation } from "./creation.ts";
import { escalations } from "./escalations.ts";
import { events } from "./events.ts";
import { gates } from "./gates.ts";
import { handEdits } from "./hand-edits.ts";
import { hooks } from "./hooks.ts";
import type { Part } from "./kit/bench.ts";
import { endDaemons } from "./kit/daemon.ts";
import { printTable } from "./kit/report.ts";
import { Workspaces } from "./kit/workspaces.ts";
import { known } from "./known.ts";
import { largeRepository } from "./large-repository.ts";
import { memory } from "./memory.ts";
import { orchestrator } from "./orchestrator.ts";
import { pages } from "./pages.ts";
import { projects } from "./projects.ts";
import { queue } from "./queue.ts";
import { rebuild } from "./rebuild.ts";
import { sandbox } from "./sandbox.ts";
import { sessions } from "./sessions.ts";
import { start } from "./start.ts";
import { teamHealth } from "./team-health.ts";
import { teamMembers } from "./team-members.ts";
import { teams } from "./teams.ts";
import { triggers } from "./triggers.ts";
import { warmApi } from "./warm-api.ts";

const USAGE = "Usage: npm run bench -- [--tasks 1000,10000,100000] [--quick] [--only part,part]";

const PARTS: Record<string, Part> = {
  creation,
  events,
  briefing,
  orchestrator,
  "warm-api": warmApi,
  "hand-edits": handEdits,
  "command-line": commandLine,
  start,
  memory,
  rebuild,
  agents,
  projects,
  queue,
  answers,
  "large-repository": largeRepository,
  sandbox,
  gates,
  hooks,
  sessions,
  known,
  escalations,
  "team-health": teamHealth,
  "team-members": teamMembers,
  teams,
  triggers,
  pages,
};

/** Measures, and asserts nothing: goals stand beside the figures, and only a part that breaks makes the run fail. */
async function main(): Promise<void> {
  const { sizes, quick, names } = readOptions();
  const workspaces = new Workspaces();
  const [cpu] = cpus();
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores (${cpu?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB, tasks: ${sizes.join(", ")}`,
  );
  const started = performance.now();
  try {
    for (const name of names) printTable((await PARTS[name]?.({ workspaces, sizes, quick })) ?? failedOn(name));
  } finally {
    await endDaemons();
    workspaces.clear();
  }
  console.log(
    `\nThe run took ${Math.round((performance.now() - started) / 1_000)} s. Differences under 25 % are noise on a machine that does other things too.`,
  );
}

function readOptions(): { sizes: number[]; quick: boolean; names: string[] } {
  const { values } = parseArgs({
    options: { tasks: { type: "string" }, quick: { type: "boolean", default: false }, only: { type: "string" } },
  });
  const sizes = (values.tasks ?? (values.quick ? "1000,10000" : "1000,10000,100000")).split(",").map(Number);
  if (sizes.some((size) => !Number.isInteger(size) || size < 100))
    throw new Error(`--tasks must be whole numbers of 100 or more. ${USAGE}`);
  const names = values.only?.split(",") ?? Object.keys(PARTS);
  for (const name of names) if (!Object.hasOwn(PARTS, name)) failedOn(name);
  return { sizes: sizes.sort((left, right) => left - right), quick: values.quick, names };
}

function failedOn(name: string): never {
  throw new Error(`There is no part '${name}'; the parts are ${Object.keys(PARTS).join(", ")}. ${USAGE}`);
}

await main();
