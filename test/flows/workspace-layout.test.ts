import { readFileSync, rmSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contentsOf } from "../harness/board.ts";
import { type Hall, temporaryFolder } from "../harness/daemon.ts";
import { spawnRun, untilOver, writePlaybook } from "../harness/spawned-runs.ts";
import { startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

async function withProject(body: object = {}): Promise<Workspace> {
  const workspace = await startWorkspace();
  await workspace.addProject({ id: "mill", name: "Mill", ...body });
  return workspace;
}

function isFolder({ at }: Workspace, path: string): boolean {
  return statSync(at(path), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A run that writes notes.md, to its end. */
async function runIn(workspace: Workspace, workdir: string): Promise<{ id: string; hall: Hall }> {
  const { hall } = workspace;
  const turns = "turns:\n  - calls: [{tool: write, input: {path: notes.md, content: made}}]\n  - text: Done.\n";
  writePlaybook(hall.workspace, "play", turns);
  await workspace.addRole({ id: "worker", name: "Worker", skills: ["write"] });
  await wanted(200, workspace.call("PUT", "/api/projects/mill", { workdir }));
  const id = await spawnRun(hall, "play", "Write it down", { projectId: "mill" });
  expect((await untilOver(hall, id)).status).toBe("completed");
  return { id, hall };
}

const today = () => new Date().toISOString().slice(0, 10);

describe("a new workspace", () => {
  it("holds the pages a person fills in, and a configuration that changes nothing yet [S4-FS-01]", async () => {
    const { text } = await startWorkspace();
    for (const page of ["IDENTITY.md", "USER.md", "MEMORY.md"]) expect(text(page)).toMatch(/^# \w+\n\n\S/);
    expect(text("config.yml")).toMatch(/^version: 2$/m);
  });

  it("holds the knowledge that all projects share [S4-FS-02]", async () => {
    const { names } = await startWorkspace();
    expect(names("knowledge")).toEqual(["conventions.md", "decisions.md", "preferences.md"]);
  });

  it("is laid out as agreed, with its projects [S4-SCOPE-03]", async () => {
    const workspace = await withProject();
    const { names } = workspace;
    const own = ["IDENTITY.md", "USER.md", "MEMORY.md", "config.yml", "knowledge", "escalations", "daily", "projects"];
    expect(own.filter((name) => !names(".").includes(name))).toEqual([]);
    const parts = ["PROJECT.json", "PROJECT.md", "knowledge", "plans", "TASKS"];
    expect(parts.filter((name) => !names("projects/mill").includes(name))).toEqual([]);
    expect(names("projects/mill/knowledge")).toEqual(["conventions.md", "decisions.md", "patterns.md"]);
  });

  it("has places for escalations and daily notes", async () => {
    const workspace = await startWorkspace();
    expect(workspace.names("escalations")).toEqual(["draft", "pending", "resolved"]);
    for (const name of workspace.names("escalations")) expect(isFolder(workspace, `escalations/${name}`)).toBe(true);
    expect(isFolder(workspace, "daily")).toBe(true);
  });

  it("has a page about the whole team and a file for the roles [S0-FS-01 S0-FS-02]", async () => {
    const workspace = await startWorkspace();
    expect(workspace.json("ROLES.json")).toEqual({ roles: [] });
    await workspace.page("TEAM.md", "# Team", "No roles yet");
    await workspace.addRole({ template: "coder" });
    await workspace.addProject({ id: "mill", name: "Mill" });
    // Each is on the page before the next change, which must not come along with it.
    expect(await workspace.page("TEAM.md", "| 👨‍💻 Code Specialist | `coder` |")).not.toContain("mill");
    await workspace.assign("mill", "coder");
    await workspace.page("TEAM.md", "| 👨‍💻 Code Specialist | `coder` |", "| mill |");
    expect(workspace.json("ROLES.json").roles).toHaveLength(1);
  });

  it("has a page for each role, which goes when the role goes [S0-FS-10]", async () => {
    const workspace = await startWorkspace();
    await workspace.addRole({ template: "coder" });
    await workspace.addRole({ template: "tester" });
    await workspace.page("agents/coder/TEAM.md", "Code Specialist", "thinking high, 600 s", "Projects: none");
    await workspace.page("agents/tester/TEAM.md", "QA Engineer");
    await wanted(200, workspace.call("PUT", "/api/roles/coder", { name: "Smith" }));
    await workspace.page("agents/coder/TEAM.md", "Smith");
    workspace.write("agents/tester/notes.md", "mine");
    await wanted(200, workspace.call("DELETE", "/api/roles/tester"));
    const again = await workspace.restart();
    expect(again.names("agents/tester")).toEqual(["notes.md"]);
    expect(again.names("agents/coder")).toEqual(["TEAM.md"]);
  });

  it("goes on where one of its pages cannot be written", async () => {
    const workspace = await startWorkspace();
    await workspace.page("TEAM.md", "No roles yet");
    rmSync(workspace.at("TEAM.md"));
    workspace.write("TEAM.md/in-the-way.txt", "mine");
    await workspace.addRole({ template: "coder" });
    await workspace.page("agents/coder/TEAM.md", "Code Specialist");
    const again = await workspace.restart();
    expect((await again.role("coder")).name).toBe("Code Specialist");
    expect(again.names("TEAM.md")).toEqual(["in-the-way.txt"]);
  });

  it("keeps its index in one SQLite file that can be thrown away [S0-FS-11]", async () => {
    const workspace = await withProject();
    expect(readFileSync(workspace.at(".guildhall/index.db")).subarray(0, 15).toString()).toBe("SQLite format 3");
    await workspace.page("projects/mill/TEAM.md", "No members yet.");
    const before = await workspace.project("mill");
    const again = await workspace.restart(() => {
      for (const name of workspace.names(".guildhall")) {
        if (name.startsWith("index.db")) rmSync(workspace.at(`.guildhall/${name}`));
      }
    });
    expect(await again.project("mill")).toEqual(before);
  });

  it("is nobody else's to read", async () => {
    const { at, addRole, addProject } = await startWorkspace();
    await addRole({ template: "coder" });
    await addProject({ id: "mill", name: "Mill" });
    const paths = ["ROLES.json", "projects/mill/PROJECT.md", "projects/mill/PROJECT.json", "config.yml"];
    for (const path of [...paths, "projects/mill", "knowledge", ".guildhall"]) {
      expect(statSync(at(path)).mode & 0o077, path).toBe(0);
    }
  });

  it("may be one that a person began; what is there is left as it is", async () => {
    const folder = temporaryFolder();
    const first = await startWorkspace(`${folder}/hall`);
    first.write("IDENTITY.md", "I am Ada.\n");
    first.write("knowledge/decisions.md", "One.\n");
    const again = await first.restart();
    expect(again.text("IDENTITY.md")).toBe("I am Ada.\n");
    expect(again.text("knowledge/decisions.md")).toBe("One.\n");
  });
});

describe("the folder of a project", () => {
  it("holds its two faces, its memory and its team [S0-FS-03 S0-FS-04 S0-FS-05 S0-FS-06 S0-PROJ-04]", async () => {
    const workspace = await withProject();
    expect(workspace.text("projects/mill/PROJECT.md")).toMatch(/^---\nname: mill\n/);
    expect(workspace.json("projects/mill/PROJECT.json")).toMatchObject({ id: "mill", name: "Mill" });
    expect(workspace.text("projects/mill/MEMORY.md")).toContain("# Project Memory");
    await workspace.page("projects/mill/TEAM.md", "# Team of Mill", "No members yet.");
    expect(workspace.names("projects")).toEqual(["mill"]);
  });

  it("names the project, its status, its code and its goals in both of them [S4-FS-05 S4-FS-06]", async () => {
    const workspace = await withProject({ workdir: "/srv/mill", goals: ["Grind", "Rest"] });
    const shared = { name: "Mill", status: "active", workdir: "/srv/mill" };
    expect(workspace.json("projects/mill/PROJECT.json")).toMatchObject(shared);
    const page = workspace.text("projects/mill/PROJECT.md");
    expect(page).toContain("\nstatus: active\n");
    expect(page).toContain("\nworkdir: /srv/mill\n");
    expect(page).toContain("## Goals\n1. Grind\n2. Rest\n");
    await wanted(200, workspace.call("PUT", "/api/projects/mill", { goals: ["Stay quiet"] }));
    expect(workspace.text("projects/mill/PROJECT.md")).toContain("## Goals\n1. Stay quiet\n");
  });

  it("keeps each task in the folder of its status [S0-FS-07]", async () => {
    const workspace = await withProject();
    const { call } = workspace;
    for (const title of ["a", "b", "c", "d", "e", "f"])
      await wanted(201, call("POST", "/api/projects/mill/tasks", { title }));
    const move = (id: string, status: string) =>
      wanted(200, call("POST", `/api/projects/mill/tasks/${id}/move`, { status }));
    for (const id of ["TASK-002", "TASK-003", "TASK-004", "TASK-005"]) await move(id, "in-progress");
    const folders = ["todo", "in-progress", "review", "done", "failed", "cancelled"];
    for (const [at, folder] of folders.entries()) {
      const id = `TASK-00${at + 1}`;
      if (at > 1) await move(id, folder);
      expect(workspace.names(`projects/mill/TASKS/${folder}`), folder).toContain(`${id}.md`);
    }
    for (const folder of folders) expect(workspace.names(`projects/mill/TASKS/${folder}`), folder).toHaveLength(1);
  });

  it("keeps artifacts in a folder a day, with a list of them [S0-FS-08]", async () => {
    const workspace = await withProject();
    const list = "projects/mill/ARTIFACTS/README.md";
    await workspace.page(list, "# Artifacts", "None yet");
    const save = (name: string) =>
      wanted(201, workspace.call("POST", "/api/projects/mill/artifacts", { name, content: `# ${name}\n` }));
    const earliest = today();
    const { artifact } = await save("findings.md");
    expect([earliest, today()]).toContain(artifact.date);
    expect(artifact.path).toBe(`ARTIFACTS/${artifact.date}/findings.md`);
    expect(workspace.text(`projects/mill/${artifact.path}`)).toBe("# findings.md\n");
    const { artifact: second } = await save("findings.md");
    expect(second.path).not.toBe(artifact.path);
    workspace.write("projects/mill/ARTIFACTS/2020-02-02/by hand.md", "# Old\n");
    const link = (path: string) => `](${path.slice("ARTIFACTS/".length)})`;
    await workspace.page(list, link(artifact.path), link(second.path), "](2020-02-02/by%20hand.md)");
  });

  it("takes further context, over HTTP and by hand [S0-FS-09]", async () => {
    const workspace = await withProject();
    expect(isFolder(workspace, "projects/mill/CONTEXT")).toBe(true);
    const put = { path: "API-SCHEMA.md", content: "GET /grain\n" };
    await wanted(200, workspace.call("PUT", "/api/projects/mill/context", put));
    expect(workspace.text("projects/mill/CONTEXT/API-SCHEMA.md")).toBe("GET /grain\n");
    const again = await workspace.restart(() => workspace.write("projects/mill/CONTEXT/REQUIREMENTS.md", "Quiet.\n"));
    const { files } = await wanted(200, again.call("GET", "/api/projects/mill/context"));
    expect(files.map((file: { path: string }) => file.path).sort()).toEqual([
      "CONTEXT/API-SCHEMA.md",
      "CONTEXT/REQUIREMENTS.md",
    ]);
  });

  it("has what its agent will remember with: session, runs, memory and skills", async () => {
    const workspace = await withProject();
    expect(workspace.text("projects/mill/session/current.jsonl")).toBe("");
    expect(workspace.text("projects/mill/runs/index.jsonl")).toBe("");
    for (const folder of ["runs", "memory/facts", "memory/episodes", "skills"]) {
      expect(isFolder(workspace, `projects/mill/${folder}`), folder).toBe(true);
    }
    // On a disk that does not tell cases apart, a folder `tasks` would be the board.
    expect(workspace.names("projects/mill")).not.toContain("tasks");
  });

  it("keeps what was said and done: its session, an index of runs and a journal of each [S3-DIR-02 S3-DIR-03 S3-DIR-04]", async () => {
    const workspace = await withProject({ model: "offline/play" });
    const { id, hall } = await runIn(workspace, temporaryFolder());
    const said = await hall.call("POST", "/api/projects/mill/messages?wait=20", { text: "How is it going?" });
    expect(said.status).toBe(201);
    const linesIn = (path: string) =>
      workspace
        .text(`projects/mill/${path}`)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    expect(linesIn("session/current.jsonl")).toContainEqual(
      expect.objectContaining({ type: "message", text: expect.stringContaining("How is it going?") }),
    );
    const index = linesIn("runs/index.jsonl");
    expect([index[0].type, index[0].run.id, index.at(-1).type]).toEqual(["created", id, "settled"]);
    const day = index[0].run.createdAt.slice(0, 10);
    const journal = linesIn(`runs/${day}/${id}.jsonl`);
    expect([journal[0].type, journal[0].plan.runId, journal.at(-1).type]).toEqual(["plan", id, "ended"]);
    expect(workspace.names("projects/mill/runs")).toEqual([day, "index.jsonl"]);
  });

  it("holds the project's mind, and the work of its runs goes into its workdir [S3-DIR-08]", async () => {
    const workdir = temporaryFolder();
    const workspace = await withProject({ workdir });
    workspace.write("projects/mill/CONTEXT/a.md", "a");
    await wanted(201, workspace.call("POST", "/api/projects/mill/tasks", { title: "Turn" }));
    expect(await workspace.project("mill")).toMatchObject({ workdir });
    expect(contentsOf(workdir)).toEqual({});
    await runIn(workspace, workdir);
    expect(contentsOf(workdir)).toEqual({ "notes.md": "made" });
    await workspace.page("projects/mill/TEAM.md", "# Team");
    expect(workspace.names("projects/mill")).toEqual([
      "ARTIFACTS",
      "CONTEXT",
      "MEMORY.md",
      "PROJECT.json",
      "PROJECT.md",
      "TASKS",
      "TEAM.md",
      "knowledge",
      "memory",
      "plans",
      "runs",
      "session",
      "skills",
      "teams",
      "workdir.json",
    ]);
  });

  it("has knowledge of its own [S4-FS-07]", async () => {
    const { names, text } = await withProject();
    expect(names("projects/mill/knowledge")).toEqual(["conventions.md", "decisions.md", "patterns.md"]);
    expect(text("projects/mill/knowledge/patterns.md")).toMatch(/^# Patterns\n/);
  });

  it("has a plan for each initiative, with goals, state and next steps [S4-FS-08]", async () => {
    const workspace = await withProject();
    const body = { title: "Water first", goals: ["A wheel", "A race"] };
    const { initiative } = await wanted(201, workspace.call("POST", "/api/projects/mill/initiatives", body));
    expect(initiative).toMatchObject({ slug: "water-first", path: "projects/mill/plans/water-first/plan.md" });
    const plan = workspace.text(initiative.path);
    expect(plan).toMatch(/^# Water first\n[\s\S]*## Goals\n\n- A wheel\n- A race\n[\s\S]*## State\n[\s\S]*## Next\n/);
  });

  it("counts its tasks, also those of an initiative, by one mark that only goes up [S4-FS-09]", async () => {
    const workspace = await withProject();
    const add = async (plan?: string) =>
      (await wanted(201, workspace.call("POST", "/api/projects/mill/tasks", { title: "t", plan }))).task;
    const mark = () => Number(workspace.text("projects/mill/TASKS/.highwatermark"));
    expect(mark()).toBe(0);
    expect((await add("water")).id).toBe("TASK-001");
    expect((await add()).id).toBe("TASK-002");
    expect(mark()).toBe(2);
    expect(workspace.exists("projects/mill/plans/water/plan.md")).toBe(true);
    workspace.write("projects/mill/TASKS/.highwatermark", "41\n");
    expect((await add("water")).id).toBe("TASK-042");
    expect(mark()).toBe(42);
  });

  it("is its own: nothing of one project shows in another [S0-PROJ-08]", async () => {
    const workspace = await withProject();
    const { call } = workspace;
    await workspace.addProject({ id: "well", name: "Well" });
    const before = contentsOf(workspace.at("projects/well"));
    await wanted(201, call("POST", "/api/projects/mill/tasks", { title: "Only here" }));
    await wanted(201, call("POST", "/api/projects/mill/artifacts", { name: "a.md", content: "only here" }));
    await wanted(200, call("PUT", "/api/projects/mill/context", { path: "c.md", content: "only here" }));
    workspace.write("projects/mill/MEMORY.md", "only here");
    expect(contentsOf(workspace.at("projects/well"))).toEqual(before);
    for (const list of ["tasks", "artifacts", "context"]) {
      const answer = await wanted(200, call("GET", `/api/projects/well/${list}`));
      expect(Object.values(answer)[0], list).toEqual([]);
    }
    await wanted(404, call("GET", "/api/projects/well/tasks/TASK-001"));
    const { task } = await wanted(201, call("POST", "/api/projects/well/tasks", { title: "Over there" }));
    expect(task).toMatchObject({ id: "TASK-001", projectId: "well" });
    const hits = (await wanted(200, call("GET", "/api/search?q=only&project=well"))).hits;
    expect(hits).toEqual([]);
  });
});
