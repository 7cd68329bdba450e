import { describe, expect, it } from "vitest";
import type { RoleCreate, StoredRole } from "../../contract/documents/role.ts";
import { HallError } from "../../contract/errors.ts";
import { changedRole, newRole, roleIdFrom, templateOf } from "./role-rules.ts";

const AT = "2026-01-01T00:00:00Z";
const LATER = "2026-02-01T00:00:00Z";

function made(body: RoleCreate, template?: string): StoredRole {
  const base = template === undefined ? undefined : templateOf(template);
  return newRole(body, { id: "r", base, at: AT, request: undefined });
}

describe("a new role", () => {
  it("takes over from its template what it does not say itself", () => {
    const role = made({ name: "Mine", modelConfig: { timeout: 1 } }, "coder");
    const base = templateOf("coder");
    expect(role).toEqual({
      ...base,
      id: "r",
      name: "Mine",
      modelConfig: { ...base.modelConfig, timeout: 1 },
      createdAt: AT,
      updatedAt: AT,
    });
  });

  it("asks for the variables of its own prompt, each once, unless they are named", () => {
    const systemPromptTemplate = "{{a}} {{b_1}} {{a}} {{ c }} {{1d}} {e} {{}} {{{f}}}";
    expect(made({ name: "x", systemPromptTemplate }).variables).toEqual(["a", "b_1", "f"]);
    expect(made({ name: "x", systemPromptTemplate, variables: [] }).variables).toEqual([]);
    expect(made({ systemPromptTemplate: "{{a}}" }, "coder").variables).toEqual(["a"]);
  });

  it("is refused when its prompt uses more variables than a role can have", () => {
    const systemPromptTemplate = Array.from({ length: 51 }, (_, at) => `{{v${at}}}`).join(" ");
    expect(() => made({ name: "x", systemPromptTemplate })).toThrow(/^variables: /);
    expect(() => made({ name: "x", systemPromptTemplate })).toThrow(HallError);
  });

  it("has an id that is allowed, or none", () => {
    expect(roleIdFrom("Night Watch")).toBe("night-watch");
    for (const name of ["", "🚀", "CON", "Templates", "suggestions"]) expect(roleIdFrom(name)).toBeUndefined();
  });
});

describe("a changed role", () => {
  const before: StoredRole = {
    ...made({ name: "x", modelConfig: { temperature: 1, maxTokens: 9 } }),
    request: "key",
    note: 1,
  };

  it("has the next version and a new date, and keeps what nobody named", () => {
    const { request, ...kept } = before;
    const after = changedRole(before, { emoji: "🦉", modelConfig: { timeout: 5 } }, LATER);
    const modelConfig = { ...before.modelConfig, timeout: 5 };
    expect(after).toEqual({ ...kept, emoji: "🦉", modelConfig, version: 2, updatedAt: LATER });
  });

  it("is none where nothing changes", () => {
    expect(changedRole(before, {}, LATER)).toBeUndefined();
    expect(changedRole(before, { name: "x", skills: [], modelConfig: { temperature: 1 } }, LATER)).toBeUndefined();
  });

  it("loses a setting that is null", () => {
    const after = changedRole(before, { modelConfig: { temperature: null } }, LATER);
    expect(after?.modelConfig).toEqual({ model: "default", thinking: "medium", timeout: 300, maxTokens: 9 });
  });
});
