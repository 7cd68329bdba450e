import { describe, expect, it } from "vitest";
import { refused, startWorkspace, wanted } from "../harness/workspace.ts";

const NAMES = [
  "Two words",
  "🚀 Rocket",
  "🇫🇷🧪",
  "פרויקט",
  "مشروع ١",
  "โครงการ",
  `"quoted" 'name'`,
  "# heading",
  "- item: value",
  "--- ",
  "{{name}} $& $1",
  "`id` *bold* _it_ [x](y)",
  "<script>alert(1)</script>",
  "A | B",
  "'; DROP TABLE projects;--",
  "null",
  "12",
  "x".repeat(120),
];

describe("the name of a project", () => {
  it("comes back as it was given, from the API, PROJECT.json and PROJECT.md", async () => {
    const workspace = await startWorkspace();
    for (const [position, given] of NAMES.entries()) {
      const [id, name] = [`p${position}`, given.trim()];
      expect((await workspace.addProject({ id, name: given })).name).toBe(name);
      expect((await workspace.project(id)).name).toBe(name);
      expect(workspace.json(`projects/${id}/PROJECT.json`).name).toBe(name);
      expect(workspace.text(`projects/${id}/PROJECT.md`)).toContain(`\n# ${name}\n`);
      const query = encodeURIComponent(name);
      const { projects } = await wanted(200, workspace.call("GET", `/api/projects?q=${query}`));
      expect(projects.map((project) => project.id)).toContain(id);
    }
    const again = await workspace.restart();
    const { projects } = await wanted(200, again.call("GET", "/api/projects"));
    expect(projects.map((project) => project.name).sort()).toEqual(NAMES.map((name) => name.trim()).sort());
    expect((await wanted(200, again.call("GET", "/api/problems"))).problems).toEqual([]);
  });

  it("can be changed into any other", async () => {
    const workspace = await startWorkspace();
    await workspace.addProject({ id: "mill", name: "Mill" });
    for (const name of NAMES.map((each) => each.trim())) {
      await wanted(200, workspace.call("PUT", "/api/projects/mill", { name }));
      expect(workspace.text("projects/mill/PROJECT.md")).toContain(`\n# ${name}\n`);
    }
    expect(workspace.text("projects/mill/PROJECT.md").match(/^# /gm)).toHaveLength(1);
    expect((await (await workspace.restart()).project("mill")).name).toBe("x".repeat(120));
  });

  it("gives the id where none is given; one that gives none is numbered [S0-PROJ-01]", async () => {
    const { addProject } = await startWorkspace();
    const ids: [string, string][] = [
      ["Café  Größe (2)", "cafe-grosse-2"],
      ["__Private__", "private"],
      ["🚀", "project-1"],
      ["פרויקט", "project-2"],
      ["CON", "project-3"],
      ["x".repeat(100), "x".repeat(48)],
    ];
    for (const [name, id] of ids) expect((await addProject({ name })).id).toBe(id);
  });

  it("may come twice only with another id", async () => {
    const { call, addProject } = await startWorkspace();
    await addProject({ name: "Alpha Centauri" });
    const error = await refused("already_exists", call("POST", "/api/projects", { name: "alpha centauri" }));
    expect(error.message).toContain("'alpha-centauri' (Alpha Centauri)");
    await addProject({ id: "alpha-2", name: "Alpha Centauri" });
  });

  it("gives each of several projects made at once its own number, and one of them a contested id", async () => {
    const { call, names } = await startWorkspace();
    const numbered = await Promise.all(["🚀", "🧪", "🦉"].map((name) => call("POST", "/api/projects", { name })));
    expect(numbered.map((answer) => answer.body.project?.id).sort()).toEqual(["project-1", "project-2", "project-3"]);
    const same = await Promise.all(
      [1, 2, 3].map((n) => call("POST", "/api/projects", { id: "one", name: `No. ${n}` })),
    );
    expect(same.map((answer) => answer.status).sort()).toEqual([201, 409, 409]);
    expect(names("projects")).toEqual(["one", "project-1", "project-2", "project-3"]);
  });
});

describe("a project is refused", () => {
  const wrong: [string, object, RegExp][] = [
    ["no name", { name: undefined }, /^name: /],
    ["an empty name", { name: "  " }, /^name: /],
    ["a name of two lines", { name: "a\nb" }, /^name: /],
    ["a name in disguise", { name: "a\u202eb" }, /^name: /],
    ["half a character", { name: "\ud800" }, /^name: /],
    ["a name of 121 characters", { name: "x".repeat(121) }, /^name: /],
    ["a name that is a number", { name: 7 }, /^name: /],
    ["an id that climbs", { id: "../mill" }, /^id: /],
    ["an id that is a path", { id: "a/b" }, /^id: /],
    ["an id with capitals", { id: "Mill" }, /^id: /],
    ["an id that Windows keeps for itself", { id: "nul" }, /^id: /],
    ["an id that is hidden", { id: ".mill" }, /^id: /],
    ["an id of 65 characters", { id: "a".repeat(65) }, /^id: /],
    ["a relative workdir", { workdir: "code/mill" }, /^workdir: .*absolute/],
    ["an empty goal", { goals: [""] }, /^goals/],
    ["a language that is no text", { techStack: { languages: [1] } }, /^techStack\.languages/],
    ["no time for a run", { config: { constraints: { defaultTimeout: 0 } } }, /^config\.constraints\.defaultTimeout: /],
    [
      "half a token",
      { config: { constraints: { maxTokensPerTask: 0.5 } } },
      /^config\.constraints\.maxTokensPerTask: /,
    ],
    ["a review that is a word", { config: { constraints: { requireReview: "yes" } } }, /requireReview: /],
    ["a setting nobody knows", { config: { budget: 1 } }, /budget/],
    ["a status of its own", { status: "archived" }, /status/],
    ["a description with NUL", { description: "a\0b" }, /^description: /],
  ];

  it("when one of its fields cannot be, and the answer names the field", async () => {
    const { call, names } = await startWorkspace();
    for (const [what, field, message] of wrong) {
      const error = await refused("invalid", call("POST", "/api/projects", { id: "mill", name: "Mill", ...field }));
      expect(error.message, what).toMatch(message);
    }
    expect(names("projects")).toEqual([]);
  });

  it("when its folder is there already, whatever is in it", async () => {
    const { call, write, text, names } = await startWorkspace();
    write("projects/mill/diary.txt", "mine");
    const error = await refused("already_exists", call("POST", "/api/projects", { id: "mill", name: "Mill" }));
    expect(error.message).toContain("projects/mill");
    expect(text("projects/mill/diary.txt")).toBe("mine");
    expect(names("projects/mill")).toEqual(["diary.txt"]);
  });
});
