import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Team, TeamTask } from "../../src/contract/documents/teams/team.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, tasksOf, teamHall, teamPlaybooks, untilTeam } from "../harness/team-hall.ts";

const GUIDE = "# Guide\n\n## Setup\n\nRun the program.\n\n## Limits\n\nNone.\n";
const SUM = moduleFiles("sum", "REQ-001");
const BROKEN = "export const sum = (a, b => a + b;\n";

const writes = (path: string, content: string) => ({ tool: "write", input: { path, content } });
const reports = (input: object) => ({ calls: [{ tool: "report", input: { summary: "Done.", ...input } }] });
const DONE = { text: "Done." };

const task = (key: string, more: object) => ({
  ...{ key, title: `Do the ${key}`, description: `Work on ${key} only.`, domain: "backend", requirements: ["REQ-001"] },
  ...{ phase: "work", dependsOn: [], files: [] },
  ...more,
});
/** One after the other, so that each has what came before. */
const TASKS = [
  task("guide", { type: "docs", files: ["docs/guide.md"], sections: ["Setup", "Limits"] }),
  task("sum", { type: "feature", files: ["sum/index.js", "sum/index.test.js"], dependsOn: ["guide"] }),
  task("audit", { type: "review", domain: "review", dependsOn: ["sum"] }),
  task("proof", { type: "test", dependsOn: ["audit"], files: ["proof.test.js"] }),
];
const FINDINGS = [
  { severity: "Low", file: "sum/index.js", line: 1, message: "No comment." },
  { severity: "Critical", file: "sum/index.js", line: 1, message: "Adds text.", fix: "Check the types." },
];
const FAILING = `import { test } from "node:test";\ntest("REQ-001: fails", () => { throw new Error("no"); });\n`;
const PASSING = `import { test } from "node:test";\ntest("REQ-001: passes", () => {});\n`;
const figures = { content: "# Tests\n\nAll of them.\n", passRate: 100, coverage: 99, remainingFailures: [] };

const book = (key: string, turns: object[]) => JSON.stringify({ when: `Work on ${key} only.`, turns });
const BOOKS = {
  "m-guide": book("guide", [
    { calls: [writes("docs/guide.md", "# Guide\n\n## Setup\n\nTODO: write this\n")] },
    reports({}),
    reports({ artifact_path: "docs/guide.md", key_decisions: ["Keep it short."], warnings: [] }),
    DONE,
    { calls: [writes("docs/guide.md", GUIDE)] },
    reports({ artifact_path: "docs/guide.md", key_decisions: ["Keep it short."], warnings: [] }),
    DONE,
  ]),
  "m-sum": book("sum", [
    { calls: [writes("sum/index.js", BROKEN)] },
    reports({ files_changed: ["sum/index.js"] }),
    DONE,
    { calls: Object.entries(SUM).map(([path, content]) => writes(path, content)) },
    reports({ files_changed: Object.keys(SUM) }),
    DONE,
  ]),
  "m-audit": book("audit", [
    reports({ content: "# Notes\n\nRead all.\n", findings: FINDINGS, severity_counts: { critical: 2 } }),
    reports({ content: "# Notes\n\nRead all.\n", findings: FINDINGS, severity_counts: { critical: 1, low: 1 } }),
    DONE,
  ]),
  "m-proof": book("proof", [
    { calls: [writes("proof.test.js", FAILING)] },
    reports(figures),
    DONE,
    { calls: [writes("proof.test.js", PASSING)] },
    reports(figures),
    DONE,
  ]),
};

describe("what members return", () => {
  let hall: Hall;
  let done: Team;
  let tasks: Map<string, TeamTask>;
  const artifact = (key: string) => {
    const { artifact: path = "" } = tasks.get(key)?.checks ?? {};
    return readFileSync(join(hall.workspace, `projects/${PROJECT}/teams/${done.id}/${path}`), "utf8");
  };
  const transcript = async (key: string) => {
    const runId = tasks.get(key)?.runIds[0];
    return JSON.stringify((await hall.call("GET", `/api/runs/${runId}/transcript`)).body);
  };

  beforeAll(async () => {
    hall = await startHall(undefined, { later: afterAll });
    const played = teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }]);
    const plan = JSON.parse(played["a-plan"] ?? "");
    plan.turns[0].calls[0].input.tasks = TASKS;
    const books = { ...played, "a-plan": JSON.stringify(plan), ...BOOKS };
    await teamHall(hall, books, { config: { qualityGates: { appliesTo: "off" } }, later: afterAll });
    const { id } = await startTeam(hall, { approval: "none" });
    done = await untilTeam(hall, id, "completed", 100_000);
    tasks = new Map((await tasksOf(hall, id)).map((one) => [one.key, one]));
  }, 300_000);

  it("keeps a document that has its sections and no placeholders [S2-DOC-03] [S2-DOC-04]", async () => {
    expect(tasks.get("guide")).toMatchObject({
      ...{ state: "merged", attempts: 1 },
      checks: { type: "code-gen-docs", verdict: "pass", attempt: 2, artifact: "artifacts/guide/guide.md" },
    });
    expect(artifact("guide")).toBe(GUIDE);
    const said = await transcript("guide");
    expect(said).toContain("artifactPath: is required");
    expect(said).toContain("No placeholders: line 5 'TODO:");
    expect(said).toContain("has no section 'Limits'");
  });

  it("sends code back that doesn't compile or lacks a planned file [S2-CODE-04] [S2-CODE-05] [S2-CODE-07]", async () => {
    expect(tasks.get("sum")).toMatchObject({
      ...{ state: "merged", attempts: 1 },
      checks: { verdict: "pass", attempt: 2, attempts: 3, artifact: "artifacts/sum/implementation-summary.md" },
    });
    const said = await transcript("sum");
    expect(said).toContain("Missing: sum/index.test.js");
    expect(said).toMatch(/Syntax: sum\/index\.js/);
    expect(artifact("sum")).toMatch(/## Files changed\n\n- sum\/index\.js\n- sum\/index\.test\.js/);
  });

  it("sorts findings by severity, and counts them itself [S2-RO-03] [S2-RO-04]", async () => {
    expect(tasks.get("audit")).toMatchObject({ checks: { type: "read-only", verdict: "pass" } });
    expect(await transcript("audit")).toContain("severityCounts.critical: is 2, but findings has 1");
    expect(artifact("audit")).toMatch(
      /\| Critical \| 1 \|[\s\S]*## Critical[\s\S]*Adds text[\s\S]*## Low[\s\S]*No comment/,
    );
  });

  it("runs the tests itself, whatever the member says [S2-VAL-02] [S2-VAL-04] [S2-VAL-06]", async () => {
    expect(tasks.get("proof")).toMatchObject({
      checks: {
        type: "validation",
        attempt: 2,
        attempts: 5,
        figures: { tests: { passed: 3, failed: 0 }, passRate: 100 },
      },
    });
    expect(await transcript("proof")).toContain("You reported a pass rate of 100 %, but 2 of 3 tests pass");
    expect(artifact("proof")).toMatch(/\| Passed \| 3 \|[\s\S]*\| Coverage \| not measured \|/);
  });

  it("leaves results in the shared memory, and issues in wisdom/issues.md [S2-RO-05] [S2-VAL-06]", () => {
    const folder = join(hall.workspace, `projects/${PROJECT}/teams/${done.id}`);
    const memory = JSON.parse(readFileSync(join(folder, "shared-memory.json"), "utf8"));
    expect(memory["result:guide"]).toMatchObject({
      ...{ artifact: "artifacts/guide/guide.md", decisions: ["Keep it short."], checks: "pass" },
    });
    expect(memory["result:audit"].findings).toEqual({ critical: 1, high: 0, medium: 0, low: 1 });
    expect(memory["result:proof"].figures).toMatchObject({ passRate: 100 });
    const issues = readFileSync(join(folder, "wisdom/issues.md"), "utf8");
    expect(issues).toMatch(/critical: sum\/index\.js:1 Adds text\.[\s\S]*low: sum\/index\.js:1 No comment\./);
  });

  it("is what the next member starts with [S2-RO-01] [S2-VAL-01]", async () => {
    const audit = await transcript("audit");
    expect(audit).toContain("artifacts/sum/implementation-summary.md:");
    expect(audit).toMatch(/Changed by earlier tasks:\\n- sum\/index\.js/);
    expect(await transcript("proof")).toMatch(/Tests, as Guildhall runs them:\\n- node/);
  });

  it("shows the checks in the feed", async () => {
    const { activity } = (await hall.call("GET", `/api/teams/${done.id}/activity`)).body;
    const shown = activity.filter(({ type }) => type.startsWith("checks-")).map(({ type, task: of }) => [type, of]);
    expect(shown).toEqual(
      [...tasks.keys()].flatMap((key) => [
        ...(key === "audit" ? [] : [["checks-failed", key]]),
        ["checks-passed", key],
      ]),
    );
  });
});
