import { describe, expect, it } from "vitest";
import { Role } from "../../contract/documents/role.ts";
import { suggestRoles } from "./role-match.ts";

const AT = "2026-01-01T00:00:00Z";

function role(id: string, fields: Partial<Role> = {}): Role {
  return Role.parse({ id, name: id, createdAt: AT, updatedAt: AT, version: 1, ...fields });
}

const specialist = (...specialty: string[]) => role("r", { name: "X", specialty });
const fits = (keyword: string, text: string) => suggestRoles([specialist(keyword)], text, 5).length > 0;

describe("a role fits a text", () => {
  it.each([
    ["typescript", "Port it to TypeScript."],
    ["testing", "add tests"],
    ["testing", "it was tested"],
    ["review", "reviewing and reviewers"],
    ["databases", "a database"],
    ["code", "coding"],
    ["user", "users"],
    ["docs", "a doc"],
    ["c++", "fast C++ code"],
    ["c#", "in C#."],
    ["node.js", "Use Node.js!"],
    ["ci-cd", "CI and CD"],
    ["überprüfung", "eine ÜBERPRÜFUNG"],
    ["設計", "設計 を"],
  ])("by its keyword %s: %s", (keyword, text) => {
    expect(fits(keyword, text)).toBe(true);
  });

  it.each([
    ["c++", "C# only"],
    ["ui", "quit"],
    ["python", "pythonic snakes"],
    ["the", "the and of"],
    ["🚀", "anything at all"],
    ["&&", "a && b"],
  ])("not by its keyword %s: %s", (keyword, text) => {
    expect(fits(keyword, text)).toBe(false);
  });

  it("better by a whole keyword than by a part of one, and by more of them", () => {
    const roles = [role("part", { specialty: ["code-review"] }), role("one", { specialty: ["review"] })];
    const both = [...roles, role("two", { specialty: ["review", "plan"] })];
    expect(suggestRoles(both, "plan a review", 5).map((found) => found.roleId)).toEqual(["two", "one", "part"]);
  });

  it("better by its specialty than by its name, and by its name than by its description", () => {
    const roles = [
      role("c-described", { name: "X", description: "knows docker" }),
      role("b-named", { name: "Docker" }),
      role("a-special", { name: "X", specialty: ["docker"] }),
    ];
    const found = suggestRoles(roles, "docker", 5);
    expect(found.map(({ roleId }) => roleId)).toEqual(["a-special", "b-named", "c-described"]);
    expect(found.map(({ matched }) => matched)).toEqual([["docker"], [], []]);
    expect(found.every((each, at) => at === 0 || each.score < Number(found[at - 1]?.score))).toBe(true);
  });
});

describe("suggestions", () => {
  it("name the keywords that fit, whole ones first", () => {
    const [found] = suggestRoles([specialist("code-review", "python")], "review python", 5);
    expect(found?.matched).toEqual(["python", "code-review"]);
  });

  it("are ordered by id where they fit alike, and cut to the number asked for", () => {
    const roles = ["c", "a", "b"].map((id) => role(id, { name: "X", specialty: ["css"] }));
    expect(suggestRoles(roles, "css", 2).map((found) => found.roleId)).toEqual(["a", "b"]);
  });

  it("are none for a text that says nothing", () => {
    expect(suggestRoles([specialist("css")], "", 5)).toEqual([]);
    expect(suggestRoles([specialist("css")], "... !!!", 5)).toEqual([]);
    expect(suggestRoles([], "css", 5)).toEqual([]);
  });
});
