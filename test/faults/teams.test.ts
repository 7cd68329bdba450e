import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Team } from "../../src/contract/documents/teams/team.ts";
import { hasEnded } from "../../src/contract/words/teams/team-words.ts";
import type { Ruling } from "../fakes/fake-engine.ts";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, type PersonsRepository, repository, writing } from "../harness/repository.ts";
import { listRuns, PROJECT } from "../harness/spawned-runs.ts";
import { tasksOf } from "../harness/team-hall.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CHANGES, CrashingHall } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

const FAIL: Ruling = { verdict: "fail", findings: [{ file: "a.txt", line: 1, message: "Wrong." }] };
const PASS: Ruling = { verdict: "pass" };
const TITLE = "Write the letter";

const handsIn = (tool: string, input: object) => JSON.stringify({ tool, turns: [{ calls: [{ tool, input }] }] });
const EXPLORE = { calls: [{ tool: "delegate", input: { to: "explore", question: "Is there a letter?" } }] };
const playbooks = {
  "a-spec": handsIn("submit_spec", {
    title: "Letters",
    goals: ["There is a letter."],
    requirements: [
      {
        ...{ id: "REQ-001", text: "There must be a letter." },
        acceptance: [{ text: "It is there.", check: "command", command: "test -s a.txt" }],
      },
    ],
  }),
  "a-plan": handsIn("submit_plan", {
    tasks: [
      {
        ...{ key: "letter", title: TITLE, description: "Write it.", type: "feature", domain: "other" },
        ...{ requirements: ["REQ-001"], dependsOn: [], files: ["a.txt"] },
      },
    ],
  }),
  "a-report": handsIn("submit_report", { summary: "Written." }),
  member: JSON.stringify({ turns: [EXPLORE, ...JSON.parse(writing({ "a.txt": "agent\n" })).turns], when: TITLE }),
  "a-explorer": handsIn("submit_findings", { summary: "There is one." }),
};

/** A fact of the team's log, on disk or not quite. */
const fact = (type: string, when: CrashPoint["when"] = "after"): CrashPoint => ({
  ...{ victim: "daemon", file: CHANGES, when },
  text: `fact[^}]{0,12}type[^a-z]+${type}[^a-z-]`,
});
const written = (text: string): CrashPoint => ({ victim: "daemon", file: CHANGES, text, when: "after" });
const git = (text: string): CrashPoint => ({ victim: "daemon", file: "git", text, when: "after" });

// Where a file comes under its name is seen through /proc.
describe.skipIf(process.platform !== "linux")("a team, when the daemon is killed (needs Linux)", () => {
  const points: [name: string, point: CrashPoint][] = [
    ["when the plan is known", fact("plan-submitted")],
    ["when it is formed", fact("formed")],
    ["when the lead's run is known", fact("lead-started")],
    ["when its branch is made", git("update-ref.*guildhall/team-")],
    ["when the spec is known", fact("spec-submitted")],
    ["when the person is asked, before that is noted", written("escalation\\.created")],
    ["before the approval is on disk", fact("approved", "before")],
    ["when it is approved", fact("approved")],
    ["when a task is on the board, before that is noted", written("task\\.created[^]*team/team-")],
    ["when the tasks are on the board", fact("tasks-created")],
    ["when a task is given to a member", fact("task-started")],
    ["when the member's run is on disk, before it works", written("run\\.created[^]*engineer")],
    ["when its subagent is on disk, before it works", written("run\\.created[^]*codebase-cartographer")],
    ["when its subagent has answered", fact("explored")],
    ["when its result is judged", fact("task-in-review")],
    ["when it is sent back", fact("task-reworked")],
    [
      "when it is merged into the team's branch, before that is on disk",
      git("update-ref.*refs/heads/guildhall/team-[^ ]* [0-9a-f]{40} [0-9a-f]{40}"),
    ],
    ["when the task is merged", fact("task-merged")],
    ["when the member has finished", fact("member-finished")],
    ["when the whole is checked", fact("check-started")],
    ["when the whole passed", fact("check-ended")],
    ["when the criteria are checked", fact("criteria-checked")],
    ["when the report is known", fact("report-submitted")],
    ["when it is merged into main, before that is on disk", git("update-ref.*refs/heads/main")],
    ["when it delivers", fact("delivering")],
    ["when it has delivered", fact("delivered")],
  ];

  it("continues with the same runs, skips no phase of a member, delivers once, and leaves nothing behind [S1-TM-18] [S2-W-02]", {
    timeout: 1_800_000,
  }, async () => {
    const folder = temporaryFolder();
    const crashing = new CrashingHall(folder, join(import.meta.dirname, "reviewing-daemon.ts"));
    onTestFinished(() => crashing.end());
    writeFileSync(join(folder, "rulings.json"), JSON.stringify([FAIL, PASS]));
    const repo = repository({
      "a.txt": "a\n",
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
      "a.test.js": 'import { test } from "node:test";\ntest("runs", () => undefined);\n',
    });
    await hallOver(await crashing.start(), { root: repo.root, playbooks });
    for (const [name, point] of sampled(points, { every: 8 })) await survives(crashing, repo, { name, point });
  });
});

async function survives(
  crashing: CrashingHall,
  repo: PersonsRepository,
  { name, point }: { name: string; point: CrashPoint },
): Promise<void> {
  const merges = () => Number(repo.git("rev-list", "--count", "--merges", "--first-parent", "main"));
  const before = merges();
  repo.write("a.txt", `${name}\n`);
  repo.git("commit", "--quiet", "-am", name);
  crashing.arm(point);
  const known = new Set((await teamsIn(crashing)).map(({ id }) => id));
  await crashing.hall.call("POST", `/api/projects/${PROJECT}/teams`, { goal: name }).catch(() => undefined);
  let isStruck = false;
  const struck = crashing.struck(point, 120_000).then(() => {
    isStruck = true;
  });
  const team = await eventually(
    async () => {
      const found = (await teamsIn(crashing)).find(({ id }) => !known.has(id));
      if (found?.escalation?.kind === "plan")
        await crashing.hall.call("POST", `/api/teams/${found.id}/plan/approve`).catch(() => undefined);
      return found;
    },
    (found) => found !== undefined && hasEnded(found.status) && isStruck,
    180_000,
  ).catch((error) => Promise.reject(new Error(`${name}: ${error}`)));
  await struck;
  const { hall } = crashing;
  const { id = "", taskId = "" } = team ?? {};
  expect(team, name).toMatchObject({ status: "completed", requirements: { total: 1, met: 1 } });
  expect(merges(), name).toBe(before + 1);
  expect(repo.committed("main", "a.txt"), name).toBe("agent");
  const runs = (await listRuns(hall)).filter((run) => run.team?.id === id);
  const counts = Map.groupBy(runs, ({ purpose }) => purpose);
  expect([counts.get("lead")?.length, counts.get("work")?.length], name).toEqual([3, 2]);
  expect(
    runs.every(({ status }) => status === "completed"),
    name,
  ).toBe(true);
  // One for each of its two trees, however often it asked again.
  expect(counts.get("check")?.length, name).toBe(2);
  const [task] = await tasksOf(hall, id);
  expect(task, name).toMatchObject({ state: "merged", gate: { verdict: "pass" } });
  const board = (await hall.call("GET", `/api/projects/${PROJECT}/tasks?limit=500`)).body.tasks;
  expect(board.filter(({ labels }) => labels.includes("team")).length % 2, name).toBe(0);
  expect(
    [taskId, task?.taskId].map((one) => board.find((entry) => entry.id === one)?.status),
    name,
  ).toEqual(["done", "done"]);
  const asked = (await hall.call("GET", "/api/escalations?status=pending")).body.escalations;
  expect(asked, name).toEqual([]);
  const lines = linesOf(crashing, id);
  expect(
    lines.map(({ seq }) => seq),
    name,
  ).toEqual(lines.map((_, at) => at + 1));
  const count = (type: string) => lines.filter(({ fact: of }) => of.type === type).length;
  expect([count("asked"), count("explored"), count("task-orphaned")], name).toEqual([1, 2, 0]);
  // No phase of the member is skipped, and none is begun twice.
  const steps = ["task-started", "task-in-review", "task-reworked", "task-merged", "member-finished"];
  expect(
    lines.map(({ fact: { type } }) => type).filter((type) => steps.includes(type)),
    name,
  ).toEqual([
    ...["task-started", "task-in-review", "task-reworked", "task-in-review", "task-merged", "member-finished"],
  ]);
  expect(
    repo.branches().filter((branch) => branch.includes("TASK-")),
    name,
  ).toEqual([]);
}

async function teamsIn({ hall }: CrashingHall): Promise<Team[]> {
  return hall.call("GET", "/api/teams?limit=1000").then(
    ({ body }) => body.teams ?? [],
    () => [],
  );
}

function linesOf({ workspace }: CrashingHall, id: string): { seq: number; fact: { type: string } }[] {
  const text = readFileSync(join(workspace, `projects/${PROJECT}/teams/${id}/state.jsonl`), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
