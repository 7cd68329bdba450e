import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Hall } from "../harness/daemon.ts";
import { contentOf, makeShop } from "../harness/scripted-hall.ts";
import { sharedHall } from "../harness/shared-hall.ts";

const task = { title: "Write a note" };
const good = { projectId: "shop", roleId: "coder", task };

const running = sharedHall();
let hall: Hall;
let before: Record<string, string>;

beforeAll(async () => {
  hall = running();
  await makeShop(hall);
  await hall.call("POST", "/api/roles", {
    id: "painter",
    name: "Painter",
    systemPromptTemplate: "Paint it {{colour}} for {{customer}} in {{projectName}}.",
    variables: ["colour", "customer", "projectName"],
  });
  await hall.call("POST", "/api/projects", { id: "paused", name: "Paused" });
  await hall.call("POST", "/api/projects/paused/move", { status: "suspended" });
  mkdirSync(join(hall.workspace, "playbooks"));
  writeFileSync(join(hall.workspace, "playbooks/broken.yml"), "turns:\n  - calls: 3\n");
  before = contentOf(hall.workspace);
});

async function refused(body: unknown, path = "/api/team/spawn") {
  const answer = await hall.call("POST", path, body);
  const preview = await hall.call("POST", `${path}?dryRun=true`, body);
  expect(preview.status).toBe(answer.status);
  expect(contentOf(hall.workspace)).toEqual(before);
  expect((await hall.call("GET", "/api/runs")).body.runs).toEqual([]);
  const { code, message } = answer.body.error;
  return { status: answer.status, code, message };
}

describe("a spawn is refused, dry or not, and leaves no trace", () => {
  it("without a role, or a task [S0-SPAWN-01 S0-SPAWN-03]", async () => {
    expect(await refused({ projectId: "shop", task })).toMatchObject({
      status: 422,
      message: expect.stringContaining("roleId"),
    });
    expect(await refused({ projectId: "shop", roleId: "coder" })).toMatchObject({
      status: 422,
      message: expect.stringContaining("task"),
    });
    expect(await refused({ ...good, task: {} })).toMatchObject({
      status: 422,
      message: expect.stringContaining("title"),
    });
  });

  it("for a role, project or task that is not there [S0-SPAWN-01 S0-SPAWN-02]", async () => {
    expect(await refused({ ...good, roleId: "nobody" })).toMatchObject({ status: 404, code: "role_not_found" });
    expect(await refused({ ...good, projectId: "nowhere" })).toMatchObject({ status: 404, code: "project_not_found" });
    expect(await refused({ ...good, projectId: "inbox" })).toMatchObject({ status: 404, code: "project_not_found" });
    expect(await refused({ ...good, taskId: "TASK-009" })).toMatchObject({ status: 404, code: "task_not_found" });
    expect(await refused({ ...good, taskId: "../../x" })).toMatchObject({ status: 404, code: "task_not_found" });
    expect(await refused(good, "/api/projects/nowhere/spawn")).toMatchObject({ status: 422 });
    const inPath = { ...good, projectId: undefined };
    expect(await refused(inPath, "/api/projects/nowhere/spawn")).toMatchObject({ code: "project_not_found" });
  });

  it("for a project that is suspended", async () => {
    expect(await refused({ ...good, projectId: "paused" })).toMatchObject({ status: 409, code: "project_closed" });
  });

  it("when the project of the body is not that of the path [S0-API-22]", async () => {
    expect(await refused({ ...good, projectId: "paused" }, "/api/projects/shop/spawn")).toMatchObject({
      status: 422,
      message: expect.stringContaining("projectId"),
    });
  });

  it("for a model that cannot be asked, with its name [S0-SPAWN-04]", async () => {
    for (const model of ["nowhere/m", "offline/missing", "offline/broken", "just-a-name"]) {
      const { status, message } = await refused({ ...good, overrides: { model } });
      expect([model, status]).toEqual([model, 422]);
      expect(message).toContain(model.split("/").at(model.startsWith("offline") ? 1 : 0));
    }
  });

  it("while a variable that the role requires has no value, by name; project and task fill the others", async () => {
    const painting = { ...good, roleId: "painter" };
    const { status, message } = await refused(painting);
    expect(status).toBe(422);
    expect(message).toContain("colour, customer");
    expect(message).not.toContain("projectName");
    expect((await refused({ ...painting, variables: { colour: "red", customer: "" } })).message).toContain("customer");
  });

  it("for values of the wrong type or size, with the field", async () => {
    const cases: [body: object, field: string][] = [
      [{ ...good, overrides: { timeout: "long" } }, "timeout"],
      [{ ...good, overrides: { timeout: 0 } }, "timeout"],
      [{ ...good, overrides: { thinking: "deep" } }, "thinking"],
      [{ ...good, overrides: { skills: "read" } }, "skills"],
      [{ ...good, overrides: { temperatur: 1 } }, "temperatur"],
      [{ ...good, options: { waitForCompletion: "yes" } }, "waitForCompletion"],
      [{ ...good, variables: { colour: 3 } }, "colour"],
      [{ ...good, contextFiles: "a.md" }, "contextFiles"],
      [{ ...good, taskId: 1 }, "taskId"],
      [{ ...good, task: { title: "x".repeat(501) } }, "title"],
      [{ ...good, task: { title: "x", priority: "soon" } }, "priority"],
      [{ ...good, unknown: 1 }, "unknown"],
    ];
    for (const [body, field] of cases)
      expect(await refused(body)).toMatchObject({ status: 422, message: expect.stringContaining(field) });
  });

  it("when it is too large, or no JSON object", async () => {
    expect(await refused({ ...good, task: { title: "x", description: "x".repeat(11_000_000) } })).toMatchObject({
      status: 413,
    });
    expect(await refused({ ...good, task: { title: "x", description: "x".repeat(1_000_001) } })).toMatchObject({
      status: 422,
    });
    expect((await refused([good])).status).toBe(400);
  });

  it("with a dryRun that is neither true nor false", async () => {
    expect((await hall.call("POST", "/api/team/spawn?dryRun=maybe", good)).status).toBe(422);
    expect(contentOf(hall.workspace)).toEqual(before);
  });
});

it("with every required variable given, the run starts with them in its prompt", async () => {
  const variables = { colour: "red", customer: "{{colour}} Ltd" };
  const body = { ...good, roleId: "painter", variables };
  const { plan } = (await hall.call("POST", "/api/team/spawn?dryRun=true", body)).body;
  expect(plan.system).toContain("Paint it red for {{colour}} Ltd in Shop.");
});

it("a tool that nobody knows grants nothing, and the plan says so by name [S0-SPAWN-04]", async () => {
  const body = { ...good, overrides: { skills: ["read", "raed"] } };
  const { plan } = (await hall.call("POST", "/api/team/spawn?dryRun=true", body)).body;
  expect(plan.tools.value).not.toContain("raed");
  expect(plan.tools.because).toContain("raed");
});
