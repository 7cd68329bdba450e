import { describe, expect, it } from "vitest";
import { eventually } from "../harness/daemon.ts";
import { refused, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const ids = (found: { roleId?: string; id?: string }[]) => found.map((entry) => entry.roleId ?? entry.id);

async function suggestions({ call }: Workspace, query: Record<string, string>) {
  return (await wanted(200, call("GET", `/api/roles/suggestions?${new URLSearchParams(query)}`))).suggestions;
}

async function withTemplates(...templates: string[]): Promise<Workspace> {
  const workspace = await startWorkspace();
  for (const template of templates) await workspace.addRole({ template });
  return workspace;
}

describe("the list of roles", () => {
  it("comes in pages that together hold each role once, in order [S0-API-01]", async () => {
    const { call, addRole } = await startWorkspace();
    for (const id of ["e", "a", "d", "b", "c"]) await addRole({ id, name: id });
    const first = await wanted(200, call("GET", "/api/roles?limit=2"));
    expect(ids(first.roles)).toEqual(["a", "b"]);
    const second = await wanted(200, call("GET", `/api/roles?limit=2&cursor=${first.nextCursor}`));
    expect(ids(second.roles)).toEqual(["c", "d"]);
    const third = await wanted(200, call("GET", `/api/roles?limit=2&cursor=${second.nextCursor}`));
    expect(third).toEqual({ roles: [expect.objectContaining({ id: "e" })], invalid: [] });
    expect((await wanted(200, call("GET", "/api/roles?limit=5"))).nextCursor).toBeUndefined();
  });

  it("takes no limit, cursor or filter that makes no sense", async () => {
    const { call } = await startWorkspace();
    for (const query of ["limit=0", "limit=1001", "limit=two", "cursor=nonsense", "colour=red"]) {
      await refused("invalid", call("GET", `/api/roles?${query}`));
    }
  });

  it("can be narrowed to a word in id, name, description or specialty", async () => {
    const { call, addRole } = await startWorkspace();
    await addRole({ id: "one", name: "Plain", specialty: ["Kubernetes"] });
    await addRole({ id: "two", name: "Weaver of kubernetes" });
    await addRole({ id: "three", name: "ÜBERPRÜFER", description: "50% of it" });
    expect(ids((await wanted(200, call("GET", "/api/roles?q=KUBERNETES"))).roles)).toEqual(["one", "two"]);
    for (const word of ["%25", "überprüfer", "Über"]) {
      expect(ids((await wanted(200, call("GET", `/api/roles?q=${word}`))).roles)).toEqual(["three"]);
    }
  });
});

describe("suggested roles", () => {
  it("are those whose specialty fits a text, best first, with what fits [S0-ROLE-05 S0-ROLE-16]", async () => {
    const workspace = await withTemplates("coder", "researcher", "reviewer", "designer", "devops", "tester");
    const found = await suggestions(workspace, { text: "Write TypeScript and Python for the deployment" });
    expect(found[0]).toEqual({ roleId: "coder", score: expect.any(Number), matched: ["typescript", "python"] });
    expect(ids(found)).toContain("devops");
    expect(found.map((entry) => entry.score)).toEqual(found.map((entry) => entry.score).sort((a, b) => b - a));
    expect(ids(await suggestions(workspace, { text: "a security review" }))[0]).toBe("reviewer");
    expect(ids(await suggestions(workspace, { text: "tests for qa" }))[0]).toBe("tester");
    expect(ids(await suggestions(workspace, { text: "css with tailwind", limit: "1" }))).toEqual(["designer"]);
    expect(await suggestions(workspace, { text: "zzz qqq" })).toEqual([]);
  });

  it("follow the specialty as it is changed [S0-ROLE-05]", async () => {
    const workspace = await withTemplates("coder");
    expect(await suggestions(workspace, { text: "cobol" })).toEqual([]);
    await wanted(200, workspace.call("PUT", "/api/roles/coder", { specialty: ["cobol"] }));
    expect(ids(await suggestions(workspace, { text: "cobol" }))).toEqual(["coder"]);
    workspace.edit("ROLES.json", '"cobol"', '"fortran"');
    await eventually(
      () => suggestions(workspace, { text: "fortran" }),
      (found) => ids(found).includes("coder"),
    );
  });

  it("fit a task of a project, and the project's own team comes first [S0-ROLE-16]", async () => {
    const workspace = await withTemplates("coder", "tester", "devops");
    await workspace.addProject({ id: "mill", name: "Mill" });
    const task = { title: "Automation", description: "Write typescript for it", labels: ["docker"] };
    await wanted(201, workspace.call("POST", "/api/projects/mill/tasks", task));
    const before = await suggestions(workspace, { project: "mill", task: "TASK-001" });
    expect(Object.fromEntries(before.map((entry) => [entry.roleId, entry.matched]))).toMatchObject({
      coder: ["typescript"],
      tester: ["automation"],
      devops: ["docker"],
    });
    await workspace.assign("mill", "tester");
    expect(ids(await suggestions(workspace, { project: "mill", task: "TASK-001" }))[0]).toBe("tester");
    expect(ids(await suggestions(workspace, { project: "mill", text: "python, docker" }))).toEqual(["coder", "devops"]);
  });

  it("need a text or a task that exists", async () => {
    const { call, addProject } = await withTemplates("coder");
    await addProject({ id: "mill", name: "Mill" });
    await refused("invalid", call("GET", "/api/roles/suggestions"));
    await refused("invalid", call("GET", "/api/roles/suggestions?project=mill"));
    await refused("task_not_found", call("GET", "/api/roles/suggestions?project=mill&task=TASK-009"));
    await refused("task_not_found", call("GET", "/api/roles/suggestions?task=TASK-001"));
    await refused("project_not_found", call("GET", "/api/roles/suggestions?project=nowhere&text=python"));
  });
});
