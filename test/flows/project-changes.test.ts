import { describe, expect, it } from "vitest";
import { refused, startWorkspace, type Workspace, wanted } from "../harness/workspace.ts";

const CONFIG = {
  techStack: { languages: ["TypeScript"], frameworks: ["Hono"], tools: ["SQLite", "git"] },
  goals: ["Grind grain", "Stay quiet"],
  scope: { in: ["wheels"], out: ["sails"] },
  constraints: {
    maxTokensPerTask: 50_000,
    defaultTimeout: 900,
    requireReview: true,
    allowedEnvironments: ["staging", "test"],
  },
  repoUrl: "https://example.com/mill.git",
  branch: "main",
  envFiles: [".env", "config/.env.local"],
};

const put = ({ call }: Workspace, body: object, headers = {}) => call("PUT", "/api/projects/mill", body, headers);

describe("changing a project", () => {
  it("changes only what is named, down into its configuration [S0-API-10]", async () => {
    const workspace = await startWorkspace();
    const before = await workspace.addProject({ id: "mill", name: "Mill", description: "Old", config: CONFIG });
    const change = {
      description: "New",
      config: { scope: { out: ["noise"] }, constraints: { requireReview: false }, branch: "next" },
    };
    const answer = await wanted(200, put(workspace, change));
    expect(answer).toEqual({
      success: true,
      project: {
        ...before,
        description: "New",
        config: {
          ...CONFIG,
          scope: { in: ["wheels"], out: ["noise"] },
          constraints: { ...CONFIG.constraints, requireReview: false },
          branch: "next",
        },
        requiresReview: false,
        updatedAt: expect.any(String),
        etag: expect.any(String),
      },
    });
    expect(answer.project.etag).not.toBe(before.etag);
    expect(await workspace.project("mill")).toMatchObject(answer.project);
  });

  it("takes optional settings away with null", async () => {
    const workspace = await startWorkspace();
    await workspace.addProject({ id: "mill", name: "Mill", config: CONFIG, model: "a/b", workdir: "/srv" });
    const nothing = { maxTokensPerTask: null, defaultTimeout: null, requireReview: null, allowedEnvironments: null };
    const config = { constraints: nothing, repoUrl: null, branch: null, envFiles: null };
    const { project } = await wanted(200, put(workspace, { config, model: null, workdir: null }));
    const { repoUrl, branch, envFiles, ...rest } = CONFIG;
    expect(project.config).toEqual({ ...rest, constraints: {} });
    expect(Object.keys(project)).not.toContain("model");
    expect(Object.keys(project)).not.toContain("workdir");
  });

  it("takes techStack and goals at the top as well", async () => {
    const workspace = await startWorkspace();
    await workspace.addProject({ id: "mill", name: "Mill", config: CONFIG });
    const { project } = await wanted(200, put(workspace, { techStack: { tools: ["make"] }, goals: [] }));
    expect(project.config.techStack).toEqual({ ...CONFIG.techStack, tools: ["make"] });
    expect(project.config.goals).toEqual([]);
  });

  it("works with the whole project as it was read before", async () => {
    const workspace = await startWorkspace();
    await workspace.addRole({ template: "coder" });
    await workspace.addProject({ id: "mill", name: "Mill", config: CONFIG });
    await workspace.assign("mill", "coder");
    const read = await workspace.project("mill");
    const { project } = await wanted(200, put(workspace, { ...read, name: "Windmill" }));
    expect(project).toMatchObject({ name: "Windmill", team: read.team, config: read.config });
    const again = await wanted(200, put(workspace, await workspace.project("mill")));
    expect(again.project).toEqual(project);
    for (const field of [{ id: "x" }, { team: [] }, { createdAt: "2020-01-01T00:00:00Z" }, { paths: {} }]) {
      const error = await refused("invalid", put(workspace, field));
      expect(error.message).toMatch(/cannot be changed/);
    }
  });

  it("on an outdated copy is refused with 412 and changes nothing", async () => {
    const workspace = await startWorkspace();
    const { etag } = await workspace.addProject({ id: "mill", name: "Mill" });
    const ifMatch = { "if-match": `"${etag}"` };
    const first = await put(workspace, { name: "First" }, ifMatch);
    expect(first.headers.get("etag")).toBe(`"${first.body.project.etag}"`);
    await refused("version_mismatch", put(workspace, { name: "Second" }, ifMatch));
    for (const path of ["/api/projects/mill", "/api/projects/mill?purge=true"]) {
      await refused("version_mismatch", workspace.call("DELETE", path, undefined, ifMatch));
    }
    await refused(
      "version_mismatch",
      workspace.call("POST", "/api/projects/mill/move", { status: "suspended" }, ifMatch),
    );
    expect(await workspace.project("mill")).toMatchObject({ name: "First", status: "active" });
  });

  it("by many at once loses none of the changes", async () => {
    const workspace = await startWorkspace();
    await workspace.addProject({ id: "mill", name: "Mill" });
    const fields = [{ name: "N" }, { description: "D" }, { goals: ["g"] }, { model: "a/b" }, { workdir: "/w" }];
    await Promise.all(fields.map((field) => wanted(200, put(workspace, field))));
    const expected = { name: "N", description: "D", model: "a/b", workdir: "/w" };
    expect(await workspace.project("mill")).toMatchObject({ ...expected, config: { goals: ["g"] } });
    expect(workspace.json("projects/mill/PROJECT.json")).toMatchObject(expected);
  });
});
