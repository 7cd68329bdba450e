import { describe, expect, it } from "vitest";
import { TEMPLATE_TEXTS } from "../../../test/cases/template-injection.ts";
import type { Project } from "../../contract/documents/project.ts";
import type { Role } from "../../contract/documents/role.ts";
import type { Task } from "../../contract/documents/task.ts";
import { buildPrompt, type PromptInput, substitute } from "./prompt.ts";

const role: Role = {
  id: "coder",
  name: "Code Specialist",
  emoji: "🤖",
  description: "Writes code",
  specialty: ["typescript", "python"],
  modelConfig: { model: "default", thinking: "high", timeout: 300 },
  skills: ["read"],
  systemPromptTemplate: "You do {{specialty}}. Task: {{task}}. Again: {{task}}. In {{workDir}}.",
  variables: ["specialty", "task", "workDir"],
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  version: 1,
};

const project = {
  id: "shop",
  name: "The Shop",
  description: "Sells things",
  config: { techStack: { languages: ["ts", "sql"], frameworks: [], tools: [] } },
  paths: { root: "projects/shop" },
} as unknown as Project;

const task = {
  id: "TASK-007",
  title: "Fix login",
  description: "It is broken",
  type: "bug",
  priority: "high",
  acceptanceCriteria: [],
  context: { files: [], codeRefs: [], dependencies: [] },
} as unknown as Task;

function input(changes: Partial<PromptInput> = {}): PromptInput {
  return {
    role,
    project,
    task,
    workdir: "/srv/shop",
    overview: "The overview",
    memory: "The memory",
    memoryIndex: "",
    guide: undefined,
    contextFiles: [],
    taskFiles: [],
    variables: {},
    ...changes,
  };
}

it("fills every occurrence of every variable, the task with title and description [S0-PB-02 S0-PB-03 S0-PB-04]", () => {
  const everything =
    "roleName roleDescription specialty projectName projectDescription projectPath workDir taskTitle taskDescription taskType techStack task";
  const template = everything
    .split(" ")
    .map((name) => `{{${name}}}`)
    .join("|");
  const { system } = buildPrompt(
    input({ role: { ...role, systemPromptTemplate: `${template}\n${template}`, variables: [] } }),
  );
  const once =
    "Code Specialist|Writes code|typescript, python|The Shop|Sells things|projects/shop|/srv/shop|Fix login|It is broken|bug|ts, sql|Fix login\n\nIt is broken";
  expect(system).toBe(`${once}\n${once}`);
});

it("is the template filled in, then context, task, criteria and footer, each part under its heading [S0-PB-01 S0-PB-06 S0-PB-08 S0-PB-09]", () => {
  const { system, prompt, cut } = buildPrompt(
    input({
      role: { ...role, systemPromptTemplate: "You do {{specialty}}: {{taskTitle}}. In {{workDir}}." },
      guide: { path: "AGENTS.md", text: "Use tabs." },
      contextFiles: [
        { path: "a.md", text: "AAA" },
        { path: "b.md", text: "BBB" },
      ],
      taskFiles: [
        { path: "src/x.ts", text: "const x = 1;" },
        { path: "src/y.ts", text: "const y = 2;" },
      ],
    }),
  );
  expect(system).toBe("You do typescript, python: Fix login. In /srv/shop.");
  expect(prompt).toBe(`# Project Context

## Overview
The overview

## Memory
The memory

## Repository instructions (AGENTS.md)
Use tabs.

## Relevant Context
AAA

---

BBB

## Task Files
### src/x.ts
const x = 1;

### src/y.ts
const y = 2;

# Your Task

**Title:** Fix login
**Type:** bug
**Priority:** high

It is broken

## Acceptance Criteria
- Complete the task as described.

---
Work in: /srv/shop
When done, call "report" once with a summary and outcome, then end your turn. Guildhall then updates TASKS/in-progress/TASK-007.md; don't edit files under TASKS.`);
  expect(cut).toEqual([]);
});

it("leaves out sections without content [S0-PB-08]", () => {
  const { prompt } = buildPrompt(input({ overview: "", memory: " \n" }));
  expect(prompt).toMatch(/^# Your Task\n\n\*\*Title:\*\* Fix login\n/);
  expect(buildPrompt(input({ overview: "" })).prompt).toMatch(
    /^# Project Context\n\n## Memory\nThe memory\n\n# Your Task\n/,
  );
});

describe("the description", () => {
  const times = (systemPromptTemplate: string, variables = {}) => {
    const { system, prompt } = buildPrompt(
      input({ role: { ...role, systemPromptTemplate, variables: [] }, variables }),
    );
    return [system, prompt].map((text) => text.split("It is broken").length - 1);
  };

  it("is in the role's part where the template has it, and else under the task", () => {
    expect(times("Do {{task}}.")).toEqual([1, 0]);
    expect(times("{{taskTitle}}: {{taskDescription}}")).toEqual([1, 0]);
    expect(times("You write code. {{taskTitle}}")).toEqual([0, 1]);
  });

  it("is under the task where a request gives the template another value", () => {
    expect(times("Do {{task}}.", { task: "something else" })).toEqual([0, 1]);
  });
});

it("shows a task file that is not there as an empty one [S0-PB-07]", () => {
  const { prompt, cut } = buildPrompt(input({ taskFiles: [{ path: "gone.ts", text: "" }] }));
  expect(prompt).toContain("## Task Files\n### gone.ts\n\n\n# Your Task");
  expect(cut).toEqual([]);
});

it("lists the criteria that there are, and which are met [S0-PB-09]", () => {
  const acceptanceCriteria = [
    { text: "Tests pass", done: false },
    { text: "Docs", done: true },
  ];
  expect(buildPrompt(input({ task: { ...task, acceptanceCriteria } })).prompt).toContain(
    "## Acceptance Criteria\n- [ ] Tests pass\n- [x] Docs\n",
  );
});

it("tells what the task refers to", () => {
  const context = { files: [], codeRefs: ["login.ts:12", "auth()"], dependencies: ["TASK-003"] };
  expect(buildPrompt(input({ task: { ...task, context } })).prompt).toContain(
    "**Priority:** high\n\n**Code:**\n- login.ts:12\n- auth()\n\n**Related:**\n- TASK-003\n\n## Acceptance",
  );
});

it("leaves a placeholder that nobody gives a value as it stands in the template", () => {
  const systemPromptTemplate = "{{nobody}} {{constructor}} {{roleName}}";
  expect(buildPrompt(input({ role: { ...role, systemPromptTemplate, variables: [] } })).system).toBe(
    "{{nobody}} {{constructor}} Code Specialist",
  );
});

describe("a required variable [S0-ROLE-13]", () => {
  const needy = { ...role, variables: ["task", "customer", "techStack"] };
  const bare = { ...project, config: { techStack: { languages: [] } } } as unknown as Project;

  it("without a value is refused by name", () => {
    expect(() => buildPrompt(input({ role: needy, project: bare }))).toThrow(
      "Role 'coder' needs a value for customer, techStack.",
    );
  });

  it("has its value from the request, before what is known by itself", () => {
    const systemPromptTemplate = "{{customer}} {{techStack}}";
    const asked = { role: { ...needy, systemPromptTemplate }, variables: { customer: "ACME", techStack: "rust" } };
    expect(buildPrompt(input({ ...asked, project: bare })).system).toBe("ACME rust");
    expect(buildPrompt(input(asked)).system).toBe("ACME rust");
  });
});

describe("what is too long", () => {
  it("is cut, and the prompt and the plan say what and how much", () => {
    const long = "m".repeat(200_000);
    const { prompt, cut } = buildPrompt(
      input({
        overview: long,
        memory: long,
        guide: { path: "AGENTS.md", text: long },
        contextFiles: [{ path: "a.md", text: long }],
        taskFiles: [{ path: "x.ts", text: long }],
        task: { ...task, description: long },
        role: { ...role, systemPromptTemplate: "You do {{specialty}}." },
      }),
    );
    const names = ["Overview", "Memory", "AGENTS.md", "a.md", "x.ts", "Description"];
    expect([...cut].sort()).toEqual([...names].sort());
    const said = [...prompt.matchAll(/^(m+)\n\(cut here: (\d+) more characters of (.+)\)$/gm)];
    expect(said.map(([, , , name]) => name)).toEqual(names);
    for (const [, kept = "", rest] of said) expect(kept.length + Number(rest)).toBe(200_000);
    expect(prompt.length).toBeLessThan(320_000);
  });

  it("in a description is cut in the template too, and noted once", () => {
    const { system, cut } = buildPrompt(input({ task: { ...task, description: "d".repeat(900_000) } }));
    expect(system.length).toBeLessThan(250_000);
    expect(cut).toEqual(["Description"]);
  });

  it("shares its budget between files, and is never cut within a character", () => {
    const files = ["a.md", "b.md"].map((path) => ({ path, text: `x${"🙂".repeat(20_000)}` }));
    const { prompt, cut } = buildPrompt(input({ contextFiles: files }));
    expect(cut).toEqual(["a.md", "b.md"]);
    expect(prompt.length).toBeLessThan(45_000);
    expect(prompt.isWellFormed()).toBe(true);
  });
});

it("says of what may not be quoted that it is left out, and why [S0-SEC-03]", () => {
  const leftOut = "it is one of the project's env files";
  const { prompt, cut } = buildPrompt(
    input({
      contextFiles: [
        { path: "a.md", text: "AAA" },
        { path: ".env", text: "", leftOut },
      ],
      taskFiles: [{ path: "deploy.env", text: "", leftOut }],
    }),
  );
  expect(prompt).toContain("AAA\n\n---\n\n(.env omitted: it is one of the project's env files)");
  expect(prompt).toContain("### deploy.env\n(omitted: it is one of the project's env files)");
  expect(cut).toEqual([".env", "deploy.env"]);
});

describe.each(TEMPLATE_TEXTS)("%j stays what it is [S0-PB-04]", (text) => {
  const whole = (template: string, changes: Partial<PromptInput>) =>
    buildPrompt(
      input({ ...changes, role: { ...role, ...changes.role, systemPromptTemplate: template, variables: [] } }),
    );

  it("as the value of a variable, also beside others", () => {
    const values = new Map([
      ["task", text],
      ["taskTitle", "WRONG"],
    ]);
    expect(substitute("<{{task}}|{{task}}>", values)).toBe(`<${text}|${text}>`);
    expect(whole("<{{customer}}>", { variables: { customer: text } }).system).toBe(`<${text}>`);
  });

  it("as title and description", () => {
    const { system, prompt } = whole("<{{taskTitle}}|{{taskDescription}}|{{task}}>", {
      task: { ...task, title: text, description: text },
    });
    expect(system).toBe(`<${text}|${text}|${text}\n\n${text}>`);
    expect(prompt).toContain(`# Your Task\n\n**Title:** ${text}\n**Type:** bug\n**Priority:** high\n\n##`);
  });

  it("as name and description of role and project", () => {
    const { system } = whole(
      "<{{roleName}}|{{roleDescription}}|{{specialty}}|{{projectName}}|{{projectDescription}}>",
      {
        role: { ...role, name: text, description: text, specialty: [text] },
        project: { ...project, name: text, description: text },
      },
    );
    expect(system).toBe(`<${[text, text, text, text, text].join("|")}>`);
  });

  it("as overview, memory, guide, context and task file", () => {
    const file = { path: "f.md", text };
    const { prompt } = whole("", {
      overview: text,
      memory: text,
      guide: file,
      contextFiles: [file],
      taskFiles: [file],
    });
    expect(prompt).toContain(
      [
        `## Overview\n${text}`,
        `## Memory\n${text}`,
        `## Repository instructions (f.md)\n${text}`,
        `## Relevant Context\n${text}`,
        `## Task Files\n### f.md\n${text}`,
        "# Your Task",
      ].join("\n\n"),
    );
  });
});

it("what agents remember follows the memory that people edit, and is not spoken of when there is nothing", () => {
  const { prompt } = buildPrompt(input({ memoryIndex: "- facts/door.md: It sticks." }));
  expect(prompt).toContain("## Memory\nThe memory\n\n## Agent Memory\n- facts/door.md: It sticks.\n\n");
  expect(buildPrompt(input({})).prompt).not.toContain("Agent Memory");
});
