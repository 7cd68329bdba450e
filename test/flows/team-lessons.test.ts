import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Team } from "../../src/contract/documents/teams/team.ts";
import type { TeamLessons } from "../../src/contract/documents/teams/team-lessons.ts";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { outputsOf } from "../harness/hall-with-commands.ts";
import { writing } from "../harness/repository.ts";
import { entriesOf, journalOf, listRuns, PROJECT, writePlaybook } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, tasksOf, teamHall, teamPlaybooks, titleOf, untilTeam } from "../harness/team-hall.ts";

const SUM = moduleFiles("sum", "REQ-001");
const WRONG = { ...SUM, "sum/index.js": "export const sum = (a, b) => a - b;\n" };
const FAILING = "Results in sum came back with failing tests. Run the tests before you report.";
const LONG = { timeout: 300_000 };
const PACKAGE = {
  ...{ type: "module", scripts: { test: "node --test" } },
  dependencies: { react: "^19.0.0" },
  devDependencies: { vite: "^7.0.0" },
};
const OWN_PACK = "---\nname: frontend-implementer\ndescription: How we build pages.\n---\n\nOur own way.\n";
const FILES = {
  "package.json": JSON.stringify(PACKAGE),
  "docs/package.json": "{ broken",
  ".agents/skills/frontend-implementer/SKILL.md": OWN_PACK,
};

/** A member that reads its skills while it writes. */
const reading = (files: Record<string, string>) => {
  const names = ["frontend-implementer", "react-standards", "go-standards"];
  const more = JSON.stringify({ calls: names.map((name) => ({ tool: "use_skill", input: { name } })) });
  return JSON.stringify({ ...JSON.parse(writing(files, { more })), when: titleOf("sum") });
};

describe("what a team knows when it starts", () => {
  let hall: Hall;
  let first: Team;
  const lessonsOf = async (path: string) => (await hall.call("GET", path)).body as unknown as { lessons: TeamLessons };
  const promptsOf = async (teamId: string, purpose: "lead" | "work") => {
    const runs = (await listRuns(hall)).filter(({ team, purpose: of }) => team?.id === teamId && of === purpose);
    return runs.map(({ id }) => entriesOf(journalOf(hall.workspace, id), "plan")[0]?.plan);
  };

  beforeAll(async () => {
    hall = await startHall(undefined, { later: afterAll });
    const played = [{ key: "sum", requirement: "REQ-001", files: SUM, first: WRONG, domain: "frontend" as const }];
    const books = teamPlaybooks(played, { "m-sum": reading(WRONG) });
    await teamHall(hall, books, { files: FILES, later: afterAll });
    const { skill } = (await hall.call("GET", `/api/skills/frontend-implementer?project=${PROJECT}`)).body;
    const path = `/api/skills/frontend-implementer/accept?project=${PROJECT}`;
    const accepted = await hall.call("POST", path, { hash: skill.hash });
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    const { id } = await startTeam(hall, { approval: "none" });
    first = await untilTeam(hall, id, "completed", 240_000);
  }, 300_000);

  it("is the type of the project with what decided it, in prompts, in its folder and over HTTP [S1-ORC-03]", async () => {
    const { lessons } = await lessonsOf(`/api/teams/${first.id}/lessons`);
    expect(lessons).toMatchObject({
      kinds: [
        { kind: "react-vite", evidence: "package.json: react ^19.0.0, vite ^7.0.0", skills: ["react-standards"] },
      ],
      unread: [{ file: "docs/package.json", reason: "it is not a JSON object" }],
      ...{ gates: 0, weakStages: [], repeated: [], statements: [] },
    });
    const kept = readFileSync(join(hall.workspace, `projects/${PROJECT}/teams/${first.id}/lessons.json`), "utf8");
    expect(JSON.parse(kept)).toEqual(lessons);
    const lead = (await promptsOf(first.id, "lead")).at(-1);
    expect(lead?.prompt).toContain("React app with Vite (JavaScript), by package.json: react ^19.0.0, vite ^7.0.0");
    expect(lead?.prompt).not.toContain("What past teams taught");
    for (const plan of await promptsOf(first.id, "work")) {
      expect(plan?.prompt).toContain("read its standards with use_skill: react-standards.");
      expect(plan).toMatchObject({
        standards: ["react-standards"],
        skills: ["frontend-implementer", "react-standards"],
      });
    }
    const shown = await commandLine(["team", "show", first.id], { workspace: hall.workspace });
    expect(shown.stdout).toContain("React app with Vite (JavaScript), by package.json");
  });

  it("reads the repository's own pack in place of the built-in one once it is accepted [S1-RT-07] [S1-RT-11]", async () => {
    const [task] = await tasksOf(hall, first.id);
    const [own, standards, other] = outputsOf(hall, task?.runIds[0] ?? "").slice(Object.keys(WRONG).length);
    expect(own).toContain("Our own way.");
    expect(own).toContain("The person accepted this exact text as a skill");
    expect(standards).toContain("# React standards");
    expect(other).toMatch(/Unknown skill "go-standards"/);
  });

  it("has gate results by member [S1-TM-09]", async () => {
    const gates = (path = "") => hall.call("GET", `/api/teams/${first.id}/gates${path}`);
    const [task] = await tasksOf(hall, first.id);
    const seen = (await gates()).body.gates;
    expect(seen.map(({ verdict, member, task: key }) => [verdict, member, key])).toEqual([
      ["fail", task?.member, "sum"],
      ["pass", task?.member, "sum"],
    ]);
    expect((await gates(`?member=${task?.member}`)).body.gates).toEqual(seen);
    expect((await gates("?member=head-nobody")).body.gates).toEqual([]);
    expect((await hall.call("GET", "/api/teams/team-none/gates")).status).toBe(404);
  });

  it("is what the first team learned: weak stages with figures, and what rework taught [S1-ORC-04]", LONG, async () => {
    const learned = await eventually(
      () => hall.call("GET", `/api/knowledge?project=${PROJECT}&topic=patterns`),
      ({ body }) => body.statements.length > 0,
    );
    expect(learned.body.statements).toMatchObject([
      { text: FAILING, status: "pending", topic: "patterns", origins: [expect.stringMatching(/^TASK-/), first.id] },
    ]);
    await repeatFailedGate(4);
    const playbooks = teamPlaybooks([
      { key: "product", requirement: "REQ-001", files: moduleFiles("product", "REQ-001"), domain: "backend" },
    ]);
    for (const [name, text] of Object.entries(playbooks)) writePlaybook(hall.workspace, name, text);
    const { id } = await startTeam(hall, { approval: "none", goal: "Let people multiply numbers" });
    await untilTeam(hall, id, "completed", 240_000);
    const prompts = [...(await promptsOf(id, "lead")).slice(1), ...(await promptsOf(id, "work"))];
    expect(prompts).toHaveLength(3);
    for (const plan of prompts) {
      expect(plan?.prompt).toContain("- Tests: failed 5 of 6 results. Whether the tests pass.");
      expect(plan?.prompt).toContain("- Failing tests: 5 of 5 tasks, last: ");
      expect(plan?.prompt).toContain(`- ${FAILING} (not confirmed)`);
      // Once: what a team is told is left out of the knowledge that every run gets.
      expect(plan?.prompt.split(FAILING)).toHaveLength(2);
    }
    expect(await lessonsOf(`/api/teams/${id}/lessons`)).toMatchObject({
      lessons: { gates: 6, weakStages: [{ stage: "tests", judged: 6, failed: 5 }], statements: [{ confirmed: false }] },
    });
    // What the first team knew stays as it was, and what a person confirms counts for the next.
    expect((await lessonsOf(`/api/teams/${first.id}/lessons`)).lessons.gates).toBe(0);
    const [statement] = learned.body.statements;
    const accepted = await hall.call("POST", `/api/knowledge/${statement?.id}/accept?project=${PROJECT}`, {});
    expect(accepted.status, JSON.stringify(accepted.body)).toBe(200);
    const next = await lessonsOf(`/api/projects/${PROJECT}/lessons`);
    expect(next.lessons.statements).toEqual([{ id: statement?.id, text: FAILING, confirmed: true }]);
    const shown = await commandLine(["team", "show", id], { workspace: hall.workspace });
    expect(shown.stdout).toContain("What past teams taught\n  Tests: failed 5 of 6 results\n");
  });

  /** As if other tasks had failed in the same way. */
  async function repeatFailedGate(times: number): Promise<void> {
    const listed = async () => (await hall.call("GET", `/api/projects/${PROJECT}/gates?verdict=fail`)).body.gates;
    const [failed] = await listed();
    const { gate } = (await hall.call("GET", `/api/gates/${failed?.id}`)).body;
    const folder = join(hall.workspace, `projects/${PROJECT}/gates`, gate.startedAt.slice(0, 10));
    // None is the one that they are made from.
    const digits = [..."123456789"].filter((digit) => !gate.id.endsWith(digit)).slice(0, times);
    for (const at of digits) {
      const id = `${gate.id.slice(0, -1)}${at}`;
      const { runId: _, key: __, ...rest } = gate;
      writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...rest, id, taskId: `TASK-10${at}` }));
    }
    await eventually(listed, ({ length }) => length > times);
  }
});
