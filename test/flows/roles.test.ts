import { describe, expect, it } from "vitest";
import { guildhall } from "../harness/guildhall.ts";
import { refused, startWorkspace, wanted } from "../harness/workspace.ts";

const WHOLE = {
  id: "archivist",
  name: "Archivist",
  emoji: "🗃️",
  description: "Keeps what others forget.",
  specialty: ["records", "cataloguing"],
  modelConfig: { model: "kimi-coding/k2p5", thinking: "low", timeout: 90, temperature: 0.3, maxTokens: 4_000 },
  skills: ["read", "edit", "write", "exec", "web_search", "web_fetch"],
  systemPromptTemplate: "Sort {{task}} for {{projectName}}. Cost: $& and $1.",
  variables: ["task", "projectName"],
};

describe("a role", () => {
  it("comes back with every field it was made with, and no other role in its place [S0-API-01 S0-API-02 S0-API-03]", async () => {
    const { call } = await startWorkspace();
    const { role: before } = await wanted(201, call("POST", "/api/roles", { name: "Aide" }));
    const made = await wanted(201, call("POST", "/api/roles", WHOLE));
    const told = { ...WHOLE, createdAt: expect.any(String), updatedAt: expect.any(String), version: 1 };
    expect(made).toEqual({ success: true, role: { ...told, etag: expect.any(String) } });
    expect(made.role.updatedAt).toBe(made.role.createdAt);
    expect(new Date(made.role.createdAt).toISOString()).toBe(made.role.createdAt);
    expect(await wanted(200, call("GET", "/api/roles/archivist"))).toEqual({ role: made.role });
    expect(await wanted(200, call("GET", "/api/roles/aide"))).toEqual({ role: before });
    const { etag, ...listed } = before;
    expect(await wanted(200, call("GET", "/api/roles"))).toEqual({ roles: [listed, told], invalid: [] });
  });

  it("is shown to people by its emoji and name, with its description [S0-ROLE-02 S0-ROLE-03 S0-ROLE-04]", async () => {
    const workspace = await startWorkspace();
    await workspace.addRole(WHOLE);
    await workspace.page("TEAM.md", "| 🗃️ Archivist | `archivist` |");
    await workspace.page("agents/archivist/TEAM.md", "# 🗃️ Archivist\n\nKeeps what others forget.\n");
    const shown = await guildhall(["role", "show", "archivist"], workspace.hall);
    for (const text of ["🗃️", "Archivist", "Keeps what others forget."]) expect(shown.stdout).toContain(text);
    const change = { name: "Librarian", emoji: "📚", description: "Finds it again." };
    await wanted(200, workspace.call("PUT", "/api/roles/archivist", change));
    await workspace.page("TEAM.md", "| 📚 Librarian | `archivist` |");
    await workspace.page("agents/archivist/TEAM.md", "# 📚 Librarian\n\nFinds it again.\n");
  });

  it("is complete although only its name was given [S0-ROLE-08]", async () => {
    const { addRole } = await startWorkspace();
    const role = await addRole({ name: "Night Watch" });
    expect(role).toMatchObject({
      id: "night-watch",
      name: "Night Watch",
      emoji: "🤖",
      description: "",
      specialty: [],
      skills: [],
      systemPromptTemplate: "",
      variables: [],
      version: 1,
    });
    expect(role.modelConfig).toEqual({ model: "default", thinking: "medium", timeout: 300 });
  });

  it("thinks off, low, medium or high and nothing else [S0-ROLE-07]", async () => {
    const { call, addRole } = await startWorkspace();
    for (const thinking of ["off", "low", "medium", "high"]) {
      expect((await addRole({ id: thinking, name: thinking, modelConfig: { thinking } })).modelConfig.thinking).toBe(
        thinking,
      );
    }
    const error = await refused("invalid", call("POST", "/api/roles", { name: "x", modelConfig: { thinking: "max" } }));
    expect(error.message).toMatch(/modelConfig\.thinking.*off.*low.*medium.*high/);
  });

  it("requires the variables that its own prompt uses, unless they are named [S0-ROLE-13]", async () => {
    const { addRole } = await startWorkspace();
    const systemPromptTemplate = "Do {{task}} in {{workDir}}, then {{task}} again. Not {{ this }}.";
    expect((await addRole({ id: "a", name: "A", systemPromptTemplate })).variables).toEqual(["task", "workDir"]);
    const named = await addRole({ id: "b", name: "B", systemPromptTemplate, variables: ["task"] });
    expect(named.variables).toEqual(["task"]);
    expect(named.systemPromptTemplate).toBe(systemPromptTemplate);
  });

  it("may allow a skill that is no tool, which is told as a warning", async () => {
    const { call, addRole } = await startWorkspace();
    expect((await addRole({ name: "Odd", skills: ["read", "exce"] })).skills).toEqual(["read", "exce"]);
    const { problems } = await wanted(200, call("GET", "/api/problems"));
    expect(problems).toEqual([expect.objectContaining({ id: "odd", severity: "warning", file: "ROLES.json" })]);
    expect(problems[0]?.reason).toContain("'exce'");
  });

  it("lives in ROLES.json and is still there after a restart [S0-ROLE-15 S0-FS-02]", async () => {
    const workspace = await startWorkspace();
    const { etag, ...role } = await workspace.addRole(WHOLE);
    expect(workspace.json("ROLES.json")).toEqual({ roles: [role] });
    const again = await workspace.restart();
    expect(await again.role("archivist")).toEqual({ ...role, etag });
  });

  it("has an id of its own [S0-ROLE-01]", async () => {
    const { call, addRole } = await startWorkspace();
    await addRole(WHOLE);
    const error = await refused("already_exists", call("POST", "/api/roles", { id: "archivist", name: "Other" }));
    expect(error.message).toContain("archivist");
    const derived = await refused("already_exists", call("POST", "/api/roles", { name: "Archivist!" }));
    expect(derived.message).toContain("'archivist' (Archivist)");
    const several = await Promise.all(
      [1, 2, 3].map((n) => call("POST", "/api/roles", { id: "one", name: `No. ${n}` })),
    );
    expect(several.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
  });
});

describe("changing a role", () => {
  it("changes only what is named and counts the version up [S0-API-04 S0-ROLE-14]", async () => {
    const { call, addRole } = await startWorkspace();
    const before = await addRole(WHOLE);
    const change = { description: "Finds it again.", modelConfig: { timeout: 120 } };
    const changed = await wanted(200, call("PUT", "/api/roles/archivist", change));
    expect(changed).toEqual({
      success: true,
      role: {
        ...before,
        description: "Finds it again.",
        modelConfig: { ...WHOLE.modelConfig, timeout: 120 },
        version: 2,
        updatedAt: expect.any(String),
        etag: expect.any(String),
      },
    });
    expect(changed.role.etag).not.toBe(before.etag);
    expect(changed.role.updatedAt >= before.updatedAt).toBe(true);
    expect((await wanted(200, call("GET", "/api/roles/archivist"))).role).toEqual(changed.role);
  });

  it("takes an optional setting of the model away with null", async () => {
    const { call, addRole } = await startWorkspace();
    await addRole(WHOLE);
    const change = { modelConfig: { temperature: null, maxTokens: null } };
    const { role } = await wanted(200, call("PUT", "/api/roles/archivist", change));
    expect(role.modelConfig).toEqual({ model: "kimi-coding/k2p5", thinking: "low", timeout: 90 });
    await refused("invalid", call("PUT", "/api/roles/archivist", { modelConfig: { timeout: null } }));
  });

  it("that asks for what is so already changes nothing", async () => {
    const { call, addRole } = await startWorkspace();
    const before = await addRole(WHOLE);
    const { role } = await wanted(
      200,
      call("PUT", "/api/roles/archivist", { name: "Archivist", skills: WHOLE.skills }),
    );
    expect(role).toEqual(before);
  });

  it("works with the whole document as it was read before", async () => {
    const { call, addRole, role } = await startWorkspace();
    await addRole(WHOLE);
    const read = await role("archivist");
    const { role: changed } = await wanted(200, call("PUT", "/api/roles/archivist", { ...read, name: "Librarian" }));
    expect(changed).toMatchObject({ name: "Librarian", version: 2, createdAt: read.createdAt });
    const error = await refused("invalid", call("PUT", "/api/roles/archivist", { ...read, name: "Thief" }));
    expect(error.message).toMatch(/version: cannot be changed/);
    for (const field of [{ id: "x" }, { version: 9 }, { createdAt: "2020-01-01T00:00:00Z" }]) {
      await refused("invalid", call("PUT", "/api/roles/archivist", field));
    }
    expect(await role("archivist")).toEqual(changed);
  });

  it("on an outdated copy is refused with 412 and changes nothing", async () => {
    const { call, addRole, role } = await startWorkspace();
    const { etag } = await addRole(WHOLE);
    const ifMatch = { "if-match": `"${etag}"` };
    const first = await call("PUT", "/api/roles/archivist", { name: "First" }, ifMatch);
    expect(first.status).toBe(200);
    expect(first.headers.get("etag")).toBe(`"${first.body.role.etag}"`);
    await refused("version_mismatch", call("PUT", "/api/roles/archivist", { name: "Second" }, ifMatch));
    await refused("version_mismatch", call("DELETE", "/api/roles/archivist", undefined, ifMatch));
    expect(await role("archivist")).toEqual(first.body.role);
  });

  it("by many at once loses none of the changes", async () => {
    const { call, addRole, role, json } = await startWorkspace();
    await addRole(WHOLE);
    const fields = [{ name: "N" }, { emoji: "🦉" }, { description: "D" }, { specialty: ["s"] }, { skills: ["read"] }];
    await Promise.all(fields.map((field) => wanted(200, call("PUT", "/api/roles/archivist", field))));
    expect(await role("archivist")).toMatchObject({ ...Object.assign({}, ...fields), version: 6 });
    expect(json("ROLES.json").roles).toHaveLength(1);
  });
});

describe("deleting a role", () => {
  it("answers success and leaves nothing of it [S0-API-05]", async () => {
    const { call, addRole, json } = await startWorkspace();
    await addRole(WHOLE);
    await addRole({ name: "Other" });
    expect(await wanted(200, call("DELETE", "/api/roles/archivist"))).toEqual({ success: true });
    await refused("role_not_found", call("GET", "/api/roles/archivist"));
    await refused("role_not_found", call("PUT", "/api/roles/archivist", { name: "x" }));
    await refused("role_not_found", call("DELETE", "/api/roles/archivist"));
    expect(json("ROLES.json").roles.map((role: { id: string }) => role.id)).toEqual(["other"]);
    await addRole(WHOLE);
  });

  it("is refused while projects have it, and names them [S0-ROLE-17 S0-API-05]", async () => {
    const { call, addRole, addProject, assign, role } = await startWorkspace();
    const made = await addRole(WHOLE);
    for (const id of ["mill", "forge", "well"]) await addProject({ id, name: id });
    const [mill, forge] = [await assign("mill", "archivist"), await assign("forge", { roleId: "archivist" })];
    const error = await refused("role_assigned", call("DELETE", "/api/roles/archivist"));
    expect(error.message).toContain("mill");
    expect(error.message).toContain("forge");
    expect(error.message).not.toContain("well");
    expect(await role("archivist")).toEqual(made);
    await wanted(200, call("PUT", `/api/projects/forge/team/${forge.id}`, { status: "paused" }));
    await wanted(200, call("DELETE", `/api/projects/mill/team/${mill.id}`));
    expect((await refused("role_assigned", call("DELETE", "/api/roles/archivist"))).message).not.toContain("mill");
    await wanted(200, call("DELETE", `/api/projects/forge/team/${forge.id}`));
    await wanted(200, call("DELETE", "/api/roles/archivist"));
  });

  it("is refused while a project that has it cannot be read [S0-ROLE-17]", async () => {
    const workspace = await startWorkspace();
    await workspace.addRole(WHOLE);
    await workspace.addRole({ name: "Free" });
    await workspace.addProject({ id: "mill", name: "Mill" });
    await workspace.assign("mill", "archivist");
    const again = await workspace.restart(() => workspace.edit("projects/mill/PROJECT.json", '"team": [', '"team": '));
    expect((await refused("role_assigned", again.call("DELETE", "/api/roles/archivist"))).message).toContain("mill");
    await wanted(200, again.call("DELETE", "/api/roles/free"));
  });
});
