import { describe, expect, it } from "vitest";
import { plannedTask, teamPlan, teamSpec } from "../../../test/fakes/team-world.ts";
import { renderSpec } from "../machine/spec-text.ts";
import { generateRoleSpec } from "../role-specs/generate.ts";
import { readSession, type SessionFiles } from "./session-folder.ts";

const roleSpec = (name: string, prefix: string, more = { innerLoop: true, type: "code-gen-code" as const }) =>
  generateRoleSpec({ name, prefix, ...more });
const plan = teamPlan([
  plannedTask("impl-1", { requirements: ["REQ-001"], criteria: ["REQ-001.1"] }),
  plannedTask("notes", { type: "docs", dependsOn: ["impl-1"] }),
]);
const WHOLE: SessionFiles = {
  "team.json": JSON.stringify({ id: "team-old", name: "Reset", goal: "Add password reset", status: "stopped" }),
  "spec.md": renderSpec(teamSpec()),
  "plan.json": JSON.stringify(plan),
  "role-specs/builder.md": roleSpec("builder", "IMPL"),
  "role-specs/writer.md": roleSpec("writer", "DRAFT"),
  "wisdom/issues.md": "- Mind the clock.\n",
  "state.jsonl": "not read",
};

function faultsOf(files: SessionFiles): string[] {
  const read = readSession(files, { roles: [] });
  return read.ok ? [] : read.faults.map(({ path, line, reason }) => `${path}${line ? `:${line}` : ""}: ${reason}`);
}
const without = (path: string): SessionFiles =>
  Object.fromEntries(Object.entries(WHOLE).filter(([one]) => !one.startsWith(path)));
const withText = (path: string, text: string): SessionFiles => ({ ...WHOLE, [path]: text });

describe("a session that is handed over", () => {
  it("is read with its team, spec, plan, role-specs and the notes of its members [S2-REL-09]", () => {
    const read = readSession(WHOLE, { roles: [] });
    expect(read).toMatchObject({
      ok: true,
      session: {
        team: { name: "Reset", goal: "Add password reset" },
        spec: { requirements: [{ id: "REQ-001" }] },
        plan: { tasks: [{ key: "impl-1" }, { key: "notes" }] },
        roleSpecs: [
          { name: "builder", prefix: "IMPL" },
          { name: "writer", prefix: "DRAFT" },
        ],
        carried: new Map([["wisdom/issues.md", "- Mind the clock.\n"]]),
      },
    });
  });

  it.each([
    ["team.json", ["team.json: is missing"]],
    ["spec.md", ["spec.md: is missing"]],
    ["plan.json", ["plan.json: is missing"]],
    ["role-specs/", ["role-specs/: is missing"]],
    ["role-specs/writer.md", ["plan.json: tasks.1: no role-spec has the prefix DRAFT of 'notes'"]],
  ])("is refused without %s, which is named [S2-REL-09]", (path, faults) => {
    expect(faultsOf(without(path))).toEqual(faults);
  });

  it("has all that is missing named at once, and an older layout called so", () => {
    expect(faultsOf({})).toEqual(
      ["team.json", "spec.md", "plan.json", "role-specs/"].map((path) => `${path}: is missing`),
    );
    expect(faultsOf({ ...without("role-specs/"), "roles/dev.md": "x" })).toEqual([
      "role-specs/: is missing; roles/ is an older layout and is not read",
    ]);
  });

  it.each([
    ["team.json", "", "team.json: is empty"],
    ["team.json", "{", "team.json: is not valid JSON"],
    ["team.json", '{"name":"Reset"}', "team.json: goal: Invalid input: expected string, received undefined"],
    ["team.json", "[]", "team.json: Invalid input: expected object, received array"],
    ["spec.md", "# Reset\n", "spec.md:1: No requirements. Add one below"],
    ["plan.json", "[]", "plan.json: input: must be an object with phases and tasks"],
    ["plan.json", '{"tasks":[]}', "plan.json: tasks: must have at least one task"],
    ["role-specs/builder.md", "", "role-specs/builder.md:1: encoding: the file is empty"],
    ["role-specs/builder.md", "\0\u0001", "role-specs/builder.md:1: encoding: the file is not UTF-8 text"],
    ["role-specs/Other.md", "x", "role-specs/Other.md: is no role-spec"],
    ["role-specs/notes.txt", "x", "role-specs/notes.txt: is no role-spec"],
    ["wisdom/issues.md", "\0", "wisdom/issues.md: is not text"],
  ])("is refused with a broken %s (%j), and not repaired [S2-REL-09]", (path, text, fault) => {
    expect(faultsOf(withText(path, text)).join("\n")).toContain(fault);
  });

  it("has what is wrong with the plan and the role-specs named beside a spec that is missing or broken [S2-REL-09]", () => {
    const { "spec.md": _, ...more } = without("role-specs/writer.md");
    expect(faultsOf({ ...more, "plan.json": '{"phases":[],"tasks":[]}' })).toEqual([
      "spec.md: is missing",
      "plan.json: tasks: must have at least one task",
    ]);
    const noPrefix = "plan.json: tasks.1: no role-spec has the prefix DRAFT of 'notes'";
    expect(faultsOf(more)).toEqual(["spec.md: is missing", noPrefix]);
    const broken = {
      ...without("role-specs/writer.md"),
      "role-specs/builder.md": roleSpec("builder", "IMPL").replace("## Error Handling", "## Errors"),
    };
    expect(faultsOf(broken)).toEqual([expect.stringContaining("role-specs/builder.md:"), noPrefix]);
  });

  it.each([
    [{ dependson: ["a"] }, "tasks.0.dependson: unknown key"],
    [{ key: "IMPL 1" }, 'tasks.0.key: must be "impl-1"'],
    [{ dependsOn: "b" }, "tasks.0.dependsOn: unknown task 'b'"],
    [{ files: "./src/a.js" }, 'tasks.0.files: must be ["src/a.js"]'],
    [{ criteria: ["REQ-001.1"], requirements: [] }, undefined],
  ])("has a plan that says %j carried out as it is, or refused", (more, fault) => {
    const task = { ...plan.tasks[0], ...more };
    const changed = { phases: plan.phases, tasks: [task, ...plan.tasks.slice(1)] };
    const faults = faultsOf(withText("plan.json", JSON.stringify(changed)));
    expect(faults).toEqual(fault === undefined ? [] : [`plan.json: ${fault}`]);
  });

  it("names parts that could not be sent once, and why", () => {
    const { "spec.md": _, ...files } = without("role-specs/writer.md");
    const unreadable = [
      { path: "spec.md", reason: "is a link, which is not followed" },
      { path: "role-specs/writer.md", reason: "is not UTF-8 text" },
    ];
    const read = readSession(files, { roles: [], unreadable });
    expect(read).toEqual({ ok: false, faults: unreadable });
  });

  it("carries artifacts by task, and says which of them it can't", () => {
    const files = { ...without("wisdom/issues.md"), "artifacts/sum/analysis-report.md": "# Found\n" };
    const read = readSession(files, { roles: [] });
    expect(read.ok && [...read.session.carried.keys()]).toEqual(["artifacts/sum/analysis-report.md"]);
    for (const path of ["artifacts/../../x.md", "wisdom/my notes.md", "artifacts/a/b/c/d/e.md", "wisdom/.hidden"])
      expect(faultsOf(withText(path, "x")), path).toEqual([
        `${path}: can't be carried over: use letters, digits, '.', '_' and '-' in names`,
      ]);
  });

  it("is refused where a role-spec grants itself something, or has a task or report phase", () => {
    const granting = roleSpec("builder", "IMPL").replace("---\n", "---\ntools: [exec]\n");
    expect(faultsOf(withText("role-specs/builder.md", granting))).toEqual([
      "role-specs/builder.md:2: no-rights: 'tools' grants nothing here; rights come from the role. Remove it",
    ]);
    const looping = roleSpec("builder", "IMPL").replace("## Error", "## Phase 5-L: Loop\n\n## Error");
    expect(faultsOf(withText("role-specs/builder.md", looping)).join()).toContain("no-inner-loop");
  });

  it("is refused where prefixes collide or match no task [S2-TPL-04]", () => {
    expect(faultsOf(withText("role-specs/coder.md", roleSpec("coder", "IMPL")))).toEqual([
      "role-specs/coder.md: prefix: role-specs/builder.md has IMPL, too; a task must find one role-spec by its prefix",
    ]);
    expect(faultsOf(withText("role-specs/tester.md", roleSpec("tester", "TEST")))).toEqual([
      "role-specs/tester.md: prefix: no task of the plan has TEST",
    ]);
  });

  it("gives tasks to a prefix of its own by their keys", () => {
    const moved = teamPlan([plannedTask("migrate-001", { requirements: ["REQ-001"], criteria: ["REQ-001.1"] })]);
    const files = { ...without("role-specs/"), "plan.json": JSON.stringify({ plan: moved }) };
    expect(faultsOf({ ...files, "role-specs/mover.md": roleSpec("mover", "MIGRATE") })).toEqual([]);
  });

  it("lets roles share a prefix where each role-spec is named after its role", () => {
    const two = teamPlan([
      plannedTask("a", { requirements: ["REQ-001"], criteria: ["REQ-001.1"], domain: "backend" }),
      plannedTask("b", { domain: "frontend" }),
    ]);
    const names = ["backend-implementer-impl", "frontend-implementer-impl"];
    const specs = Object.fromEntries(names.map((name) => [`role-specs/${name}.md`, roleSpec(name, "IMPL")]));
    expect(faultsOf({ ...without("role-specs/"), "plan.json": JSON.stringify(two), ...specs })).toEqual([]);
  });
});
