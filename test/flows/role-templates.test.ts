import { describe, expect, it } from "vitest";
import type { Hall } from "../harness/daemon.ts";
import { refused, startWorkspace, wanted } from "../harness/workspace.ts";

interface Expected {
  name: string;
  specialty: readonly string[];
  thinking: string;
  timeout: number;
  skills: readonly string[];
  variables: readonly string[];
  demands: readonly RegExp[];
}

const EXPECTED = {
  coder: {
    name: "Code Specialist",
    specialty: ["typescript", "javascript", "python", "code-review"],
    thinking: "high",
    timeout: 600,
    skills: ["read", "edit", "write", "exec", "web_search", "web_fetch"],
    variables: ["specialty", "task", "projectName", "workDir"],
    demands: [/before you finish.*compiles/i],
  },
  researcher: {
    name: "Research Analyst",
    specialty: ["research", "analysis", "documentation"],
    thinking: "high",
    timeout: 300,
    skills: ["web_search", "web_fetch", "read", "write"],
    variables: ["task", "projectName"],
    demands: [/cite a source/i, /structured findings/i],
  },
  reviewer: {
    name: "Code Reviewer",
    specialty: ["security", "review", "best-practices"],
    thinking: "high",
    timeout: 300,
    skills: ["read", "web_search"],
    variables: ["task", "projectName"],
    demands: [/security/i, /bugs/i, /performance/i, /maintainability/i],
  },
  designer: {
    name: "UI/UX Designer",
    specialty: ["ui", "ux", "css", "tailwind"],
    thinking: "medium",
    timeout: 300,
    skills: ["read", "edit", "write", "web_search"],
    variables: ["task", "projectName"],
    demands: [/accessibility/i, /visual consistency/i],
  },
  devops: {
    name: "DevOps Engineer",
    specialty: ["docker", "ci-cd", "deployment", "infrastructure"],
    thinking: "medium",
    timeout: 400,
    skills: ["read", "edit", "write", "exec", "web_search"],
    variables: ["task", "projectName", "workDir"],
    demands: [/test a configuration before applying it/i],
  },
  tester: {
    name: "QA Engineer",
    specialty: ["testing", "qa", "automation"],
    thinking: "high",
    timeout: 400,
    skills: ["read", "edit", "write", "exec"],
    variables: ["task", "projectName", "workDir"],
    demands: [/edge cases/i, /coverage/i],
  },
} as const satisfies Record<string, Expected>;

const IDS = Object.keys(EXPECTED);

async function templates(call: Hall["call"]) {
  return (await wanted(200, call("GET", "/api/roles/templates"))).templates;
}

/** Everything that is promised of a template; its prompt uses the variables it requires, all of them and no others. */
async function assertTemplate(id: keyof typeof EXPECTED): Promise<void> {
  const { call } = await startWorkspace();
  const expected: Expected = EXPECTED[id];
  const baseRole = (await templates(call)).find((template) => template.id === id)?.baseRole;
  const { name, specialty, thinking, timeout } = expected;
  expect(baseRole).toMatchObject({ name, specialty, modelConfig: { model: "default", thinking, timeout } });
  expect([...(baseRole?.skills ?? [])].sort()).toEqual([...expected.skills].sort());
  expect([...(baseRole?.variables ?? [])].sort()).toEqual([...expected.variables].sort());
  for (const demand of expected.demands) expect(baseRole?.systemPromptTemplate).toMatch(demand);
  const used = [...(baseRole?.systemPromptTemplate ?? "").matchAll(/\{\{(.*?)\}\}/g)].map((match) => match[1]);
  expect([...new Set(used)].sort()).toEqual([...expected.variables].sort());
}

describe("the built-in templates", () => {
  it("are six, each with id, name, description and a role to start from [S0-API-06 S0-TPL-07]", async () => {
    const { call } = await startWorkspace();
    const answer = await wanted(200, call("GET", "/api/roles/templates"));
    expect(Object.keys(answer)).toEqual(["templates"]);
    expect(answer.templates.map((template) => template.id)).toEqual(IDS);
    for (const template of answer.templates) {
      expect(Object.keys(template).sort()).toEqual(["baseRole", "description", "id", "name"]);
      expect(template.description).not.toBe("");
      expect(template.baseRole).toMatchObject({ id: template.id, name: template.name, version: 1 });
    }
  });

  it("have a coder whose change compiles before it is finished [S0-TPL-01]", () => assertTemplate("coder"));
  it("have a researcher who cites sources and orders findings [S0-TPL-02]", () => assertTemplate("researcher"));
  it("have a reviewer who only reads [S0-TPL-03]", () => assertTemplate("reviewer"));
  it("have a designer who minds accessibility and consistency [S0-TPL-04]", () => assertTemplate("designer"));
  it("have a devops engineer who tests before applying [S0-TPL-05]", () => assertTemplate("devops"));
  it("have a tester who looks for edge cases and coverage [S0-TPL-06]", () => assertTemplate("tester"));

  it.each(IDS)("make a role of %s that is a copy of it [S0-TPL-07]", async (id) => {
    const { call, addRole, role, json } = await startWorkspace();
    const baseRole = (await templates(call)).find((template) => template.id === id)?.baseRole;
    const { etag, createdAt, updatedAt, ...made } = await addRole({ template: id });
    expect({ ...made, createdAt: "", updatedAt: "" }).toEqual(baseRole);
    expect(createdAt).toBe(updatedAt);
    expect(json("ROLES.json").roles).toEqual([{ ...made, createdAt, updatedAt }]);
    await wanted(200, call("PUT", `/api/roles/${id}`, { name: "Mine now", modelConfig: { timeout: 1 } }));
    expect((await role(id)).version).toBe(2);
    expect((await templates(call)).find((template) => template.id === id)?.baseRole).toEqual(baseRole);
  });
});

describe("the base role of a template", () => {
  it.each(IDS)("of %s can be posted back as it was read", async (id) => {
    const { call } = await startWorkspace();
    const baseRole = (await templates(call)).find((template) => template.id === id)?.baseRole;
    const { role } = await wanted(201, call("POST", "/api/roles", baseRole));
    const { etag: _, createdAt, updatedAt: __, ...made } = role;
    expect({ ...made, createdAt: "", updatedAt: "" }).toEqual(baseRole);
    expect(Date.parse(createdAt)).not.toBeNaN();
  });

  it("cannot be posted with a version or a time of the client's own", async () => {
    const { call } = await startWorkspace();
    const baseRole = (await templates(call))[0]?.baseRole;
    for (const [field, value] of Object.entries({
      version: 7,
      createdAt: "2020-01-01T00:00:00.000Z",
      updatedAt: "x",
    })) {
      const { error } = await wanted(422, call("POST", "/api/roles", { ...baseRole, [field]: value }));
      expect(error.message).toContain(field);
    }
  });
});

describe("a role made from a template", () => {
  it("takes what is given over what the template has [S0-TPL-07]", async () => {
    const { addRole } = await startWorkspace();
    const role = await addRole({
      template: "coder",
      id: "rustacean",
      name: "Rust Smith",
      emoji: "🦀",
      specialty: ["rust"],
      modelConfig: { model: "anthropic/claude-sonnet-4", temperature: 0.1 },
    });
    expect(role).toMatchObject({ id: "rustacean", name: "Rust Smith", emoji: "🦀", specialty: ["rust"], version: 1 });
    expect(role.modelConfig).toEqual({
      model: "anthropic/claude-sonnet-4",
      thinking: "high",
      timeout: 600,
      temperature: 0.1,
    });
    expect(role.skills).toEqual(EXPECTED.coder.skills);
    expect(role.variables).toEqual(EXPECTED.coder.variables);
  });

  it("requires what its own prompt uses, when it brings one", async () => {
    const { addRole } = await startWorkspace();
    const role = await addRole({ template: "coder", systemPromptTemplate: "Only {{task}}." });
    expect(role.variables).toEqual(["task"]);
  });

  it("can be made again and again, under other ids", async () => {
    const { call, addRole } = await startWorkspace();
    await addRole({ template: "tester" });
    const error = await refused("already_exists", call("POST", "/api/roles", { template: "tester" }));
    expect(error.message).toContain("'tester' (QA Engineer)");
    expect((await addRole({ template: "tester", id: "tester-2" })).name).toBe("QA Engineer");
    expect((await addRole({ template: "tester", id: "tester-3" })).id).toBe("tester-3");
  });

  it("cannot come from a template that is not there, and the answer names those that are", async () => {
    const { call, json } = await startWorkspace();
    const error = await refused("template_not_found", call("POST", "/api/roles", { template: "wizard", name: "W" }));
    for (const id of IDS) expect(error.message).toContain(id);
    expect(json("ROLES.json").roles).toEqual([]);
  });

  it("does not hide the templates, whatever it is called [S0-API-06]", async () => {
    const { call, addRole } = await startWorkspace();
    await refused("invalid", call("POST", "/api/roles", { id: "templates", name: "T" }));
    await addRole({ template: "coder", id: "template" });
    expect(await templates(call)).toHaveLength(6);
  });
});
