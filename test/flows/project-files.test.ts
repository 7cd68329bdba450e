import { cpSync, renameSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually } from "../harness/daemon.ts";
import { refused, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const MARKDOWN = "projects/mill/PROJECT.md";
const JSON_FILE = "projects/mill/PROJECT.json";

async function withProject(body: object = {}): Promise<Workspace> {
  const workspace = await startWorkspace();
  await workspace.addProject({ id: "mill", name: "The Mill", ...body });
  return workspace;
}

const put = ({ call }: Workspace, body: object) => wanted(200, call("PUT", "/api/projects/mill", body));
const projectOf = ({ call }: Workspace, id: string) => call("GET", `/api/projects/${id}`);

/** The text below a heading of the second rank. */
function section(page: string, heading: string): string {
  const below = page.split(`\n## ${heading}\n`)[1] ?? "";
  return (below.split("\n## ")[0] ?? "").trim();
}

describe("PROJECT.md", () => {
  it("tells overview, tech stack, numbered goals, scope and team, and ends with its dates [S0-MD-01]", async () => {
    const workspace = await withProject({
      description: "Grinds grain.",
      config: {
        techStack: { languages: ["TypeScript", "Python"], frameworks: ["Hono"], tools: ["Docker"] },
        goals: ["Grind", "Rest"],
        scope: { in: ["wheels", "stones"], out: ["sails"] },
      },
    });
    await workspace.addRole({ template: "coder" });
    await workspace.assign("mill", { roleId: "coder", mode: "auto" });
    const page = workspace.text(MARKDOWN);
    const { createdAt, updatedAt } = await workspace.project("mill");
    expect(page).toContain("\n# The Mill\n");
    expect(section(page, "Overview")).toBe("Grinds grain.");
    expect(section(page, "Tech Stack")).toBe(
      "- **Languages:** TypeScript, Python\n- **Frameworks:** Hono\n- **Tools:** Docker",
    );
    expect(section(page, "Goals")).toBe("1. Grind\n2. Rest");
    expect(section(page, "Scope")).toMatch(/^### In Scope\s+- wheels\n- stones\s+### Out of Scope\s+- sails$/);
    expect(section(page, "Team Assignments")).toMatch(
      /^\| Role \| Status \| Assigned \|\n\|[-|]+\|\n\| Code Specialist \| Active \| Auto \|\n/,
    );
    expect(page.endsWith(`\n---\n*Created: ${createdAt}*\n*Updated: ${updatedAt}*\n`)).toBe(true);
  });

  it("begins with the frontmatter and goes on with a body [S3-PMD-01 S3-PMD-02 S3-PMD-04 S3-PMD-05 S3-PMD-06]", async () => {
    const workspace = await withProject({ model: "anthropic/claude-sonnet-4", workdir: "/srv/mill" });
    const { createdAt } = await workspace.project("mill");
    const front = [
      "---",
      "name: mill",
      "status: active",
      "model: anthropic/claude-sonnet-4",
      "workdir: /srv/mill",
      `created: ${createdAt}`,
      "suspended: null",
      "completed: null",
      "---",
      "",
      "# The Mill",
      "",
    ];
    expect(workspace.text(MARKDOWN).startsWith(front.join("\n"))).toBe(true);
    await put(workspace, { model: null, workdir: null });
    expect(workspace.text(MARKDOWN)).toContain("\nmodel: null\nworkdir: null\n");
    expect(await workspace.project("mill")).not.toHaveProperty("model");
  });

  it("has goals, background and constraints for the project's agent [S3-PMD-09]", async () => {
    const workspace = await withProject({
      background: "Two rivers meet here.\n\n- One is slow.",
      goals: ["Grind"],
      config: {
        constraints: { requireReview: true, defaultTimeout: 60, maxTokensPerTask: 7, allowedEnvironments: ["x"] },
      },
    });
    const page = workspace.text(MARKDOWN);
    expect(section(page, "Goals")).toBe("1. Grind");
    expect(section(page, "Background")).toBe("Two rivers meet here.\n\n- One is slow.");
    expect(section(page, "Constraints")).toMatch(/7 tokens[\s\S]*60 seconds[\s\S]*approval[\s\S]*Environments: x/);
  });

  it("follows changes over the API where they are about, and nowhere else", async () => {
    const workspace = await withProject({ description: "Old", goals: ["One"], background: "Long story." });
    workspace.edit(MARKDOWN, "Long story.", "A longer story, by hand.");
    workspace.edit(MARKDOWN, "## Scope", "## My own part\n\nStays.\n\n## Scope");
    workspace.edit(MARKDOWN, "status: active", "status: active # a comment\nmood: 'fine'");
    workspace.write(MARKDOWN, `${workspace.text(MARKDOWN)}\n## Postscript\n\nStays too.\n`);
    const before = workspace.text(MARKDOWN);
    await put(workspace, { name: "New Mill", description: "New", goals: ["Two", "Three"] });
    const updated = (await workspace.project("mill")).updatedAt;
    const expected = before
      .replace("# The Mill", "# New Mill")
      .replace("\nOld\n", "\nNew\n")
      .replace("1. One", "1. Two\n2. Three")
      .replace(/\*Updated: .*\*/, `*Updated: ${updated}*`);
    expect(workspace.text(MARKDOWN)).toBe(expected);
    await wanted(200, workspace.call("POST", "/api/projects/mill/move", { status: "suspended" }));
    const after = workspace.text(MARKDOWN);
    expect(after).toContain("status: suspended # a comment\nmood: 'fine'\n");
    expect(after).toContain("## My own part\n\nStays.\n");
    expect(after).toContain("A longer story, by hand.");
    expect(after).toContain("\n## Postscript\n\nStays too.\n");
  });

  it("takes a text out again whole that had headings of its own", async () => {
    const workspace = await withProject({ description: "Intro\n\n## Details\n\nMuch.\n\n## Goals\n\nNone of ours." });
    const overview = workspace.text(MARKDOWN);
    expect(section(overview, "Goals")).toBe("None yet.");
    expect(section(overview, "Overview")).toContain("None of ours.");
    await put(workspace, { description: "Short." });
    expect(section(workspace.text(MARKDOWN), "Overview")).toBe("Short.");
    expect(workspace.text(MARKDOWN)).not.toContain("Much.");
  });

  it("keeps line ends as the person has them", async () => {
    const workspace = await withProject({ description: "Old" });
    workspace.write(MARKDOWN, workspace.text(MARKDOWN).replaceAll("\n", "\r\n"));
    await put(workspace, { description: "First\nSecond", status: "suspended" });
    const page = workspace.text(MARKDOWN);
    expect(page).toContain("\r\nFirst\r\nSecond\r\n");
    expect(page.replaceAll("\r\n", "")).not.toContain("\n");
  });
});

describe("PROJECT.json", () => {
  it("holds the project as the API tells it [S0-FS-04]", async () => {
    const workspace = await withProject({ description: "Grinds.", goals: ["Grind"], model: "a/b" });
    const { etag, taskCount, requiresReview, files, filesOmitted, ...project } = await workspace.project("mill");
    expect(workspace.json(JSON_FILE)).toEqual({ ...project, workdir: null });
  });

  it("keeps keys that nobody knows, in the team as well, through changes over the API", async () => {
    const workspace = await withProject();
    await workspace.addRole({ template: "coder" });
    const { id } = await workspace.assign("mill", "coder");
    const mine = workspace.json(JSON_FILE);
    mine.team[0].note = { by: "hand" };
    workspace.write(JSON_FILE, JSON.stringify({ "x-first": [1, { two: null }], ...mine, "x-last": "é" }));
    await put(workspace, { name: "New" });
    await wanted(200, workspace.call("PUT", `/api/projects/mill/team/${id}`, { status: "paused" }));
    const after = workspace.json(JSON_FILE);
    expect(after).toMatchObject({ "x-first": [1, { two: null }], name: "New", "x-last": "é" });
    expect(after.team[0]).toMatchObject({ note: { by: "hand" }, status: "paused" });
    expect(Object.keys(after)[0]).toBe("x-first");
  });
});

describe("MEMORY.md", () => {
  it("is laid out for decisions, context, lessons and open threads, and says when it was written [S0-MD-03]", async () => {
    const workspace = await withProject();
    const page = workspace.text("projects/mill/MEMORY.md");
    expect(page.match(/^## .*$/gm)).toEqual([
      "## Key Decisions",
      "## Important Context",
      "## Lessons Learned",
      "## Active Threads",
    ]);
    expect(section(page, "Key Decisions")).toMatch(/decision.*date.*rationale/i);
    expect(section(page, "Lessons Learned")).toMatch(/worked.*avoid/i);
    expect(page).toContain(`\n---\n*Last updated: ${(await workspace.project("mill")).createdAt}*\n`);
  });

  it("is the person's from then on", async () => {
    const workspace = await withProject();
    workspace.write("projects/mill/MEMORY.md", "Mine.\n");
    await put(workspace, { name: "New", description: "New" });
    expect((await workspace.restart()).text("projects/mill/MEMORY.md")).toBe("Mine.\n");
  });
});

describe("a project's folder", () => {
  it("may be dropped in with nothing but a PROJECT.md, and the other half is written", async () => {
    const workspace = await startWorkspace();
    const page =
      "---\nname: barn\nstatus: suspended\ncreated: 2026-02-28T10:00:00Z\n---\n\n# The Barn\n\n## Goal\n\nHay.\n";
    workspace.write("projects/barn/PROJECT.md", page);
    await eventually(
      () => projectOf(workspace, "barn"),
      (answer) => answer.status === 200,
    );
    expect(await workspace.project("barn")).toMatchObject({ id: "barn", name: "The Barn", status: "suspended" });
    expect(workspace.json("projects/barn/PROJECT.json")).toMatchObject({ id: "barn", status: "suspended" });
    expect(workspace.text("projects/barn/PROJECT.md")).toContain("\n# The Barn\n\n## Goal\n\nHay.\n");
    await wanted(201, workspace.call("POST", "/api/projects/barn/tasks", { title: "Hay" }));
    expect(workspace.names("projects/barn/TASKS/todo")).toEqual(["TASK-001.md"]);
  });

  it("may be copied by hand; tasks and team come along", async () => {
    const workspace = await withProject();
    await workspace.addRole({ template: "coder" });
    const assignment = await workspace.assign("mill", "coder");
    await wanted(201, workspace.call("POST", "/api/projects/mill/tasks", { title: "Turn" }));
    const copy = workspace.at("barn");
    cpSync(workspace.at("projects/mill"), copy, { recursive: true });
    for (const [file, from, to] of [
      ["PROJECT.md", "name: mill", "name: barn"],
      ["PROJECT.json", '"id": "mill"', '"id": "barn"'],
      ["TASKS/todo/TASK-001.md", "project: mill", "project: barn"],
    ] as const) {
      workspace.edit(`barn/${file}`, from, to);
    }
    renameSync(copy, workspace.at("projects/barn"));
    const { body } = await eventually(
      () => projectOf(workspace, "barn"),
      (answer) => answer.status === 200 && answer.body.project.taskCount.todo === 1,
    );
    expect(body.project.team).toEqual([{ ...assignment, projectId: "barn" }]);
    expect((await workspace.project("mill")).team).toEqual([assignment]);
    expect((await refused("role_assigned", workspace.call("DELETE", "/api/roles/coder"))).message).toMatch(
      /barn.*mill/,
    );
  });

  it("that loses one of the two files gets it back from the other", async () => {
    const workspace = await withProject({ description: "Grinds.", workdir: "/srv" });
    rmSync(workspace.at(MARKDOWN));
    await workspace.page(MARKDOWN, "name: mill", "workdir: /srv", "Grinds.");
    rmSync(workspace.at(JSON_FILE));
    await workspace.page(JSON_FILE, '"id": "mill"', '"name": "The Mill"', '"workdir": "/srv"');
    expect((await workspace.project("mill")).status).toBe("active");
  });

  it.each(["both files", "its folder"])("that loses %s is gone, and back when they are", async (what) => {
    const workspace = await withProject();
    await wanted(201, workspace.call("POST", "/api/projects/mill/tasks", { title: "Turn" }));
    const away = what === "its folder" ? ["projects/mill"] : [MARKDOWN, JSON_FILE];
    const aside = (path: string) => workspace.at(`aside-${path.replaceAll("/", "-")}`);
    for (const path of away) renameSync(workspace.at(path), aside(path));
    const status = (wantedStatus: number) =>
      eventually(
        () => projectOf(workspace, "mill"),
        (answer) => answer.status === wantedStatus,
      );
    await status(404);
    expect((await wanted(200, workspace.call("GET", "/api/projects"))).projects).toEqual([]);
    expect((await wanted(200, workspace.call("GET", "/api/tasks"))).tasks).toEqual([]);
    await wanted(200, workspace.call("POST", "/api/index/rebuild"));
    expect((await wanted(200, workspace.call("GET", "/api/tasks"))).tasks).toEqual([]);
    for (const path of away) renameSync(aside(path), workspace.at(path));
    await status(200);
    await eventually(
      () => workspace.project("mill"),
      (project) => project.taskCount.todo === 1,
    );
  });
});
