import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEMPLATE_TEXTS } from "../cases/template-injection.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";

const CANARY = "CANARY-0123456789";

/** A hall with a role, and a project whose agents work in the folder given, or in its own. */
async function shop(fields: object = {}): Promise<{ hall: Hall; own: string }> {
  const hall = await startHall();
  const role = { id: "coder", name: "Coder", systemPromptTemplate: "Do: {{task}}", variables: ["task"] };
  expect((await hall.call("POST", "/api/roles", role)).status).toBe(201);
  const project = { id: "shop", name: "Shop", description: "Sells things", ...fields };
  expect((await hall.call("POST", "/api/projects", project)).status).toBe(201);
  return { hall, own: join(hall.workspace, "projects/shop") };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** What a spawn would be told. */
async function planOf(hall: Hall, body: object = {}) {
  const request = { projectId: "shop", roleId: "coder", task: { title: "Fix it" }, ...body };
  const answer = await hall.call("POST", "/api/team/spawn?dryRun=true", request);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.plan;
}

describe("the prompt", () => {
  it("holds the project's page and memory, the files asked for and those of the task, in order, whatever their names [S0-PB-01 S0-PB-05 S0-PB-06 S0-PB-07 S0-PB-08]", async () => {
    const workdir = join(temporaryFolder(), "Mein Laden 🛒");
    put(join(workdir, "src/der Login 🔑.ts"), "const login = 1;");
    const { hall, own } = await shop({ workdir });
    put(join(own, "MEMORY.md"), "# Memory\n\nPrices are in cents.\n");
    put(join(own, "CONTEXT/Notizen für 🙂.md"), "Be kind.");
    put(join(own, "plans/next/plan.md"), "First the cart.");
    const { system, prompt, cut } = await planOf(hall, {
      task: { title: "Fix 🛒", context: { files: ["src/der Login 🔑.ts", "src/not there.ts"] } },
      contextFiles: ["Notizen für 🙂.md", "plans/next/plan.md"],
    });
    expect(system).toBe("Do: Fix 🛒");
    const order = [
      "# Project Context\n\n## Overview\n",
      "# Shop",
      "Sells things",
      "\n\n## Memory\n# Memory\n\nPrices are in cents.\n",
      "\n\n## Relevant Context\nBe kind.\n\n---\n\nFirst the cart.\n\n",
      "## Task Files\n### src/der Login 🔑.ts\nconst login = 1;\n\n### src/not there.ts\n\n\n",
      "# Your Task\n\n**Title:** Fix 🛒\n**Type:** other\n**Priority:** medium\n\n",
      "## Acceptance Criteria\n- Complete the task as described.\n\n",
      `---\nWork in: ${workdir}\n`,
      "TASKS/in-progress/",
    ];
    const places = order.map((text) => prompt.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((left, right) => left - right));
    expect(prompt).not.toContain("status: active");
    expect(cut).toEqual([]);
  });

  it("of an empty project is the role and the task, with the description once and no placeholders", async () => {
    const { hall } = await shop({ description: "" });
    for (const template of ["coder", "researcher", "reviewer", "designer", "devops", "tester"]) {
      const id = `the-${template}`;
      expect((await hall.call("POST", "/api/roles", { template, id })).status).toBe(201);
      const description = "Explain how to install and run it.";
      const { system, prompt } = await planOf(hall, { roleId: id, task: { title: "Add a README", description } });
      expect(`${system}\n${prompt}`.split(description)).toHaveLength(2);
      expect(system).toMatch(/:\nAdd a README\n\nExplain how to install and run it\.$/);
      expect(prompt).toBe(`# Your Task

**Title:** Add a README
**Type:** other
**Priority:** medium

## Acceptance Criteria
- Complete the task as described.

---
Work in: ${join(hall.workspace, "projects/shop")}
When done, call "report" once with a summary and outcome, then end your turn. Guildhall then updates TASKS/in-progress/TASK-001.md; don't edit files under TASKS.`);
    }
  });

  it("names a section that was cut, in the prompt itself and in the plan", async () => {
    const { hall, own } = await shop();
    put(join(own, "MEMORY.md"), "remember ".repeat(10_000));
    const { prompt, cut } = await planOf(hall);
    expect(cut).toEqual(["Memory"]);
    expect(prompt).toMatch(/\n\(cut here: 66000 more characters of Memory\)\n\n# Your Task/);
  });

  it("lists the criteria of a task that is there [S0-PB-09]", async () => {
    const { hall } = await shop();
    const task = { title: "There before", acceptanceCriteria: ["It compiles", "It is fast"] };
    expect((await hall.call("POST", "/api/projects/shop/tasks", task)).status).toBe(201);
    const { prompt } = await planOf(hall, { task: undefined, taskId: "TASK-001" });
    expect(prompt).toContain("## Acceptance Criteria\n- [ ] It compiles\n- [ ] It is fast\n");
    expect(prompt).toContain("TASKS/in-progress/TASK-001.md");
  });
});

describe("env files", () => {
  it("are left out as context and as task files, however their path is written, and the prompt says so [S0-SEC-03]", async () => {
    const workdir = temporaryFolder();
    const envFiles = ["config/settings.ini", "secrets", join(workdir, "absolute.ini")];
    const { hall, own } = await shop({ workdir, config: { envFiles } });
    const hidden = [".env", ".env.local", "config/settings.ini", "secrets/db.txt", "absolute.ini"];
    for (const path of hidden) for (const folder of [workdir, own]) put(join(folder, path), CANARY);
    put(join(own, "CONTEXT/config/settings.ini"), CANARY);
    const files = [".env", "./config//settings.ini", "Config/Settings.INI", "secrets/db.txt", "absolute.ini"];
    const contextFiles = [".env.local", "./config/settings.ini", "secrets/db.txt", "./.env"];
    const plan = await planOf(hall, { task: { title: "Look", context: { files } }, contextFiles });
    expect(JSON.stringify(plan)).not.toContain(CANARY);
    for (const path of files) expect(plan.prompt).toContain(`### ${path}\n(omitted: `);
    for (const path of contextFiles) expect(plan.prompt).toContain(`(${path} omitted: `);
    expect(plan.prompt).toContain("### secrets/db.txt\n(omitted: it is one of the project's env files)");
    expect(plan.prompt).toContain("'.env' usually holds secrets");
    expect([...plan.cut].sort()).toEqual([...files, ...contextFiles].sort());
  });

  it("are kept out, and nothing else is", async () => {
    const { hall, own } = await shop({ config: { envFiles: ["deploy.ini"] } });
    put(join(own, "deploy.ini.md"), "How to deploy.");
    put(join(own, "docs/deploy.ini"), "An example.");
    const { prompt, cut } = await planOf(hall, { contextFiles: ["deploy.ini.md", "docs/deploy.ini"] });
    expect(prompt).toContain("How to deploy.\n\n---\n\nAn example.");
    expect(cut).toEqual([]);
  });

  it("and paths that lead out of the project are never read", async () => {
    const { hall } = await shop();
    put(join(hall.workspace, "outside.md"), CANARY);
    const outside = ["../../outside.md", join(hall.workspace, "outside.md")];
    const plan = await planOf(hall, { task: { title: "Look" }, contextFiles: outside });
    expect(JSON.stringify(plan)).not.toContain(CANARY);
    expect(plan.cut).toEqual(outside);
  });
});

describe("the instructions of a code base", () => {
  const accepted = async (hall: Hall, path: string) => {
    const { body } = await hall.call("GET", "/api/projects/shop/instructions");
    const hash = body.instructions.find((one) => one.path === path)?.hash;
    const answer = await hall.call("POST", "/api/projects/shop/instructions/accept", { path, hash });
    expect(answer.body).toMatchObject({ success: true, instruction: { path, state: "accepted" } });
  };

  it("are those nearest to the working folder, up to its repository, AGENTS.md before CLAUDE.md", async () => {
    const repository = temporaryFolder();
    const workdir = join(repository, "packages/web");
    mkdirSync(join(repository, ".git"));
    put(join(repository, "CLAUDE.md"), "Root says tabs.");
    mkdirSync(workdir, { recursive: true });
    const { hall } = await shop({ workdir });
    const guide = async () => /## Repository instructions \((.+)\)\n(.+)/.exec((await planOf(hall)).prompt);
    expect(await guide()).toMatchObject({ 1: "../../CLAUDE.md", 2: "Root says tabs." });
    put(join(repository, "AGENTS.md"), "Root says spaces.");
    expect(await guide()).toMatchObject({ 1: "../../CLAUDE.md" });
    await accepted(hall, "../../AGENTS.md");
    expect(await guide()).toMatchObject({ 1: "../../AGENTS.md", 2: "Root says spaces." });
    put(join(workdir, "CLAUDE.md"), "Web says lint.");
    await accepted(hall, "CLAUDE.md");
    expect(await guide()).toMatchObject({ 1: "CLAUDE.md", 2: "Web says lint." });
  });

  it("are those of a project's own folder alone where it has no other, never the workspace's", async () => {
    const { hall, own } = await shop();
    mkdirSync(join(hall.workspace, ".git"));
    put(join(hall.workspace, "AGENTS.md"), "About the workspace.");
    expect((await planOf(hall)).prompt).not.toContain("Repository instructions");
    put(join(own, "AGENTS.md"), "About the shop.");
    expect((await planOf(hall)).prompt).not.toContain("About the shop.");
    await accepted(hall, "AGENTS.md");
    expect((await planOf(hall)).prompt).toContain("## Repository instructions (AGENTS.md)\nAbout the shop.");
  });
});

describe("a working folder that is not there", () => {
  it("is said and not made; nothing is left behind, and when it is there the run starts", async () => {
    const workdir = join(temporaryFolder(), "code/shop");
    const { hall } = await shop({ workdir });
    const body = { projectId: "shop", roleId: "coder", task: { title: "Fix it" } };
    for (const path of ["/api/team/spawn", "/api/team/spawn?dryRun=true"]) {
      const refused = await hall.call("POST", path, body);
      expect(refused.status).toBe(409);
      expect(refused.body.error).toMatchObject({
        code: "workdir_missing",
        message: `There is no folder '${workdir}', the working folder of project 'shop'.`,
      });
    }
    expect(existsSync(dirname(workdir))).toBe(false);
    expect((await hall.call("GET", "/api/projects/shop/tasks")).body.tasks).toEqual([]);
    expect((await hall.call("GET", "/api/runs")).body.runs).toEqual([]);
    put(workdir, "a file");
    expect((await hall.call("POST", "/api/team/spawn", body)).body.error.code).toBe("workdir_missing");
    await hall.call("PUT", "/api/projects/shop", { workdir: dirname(workdir) });
    expect((await planOf(hall)).prompt).toContain(`Work in: ${dirname(workdir)}\n`);
  });
});

it("text that looks like a template stays as it is, wherever it comes from", async () => {
  const { hall, own } = await shop();
  const systemPromptTemplate = "<{{roleName}}|{{projectDescription}}|{{customer}}|{{taskTitle}}|{{taskDescription}}>";
  for (const text of TEMPLATE_TEXTS) {
    const role = { name: text, systemPromptTemplate, variables: ["customer"] };
    expect((await hall.call("PUT", "/api/roles/coder", role)).status).toBe(200);
    expect((await hall.call("PUT", "/api/projects/shop", { description: text })).status).toBe(200);
    put(join(own, "MEMORY.md"), text);
    put(join(own, "CONTEXT/c.md"), text);
    const task = { title: text, description: text };
    const { body } = await hall.call("POST", "/api/projects/shop/tasks", task);
    const asked = { variables: { customer: text }, contextFiles: ["c.md"] };
    for (const of of [{ task }, { task: undefined, taskId: body.task.id }]) {
      const { system, prompt } = await planOf(hall, { ...asked, ...of });
      expect(system).toBe(`<${[text, text, text, text, text].join("|")}>`);
      expect(prompt.slice(0, prompt.indexOf("## Memory"))).toContain(text);
      expect(prompt).toContain(`## Memory\n${text}\n\n## Relevant Context\n${text}\n\n# Your Task`);
      expect(prompt).toContain(`**Title:** ${text}\n**Type:** other\n**Priority:** medium\n\n## Acceptance`);
    }
  }
  expect(readFileSync(join(own, "MEMORY.md"), "utf8")).toBe(TEMPLATE_TEXTS.at(-1));
});
