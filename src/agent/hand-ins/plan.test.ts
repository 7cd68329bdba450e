import { describe, expect, it } from "vitest";
import type { TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import { readPlan } from "./plan.ts";

const criterion = (id: string) => ({ id, text: "It holds.", kind: "test" as const });
const requirement = (id: string) => ({
  ...{ id, text: "It must hold.", priority: "medium" as const },
  acceptance: [criterion(`${id}.1`), criterion(`${id}.2`)],
});
const SPEC: TeamSpec = {
  ...{ title: "Opening hours", goals: [], nonGoals: [], risks: [], definitionOfDone: [] },
  requirements: [requirement("REQ-001"), requirement("REQ-002")],
};
const ORDER = { spec: SPEC, roles: ["coder"] };
const task = (key: string, of: object = {}) => ({ key, title: key, requirements: ["REQ-001", "REQ-002"], ...of });
const faultsOf = (value: unknown) => {
  const read = readPlan(value, ORDER);
  return read.ok ? [] : read.faults;
};

describe("a plan that a model sends", () => {
  it("has one phase, types, domains and criteria where it names none", () => {
    const plan = {
      tasks: [
        task("Form 1"),
        task("list", {
          ...{ requirements: ["REQ-002"], type: "bugfix", files: "./src/a.ts", description: "Add the endpoint." },
        }),
      ],
    };
    const read = readPlan(plan, ORDER);
    expect(read).toEqual({
      ok: true,
      value: {
        phases: [{ id: "work", name: "Work" }],
        tasks: [
          {
            ...{ key: "form-1", title: "Form 1", description: "", type: "other", domain: "frontend", phase: "work" },
            ...{ requirements: ["REQ-001", "REQ-002"], criteria: ["REQ-001.1", "REQ-001.2"], dependsOn: [], files: [] },
          },
          {
            ...{
              key: "list",
              title: "list",
              description: "Add the endpoint.",
              type: "bug",
              domain: "backend",
              phase: "work",
            },
            ...{ requirements: ["REQ-002"], criteria: ["REQ-002.1", "REQ-002.2"], dependsOn: [], files: ["src/a.ts"] },
          },
        ],
      },
    });
  });

  it("gives a criterion to the last task in order, unless a task names it", () => {
    const phases = [{ id: "first" }, { id: "second" }];
    const tasks = [
      task("late", { phase: "second" }),
      task("early", { phase: "first", requirements: ["REQ-001"], criteria: ["REQ-002.1"] }),
    ];
    const read = readPlan({ phases, tasks }, ORDER);
    expect(read.ok && read.value.tasks.map(({ key, criteria }) => [key, criteria])).toEqual([
      ["late", ["REQ-001.1", "REQ-001.2", "REQ-002.2"]],
      ["early", ["REQ-002.1"]],
    ]);
    expect(read.ok && read.value.tasks[1]?.requirements).toEqual(["REQ-001", "REQ-002"]);
  });

  it("names a cycle", () => {
    const tasks = [
      task("a", { dependsOn: ["b"] }),
      task("b", { dependsOn: ["c"] }),
      task("c", { dependsOn: ["a"] }),
      task("d", { dependsOn: ["a"] }),
    ];
    expect(faultsOf({ tasks })).toEqual([expect.stringMatching(/^tasks: circular dependency: (\w) → \w → \w → \1$/)]);
  });

  it("is refused with all that is wrong at once, each with its path", () => {
    const plan = {
      phases: ["Build", "build", "Polish"],
      tasks: [
        task("a", { phase: "build", dependsOn: ["b", "x", "a"], requirements: ["REQ-001", "REQ-009"], type: "dance" }),
        task("b", {
          phase: "polish",
          requirements: ["REQ-001"],
          role: "ghost",
          domain: "magic",
          criteria: ["REQ-001.1"],
        }),
        task("b", {
          phase: "later",
          requirements: [],
          criteria: ["REQ-001.1", "REQ-001.7"],
          files: ["/etc/passwd", "../a"],
        }),
        task("c", { requirements: [] }),
        "do it",
      ],
    };
    expect(faultsOf(plan)).toEqual([
      "phases.1.id: 'build' is used twice",
      "tasks.0.type: must be one of feature, bug, refactor, test, docs, research, review, planning, search, explore, other",
      "tasks.1.domain: must be one of ux_design, frontend, backend, research, search, review, other",
      "tasks.1.role: unknown role 'ghost'; the roles are coder",
      "tasks.2.files.0: '/etc/passwd' is outside the repository; use paths relative to its root",
      "tasks.2.files.1: '../a' is outside the repository; use paths relative to its root",
      "tasks.2.phase: unknown phase 'later'; the phases are build, build, polish",
      "tasks.3.phase: is missing; the phases are build, build, polish",
      "tasks.4: must be an object with key, title and requirements",
      "tasks.4.phase: is missing; the phases are build, build, polish",
      "tasks.2.key: 'b' is used twice",
      "tasks.0.dependsOn: unknown task 'x'",
      "tasks.0.dependsOn: 'a' depends on itself",
      "tasks.0.requirements: unknown requirement 'REQ-009'",
      "tasks.2.criteria: REQ-001.1 belongs to 'b' already",
      "tasks.2.criteria: unknown criterion 'REQ-001.7'",
      "tasks: no task covers REQ-002",
      "tasks.4.title: is required",
    ]);
  });

  it("is refused where a task waits for one of a later phase", () => {
    const tasks = [task("a", { phase: "one", dependsOn: ["b"] }), task("b", { phase: "two" })];
    expect(faultsOf({ phases: ["one", "two"], tasks })).toEqual(["tasks.0.dependsOn: 'b' is in the later phase 'two'"]);
  });

  it.each([
    ["without tasks", { tasks: [] }, ["tasks: must have at least one task"]],
    ["as a text", "first the form", ["input: must be an object with phases and tasks"]],
    [
      "[S1-TM-13] with more than 3,000 tasks",
      { tasks: Array.from({ length: 3_001 }, (_, at) => task(`t${at}`)) },
      ["tasks: has 3001 tasks; a plan has at most 3000"],
    ],
  ])("is refused %s", (_, plan, faults) => {
    expect(faultsOf(plan)).toEqual(faults);
  });

  it("[S1-TM-13] of 3,000 tasks in a row is read quickly", () => {
    const tasks = Array.from({ length: 3_000 }, (_, at) =>
      task(`t${at}`, at === 0 ? {} : { dependsOn: [`t${at - 1}`] }),
    );
    const started = performance.now();
    expect(readPlan({ tasks }, ORDER).ok).toBe(true);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
