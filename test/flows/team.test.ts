import { describe, expect, it } from "vitest";
import type { Assignment } from "../../src/contract/documents/project.ts";
import { eventually } from "../harness/daemon.ts";
import { refused, type Seen, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

async function hallWithTeam(): Promise<Workspace> {
  const workspace = await startWorkspace();
  for (const template of ["coder", "reviewer", "tester"]) await workspace.addRole({ template });
  await workspace.addProject({ id: "mill", name: "Mill" });
  return workspace;
}

const team = async ({ call }: Workspace, id = "mill") =>
  (await wanted(200, call("GET", `/api/projects/${id}/team`))).assignments;
const file = "projects/mill/PROJECT.json";

describe("assigning a role", () => {
  it("links it to the project under an id of its own, and says when [S0-ASG-01 S0-ASG-05 S0-API-12 S0-API-13 S0-PROJ-05]", async () => {
    const workspace = await hallWithTeam();
    const before = new Date().toISOString();
    const answer = await wanted(201, workspace.call("POST", "/api/projects/mill/team", { roleId: "coder" }));
    expect(answer).toEqual({
      success: true,
      assignment: {
        id: expect.stringMatching(/^asg-[a-z0-9]+$/),
        roleId: "coder",
        projectId: "mill",
        status: "active",
        mode: "on-demand",
        assignedAt: expect.any(String),
      },
    });
    const { assignedAt } = answer.assignment;
    expect(new Date(assignedAt).toISOString()).toBe(assignedAt);
    expect([before, assignedAt, new Date().toISOString()].toSorted()[1]).toBe(assignedAt);
    expect(await wanted(200, workspace.call("GET", "/api/projects/mill/team"))).toEqual({
      assignments: [answer.assignment],
    });
    expect((await workspace.project("mill")).team).toEqual([answer.assignment]);
    expect(workspace.json(file).team).toEqual([answer.assignment]);
    expect(await team(await workspace.restart())).toEqual([answer.assignment]);
  });

  it("may override any part of the model's settings [S0-ASG-02]", async () => {
    const workspace = await hallWithTeam();
    const whole = { model: "a/b", thinking: "off", timeout: 5, temperature: 1.5, maxTokens: 10 };
    for (const [key, value] of Object.entries(whole)) {
      const assignment = await workspace.assign("mill", { roleId: "coder", modelConfig: { [key]: value } });
      expect(assignment.modelConfig).toEqual({ [key]: value });
      await wanted(200, workspace.call("DELETE", `/api/projects/mill/team/${assignment.id}`));
    }
    await workspace.assign("mill", { roleId: "coder", modelConfig: whole });
    expect((await team(workspace))[0]?.modelConfig).toEqual(whole);
    expect((await workspace.role("coder")).modelConfig).toMatchObject({ model: "default", timeout: 600 });
  });

  it("may give the role more or fewer skills than it has [S0-ASG-03]", async () => {
    const workspace = await hallWithTeam();
    const more = ["read", "web_search", "exec", "house-rules"];
    expect((await workspace.assign("mill", { roleId: "reviewer", skills: more })).skills).toEqual(more);
    expect((await workspace.assign("mill", { roleId: "coder", skills: ["read"] })).skills).toEqual(["read"]);
    expect((await workspace.assign("mill", { roleId: "tester", skills: [] })).skills).toEqual([]);
    expect((await workspace.role("reviewer")).skills).toEqual(["read", "web_search"]);
    expect(workspace.json(file).team.map((assignment: Seen) => assignment.skills)).toEqual([more, ["read"], []]);
  });

  it("is possible for many roles in a project and many projects for a role [S0-ASG-06 S0-ROLE-15]", async () => {
    const workspace = await hallWithTeam();
    await workspace.addProject({ id: "well", name: "Well" });
    for (const roleId of ["coder", "reviewer", "tester"]) await workspace.assign("mill", roleId);
    await workspace.assign("well", "coder");
    expect((await team(workspace)).map((entry) => entry.roleId)).toEqual(["coder", "reviewer", "tester"]);
    expect((await team(workspace, "well")).map((entry) => entry.roleId)).toEqual(["coder"]);
    const ids = [...(await team(workspace)), ...(await team(workspace, "well"))].map((entry) => entry.id);
    expect(new Set(ids).size).toBe(4);
  });

  it("is refused for a role that is not there or is assigned already, also when asked for at once", async () => {
    const workspace = await hallWithTeam();
    const post = (body: object, id = "mill") => workspace.call("POST", `/api/projects/${id}/team`, body);
    expect((await refused("role_not_found", post({ roleId: "wizard" }))).message).toContain("coder, reviewer, tester");
    await refused("project_not_found", post({ roleId: "coder" }, "nowhere"));
    const answers = await Promise.all([1, 2, 3].map(() => post({ roleId: "coder" })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
    const [assignment] = await team(workspace);
    expect((await refused("already_exists", post({ roleId: "coder" }))).message).toContain(assignment?.id);
    expect(await team(workspace)).toEqual([assignment]);
  });

  it("is refused when one of its fields cannot be, and the answer names the field", async () => {
    const workspace = await hallWithTeam();
    const wrong: [object, RegExp][] = [
      [{ roleId: undefined }, /^roleId: /],
      [{ roleId: "Not One" }, /^roleId: /],
      [{ status: "resting" }, /^status: .*active.*paused/],
      [{ mode: "always" }, /^mode: .*auto.*on-demand/],
      [{ modelConfig: { timeout: -1 } }, /^modelConfig\.timeout: /],
      [{ modelConfig: { thinking: "hard" } }, /^modelConfig\.thinking: /],
      [{ modelConfig: { budget: 1 } }, /budget/],
      [{ skills: ["*"] }, /^skills/],
      [{ rank: "lead" }, /rank/],
    ];
    for (const [field, message] of wrong) {
      const asked = workspace.call("POST", "/api/projects/mill/team", { roleId: "coder", ...field });
      expect((await refused("invalid", asked)).message).toMatch(message);
    }
    expect(await team(workspace)).toEqual([]);
  });
});

describe("an assignment", () => {
  it("can be paused and resumed, made automatic and overridden; null takes an override away [S0-ASG-04]", async () => {
    const workspace = await hallWithTeam();
    const made = await workspace.assign("mill", { roleId: "coder", mode: "auto" });
    const put = (body: object) => workspace.call("PUT", `/api/projects/mill/team/${made.id}`, body);
    expect(made).toMatchObject({ status: "active", mode: "auto" });
    const paused = await wanted(200, put({ status: "paused" }));
    expect(paused).toEqual({ success: true, assignment: { ...made, status: "paused" } });
    expect(workspace.json(file).team[0].status).toBe("paused");
    await wanted(200, put({ status: "active", mode: "on-demand", modelConfig: { timeout: 9 }, skills: ["read"] }));
    expect(await team(workspace)).toEqual([
      { ...made, mode: "on-demand", modelConfig: { timeout: 9 }, skills: ["read"] },
    ]);
    await wanted(200, put({ modelConfig: null, skills: null }));
    expect(await team(workspace)).toEqual([{ ...made, mode: "on-demand" }]);
    const [read] = await team(workspace);
    await wanted(200, put({ ...read, mode: "auto" }));
    expect(await team(workspace)).toEqual([made]);
    await refused("invalid", put({ status: "gone" }));
    await refused("invalid", put({ roleId: "tester" }));
  });

  it("is not changed on the strength of an outdated copy of its project", async () => {
    const workspace = await hallWithTeam();
    const { id } = await workspace.assign("mill", "coder");
    const { etag } = await workspace.project("mill");
    const ifMatch = { "if-match": `"${etag}"` };
    const path = `/api/projects/mill/team/${id}`;
    await wanted(200, workspace.call("PUT", path, { status: "paused" }, ifMatch));
    await refused("version_mismatch", workspace.call("PUT", path, { status: "active" }, ifMatch));
    await refused("version_mismatch", workspace.call("DELETE", path, undefined, ifMatch));
    expect((await team(workspace))[0]?.status).toBe("paused");
  });

  it("ends with success and leaves the others as they are [S0-API-14]", async () => {
    const workspace = await hallWithTeam();
    const [coder, tester] = [await workspace.assign("mill", "coder"), await workspace.assign("mill", "tester")];
    const answer = await wanted(200, workspace.call("DELETE", `/api/projects/mill/team/${coder.id}`));
    expect(answer).toEqual({ success: true });
    expect(await team(workspace)).toEqual([tester]);
    for (const [method, body] of [["DELETE"], ["PUT", { status: "paused" }]] as const) {
      await refused("assignment_not_found", workspace.call(method, `/api/projects/mill/team/${coder.id}`, body));
    }
    await workspace.assign("mill", "coder");
  });

  it("can be written, changed and removed by hand in PROJECT.json [S0-ASG-04]", async () => {
    const workspace = await hallWithTeam();
    const made = await workspace.assign("mill", "coder");
    const shown = (isWanted: (assignments: Assignment[]) => boolean) => eventually(() => team(workspace), isWanted);
    workspace.edit(file, '"status": "active",\n      "mode"', '"status": "paused",\n      "mode"');
    await shown((found) => found[0]?.status === "paused");
    const json = workspace.json(file);
    json.team.push({ ...made, id: "asg-mine", roleId: "tester", mode: "auto", note: "by hand" });
    workspace.write(file, JSON.stringify(json));
    expect((await shown((found) => found.length === 2))[1]).toEqual({
      ...made,
      id: "asg-mine",
      roleId: "tester",
      mode: "auto",
    });
    await wanted(200, workspace.call("PUT", "/api/projects/mill/team/asg-mine", { status: "paused" }));
    expect(workspace.json(file).team[1]).toMatchObject({ id: "asg-mine", status: "paused", note: "by hand" });
    workspace.write(file, JSON.stringify({ ...workspace.json(file), team: [] }));
    await shown((found) => found.length === 0);
    await wanted(200, workspace.call("DELETE", "/api/roles/coder"));
  });

  it("stays when its role is removed by hand, and is told as a warning", async () => {
    const workspace = await hallWithTeam();
    const made = await workspace.assign("mill", "coder");
    const roles = workspace.json("ROLES.json").roles.filter((role: Seen) => role.id !== "coder");
    workspace.write("ROLES.json", JSON.stringify({ roles }));
    const { body } = await eventually(
      () => workspace.call("GET", "/api/problems"),
      (answer) => answer.body.problems.length > 0,
    );
    expect(body.problems).toEqual([
      expect.objectContaining({
        file,
        projectId: "mill",
        severity: "warning",
        reason: expect.stringContaining("'coder'"),
      }),
    ]);
    expect(await team(workspace)).toEqual([made]);
    await workspace.page("projects/mill/TEAM.md", "| coder | Active | On-Demand |");
    await wanted(200, workspace.call("DELETE", `/api/projects/mill/team/${made.id}`));
    expect((await wanted(200, workspace.call("GET", "/api/problems"))).problems).toEqual([]);
  });
});

describe("the pages about teams", () => {
  it("tell auto from on demand and active from paused [S0-MD-02 S0-FS-06]", async () => {
    const workspace = await hallWithTeam();
    await workspace.assign("mill", { roleId: "coder", mode: "auto", modelConfig: { timeout: 77 }, skills: ["read"] });
    await workspace.assign("mill", { roleId: "reviewer", status: "paused" });
    const rows = "| Code Specialist | Active | Auto |\n| Code Reviewer | Paused | On-Demand |\n";
    expect(workspace.text("projects/mill/PROJECT.md")).toContain(rows);
    await workspace.page("projects/mill/TEAM.md", rows, "# Team of Mill", '"timeout":77', "Skills here: read");
  });

  it("follow a role that is renamed, over HTTP and by hand", async () => {
    const workspace = await hallWithTeam();
    await workspace.assign("mill", "coder");
    await wanted(200, workspace.call("PUT", "/api/roles/coder", { name: "Smith" }));
    await workspace.page("projects/mill/TEAM.md", "| Smith | Active | On-Demand |");
    workspace.edit("ROLES.json", '"name": "Smith"', '"name": "Blacksmith"');
    await workspace.page("projects/mill/TEAM.md", "| Blacksmith | Active | On-Demand |");
  });

  it("keep their tables whole, whatever a role is called", async () => {
    const workspace = await startWorkspace();
    await workspace.addRole({ id: "odd", name: "A | B <i>" });
    await workspace.addProject({ id: "mill", name: "Mill" });
    await workspace.assign("mill", "odd");
    const row = "| A \\| B \\<i\\> | Active | On-Demand |";
    expect(workspace.text("projects/mill/PROJECT.md")).toContain(row);
    await workspace.page("projects/mill/TEAM.md", row);
  });
});
