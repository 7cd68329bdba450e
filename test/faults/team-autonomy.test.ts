import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Team } from "../../src/contract/documents/teams/team.ts";
import { hasEnded } from "../../src/contract/words/teams/team-words.ts";
import { autonomyIn, letterBooks, orderOf, wholeBook } from "../harness/autonomous-team.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository } from "../harness/repository.ts";
import { listRuns, PROJECT } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CHANGES, CrashingHall } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

const FILES = ["old.txt", "new.txt", "more.txt"];
const CHANGED = {
  ...{ name: "changed", writes: "old.txt", fixes: "new.txt", wanted: "never.txt" },
  proposes: ["new.txt", "more.txt"],
};
const AUTONOMY = { mode: "smart", requireApprovalForSpecChanges: false, maxRemediationRounds: 2 };
/** The walk of such a team: a round of fixes that does not help, another spec, and a round for what is new in it. */
const ROUND = ["executing", "reviewing", "integration-check"];
const PHASES = [
  ...["spec-generation", "task-decomposition", ...ROUND, "remediating", ...ROUND, "remediating", ...ROUND],
  ...["synthesizing", "completed"],
];

const fact = (type: string, more = ""): CrashPoint => ({
  ...{ victim: "daemon", file: CHANGES, when: "after" },
  text: `fact[^}]{0,12}type[^a-z]+${type}[^a-z-]${more}`,
});
const phase = (name: string) => fact("autonomy-phase", `[^}]*phase[^a-z]+${name}[^a-z-]`);

// Where a file comes under its name is seen through /proc.
describe.skipIf(process.platform !== "linux")("an autonomous team, when the daemon is killed (needs Linux)", () => {
  const points: [name: string, point: CrashPoint][] = [
    ["when it changes its spec", fact("evolution-decided")],
    ["while it writes its spec", phase("spec-generation")],
    ["while it plans", phase("task-decomposition")],
    ["while it works", phase("executing")],
    ["while its work is judged", phase("reviewing")],
    ["while it repairs", phase("remediating")],
    ["while the whole is checked", phase("integration-check")],
    ["when a gap is known", fact("spec-gap")],
    ["when it proposes another spec", fact("evolution-proposed")],
    ["while it writes its report", phase("synthesizing")],
    ["when it has completed", phase("completed")],
  ];

  it("goes through each of its phases once, with the same runs", { timeout: 1_200_000 }, async () => {
    const folder = temporaryFolder();
    const crashing = new CrashingHall(folder, join(import.meta.dirname, "reviewing-daemon.ts"));
    onTestFinished(() => crashing.end());
    writeFileSync(join(folder, "rulings.json"), JSON.stringify([{ verdict: "pass" }]));
    const repo = repository({
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
      "a.test.js": 'import { test } from "node:test";\ntest("runs", () => undefined);\n',
    });
    const playbooks = { ...letterBooks([CHANGED]), "k-whole": wholeBook("more.txt") };
    await hallOver(await crashing.start(), { root: repo.root, playbooks });
    for (const [name, point] of sampled(points, { every: 5 })) await survives(crashing, repo, { name, point });
  });
});

async function survives(
  crashing: CrashingHall,
  repo: PersonsRepository,
  { name, point }: { name: string; point: CrashPoint },
): Promise<void> {
  if (repo.exists("old.txt")) {
    repo.git("rm", "--quiet", ...FILES);
    repo.git("commit", "--quiet", "-m", name);
  }
  const merges = () => Number(repo.git("rev-list", "--count", "--merges", "--first-parent", "main"));
  const before = merges();
  crashing.arm(point);
  const known = new Set((await teamsIn(crashing)).map(({ id }) => id));
  await crashing.hall
    .call("POST", `/api/projects/${PROJECT}/teams`, orderOf("changed", AUTONOMY))
    .catch(() => undefined);
  let isStruck = false;
  const struck = crashing.struck(point, 120_000).then(() => {
    isStruck = true;
  });
  const team = await eventually(
    async () => (await teamsIn(crashing)).find(({ id }) => !known.has(id)),
    (found) => found !== undefined && hasEnded(found.status) && isStruck,
    180_000,
  ).catch((error) => Promise.reject(new Error(`${name}: ${error}`)));
  await struck;
  const { id = "" } = team ?? {};
  expect(team, name).toMatchObject({ status: "completed", rounds: 2, requirements: { total: 2, met: 2 } });
  expect(merges(), name).toBe(before + 1);
  const runs = (await listRuns(crashing.hall)).filter((run) => run.team?.id === id);
  expect(runs.map(({ purpose, status }) => `${purpose} ${status}`).sort(), name).toEqual([
    ...Array(4).fill("lead completed"),
    ...Array(3).fill("work completed"),
  ]);
  const { proposals } = await autonomyIn(crashing.hall, id);
  expect(proposals, name).toMatchObject([{ state: "applied", decidedBy: "hall" }]);
  const lines = linesOf(crashing, id);
  expect(
    lines.map(({ seq }) => seq),
    name,
  ).toEqual(lines.map((_, at) => at + 1));
  expect(
    lines.flatMap(({ fact: of }) => (of.type === "autonomy-phase" ? [of.phase] : [])),
    name,
  ).toEqual(PHASES);
}

async function teamsIn({ hall }: CrashingHall): Promise<Team[]> {
  return hall.call("GET", "/api/teams?limit=1000").then(
    ({ body }) => body.teams ?? [],
    () => [],
  );
}

function linesOf({ workspace }: CrashingHall, id: string): { seq: number; fact: { type: string; phase?: string } }[] {
  const text = readFileSync(join(workspace, `projects/${PROJECT}/teams/${id}/state.jsonl`), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
