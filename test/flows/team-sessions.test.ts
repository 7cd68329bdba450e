import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
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
const LONG = { timeout: 300_000 };

const transcript = async (hall: Hall, runId = "") =>
  JSON.stringify((await hall.call("GET", `/api/runs/${runId}/transcript`)).body);

describe("members of a team and sessions that are handed over", () => {
  let hall: Hall;
  let folder: string;

  beforeAll(async () => {
    hall = await startHall(undefined, { later: afterAll });
    await teamHall(hall, teamPlaybooks(TASKS), { config: { qualityGates: { appliesTo: "off" } }, later: afterAll });
    folder = temporaryFolder(afterAll);
  }, 120_000);

  const executor = (...words: string[]) =>
    guildhall(["team", "executor", "-p", PROJECT, folder, ...words], { workspace: hall.workspace });

  it(
    "one member does the tasks of its prefix one after the other, and takes its reports along [S2-W-05] [S2-TPL-05] [S2-REL-01]",
    LONG,
    async () => {
      const { id } = await startTeam(hall, { approval: "none" });
      await untilTeam(hall, id, "completed");
      const [first, second] = await tasksOf(hall, id);
      expect([first?.prefix, second?.prefix, second?.member]).toEqual(["IMPL", "IMPL", first?.member]);
      const { activity } = (await hall.call("GET", `/api/teams/${id}/activity`)).body;
      const claimed = activity.filter(({ type }) => type === "task-claimed").map(({ data }) => data);
      expect(claimed).toMatchObject([
        { roleSpec: "backend-implementer-impl" },
        { roleSpec: "backend-implementer-impl", after: { key: "sum", as: "loop" } },
      ]);
      const told = await transcript(hall, second?.runIds[0]);
      expect(told).toContain("What you did before in this team");
      expect(told).toContain(`### ${titleOf("sum")} (sum)`);
      expect(await transcript(hall, first?.runIds[0])).not.toContain("What you did before in this team");
      const exported = await guildhall(["team", "complete", id, "--export", folder], { workspace: hall.workspace });
      expect(exported).toMatchObject({ code: 0 });
    },
  );

  it(
    "a session folder is carried out without a lead's spec and plan, and is completed like any team [S2-REL-08] [S2-REL-10] [S2-REL-03]",
    LONG,
    async () => {
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
  writeFileSync(
    path,
    `---
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
`,
  );
}
