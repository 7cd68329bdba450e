import { describe, expect, it } from "vitest";
import { ProjectCreate } from "../../contract/documents/project.ts";
import { invalidRow, lastKnown } from "./invalid-project.ts";
import {
  editProjectFrontmatter,
  type ProjectReading,
  readProject,
  renderProjectJson,
  type Shared,
} from "./project-file.ts";
import { newProject, withStatus } from "./project-rules.ts";

const AT = "2026-01-01T00:00:00Z";
const PROJECT = newProject("mill", ProjectCreate.parse({ name: "The Mill", model: "a/b" }), AT);
const KNOWN: Shared = { status: "active", model: "a/b", workdir: undefined };

const page = (fields: object = {}, title = "# From the page") => {
  const front = { name: "mill", status: "active", model: "a/b", created: AT, ...fields };
  const lines = Object.entries(front).map(([key, value]) => `${key}: ${value}\n`);
  return `---\n${lines.join("")}---\n${title}\n`;
};
const data = (fields: object = {}) => JSON.stringify({ ...JSON.parse(renderProjectJson(PROJECT)), ...fields }, null, 2);

function read(
  markdown: string | undefined,
  json: string | undefined,
  known: Shared | undefined = KNOWN,
): ProjectReading {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  return readProject("mill", { markdown: bytes(markdown), json: bytes(json) }, known);
}

function projectOf(reading: ProjectReading) {
  if (!reading.ok) throw new Error(reading.reason);
  return reading.project;
}

describe("a project of two files that disagree", () => {
  it.each([
    ["PROJECT.md was changed", { status: "suspended" }, {}, KNOWN, "suspended"],
    ["PROJECT.json was changed", {}, { status: "suspended" }, KNOWN, "suspended"],
    ["both were changed alike", { status: "completed" }, { status: "completed" }, KNOWN, "completed"],
    ["both were changed", { status: "completed" }, { status: "suspended" }, KNOWN, "completed"],
    ["nothing is known", { status: "completed" }, { status: "suspended" }, undefined, "completed"],
  ] as const)("has the status that counts when %s", (_, front, json, known, status) => {
    expect(projectOf(read(page(front), data(json), known)).status).toBe(status);
  });

  it("takes each field by itself", () => {
    const project = projectOf(read(page({ status: "suspended" }), data({ model: "c/d", workdir: "/srv" })));
    expect(project).toMatchObject({ status: "suspended", model: "c/d", workdir: "/srv" });
  });

  it("can have a field taken away in either of them", () => {
    expect(projectOf(read(page({ model: "null" }), data()))).not.toHaveProperty("model");
    expect(projectOf(read(page(), data({ model: null })))).not.toHaveProperty("model");
  });
});

describe("a project of one file", () => {
  it("is read from PROJECT.json alone", () => {
    expect(projectOf(read(undefined, data()))).toMatchObject({ name: "The Mill", model: "a/b", createdAt: AT });
  });

  it("is read from PROJECT.md alone, with its heading for a name where it can be one", () => {
    expect(projectOf(read(page(), undefined))).toMatchObject({ id: "mill", name: "From the page", createdAt: AT });
    expect(projectOf(read(page({}, "no heading"), undefined)).name).toBe("mill");
    expect(projectOf(read(page({}, `# ${"x".repeat(121)}`), undefined)).name).toBe("mill");
  });

  it("is none without any", () => {
    expect(read(undefined, undefined)).toMatchObject({ ok: false, reason: "the file is missing" });
  });
});

describe("a project that cannot be read", () => {
  it.each([
    ["another id", page(), data({ id: "well" }), "PROJECT.json", 2, /'well'.*'mill'/],
    ["a wrong date", page(), data({ createdAt: "yesterday" }), "PROJECT.json", 29, /createdAt/],
    [
      "two assignments of one id",
      page(),
      data({ team: [assignment("x"), assignment("y"), assignment("x")] }),
      "PROJECT.json",
      46,
      /team\.2\.id.*duplicated/,
    ],
    [
      "an assignment without a role",
      page(),
      data({ team: [{ ...assignment("x"), roleId: undefined }] }),
      "PROJECT.json",
      29,
      /team\.0\.roleId: is required/,
    ],
    ["a relative workdir", page({ workdir: "code" }), data(), "PROJECT.md", 6, /workdir.*absolute/],
    ["another name", page({ name: "well" }), data(), "PROJECT.md", 2, /'well'.*'mill'/],
    ["no fence", "# Mill", data(), "PROJECT.md", 1, /./],
  ])("has %s, at a file and a line", (_, markdown, json, file, line, reason) => {
    expect(read(markdown, json)).toMatchObject({
      ok: false,
      file: `projects/mill/${file}`,
      line,
      reason: expect.stringMatching(reason),
    });
  });

  it("keeps in its row what was last known of the fields both files carry", () => {
    const active = { ...PROJECT, etag: "e" };
    const row = invalidRow("mill", lastKnown(active));
    expect(row).toMatchObject({ id: "mill", name: "mill", status: "invalid", lastStatus: "active", team: [] });
    expect(lastKnown(row)).toEqual(KNOWN);
    expect(lastKnown(invalidRow("mill", lastKnown(row)))).toEqual(KNOWN);
    expect(lastKnown(invalidRow("mill", undefined))).toBeUndefined();
    expect(lastKnown(undefined)).toBeUndefined();
  });
});

describe("PROJECT.json", () => {
  it("keeps unknown keys in their place, in the team as well", () => {
    const project = { ...PROJECT, team: [assignment("x"), assignment("y")] };
    const kept = {
      first: 1,
      id: "mill",
      middle: { deep: [] },
      team: [{ id: "y", note: "hm", skills: ["old"] }],
      last: null,
    };
    const text = renderProjectJson(project, kept);
    const written = JSON.parse(text);
    expect(Object.keys(written).slice(0, 3)).toEqual(["first", "id", "middle"]);
    expect(written).toMatchObject({ first: 1, middle: { deep: [] }, last: null, name: "The Mill", workdir: null });
    expect(written.team).toEqual([assignment("x"), { ...assignment("y"), note: "hm" }]);
    expect(text.endsWith("}\n")).toBe(true);
  });

  it("is written the same again from what was read", () => {
    const reading = read(page(), data({ extra: [1] }));
    if (!reading.ok) throw new Error(reading.reason);
    const { etag, ...project } = reading.project;
    expect(renderProjectJson(project, reading.kept)).toBe(`${data({ extra: [1] })}\n`);
  });
});

describe("the frontmatter of PROJECT.md", () => {
  it("follows the project and keeps comments, other keys and the body", () => {
    const text =
      "---\n# mine\nname: mill # id\nmood: fine\nstatus: 'active'\nmodel: a/b\ncreated: 2026-01-01\n---\n\nBody\n---\n";
    const suspended = withStatus(PROJECT, "suspended", "2026-02-01T00:00:00Z");
    expect(editProjectFrontmatter(text, suspended)).toBe(
      "---\n# mine\nname: mill # id\nmood: fine\nstatus: suspended\nmodel: a/b\ncreated: 2026-01-01\nworkdir: null\n" +
        "suspended: 2026-02-01T00:00:00Z\ncompleted: null\n---\n\nBody\n---\n",
    );
  });
});

function assignment(id: string) {
  return {
    id,
    roleId: "coder",
    projectId: "mill",
    status: "active" as const,
    mode: "auto" as const,
    assignedAt: AT,
  };
}
