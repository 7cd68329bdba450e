import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { PROGRAM_FOLDER } from "../../src/program.ts";
import { LINE_RULES } from "../../src/teams/role-specs/line-rules.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { journalOf, listRuns, PROJECT } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, tasksOf, teamHall, teamPlaybooks, untilTeam } from "../harness/team-hall.ts";

const GUIDE = "# Guide\n\n## Setup\n\nRun the program.\n";
const SUM = moduleFiles("sum", "REQ-001");
const AUDIT = "# Audit\n\n## Security\n\nNothing.\n";

const task = (key: string, more: object) => ({
  ...{ key, title: `Do the ${key}`, description: `Work on ${key} only.`, domain: "backend", requirements: ["REQ-001"] },
  ...{ phase: "work", dependsOn: [], files: [] },
  ...more,
});
/** One after the other, so that each has what came before. */
const TASKS = [
  task("study", { type: "research", domain: "research" }),
  task("guide", { type: "docs", files: ["docs/guide.md"], dependsOn: ["study"] }),
  task("sum", { type: "feature", files: Object.keys(SUM), dependsOn: ["guide"] }),
  task("audit", { type: "review", domain: "review", dependsOn: ["sum"], dimensions: ["Security", "Cost"] }),
];
const writes = (path: string, content: string) => ({ tool: "write", input: { path, content } });
const reports = (input: object) => ({ calls: [{ tool: "report", input: { summary: "Done.", ...input } }] });
const delegates = (to: string, question: string) => ({ calls: [{ tool: "delegate", input: { to, question } }] });
const decided = { key_decisions: ["Keep it short."], warnings: [] };
const found = { findings: [], severity_counts: { critical: 0, high: 0, medium: 0, low: 0 } };
const DONE = { text: "Done." };
const member = (key: string, turns: object[]) => JSON.stringify({ when: `Work on ${key} only.`, turns });
/** Their names come before those of the members, whose task is in their prompt, too. */
const subagent = (question: string, turns: object[]) => JSON.stringify({ when: question, turns });

const BOOKS = {
  "a-finder": JSON.stringify({
    tool: "submit_findings",
    turns: [{ calls: [{ tool: "submit_findings", input: { summary: "It has one module.", findings: [] } }] }],
  }),
  "b-writer": subagent("Write the whole guide", [
    { calls: [writes("docs/guide.md", GUIDE)] },
    reports({ outcome: "full" }),
    DONE,
  ]),
  "b-coder": subagent("Write the whole sum", [
    { calls: Object.entries(SUM).map(([path, content]) => writes(path, content)) },
    reports({ outcome: "full" }),
    DONE,
  ]),
  "m-study": member("study", [
    delegates("general-purpose", "How many modules are there?"),
    reports({ content: "# Study\n\n{{last.delegate}}\n", ...decided }),
    DONE,
  ]),
  "m-guide": member("guide", [
    delegates("universal-executor", "Write the whole guide."),
    reports({ artifact_path: "docs/guide.md", ...decided }),
    DONE,
  ]),
  "m-sum": member("sum", [
    delegates("code-developer", "Write the whole sum."),
    reports({ files_changed: Object.keys(SUM), warnings: [] }),
    DONE,
  ]),
  "m-audit": member("audit", [
    reports({ content: AUDIT, ...found }),
    DONE,
    reports({ content: `${AUDIT}\n## Cost\n\nNone.\n`, ...found }),
    DONE,
  ]),
};

const ASSIGNED = /^You are \S+\. Role-spec: role-specs\/(\S+)\.md\. Prefix: ([A-Z]+)\. /m;
/** What role-specs leave to the worker, and skills as well. */
const SHARED = ["phases-2-to-4", "no-inner-loop", "no-bus-calls", "no-consensus", "subagents-by-name"];

function planOf(workspace: string, runId: string): { prompt: string } {
  const [first] = journalOf(workspace, runId);
  return (first as unknown as { plan: { prompt: string } }).plan;
}

describe("members that hand phase 3 to a subagent, as their role-specs allow", () => {
  let hall: Hall;
  let folder: string;
  let runs: Run[];
  const workOf = async (key: string) => {
    const [runId = ""] =
      (await tasksOf(hall, folder.split("/").at(-1) ?? "")).find((one) => one.key === key)?.runIds ?? [];
    const { body } = await hall.call("GET", `/api/runs/${runId}/transcript?limit=500`);
    const child = runs.find(({ parentRunId }) => parentRunId === runId);
    const asked = child && (await hall.call("GET", `/api/runs/${child.id}/transcript?limit=500`)).body;
    return { said: JSON.stringify(body), child, asked: JSON.stringify(asked ?? "") };
  };
  const planFor = async (key: string) => {
    const task = (await tasksOf(hall, folder.split("/").at(-1) ?? "")).find((one) => one.key === key);
    return planOf(hall.workspace, task?.runIds[0] ?? "");
  };
  const artifact = (path: string) => readFileSync(join(folder, "artifacts", path), "utf8");

  beforeAll(async () => {
    hall = await startHall(undefined, { later: afterAll });
    const plan = JSON.stringify({
      tool: "submit_plan",
      turns: [{ calls: [{ tool: "submit_plan", input: { tasks: TASKS } }] }],
    });
    const books = teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }], { "a-plan": plan, ...BOOKS });
    await teamHall(hall, books, { config: { qualityGates: { appliesTo: "off" } }, later: afterAll });
    const { id } = await startTeam(hall, { approval: "none" });
    await untilTeam(hall, id, "completed", 240_000);
    folder = join(hall.workspace, `projects/${PROJECT}/teams/${id}`);
    runs = (await listRuns(hall)).filter(({ team }) => team?.id === id);
  }, 300_000);

  it("research: general-purpose gets task, context and expected output, and the member waits for it [S2-ORCH-03] [S2-W-06]", async () => {
    const { child, asked, said } = await workOf("study");
    expect(child).toMatchObject({ title: "Investigate: How many modules are there?", status: "completed" });
    expect(asked).toMatch(
      /## Task\\n\\nHow many modules.*## Context\\n\\n### study: Do the study.*## Expected Output\\n\\n/,
    );
    expect(asked).toContain(`Session: ${folder.slice(folder.indexOf("projects/"))}`);
    expect(said).toContain("The general-purpose subagent: give it the task, its context and the output you expect");
    // What it answered was there when the member reported.
    expect(artifact("study/study.md")).toContain("It has one module.");
  });

  it("research: what came of it is in shared memory, and its decisions in wisdom [S2-ORCH-05]", () => {
    const memory = JSON.parse(readFileSync(join(folder, "shared-memory.json"), "utf8"));
    const result = { artifact: "artifacts/study/study.md", checks: "pass", decisions: ["Keep it short."] };
    expect(memory["result:study"]).toMatchObject({ type: "orchestration", summary: "Done.", ...result });
    expect(readFileSync(join(folder, "wisdom/insights.md"), "utf8")).toContain("- Keep it short. (");
  });

  it("documents: universal-executor writes the file that becomes the artifact [S2-DOC-02]", async () => {
    const { child } = await workOf("guide");
    expect(child).toMatchObject({ title: "Write: Write the whole guide.", status: "completed" });
    expect(artifact("guide/guide.md")).toBe(GUIDE);
  });

  it("code: code-developer implements in the member's worktree, and the summary names its files [S2-CODE-02]", async () => {
    const { child } = await workOf("sum");
    expect(child).toMatchObject({ title: "Implement: Write the whole sum.", status: "completed" });
    const summary = artifact("sum/implementation-summary.md");
    for (const path of Object.keys(SUM)) expect(summary).toContain(path);
  });

  it("analysis: the report has a heading for each dimension that the lead planned [S2-RO-02]", async () => {
    const { said } = await workOf("audit");
    expect(said).toContain("Dimensions of the analysis, a heading of your document each\\n\\n- Security\\n- Cost");
    expect(said).toContain("has no section 'Cost'");
    expect(artifact("audit/analysis-report.md")).toContain("## Cost");
  });

  it("documents and code start with the artifacts and the shared memory of earlier tasks [S2-DOC-01] [S2-CODE-01]", async () => {
    for (const [key, earlier] of [
      ["guide", "artifacts/study/study.md"],
      ["sum", "artifacts/guide/guide.md"],
    ] as const) {
      const { prompt } = await planFor(key);
      const [, before = ""] = /# What the team has so far([\s\S]*)/.exec(prompt) ?? [];
      expect(before, key).toContain(earlier);
      expect(before, key).toContain('"result:study"');
    }
  });

  it("only the lead coordinates, and every member is started by one template [S2-REL-05]", () => {
    const plans = (purpose: string) =>
      runs
        .filter((run) => run.purpose === purpose && run.parentRunId === undefined)
        .toReversed()
        .map(({ id }) => planOf(hall.workspace, id));
    expect(plans("lead").map(({ prompt }) => /"(submit_\w+)" once/.exec(prompt)?.[1])).toEqual(
      expect.arrayContaining(["submit_spec", "submit_plan", "submit_report"]),
    );
    for (const { prompt } of plans("lead")) expect(prompt).not.toContain("Role-spec:");
    expect(plans("work").map(({ prompt }) => ASSIGNED.exec(prompt)?.slice(1))).toEqual([
      ["codebase-cartographer-research", "RESEARCH"],
      ["backend-implementer-draft", "DRAFT"],
      ["backend-implementer-impl", "IMPL"],
      ["quality-reviewer-analysis", "ANALYSIS"],
    ]);
    for (const { prompt } of plans("work")) {
      const parts = [
        "Team “",
        "## Goal of the team",
        "## Team folder",
        "## Phases",
        "## Phase 2",
        "## What you return",
      ];
      expect(parts.filter((part) => !prompt.includes(part))).toEqual([]);
      expect(prompt).not.toContain("submit_");
    }
  });

  it("what all members share is part of their prompts, and of no skill [S2-REL-04]", async () => {
    const { said } = await workOf("sum");
    for (const part of ["Phase 1, finding your task, is done", "comes phase 5: end with one report", "Use team_msg to"])
      expect(said, part).toContain(part);
    const packs = join(PROGRAM_FOLDER, ".agents/skills");
    const texts = readdirSync(packs, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => readFileSync(join(packs, name), "utf8"));
    expect(texts.length).toBeGreaterThan(5);
    const shared = LINE_RULES.filter(({ rule }) => SHARED.includes(rule));
    expect(shared).toHaveLength(SHARED.length);
    for (const { pattern } of shared)
      expect(texts.flatMap((text) => text.split("\n")).filter((line) => pattern.test(line))).toEqual([]);
  });
});
