import { describe, expect, it } from "vitest";
import { refused, type Seen, startWorkspace, wanted } from "../harness/workspace.ts";

const NAMES = [
  "Ada Lovelace",
  "🚀🧪",
  "🇫🇷",
  "פרויקט",
  "โครงการ",
  "İstanbul straße",
  "a\u200db",
  `"quoted" 'name'`,
  "`id`",
  "<b>x</b>",
  "A | B",
  "x'); DROP TABLE roles;--",
  "__proto__",
  "toString",
  "--help",
  "..",
  "a\\b",
  "true",
  "x".repeat(120),
];

const REFUSED_NAMES = {
  "no name": "",
  "only blanks": "   ",
  "two lines": "a\nb",
  "a line separator": "a\u2028b",
  "half a character": "\ud800",
  "a right-to-left override": "a\u202eb",
  "a bidi isolate": "a\u2066b\u2069",
  "a byte order mark inside": "a\ufeffb",
  "a noncharacter": "a\uffff",
  "121 characters": "x".repeat(121),
};

describe("the name of a role", () => {
  it("comes back as it was given, over HTTP and in ROLES.json, and is found", async () => {
    const workspace = await startWorkspace();
    const { call, addRole, json } = workspace;
    await addRole({ id: "other", name: "Other" });
    for (const [position, name] of NAMES.entries()) {
      const id = `role-${position}`;
      expect((await addRole({ id, name })).name).toBe(name);
      expect((await workspace.role(id)).name).toBe(name);
      const { roles } = await wanted(200, call("GET", `/api/roles?q=${encodeURIComponent(name)}`));
      expect(
        roles.map((role) => role.id),
        name,
      ).toContain(id);
      expect((await wanted(200, call("PUT", "/api/roles/other", { name }))).role.name).toBe(name);
    }
    const stored = json("ROLES.json").roles.map((role: Seen) => role.name);
    expect(stored).toEqual([NAMES.at(-1), ...NAMES]);
    const again = await workspace.restart();
    expect((await again.role("role-1")).name).toBe(NAMES[1]);
  });

  it("must be one line of text that shows what it is", async () => {
    const { call, json } = await startWorkspace();
    for (const [what, name] of Object.entries(REFUSED_NAMES)) {
      const error = await refused("invalid", call("POST", "/api/roles", { id: "r", name }));
      expect(error.message, what).toMatch(/^name: /);
    }
    expect(json("ROLES.json")).toEqual({ roles: [] });
  });

  it("gives the id where none is given: lower case, without accents and marks", async () => {
    const { addRole } = await startWorkspace();
    const ids = { "Über Größe!": "uber-grosse", "  C++ / C#  ": "c-c", Ａｌｐｈａ: "alpha", "a__b--c": "a-b-c" };
    for (const [name, id] of Object.entries(ids)) expect((await addRole({ name })).id).toBe(id);
  });

  it("gives no id where none can be made of it, or only one that is reserved", async () => {
    const { call, json } = await startWorkspace();
    for (const name of ["🚀", "פרויקט", "CON", "Templates", "suggestions"]) {
      const error = await refused("invalid", call("POST", "/api/roles", { name }));
      expect(error.message, name).toMatch(/^id: is required/);
    }
    expect(json("ROLES.json")).toEqual({ roles: [] });
  });
});

describe("a role is refused", () => {
  const wrong: [string, object, RegExp][] = [
    ["an id with blanks", { id: "Bad Id" }, /^id: /],
    ["an id that climbs", { id: "../up" }, /^id: /],
    ["an id that Windows keeps for itself", { id: "con" }, /^id: .*reserved/],
    ["the id of a path beside the roles", { id: "templates" }, /^id: .*reserved/],
    ["an id of 65 characters", { id: "a".repeat(65) }, /^id: /],
    ["no time at all", { modelConfig: { timeout: 0 } }, /^modelConfig\.timeout: /],
    ["half a second", { modelConfig: { timeout: 0.5 } }, /^modelConfig\.timeout: /],
    ["more than a day", { modelConfig: { timeout: 86_401 } }, /^modelConfig\.timeout: /],
    ["a model with blanks", { modelConfig: { model: "my model" } }, /^modelConfig\.model: /],
    ["a temperature of 3", { modelConfig: { temperature: 3 } }, /^modelConfig\.temperature: /],
    ["no tokens", { modelConfig: { maxTokens: 0 } }, /^modelConfig\.maxTokens: /],
    ["a setting nobody knows", { modelConfig: { topP: 1 } }, /topP/],
    ["every skill at once", { skills: ["*"] }, /^skills/],
    ["skills as text", { skills: "exec" }, /^skills: /],
    ["a variable with blanks", { variables: ["work dir"] }, /^variables/],
    ["a specialty of two lines", { specialty: ["a\nb"] }, /^specialty/],
    ["a prompt of 100,001 characters", { systemPromptTemplate: "x".repeat(100_001) }, /^systemPromptTemplate: /],
    ["a field nobody knows", { sandbox: false }, /sandbox/],
    ["a version of its own", { version: 7 }, /version/],
    ["a birthday of its own", { createdAt: "2020-01-01T00:00:00Z" }, /createdAt/],
  ];

  it("when one of its fields cannot be, and the answer names the field", async () => {
    const { call, json } = await startWorkspace();
    for (const [what, field, message] of wrong) {
      const error = await refused("invalid", call("POST", "/api/roles", { id: "r", name: "R", ...field }));
      expect(error.message, what).toMatch(message);
    }
    expect(json("ROLES.json")).toEqual({ roles: [] });
  });

  it("when it has neither a name nor a template", async () => {
    const { call } = await startWorkspace();
    expect((await refused("invalid", call("POST", "/api/roles", { emoji: "🦉" }))).message).toMatch(/^name: /);
  });
});
