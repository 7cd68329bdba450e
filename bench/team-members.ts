import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RESPONSIBILITY_TYPES } from "../src/contract/words/teams/role-spec-words.ts";
import { Files } from "../src/store/files/files.ts";
import { BusFile } from "../src/teams/bus/bus-file.ts";
import { TeamBus } from "../src/teams/bus/team-bus.ts";
import { generateRoleSpec } from "../src/teams/role-specs/generate.ts";
import { lintRoleSpec } from "../src/teams/role-specs/lint.ts";
import { Locks } from "../src/workspace/locks.ts";
import { PlayedWorld } from "../test/fakes/team-world.ts";
import type { Bench } from "./kit/bench.ts";
import { median, ms, percentile, timed } from "./kit/figures.ts";
import { atMost, type Line, type Table } from "./kit/report.ts";

const MESSAGES = 2_000;

/** What members cost beside the model: their role-specs and the bus of their team. */
export async function teamMembers({ quick }: Bench): Promise<Table> {
  const rounds = quick ? 50 : 500;
  const root = mkdtempSync(join(tmpdir(), "guildhall-bench-"));
  try {
    return {
      title: `Members of teams, ${rounds} rounds`,
      columns: ["", "p50", "p95"],
      lines: [
        lineOf("generate and lint a role-spec", await roleSpecs(rounds), 20),
        lineOf("lint a role-spec of 100,000 characters", await longest(rounds / 10), 20),
        lineOf(
          `what waits for a member, in a bus with ${MESSAGES.toLocaleString("en")} messages`,
          await bus(root, rounds),
          1,
        ),
        lineOf("the bus read from its file", await opened(root, rounds / 10)),
      ],
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function lineOf(name: string, samples: readonly number[], goalMs?: number): Line {
  const usual = median(samples);
  const cells = [name, ms(usual), ms(percentile(samples, 0.95))];
  return { cells, ...(goalMs === undefined ? {} : { goal: atMost(goalMs, usual, "ms") }) };
}

async function samplesOf(rounds: number, work: (round: number) => unknown): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await timed(() => work(round)));
  return samples;
}

function roleSpecs(rounds: number): Promise<number[]> {
  return samplesOf(rounds, (round) => {
    const type = RESPONSIBILITY_TYPES[round % RESPONSIBILITY_TYPES.length] ?? "orchestration";
    const text = generateRoleSpec({ name: "dev-impl", prefix: "IMPL", type, innerLoop: true });
    const { faults } = lintRoleSpec(text, { name: "dev-impl" });
    if (faults.length > 0) throw new Error(`The role-spec has faults: ${JSON.stringify(faults)}`);
  });
}

/** Too long to be used: every line is looked at all the same. */
function longest(rounds: number): Promise<number[]> {
  const text = generateRoleSpec({ name: "dev-impl", prefix: "IMPL", type: "validation", innerLoop: true });
  const long = text + "| If the tests of a part fail | Fix them, and run `npm test` again |\n".repeat(1_380);
  return samplesOf(rounds, () => {
    if (lintRoleSpec(long, { name: "dev-impl" }).good !== undefined) throw new Error("The role-spec was not refused.");
  });
}

const PATH = "messages.jsonl";

function written(root: string): void {
  const lines = Array.from({ length: MESSAGES }, (_, at) => ({
    ...{ line: "message", id: `MSG-${at + 1}`, seq: at + 1, at: "2026-11-18T10:00:00.000Z", format: 1 },
    ...{ from: "worker-lima", to: at % 10 === 0 ? "all" : "lead-oslo", type: "blocker", text: "x".repeat(200) },
  }));
  writeFileSync(join(root, PATH), `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

function opened(root: string, rounds: number): Promise<number[]> {
  written(root);
  return samplesOf(rounds, () => new BusFile(new Files(root), PATH).state);
}

/** For a run that is handed to its process: a run at work is told as by the person, and asks nothing between its turns. */
async function bus(root: string, rounds: number): Promise<number[]> {
  const world = new PlayedWorld();
  world.append({ type: "member-joined", name: "worker-lima", rank: "worker", roleId: "engineer" });
  const { state } = world;
  const folder = join(root, "projects", state.document.projectId, "teams", state.document.id);
  const files = new Files(root);
  files.makeFolder(`projects/${state.document.projectId}/teams/${state.document.id}`);
  written(folder);
  const parts = {
    core: { files, clock: () => new Date(), locks: new Locks() },
    store: { find: () => state, get: () => state, open: () => [state] },
    runs: { say: async () => undefined, journal: () => [], withoutSecrets: (_: string, text: string) => text },
    onTrouble: (_: string, error: unknown) => {
      throw error;
    },
  };
  const made = new TeamBus(parts as unknown as ConstructorParameters<typeof TeamBus>[0]);
  const run = {
    id: "run-1",
    team: { id: state.document.id, member: "worker-lima" },
    purpose: "work",
    status: "running",
  };
  await made.collect(run as never);
  return samplesOf(rounds, () => made.collect(run as never));
}
