import { describe, expect, it } from "vitest";
import { refused, startWorkspace, wanted } from "../harness/workspace.ts";

const CONFIG = {
  techStack: { languages: ["TypeScript"], frameworks: ["Hono"], tools: ["SQLite", "git"] },
  goals: ["Grind grain", "Stay quiet"],
  scope: { in: ["wheels"], out: ["sails"] },
  constraints: {
    maxTokensPerTask: 50_000,
    defaultTimeout: 900,
    requireReview: true,
    allowedEnvironments: ["staging", "test"],
  },
  repoUrl: "https://example.com/mill.git",
  branch: "main",
  envFiles: [".env", "config/.env.local"],
};
const EMPTY_CONFIG = {
  techStack: { languages: [], frameworks: [], tools: [] },
  goals: [],
  scope: { in: [], out: [] },
  constraints: {},
};
const NO_TASKS = { todo: 0, inProgress: 0, review: 0, done: 0, failed: 0, cancelled: 0 };

describe("creating a project", () => {
  it("takes id, name, description, techStack and goals, and answers the whole project [S0-API-09 S0-PROJ-01 S0-PROJ-02 S0-PROJ-03 S0-PROJ-06]", async () => {
    const workspace = await startWorkspace();
    const { techStack, goals } = CONFIG;
    const body = { id: "mill", name: "The Mill", description: "Grinds.", techStack, goals };
    const answer = await wanted(201, workspace.call("POST", "/api/projects", body));
    expect(answer).toEqual({
      success: true,
      project: {
        id: "mill",
        name: "The Mill",
        description: "Grinds.",
        status: "active",
        config: { ...EMPTY_CONFIG, techStack, goals },
        paths: {
          root: "projects/mill",
          memory: "projects/mill/MEMORY.md",
          tasks: "projects/mill/TASKS",
          artifacts: "projects/mill/ARTIFACTS",
          context: "projects/mill/CONTEXT",
        },
        team: [],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        taskCount: NO_TASKS,
        requiresReview: false,
        etag: expect.any(String),
      },
    });
    for (const path of Object.values(answer.project.paths)) expect(workspace.exists(String(path))).toBe(true);
    const { files, filesOmitted, ...read } = await workspace.project("mill");
    expect(read).toEqual(answer.project);
    const { createdAt, updatedAt } = answer.project;
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    await wanted(200, workspace.call("PUT", "/api/projects/mill", { description: "Grinds grain." }));
    const later = await workspace.project("mill");
    const { description } = later;
    expect([description, later.createdAt, later.updatedAt > updatedAt]).toEqual(["Grinds grain.", createdAt, true]);
  });

  it("needs nothing but a name [S0-PROJ-01]", async () => {
    const { addProject } = await startWorkspace();
    const project = await addProject({ name: "Wasser & Mühle" });
    expect(project).toMatchObject({
      id: "wasser-muhle",
      name: "Wasser & Mühle",
      description: "",
      config: EMPTY_CONFIG,
    });
    expect(project.model).toBeUndefined();
    expect(project.workdir).toBeUndefined();
  });

  it("keeps every setting of its configuration, and model and workdir beside it [S0-PROJ-09 S0-PROJ-10 S0-PROJ-11 S0-PROJ-15 S0-PROJ-16]", async () => {
    const workspace = await startWorkspace();
    const beside = { model: "anthropic/claude-sonnet-4", workdir: "/srv/code/mill" };
    await workspace.addProject({ id: "mill", name: "Mill", config: CONFIG, ...beside });
    expect(await workspace.project("mill")).toMatchObject({ config: CONFIG, ...beside });
    expect(workspace.json("projects/mill/PROJECT.json")).toMatchObject({ config: CONFIG, ...beside });
    const again = await workspace.restart();
    expect((await again.project("mill")).config).toEqual(CONFIG);
    const told = "- Environments: staging, test";
    expect(again.text("projects/mill/PROJECT.md")).toContain(told);
    const scope = { in: ["sails"], out: ["wheels"] };
    const change = { config: { scope, constraints: { allowedEnvironments: ["production"] } } };
    await wanted(200, again.call("PUT", "/api/projects/mill", change));
    const constraints = { ...CONFIG.constraints, allowedEnvironments: ["production"] };
    expect((await again.project("mill")).config).toEqual({ ...CONFIG, scope, constraints });
    expect(again.text("projects/mill/PROJECT.md")).not.toContain(told);
  });

  it("prefers techStack and goals at the top over those in config", async () => {
    const { addProject } = await startWorkspace();
    const project = await addProject({ name: "Mill", config: CONFIG, goals: ["Only this"] });
    expect(project.config).toEqual({ ...CONFIG, goals: ["Only this"] });
  });

  it("leaves no half of a project behind when it is refused", async () => {
    const { call, names, addProject } = await startWorkspace();
    await addProject({ id: "mill", name: "Mill" });
    await refused("already_exists", call("POST", "/api/projects", { id: "mill", name: "Another" }));
    await refused("invalid", call("POST", "/api/projects", { id: "well", name: "Well", goals: [""] }));
    expect(names("projects")).toEqual(["mill"]);
  });
});

describe("reading projects", () => {
  it("lists summaries with the counts of tasks and the size of the team [S0-API-07]", async () => {
    const { call, addProject, addRole, assign } = await startWorkspace();
    const { updatedAt: first } = await addProject({ id: "mill", name: "Mill", description: "Grinds." });
    await addRole({ template: "coder" });
    await addRole({ template: "tester" });
    await addProject("Well");
    await assign("mill", "coder");
    await assign("mill", "tester");
    for (const title of ["a", "b", "c", "d"]) await wanted(201, call("POST", "/api/projects/mill/tasks", { title }));
    const move = (id: string, status: string) => call("POST", `/api/projects/mill/tasks/${id}/move`, { status });
    for (const [id, status] of [
      ["TASK-001", "in-progress"],
      ["TASK-002", "in-progress"],
      ["TASK-002", "done"],
      ["TASK-003", "blocked"],
    ]) {
      await wanted(200, move(String(id), String(status)));
    }
    const { projects, ...rest } = await wanted(200, call("GET", "/api/projects"));
    expect(rest).toEqual({});
    expect(projects[0]).toEqual({
      id: "mill",
      name: "Mill",
      description: "Grinds.",
      status: "active",
      taskCount: { ...NO_TASKS, todo: 2, inProgress: 1, done: 1 },
      teamSize: 2,
      updatedAt: expect.any(String),
      activeAt: expect.any(String),
    });
    expect((projects[0]?.updatedAt ?? "") >= first).toBe(true);
    const { task } = await wanted(200, call("GET", "/api/projects/mill/tasks/TASK-003"));
    expect(projects[0]?.activeAt).toBe(task.updatedAt);
    expect(projects[1]).toMatchObject({ id: "well", taskCount: NO_TASKS, teamSize: 0 });
  });

  it("answers one project with its files [S0-API-08]", async () => {
    const { call, addProject, write, project } = await startWorkspace();
    await addProject({ id: "mill", name: "Mill" });
    await wanted(200, call("PUT", "/api/projects/mill/context", { path: "STYLE-GUIDE.md", content: "Tabs.\n" }));
    await wanted(201, call("POST", "/api/projects/mill/artifacts", { name: "report.md", content: "# Report\n" }));
    await wanted(201, call("POST", "/api/projects/mill/initiatives", { title: "Water first" }));
    write("projects/mill/NOTES.txt", "by hand");
    const { files, filesOmitted } = await project("mill");
    const kinds = Object.fromEntries(files.map((file) => [file.path, file.kind]));
    expect(kinds).toMatchObject({
      "PROJECT.md": "document",
      "PROJECT.json": "document",
      "MEMORY.md": "document",
      "NOTES.txt": "document",
      "CONTEXT/STYLE-GUIDE.md": "context",
      "knowledge/decisions.md": "knowledge",
      "plans/water-first/plan.md": "plan",
    });
    const notes = files.find((file) => file.path === "NOTES.txt");
    expect(notes).toEqual({ path: "NOTES.txt", kind: "document", size: 7, updatedAt: expect.any(String) });
    expect(Object.keys(kinds).find((path) => /^ARTIFACTS\/\d{4}-\d\d-\d\d\/report\.md$/.test(path))).toBeDefined();
    expect(filesOmitted).toBe(0);
  });

  it("pages and filters the list", async () => {
    const { call, addProject } = await startWorkspace();
    for (const id of ["e", "a", "d", "b", "c"]) await addProject({ id, name: `Nr. ${id}`, description: "ÄPFEL" });
    await wanted(200, call("POST", "/api/projects/c/move", { status: "suspended" }));
    const pages: string[][] = [];
    let cursor = "";
    do {
      const page = await wanted(200, call("GET", `/api/projects?limit=2${cursor}`));
      pages.push(page.projects.map((project) => project.id));
      cursor = page.nextCursor === undefined ? "" : `&cursor=${page.nextCursor}`;
    } while (cursor !== "");
    expect(pages).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    const ids = async (query: string) =>
      (await wanted(200, call("GET", `/api/projects?${query}`))).projects.map((project) => project.id);
    expect(await ids("status=suspended")).toEqual(["c"]);
    expect(await ids("status=archived")).toEqual([]);
    expect(await ids("q=nr. d")).toEqual(["d"]);
    expect(await ids("q=äpfel&limit=1")).toEqual(["a"]);
    for (const query of ["limit=0", "limit=1001", "cursor=x", "status=paused", "sort=name"]) {
      await refused("invalid", call("GET", `/api/projects?${query}`));
    }
  });

  it("knows nothing of a project that is not there", async () => {
    const { call } = await startWorkspace();
    const paths = [
      "",
      "/team",
      "/tasks",
      "/tasks/TASK-001",
      "/initiatives",
      "/artifacts",
      "/context",
      "/file?path=PROJECT.md",
    ];
    for (const path of paths) await refused("project_not_found", call("GET", `/api/projects/nowhere${path}`));
    await refused("project_not_found", call("PUT", "/api/projects/nowhere", { name: "x" }));
    await refused("project_not_found", call("DELETE", "/api/projects/nowhere"));
    await refused("project_not_found", call("DELETE", "/api/projects/nowhere?purge=true"));
    await refused("project_not_found", call("POST", "/api/projects/nowhere/move", { status: "active" }));
  });
});
