import { describe, expect, it } from "vitest";
import type { Assignment } from "../../src/contract/documents/project.ts";
import { contentsOf, eventsOf } from "../harness/board.ts";
import { refused, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const STATUSES = ["active", "suspended", "completed", "archived"] as const;
type Status = (typeof STATUSES)[number];

const LEGAL: Record<Status, Status[]> = {
  active: ["suspended", "completed"],
  suspended: ["active", "completed"],
  completed: ["active", "archived"],
  archived: [],
};
const WAY_TO: Record<Status, Status[]> = {
  active: [],
  suspended: ["suspended"],
  completed: ["completed"],
  archived: ["completed", "archived"],
};

const move = ({ call }: Workspace, status: string) => call("POST", "/api/projects/mill/move", { status });
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function projectThatIs(status: Status): Promise<Workspace> {
  const workspace = await startWorkspace();
  await workspace.addProject({ id: "mill", name: "Mill" });
  for (const step of WAY_TO[status]) await wanted(200, move(workspace, step));
  return workspace;
}

describe("the lifecycle of a project", () => {
  it.each(STATUSES)(
    "leads from %s only where it may, and names where [S0-PROJ-07 S3-PMD-03 S3-LC-08]",
    async (from) => {
      for (const to of LEGAL[from]) {
        const workspace = await projectThatIs(from);
        const { success, project } = await wanted(200, move(workspace, to));
        expect([success, project.id, project.status]).toEqual([true, "mill", to]);
        expect(workspace.json("projects/mill/PROJECT.json").status).toBe(to);
        expect(workspace.text("projects/mill/PROJECT.md")).toContain(`\nstatus: ${to}\n`);
      }
      const workspace = await projectThatIs(from);
      const before = contentsOf(workspace.at("projects/mill"));
      for (const to of STATUSES.filter((status) => !LEGAL[from].includes(status))) {
        const error = await refused("illegal_move", move(workspace, to));
        for (const legal of LEGAL[from]) expect(error.message).toContain(legal);
        expect(error.message).toContain(from);
      }
      expect(contentsOf(workspace.at("projects/mill"))).toEqual(before);
      expect((await workspace.project("mill")).status).toBe(from);
    },
  );

  it.each(STATUSES)("is the same for a status in a change of the project, from %s [S0-API-10]", async (from) => {
    const workspace = await projectThatIs(from);
    const put = (body: object) => workspace.call("PUT", "/api/projects/mill", body);
    for (const to of STATUSES.filter((status) => status !== from && !LEGAL[from].includes(status))) {
      const error = await refused("illegal_move", put({ status: to, name: "Renamed" }));
      for (const legal of LEGAL[from]) expect(error.message).toContain(legal);
    }
    expect(await workspace.project("mill")).toMatchObject({ status: from, name: "Mill" });
    const to = LEGAL[from][0];
    if (to === undefined) return;
    const { project } = await wanted(200, put({ status: to, name: "Renamed" }));
    expect(project).toMatchObject({ status: to, name: "Renamed" });
  });

  it("knows no other status", async () => {
    const workspace = await projectThatIs("active");
    for (const status of ["paused", "deleted", "Active", ""]) {
      const error = await refused("invalid", move(workspace, status));
      for (const known of STATUSES) expect(error.message).toContain(known);
    }
  });

  it("remembers the last suspension and the completion, in PROJECT.md as well [S3-PMD-07 S3-PMD-08]", async () => {
    const workspace = await projectThatIs("active");
    const front = () => workspace.text("projects/mill/PROJECT.md");
    expect(front()).toMatch(/\nsuspended: null\ncompleted: null\n/);
    const suspended = (await wanted(200, move(workspace, "suspended"))).project.suspendedAt;
    expect(suspended).toMatch(stamp);
    expect(front()).toContain(`\nsuspended: ${suspended}\n`);
    const resumed = (await wanted(200, move(workspace, "active"))).project;
    expect(resumed).toMatchObject({ status: "active", suspendedAt: suspended });
    const completed = (await wanted(200, move(workspace, "completed"))).project;
    expect(completed).toMatchObject({ suspendedAt: suspended, completedAt: expect.stringMatching(stamp) });
    expect(front()).toContain(`\ncompleted: ${completed.completedAt}\n`);
    const reopened = (await wanted(200, move(workspace, "active"))).project;
    expect(reopened.completedAt).toBeUndefined();
    expect(front()).toContain("\ncompleted: null\n");
    expect(await (await workspace.restart()).project("mill")).toMatchObject(reopened);
  });

  it("is told in the event log, with before and after", async () => {
    const workspace = await projectThatIs("suspended");
    const events = await eventsOf(workspace.hall);
    const moved = events.find((event) => event.type === "project.moved");
    expect(moved).toMatchObject({
      projectId: "mill",
      subject: { kind: "project", id: "mill" },
      actor: { kind: "person", via: "http" },
      before: { status: "active" },
      after: { status: "suspended" },
    });
  });
});

describe("deleting a project", () => {
  it.each(STATUSES)("archives it when it is %s, and nothing of it is lost [S0-API-11]", async (from) => {
    const workspace = await projectThatIs("active");
    await wanted(201, workspace.call("POST", "/api/projects/mill/tasks", { title: "Turn" }));
    for (const step of WAY_TO[from]) await wanted(200, move(workspace, step));
    expect(await wanted(200, workspace.call("DELETE", "/api/projects/mill"))).toEqual({ success: true });
    expect(await workspace.project("mill")).toMatchObject({ status: "archived", taskCount: { todo: 1 } });
    expect(workspace.exists("projects/mill/TASKS/todo/TASK-001.md")).toBe(true);
    expect(workspace.exists("trash")).toBe(false);
    expect(await wanted(200, workspace.call("DELETE", "/api/projects/mill"))).toEqual({ success: true });
    const steps = (await eventsOf(workspace.hall)).filter((event) => event.type === "project.moved");
    expect(steps.at(-1)?.after?.status).toBe("archived");
    for (const { before, after } of steps) expect(LEGAL[before?.status as Status]).toContain(after?.status);
  });

  it("with purge moves its folder to the trash and frees its id", async () => {
    const workspace = await projectThatIs("active");
    const { call } = workspace;
    await wanted(201, call("POST", "/api/projects/mill/tasks", { title: "Turn" }));
    const before = contentsOf(workspace.at("projects/mill"));
    const { success, trash } = await wanted(200, call("DELETE", "/api/projects/mill?purge=true"));
    expect(success).toBe(true);
    expect(trash).toMatch(/^trash\/.*mill$/);
    expect(contentsOf(workspace.at(trash ?? ""))).toEqual(before);
    expect(workspace.names("projects")).toEqual([]);
    await refused("project_not_found", call("GET", "/api/projects/mill"));
    expect((await wanted(200, call("GET", "/api/search?q=Turn"))).hits).toEqual([]);
    await workspace.addProject({ id: "mill", name: "Second mill" });
    const { task } = await wanted(201, call("POST", "/api/projects/mill/tasks", { title: "Anew" }));
    expect(task.id).toBe("TASK-001");
    const again = await wanted(200, call("DELETE", "/api/projects/mill?purge=true"));
    expect(again.trash).not.toBe(trash);
    expect((await wanted(200, (await workspace.restart()).call("GET", "/api/projects"))).projects).toEqual([]);
  });

  it("takes purge from an archived project too, and no other word for true", async () => {
    const workspace = await projectThatIs("archived");
    await refused("invalid", workspace.call("DELETE", "/api/projects/mill?purge=yes"));
    await wanted(200, workspace.call("DELETE", "/api/projects/mill?purge=false"));
    expect(workspace.names("projects")).toEqual(["mill"]);
    await wanted(200, workspace.call("DELETE", "/api/projects/mill?purge=true"));
    expect(workspace.names("projects")).toEqual([]);
  });
});

describe("a closed project", () => {
  const writes = (assignmentId: string): [string, string, object?][] => [
    ["POST", "/tasks", { title: "More" }],
    ["PUT", "/tasks/TASK-001", { title: "Other" }],
    ["POST", "/tasks/TASK-001/move", { status: "in-progress" }],
    ["POST", "/team", { roleId: "tester" }],
    ["PUT", `/team/${assignmentId}`, { status: "paused" }],
    ["DELETE", `/team/${assignmentId}`],
    ["POST", "/initiatives", { title: "Plan" }],
    ["POST", "/artifacts", { name: "a.md", content: "x" }],
    ["PUT", "/context", { path: "a.md", content: "x" }],
  ];

  async function closed(status: "completed" | "archived"): Promise<{ workspace: Workspace; assignment: Assignment }> {
    const workspace = await startWorkspace();
    await workspace.addProject({ id: "mill", name: "Mill" });
    for (const template of ["coder", "tester"]) await workspace.addRole({ template });
    const assignment = await workspace.assign("mill", "coder");
    await wanted(201, workspace.call("POST", "/api/projects/mill/tasks", { title: "Turn" }));
    for (const step of WAY_TO[status]) await wanted(200, move(workspace, step));
    return { workspace, assignment };
  }

  it.each(["completed", "archived"] as const)(
    "that is %s takes no more work, and can still be read",
    async (status) => {
      const { workspace, assignment } = await closed(status);
      const before = contentsOf(workspace.at("projects/mill"));
      for (const [method, path, body] of writes(assignment.id)) {
        const error = await refused("project_closed", workspace.call(method, `/api/projects/mill${path}`, body));
        expect(error.message, `${method} ${path}`).toContain(`'mill' is ${status}`);
      }
      await refused("project_closed", workspace.call("POST", "/api/tasks", { projectId: "mill", title: "More" }));
      expect(contentsOf(workspace.at("projects/mill"))).toEqual(before);
      for (const path of ["", "/team", "/tasks", "/tasks/TASK-001", "/initiatives", "/artifacts", "/context"]) {
        await wanted(200, workspace.call("GET", `/api/projects/mill${path}`));
      }
    },
  );

  it("that is archived cannot be changed itself either", async () => {
    const { workspace } = await closed("archived");
    await refused("project_closed", workspace.call("PUT", "/api/projects/mill", { name: "New" }));
    expect((await workspace.project("mill")).name).toBe("Mill");
  });

  it("takes work again when it is reopened; a suspended one takes it all along", async () => {
    const { workspace, assignment } = await closed("completed");
    await wanted(200, move(workspace, "active"));
    await wanted(200, move(workspace, "suspended"));
    for (const [method, path, body] of writes(assignment.id)) {
      const { status } = await workspace.call(method, `/api/projects/mill${path}`, body);
      expect(status, `${method} ${path}`).toBeLessThan(300);
    }
  });
});
