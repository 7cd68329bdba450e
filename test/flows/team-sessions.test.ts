import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { listRuns, PROJECT } from "../harness/spawned-runs.ts";
import {
  moduleFiles,
  startTeam,
  tasksOf,
  teamHall,
  teamOf,
  teamPlaybooks,
  titleOf,
  untilTeam,
} from "../harness/team-hall.ts";

const TASKS = [
  { key: "sum", requirement: "REQ-001", files: moduleFiles("sum", "REQ-001") },
  { key: "add", requirement: "REQ-002", files: moduleFiles("add", "REQ-002"), dependsOn: ["sum"] },
];
const ASK = "Ask around now";
const delegate = (to: string, question: string) => ({ calls: [{ tool: "delegate", input: { to, question } }] });
const WHERE = "Where is the version?";
const submits = (tool: string, input: object) => JSON.stringify({ tool, turns: [{ calls: [{ tool, input }] }] });
/** A member that reads its task, asks the same before and after a change, and has a proposal judged. */
const ASKING = {
  "a-explorer": submits("submit_findings", {
    summary: "It is a constant.",
    findings: [{ file: "index.js", line: 1, note: "version is exported" }],
  }),
  "a-judge": submits("submit_ratings", {
    perspectives: [
      { name: "product", rating: 5, severity: "none", note: "Good." },
      { name: "security", rating: 4, severity: "high", note: "It deletes data." },
    ],
  }),
  "m-ask": JSON.stringify({
    when: ASK,
    turns: [
      { calls: [{ tool: "task_get", input: {} }] },
      ...[delegate("explore", WHERE), delegate("explore", `  ${WHERE.toUpperCase()} `)],
      { calls: [{ tool: "write", input: { path: "notes.md", content: "version\n" } }] },
      ...[delegate("explore", WHERE), delegate("oracle", "Well?"), delegate("code-developer", "Do it.")],
      delegate("discuss", "Drop the table."),
      { calls: [{ tool: "report", input: { summary: "Asked.", outcome: "full" } }] },
      { text: "Done." },
    ],
  }),
};
const LONG = { timeout: 300_000 };

const transcript = async (hall: Hall, runId = "") =>
  JSON.stringify((await hall.call("GET", `/api/runs/${runId}/transcript`)).body);

describe("members of a team and sessions that are handed over", () => {
  let hall: Hall;
  let first: string;
  /** What that team has left. */
  let folder: string;
  let repo: Awaited<ReturnType<typeof teamHall>>;

  beforeAll(async () => {
    hall = await startHall(undefined, { later: afterAll });
    repo = await teamHall(hall, teamPlaybooks(TASKS, ASKING), {
      config: { qualityGates: { appliesTo: "off" } },
      later: afterAll,
    });
    folder = temporaryFolder(afterAll);
    first = (await startTeam(hall, { approval: "none" })).id;
    await untilTeam(hall, first, "completed");
    const exported = await guildhall(["team", "export", first, "--to", folder], { workspace: hall.workspace });
    expect(exported).toMatchObject({ code: 0 });
  }, 300_000);

  const executor = (...words: string[]) =>
    guildhall(["team", "executor", "-p", PROJECT, folder, ...words], { workspace: hall.workspace });

  it("one member does the tasks of its prefix one after the other, and takes its reports along [S2-W-05] [S2-TPL-05] [S2-REL-01]", async () => {
    const [sum, add] = await tasksOf(hall, first);
    expect([sum?.prefix, add?.prefix, add?.member]).toEqual(["IMPL", "IMPL", sum?.member]);
    const { activity } = (await hall.call("GET", `/api/teams/${first}/activity`)).body;
    const claimed = activity.filter(({ type }) => type === "task-claimed").map(({ data }) => data);
    expect(claimed).toMatchObject([
      { roleSpec: "backend-implementer-impl" },
      { roleSpec: "backend-implementer-impl", after: { key: "sum", as: "loop" } },
    ]);
    const told = await transcript(hall, add?.runIds[0]);
    expect(told).toContain("What you did before in this team");
    expect(told).toContain(`### ${titleOf("sum")} (sum)`);
    expect(await transcript(hall, sum?.runIds[0])).not.toContain("What you did before in this team");
  });

  it(
    "a session folder is carried out without a lead's spec and plan, and is completed like any team [S2-REL-08] [S2-REL-10] [S2-REL-03]",
    LONG,
    async () => {
      // Only tests that a team adds prove its criteria.
      repo.git("rm", "-rq", "sum", "add");
      repo.git("commit", "-qm", "Start over");
      rmSync(join(folder, "role-specs"), { recursive: true });
      writeRoleSpec(folder, "builder", "Mind the rounding.");
      const { code, stdout, stderr } = await executor("--json");
      expect(code, stderr).toBe(0);
      const { id } = JSON.parse(stdout).team;
      await untilTeam(hall, id, "completed");
      const runs = (await listRuns(hall)).filter(({ team }) => team?.id === id);
      expect(runs.filter(({ purpose }) => purpose === "work")).toHaveLength(2);
      // The one that delivers.
      expect(runs.filter(({ purpose }) => purpose === "lead")).toHaveLength(1);
      const [first] = await tasksOf(hall, id);
      expect(await transcript(hall, first?.runIds[0])).toContain("Mind the rounding.");
      const { roleSpecs } = (await hall.call("GET", `/api/teams/${id}/role-specs`)).body;
      expect(roleSpecs).toMatchObject([{ name: "builder", tasks: ["sum", "add"], inUse: "file" }]);
      const kept = await guildhall(["team", "complete", id, "--keep"], { workspace: hall.workspace });
      expect(kept).toMatchObject({ code: 0, stdout: `Kept ${id}.\n` });
      expect((await teamOf(hall, id)).status).toBe("completed");
    },
  );

  it(
    "a member reads its task and asks subagents, which read only and are asked once about the same files [S2-SES-06] [S2-REL-07] [S2-RULE-08] [S2-W-04]",
    LONG,
    async () => {
      const task = { key: "ask", title: ASK, description: "Look first.", type: "feature", domain: "backend" };
      const plan = {
        phases: [{ id: "work", name: "Work" }],
        tasks: [{ ...task, requirements: ["REQ-001"], files: ["notes.md"] }],
      };
      const spec = `# Notes\n\n## Requirements\n\n### REQ-001: It works.\n\n- There are notes (command: \`test -s notes.md\`)\n`;
      const body = {
        files: {
          ...{ "team.json": JSON.stringify({ name: "Asking", goal: "Ask" }), "spec.md": spec },
          ...{ "plan.json": JSON.stringify(plan), "role-specs/builder.md": roleSpecText("builder", "Ask.") },
        },
      };
      const begun = await hall.call("POST", `/api/projects/${PROJECT}/teams/import`, body);
      expect(begun.status, JSON.stringify(begun.body)).toBe(201);
      const { id } = begun.body.team;
      const asked = await eventually(
        async () => (await hall.call("GET", "/api/escalations?status=pending")).body.escalations,
        (found) => found.length > 0,
        60_000,
      );
      expect(asked).toMatchObject([
        { origin: "consensus", type: "decision", blocksTask: expect.stringContaining("TASK-") },
      ]);
      const resolved = await hall.call("POST", `/api/escalations/${asked[0]?.id}/resolve`, {
        answer: "Change the proposal",
      });
      expect(resolved.status, JSON.stringify(resolved.body)).toBe(200);
      await untilTeam(hall, id, "completed");
      const runs = (await listRuns(hall)).filter(({ team }) => team?.id === id);
      const [work] = runs.filter(({ purpose }) => purpose === "work");
      const titles = runs.filter(({ parentRunId }) => parentRunId === work?.id).map(({ title }) => title);
      // Asked twice before the change, and once after it.
      expect(titles.toSorted()).toEqual(["Discuss: Drop the table.", `Explore: ${WHERE}`, `Explore: ${WHERE}`]);
      const said = await transcript(hall, work?.id);
      for (const part of [
        ...["# ask: Ask around now", "Prefix IMPL, state working", "It is a constant.", "(Found before.)"],
        ...["There is no subagent 'oracle'", "Your role-spec does not list the subagent 'code-developer'"],
        "Change the proposal",
      ])
        expect(said, part).toContain(part);
      const { activity } = (await hall.call("GET", `/api/teams/${id}/activity`)).body;
      expect(activity.find(({ data }) => data?.verdict === "consensus_blocked")).toMatchObject({
        task: "ask",
        data: { severity: "high", rating: 4.5 },
      });
    },
  );

  it("a session folder with parts missing starts nothing, and each part is named [S2-REL-09]", async () => {
    const before = readdirSync(join(hall.workspace, `projects/${PROJECT}/teams`));
    rmSync(join(folder, "spec.md"));
    rmSync(join(folder, "role-specs"), { recursive: true });
    const { code, stderr } = await executor();
    expect(code).toBe(2);
    for (const named of ["spec.md: is missing", "role-specs/: is missing"]) expect(stderr).toContain(named);
    expect(readdirSync(join(hall.workspace, `projects/${PROJECT}/teams`))).toEqual(before);
  });
});

/** A role-spec of another name for the same prefix. */
function writeRoleSpec(folder: string, name: string, words: string): void {
  const path = join(folder, "role-specs", `${name}.md`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, roleSpecText(name, words));
}

function roleSpecText(name: string, words: string): string {
  return `---
role: ${name}
prefix: IMPL
inner_loop: false
message_types:
  success: impl_complete
  error: error
---

# Builder — Phase 2-4

## Phase 2: Load

Read the task.

## Phase 3: Build

${words}

## Phase 4: Verify

Run the tests.

## Error Handling

| Scenario | Resolution |
|----------|------------|
| Tests fail | Fix them. |
`;
}
