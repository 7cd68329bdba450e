import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { contentsOf, eventTold } from "../harness/board.ts";
import { eventually } from "../harness/daemon.ts";
import { refused, type Seen, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const MARKDOWN = "projects/mill/PROJECT.md";
const JSON_FILE = "projects/mill/PROJECT.json";

async function withProject(body: object = {}): Promise<Workspace> {
  const workspace = await startWorkspace();
  await workspace.addProject({ id: "mill", name: "Mill", model: "a/b", workdir: "/srv/old", ...body });
  return workspace;
}

type Fields = { status: string; model: string; workdir: string };

/** What both files and the API say of the fields that both files carry. */
async function told(workspace: Workspace): Promise<Fields[]> {
  const pick = ({ status, model, workdir }: Seen) => ({ status, model, workdir });
  const page = workspace.text(MARKDOWN);
  const front = Object.fromEntries(
    page
      .split("---")[1]
      ?.trim()
      .split("\n")
      .map((line) => line.split(": ")) ?? [],
  );
  return [pick(await workspace.project("mill")), pick(workspace.json(JSON_FILE)), pick(front)];
}

async function allTell(workspace: Workspace, expected: Partial<Fields>): Promise<void> {
  const wantedFields = { status: "active", model: "a/b", workdir: "/srv/old", ...expected };
  await eventually(
    () => told(workspace),
    (found) => found.every((fields) => JSON.stringify(fields) === JSON.stringify(wantedFields)),
  );
}

const EDITS: [string, string, string, string, Partial<Fields>][] = [
  ["the status in PROJECT.md", MARKDOWN, "status: active", "status: suspended", { status: "suspended" }],
  ["the status in PROJECT.json", JSON_FILE, '"status": "active"', '"status": "suspended"', { status: "suspended" }],
  ["the model in PROJECT.md", MARKDOWN, "model: a/b", "model: c/d", { model: "c/d" }],
  ["the model in PROJECT.json", JSON_FILE, '"model": "a/b"', '"model": "c/d"', { model: "c/d" }],
  ["the workdir in PROJECT.md", MARKDOWN, "workdir: /srv/old", "workdir: /srv/new", { workdir: "/srv/new" }],
  ["the workdir in PROJECT.json", JSON_FILE, '"/srv/old"', '"/srv/new"', { workdir: "/srv/new" }],
];

describe("an edit by hand", () => {
  it.each(EDITS)("of %s wins and is carried into the other file", async (_, file, from, to, expected) => {
    const workspace = await withProject();
    workspace.edit(file, from, to);
    const edited = workspace.text(file);
    await allTell(workspace, expected);
    expect(workspace.text(file)).toBe(edited);
  });

  it.each(EDITS)("of %s while the daemon is down wins as well", async (_, file, from, to, expected) => {
    const workspace = await withProject();
    const again = await workspace.restart(() => workspace.edit(file, from, to));
    await allTell(again, expected);
  });

  it("of different fields in both files is taken from both", async () => {
    const workspace = await withProject();
    const again = await workspace.restart(() => {
      workspace.edit(MARKDOWN, "status: active", "status: completed");
      workspace.edit(JSON_FILE, '"model": "a/b"', '"model": "c/d"');
    });
    await allTell(again, { status: "completed", model: "c/d" });
  });

  it("of the same field in both files is taken from PROJECT.md", async () => {
    const workspace = await withProject();
    const again = await workspace.restart(() => {
      workspace.edit(MARKDOWN, "status: active", "status: suspended");
      workspace.edit(JSON_FILE, '"status": "active"', '"status": "completed"');
    });
    await allTell(again, { status: "suspended" });
  });

  it("is taken from PROJECT.md when the index is lost and nothing is known [S3-DIR-01]", async () => {
    const workspace = await withProject();
    const again = await workspace.restart(() => {
      workspace.edit(MARKDOWN, "model: a/b", "model: c/d");
      for (const name of workspace.names(".guildhall")) {
        if (name.startsWith("index.db")) rmSync(workspace.at(`.guildhall/${name}`));
      }
    });
    await allTell(again, { model: "c/d" });
  });

  it("back and forth is followed every time", async () => {
    const workspace = await withProject();
    for (const [from, to] of [
      ["active", "suspended"],
      ["suspended", "active"],
      ["active", "completed"],
    ]) {
      workspace.edit(MARKDOWN, `status: ${from}`, `status: ${to}`);
      await allTell(workspace, { status: String(to) });
    }
    workspace.edit(JSON_FILE, '"status": "completed"', '"status": "active"');
    await allTell(workspace, { status: "active" });
  });

  it("of PROJECT.json changes name, description and configuration, and the file stays as it was typed", async () => {
    const workspace = await withProject({ goals: ["One"] });
    await workspace.page("projects/mill/TASKS/README.md", "# Tasks of Mill\n");
    const json = workspace.json(JSON_FILE);
    json.name = "Windmill 🌬️";
    json.description = "Turned by hand.";
    json.model = "c/d";
    json.config.goals = ["Two"];
    json.config.constraints = { requireReview: true };
    const compact = JSON.stringify(json);
    workspace.write(JSON_FILE, compact);
    const project = await eventually(
      () => workspace.project("mill"),
      (found) => found.name === "Windmill 🌬️",
    );
    expect(project).toMatchObject({
      description: "Turned by hand.",
      config: { goals: ["Two"], constraints: { requireReview: true } },
    });
    const { hits } = await wanted(200, workspace.call("GET", "/api/search?q=windmill"));
    expect(hits).toEqual([expect.objectContaining({ kind: "project", id: "mill" })]);
    await workspace.page("projects/mill/TASKS/README.md", "# Tasks of Windmill");
    expect(workspace.text(MARKDOWN)).toContain("\nmodel: c/d\n");
    expect(workspace.text(JSON_FILE)).toBe(compact);
  });

  it("of a text that only people read changes nothing but the etag", async () => {
    const workspace = await withProject();
    const before = await workspace.project("mill");
    workspace.write(MARKDOWN, `${workspace.text(MARKDOWN)}\n## Notes\n\nMine.\n`);
    const after = await eventually(
      () => workspace.project("mill"),
      (found) => found.etag !== before.etag,
    );
    const { etag, files, ...rest } = before;
    expect(after).toMatchObject(rest);
    expect(workspace.text(MARKDOWN).endsWith("\n## Notes\n\nMine.\n")).toBe(true);
  });

  it("makes a copy outdated that was read before it", async () => {
    const workspace = await withProject();
    const { etag } = await workspace.project("mill");
    workspace.edit(MARKDOWN, "status: active", "status: suspended");
    const change = workspace.call("PUT", "/api/projects/mill", { name: "New" }, { "if-match": `"${etag}"` });
    await refused("version_mismatch", change);
    expect((await workspace.project("mill")).status).toBe("suspended");
  });

  it("is seen by a request that follows at once, and not undone by it", async () => {
    const workspace = await withProject();
    workspace.edit(JSON_FILE, '"status": "active"', '"status": "suspended"');
    const { project } = await wanted(200, workspace.call("PUT", "/api/projects/mill", { name: "New" }));
    expect(project).toMatchObject({ name: "New", status: "suspended" });
    await allTell(workspace, { status: "suspended" });
    workspace.edit(JSON_FILE, '"status": "suspended"', '"status": "completed"');
    await refused("project_closed", workspace.call("POST", "/api/projects/mill/team", { roleId: "x" }));
  });

  it("is told in the event log as a person's, with before and after", async () => {
    const workspace = await withProject();
    workspace.edit(MARKDOWN, "status: active", "status: suspended");
    const event = await eventTold(workspace.hall, (found) => found.type === "project.moved");
    expect(event).toMatchObject({
      actor: { kind: "person", via: "file" },
      projectId: "mill",
      before: { status: "active" },
      after: { status: "suspended" },
    });
  });

  it("that changes nothing is not told, and a quiet restart touches no file", async () => {
    const workspace = await withProject();
    await workspace.page("projects/mill/TEAM.md", "No members yet.");
    const before = contentsOf(workspace.at("projects"));
    const again = await workspace.restart(() => workspace.write(MARKDOWN, workspace.text(MARKDOWN)));
    expect(contentsOf(again.at("projects"))).toEqual(before);
    const { events } = await wanted(200, again.call("GET", "/api/events/log?project=mill&limit=1000"));
    expect(events.map((event) => event.type)).toEqual(["project.created"]);
  });
});
