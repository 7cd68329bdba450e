import { describe, expect, it } from "vitest";
import { StoredRole } from "../../contract/documents/role.ts";
import { type RolesFile, readRoles, renderRoles, toRole } from "./role-file.ts";

const AT = "2026-01-01T00:00:00Z";
const role = (id: string, fields: object = {}) => ({
  id,
  name: id,
  createdAt: AT,
  updatedAt: AT,
  version: 1,
  ...fields,
});
const stored = (id: string, fields: object = {}) => StoredRole.parse(role(id, fields));

function reading(document: unknown) {
  return readRoles(Buffer.from(typeof document === "string" ? document : JSON.stringify(document, null, 2)));
}

function fileOf(document: unknown): RolesFile {
  const outcome = reading(document);
  if (!outcome.ok) throw new Error(outcome.problem.reason);
  return outcome.file;
}

describe("reading ROLES.json", () => {
  it("finds no roles where there is no file", () => {
    expect(readRoles(undefined)).toMatchObject({ ok: true, file: { entries: [], problems: [] } });
  });

  it("fills in what a role may leave out, and keeps what it has beside", () => {
    const file = fileOf({ roles: [role("a", { "x-note": 1 })] });
    expect(file.roles.get("a")).toMatchObject({
      emoji: "🤖",
      modelConfig: { model: "default", thinking: "medium", timeout: 300 },
      skills: [],
      "x-note": 1,
    });
    expect(file.problems).toEqual([]);
  });

  it.each([
    ["null", 1],
    ["[]", 1],
    ['{"roles": {}}', 1],
    ['{\n"roles": [\n}', 3],
  ])("as a whole is refused for %j", (text, line) => {
    expect(reading(text)).toMatchObject({ ok: false, problem: { file: "ROLES.json", line, kind: "roles" } });
  });

  it("tells of each entry that is no role, by line, and reads the others", () => {
    const text = `{ "roles": [
      { "id": "no-dates", "name": "x" },
      ${JSON.stringify(role("good"))},
      "words",
      ${JSON.stringify(role("bad", { version: 0 }))},
      ${JSON.stringify(role("good", { name: "again" }))},
      { "id": "../x" }
    ] }`;
    const file = fileOf(text);
    expect([...file.roles.keys()]).toEqual(["good"]);
    expect(file.roles.get("good")?.name).toBe("good");
    expect(file.problems.map(({ id, line }) => [id, line])).toEqual([
      ["no-dates", 2],
      ["#3", 1],
      ["bad", 5],
      ["good", 6],
      ["#6", 7],
    ]);
    for (const problem of file.problems) expect(problem.reason).toMatch(new RegExp(`^role ${problem.id}: `));
  });
});

describe("writing ROLES.json", () => {
  const document = {
    version: 3,
    roles: [role("a"), 7, role("b", { name: "first" }), role("b", { name: "second" })],
    end: 1,
  };
  const written = (id: string, next: StoredRole | undefined) => JSON.parse(renderRoles(fileOf(document), id, next));

  it("puts a changed role in its place and leaves every other entry, even one of the same id", () => {
    const { roles, ...rest } = written("b", stored("b", { name: "changed" }));
    expect(rest).toEqual({ version: 3, end: 1 });
    expect(roles).toEqual([document.roles[0], 7, stored("b", { name: "changed" }), document.roles[3]]);
  });

  it("puts a new role at the end", () => {
    expect(written("c", stored("c")).roles).toEqual([...document.roles, stored("c")]);
  });

  it("takes one role away", () => {
    expect(written("a", undefined).roles).toEqual(document.roles.slice(1));
    expect(written("nobody", undefined).roles).toEqual(document.roles);
  });

  it("gives what is read again as the same", () => {
    const text = renderRoles(fileOf(document), "c", stored("c"));
    expect(renderRoles(fileOf(text), "c", stored("c"))).toBe(text);
    expect(text.endsWith("}\n")).toBe(true);
  });
});

describe("a role as clients see it", () => {
  it("has no keys of the file's own, but another etag when they change", () => {
    const plain = toRole(stored("a"));
    const noted = toRole(stored("a", { "x-note": 1, request: "key" }));
    expect(Object.keys(noted)).toEqual(Object.keys(plain));
    expect(noted.etag).not.toBe(plain.etag);
  });

  it("has the etag of its content, however its keys are ordered", () => {
    const { id, name, ...rest } = role("a");
    expect(toRole(StoredRole.parse({ ...rest, name, id })).etag).toBe(toRole(stored("a")).etag);
  });
});
