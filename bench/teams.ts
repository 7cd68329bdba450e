import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Team } from "../src/contract/documents/teams/team.ts";
import { hasEnded } from "../src/contract/words/teams/team-words.ts";
import { apply } from "../src/teams/machine/apply.ts";
import { decide } from "../src/teams/machine/decide.ts";
import { owed } from "../src/teams/machine/owed.ts";
import { PlayedWorld, plannedTask, teamDocument } from "../test/fakes/team-world.ts";
import { type SeenRequest, startProvider, type Turn } from "../test/harness/scripted-provider.ts";
import type { Bench } from "./kit/bench.ts";
import { startDaemon } from "./kit/daemon.ts";
import { median, ms, percentile } from "./kit/figures.ts";
import { peakMemory } from "./kit/process-figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";
import type { Workspaces } from "./kit/workspaces.ts";

const TASKS = 100;
const HEADS = 10;
const MANY_TASKS = 3_000;
const LOOK_MS = 100;

/** A whole team with a model that answers at once, and the machine's decisions alone. */
export async function teams({ workspaces, quick }: Bench): Promise<Table> {
  const walked = await walk(workspaces, quick ? TASKS / 5 : TASKS);
  return {
    title: `Teams: a model without thinking time, ${HEADS} heads, gates whose commands and reviewers agree at once`,
    columns: ["", "figure", "slowest of 100"],
    lines: [...walked, ...decisions(quick ? MANY_TASKS / 10 : MANY_TASKS)],
  };
}

async function walk(workspaces: Workspaces, count: number): Promise<Line[]> {
  const provider = await startProvider((request) => answer(request, count));
  const workspace = workspaces.folder("teams");
  const workdir = `${workspace}-work`;
  repository(workdir);
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "config.yml"), JSON.stringify(configOf(provider.url)));
  const daemon = await startDaemon(workspace);
  const client = daemon.connect(4);
  try {
    const config = { constraints: { requireReview: false } };
    await client.call("POST", "/api/projects", { id: "bench", name: "Bench", workdir, config });
    const start = performance.now();
    const peak = await peakMemory(daemon.pid, async () => {
      const body = { goal: "Build the parts", approval: "none", strategy: "flat" };
      const { team } = (await client.call("POST", "/api/projects/bench/teams", body)) as { team: Team };
      await untilCompleted(() => client.call("GET", `/api/teams/${team.id}`) as Promise<{ team: Team }>, count);
    });
    const seconds = (performance.now() - start) / 1_000;
    const memory = peak.daemon + peak.children;
    const split = `${Math.round(peak.daemon)} + ${Math.round(peak.children)} MB`;
    return [
      {
        cells: [`a goal with ${count} tasks, from the request to the merge`, `${seconds.toFixed(1)} s`, ""],
        goal: atMost(60 * (count / TASKS), seconds, "s"),
      },
      { cells: ["  peak memory (PSS): daemon and other processes", split, ""], goal: atMost(400, memory, "MB") },
    ];
  } finally {
    client.close();
    await daemon.end("SIGKILL");
    await provider.close();
  }
}

async function untilCompleted(look: () => Promise<{ team: Team }>, count: number): Promise<void> {
  for (;;) {
    const { team } = await look();
    const { status, tasks, reason, waitingFor, escalation } = team;
    if (waitingFor === "person" || escalation !== undefined)
      throw new Error(`the team waits for the person: ${reason}`);
    if (status === "completed" && tasks.merged === count) return;
    if (hasEnded(status)) throw new Error(`the team is ${status} with ${tasks.merged} tasks merged: ${reason}`);
    await delay(LOOK_MS);
  }
}

function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "index.js"), "export const version = 1;\n");
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "ignore" });
  git("init", "--initial-branch=main");
  git("add", ".");
  git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "--message=Begin");
}

function configOf(url: string): object {
  const commands = { syntax: "true", tests: "true" };
  return {
    providers: { bench: { kind: "openai-compatible", baseUrl: `${url}/v1`, concurrency: 100 } },
    models: { default: "bench/model", contextWindow: { "bench/model": 1_000_000 } },
    limits: { modelCalls: 100, toolCalls: 100, runs: 100, runsPerProject: 100 },
    agentTeams: { yolo: { maxConcurrency: HEADS }, qualityGates: { commands, proof: "off", enforceTDD: false } },
  };
}

const STAGES = ["architecture", "simplicity", "errors", "completeness"].map((name) => ({
  name,
  score: 95,
  findings: [],
}));

/** Everybody, by the tools that are offered. */
function answer({ tools, body, turns }: SeenRequest, count: number): Turn {
  const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });
  if (tools.includes("submit_spec")) {
    const acceptance = [{ text: "It is there.", check: "command", command: "true" }];
    const requirements = [{ id: "REQ-001", text: "The parts must be there.", acceptance }];
    return call("submit_spec", { title: "Parts", goals: ["Parts."], requirements });
  }
  if (tools.includes("submit_plan")) return call("submit_plan", { tasks: Array.from({ length: count }, planned) });
  if (tools.includes("submit_report")) return call("submit_report", { summary: "Built." });
  if (tools.includes("submit_review") && turns === 0)
    return call("submit_review", { stages: STAGES, integrated: true });
  const part = /Write (part-\d+)\//.exec(JSON.stringify(body))?.[1];
  if (turns === 1 && tools.includes("report")) return call("report", { summary: "Written.", outcome: "full" });
  if (part === undefined || turns > 0) return { text: "Done." };
  const files = { "index.js": `export const name = "${part}";\n`, "index.test.js": `// REQ-001: ${part} is there\n` };
  return {
    calls: Object.entries(files).map(([name, content]) => ({
      ...{ name: "write", input: { path: `${part}/${name}`, content } },
    })),
  };
}

function planned(_: unknown, at: number): object {
  const folder = `part-${at}/`;
  return {
    ...{ key: `part-${at}`, title: `Part ${at}`, description: `Write ${folder}.`, type: "feature", domain: "backend" },
    ...{ requirements: ["REQ-001"], files: [folder] },
  };
}

/** Each fact of a team of many tasks in one phase, decided one after the other. */
function decisions(count: number): Line[] {
  const world = new PlayedWorld(teamDocument({ strategy: "flat" }));
  world.tellsChanges = true;
  world.plan(Array.from({ length: count }, (_, at) => plannedTask(`t${at}`)));
  const taken: number[] = [];
  for (let at = 0; at < 100; at++) {
    const [key = ""] = world.working();
    const run = world.runIdOf(key);
    world.deliver(run, { state: "delivered" });
    world.board.changed = new Set();
    world.board.set(world.taskIdOf(key), "done");
    world.touched = world.board.changed;
    taken.push(...steps(world));
  }
  const many = count.toLocaleString("en");
  const name = `one decision of the machine at ${many} tasks, with the effects that follow`;
  const [usual, slowest] = [median(taken), percentile(taken, 0.99)];
  return [{ cells: [name, ms(usual), ms(slowest)], goal: atMost(1, usual, "ms") }];
}

/** Until the team waits again; milliseconds of each step. */
function steps(world: PlayedWorld): number[] {
  const taken: number[] = [];
  for (;;) {
    const start = performance.now();
    const facts = decide(world.state, world);
    for (const fact of facts) {
      const line = { seq: world.lines.length + 1, at: world.state.updatedAt, fact };
      world.lines.push(line);
      world.state = apply(world.state, line);
    }
    const effects = facts.length === 0 ? owed(world.state, world) : [];
    taken.push(performance.now() - start);
    if (facts.length > 0) continue;
    if (effects.length === 0) return taken;
    for (const effect of effects) world.carryOut(effect);
  }
}
