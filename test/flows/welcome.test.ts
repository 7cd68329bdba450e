import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";

const KEY = "sk-ant-a-key-that-nobody-may-see";

/** A folder of code: a repository of TypeScript. */
function codeFolder(name = "Web Shop"): string {
  const folder = join(temporaryFolder(), name);
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, "src", "pages"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"devDependencies": {"typescript": "7"}}');
  return folder;
}

describe("a person who begins", () => {
  it("is told what is at hand: the folder, keys that were found, programs of agents, the model", async () => {
    const folder = codeFolder();
    const bin = temporaryFolder();
    for (const name of ["codex", "gemini"]) writeFileSync(join(bin, name), "#!/bin/sh\n");
    chmodSync(join(bin, "codex"), 0o755);
    chmodSync(join(bin, "gemini"), 0o644);
    const env = { OLLAMA_HOST: NOBODY, ANTHROPIC_API_KEY: KEY, PATH: `relative:${bin}` };
    const hall = await startHall(undefined, { env, folder: join(folder, "src", "pages") });
    const { status, body } = await hall.call("GET", "/api/welcome");
    expect([status, body]).toEqual([
      200,
      {
        folder: {
          path: folder,
          name: "Web Shop",
          isGit: true,
          suggestedId: "web-shop",
          techStack: { languages: ["TypeScript"], frameworks: [], tools: ["npm"] },
        },
        providers: [{ name: "anthropic", source: "environment", key: true, keyNames: ["ANTHROPIC_API_KEY"] }],
        clis: [{ name: "codex", path: join(bin, "codex") }],
        secretsFile: join(hall.workspace, ".guildhall/secrets"),
        defaultModel: expect.stringMatching(/^anthropic\//),
        isOffline: false,
        models: [expect.stringMatching(/^anthropic\//), "offline/rehearsal"],
        roleTemplates: ["coder", "reviewer"],
        projects: 0,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it("is offered no folder that is the home folder or this program, holds nothing of a project, or has to do with the workspace", async () => {
    const empty = temporaryFolder();
    const around = codeFolder();
    const workspace = join(around, "workspace");
    for (const [place, folder] of [
      [undefined, homedir()],
      [undefined, empty],
      [undefined, "/"],
      [undefined, join(import.meta.dirname, "..")],
      [workspace, around],
      [workspace, join(workspace, "projects")],
    ] as const) {
      const hall = await startHall(place, { folder });
      const { body } = await hall.call("GET", "/api/welcome");
      expect([folder, body.folder, body.isOffline]).toEqual([folder, undefined, true]);
      await hall.stop();
    }
  });

  it("has a project made of the folder, with a team, in one step, and is then not offered it again", async () => {
    const folder = codeFolder();
    const hall = await startHall(undefined, { folder });
    await hall.call("POST", "/api/roles", { id: "coder", name: "My own coder" });
    const key = { "Idempotency-Key": "first-project" };
    const begun = await hall.call("POST", "/api/welcome/project", { path: folder }, key);
    expect([begun.status, begun.body]).toEqual([
      201,
      { success: true, projectId: "web-shop", name: "Web Shop", workdir: folder, roles: ["coder", "reviewer"] },
    ]);
    const again = await hall.call("POST", "/api/welcome/project", { path: folder }, key);
    expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([201, begun.body, "true"]);
    const { project } = (await hall.call("GET", "/api/projects/web-shop")).body;
    expect(project).toMatchObject({
      workdir: folder,
      config: { techStack: { languages: ["TypeScript"] }, constraints: { requireReview: true } },
      team: [{ roleId: "coder" }, { roleId: "reviewer" }],
    });
    expect((await hall.call("GET", "/api/roles/coder")).body.role.name).toBe("My own coder");
    expect((await hall.call("GET", "/api/roles/reviewer")).body.role.name).toBe("Code Reviewer");
    expect((await hall.call("GET", "/api/welcome")).body).toMatchObject({ projects: 1 });
    expect((await hall.call("GET", "/api/welcome")).body).not.toHaveProperty("folder");
    const twice = await hall.call("POST", "/api/welcome/project", { path: folder });
    expect([twice.status, twice.body.error.code]).toEqual([409, "already_exists"]);
  });

  it("gets the same answer after a restart, and a team that a crash left out", async () => {
    const folder = codeFolder();
    const hall = await startHall(undefined, { folder });
    const key = { "Idempotency-Key": "first-project" };
    const begun = await hall.call("POST", "/api/welcome/project", { path: folder }, key);
    const reviewer = (await hall.call("GET", "/api/projects/web-shop/team")).body.assignments[1];
    await hall.call("DELETE", `/api/projects/web-shop/team/${reviewer?.id}`);
    await hall.stop();
    const next = await startHall(hall.workspace, { folder });
    const again = await next.call("POST", "/api/welcome/project", { path: folder }, key);
    expect([again.status, again.body]).toEqual([201, begun.body]);
    expect((await next.call("GET", "/api/projects")).body.projects).toHaveLength(1);
  });

  it("is refused what cannot be, and nothing is made", async () => {
    const hall = await startHall();
    const folder = codeFolder();
    const file = join(folder, "package.json");
    for (const [body, status, code] of [
      [{ path: join(folder, "nowhere") }, 422, "invalid"],
      [{ path: file }, 422, "invalid"],
      [{ path: "relative" }, 422, "invalid"],
      [{ path: "/" }, 422, "invalid"],
      [{ path: homedir() }, 422, "invalid"],
      [{ path: hall.workspace }, 422, "invalid"],
      [{ path: folder, roles: ["coder", "wizard"] }, 404, "template_not_found"],
      [{ path: folder, id: "templates" }, 422, "invalid"],
      [{ path: folder, name: "" }, 422, "invalid"],
    ] as const) {
      const answer = await hall.call("POST", "/api/welcome/project", body);
      expect([body, answer.status, answer.body.error.code]).toEqual([body, status, code]);
    }
    expect((await hall.call("GET", "/api/projects")).body.projects).toEqual([]);
    expect((await hall.call("GET", "/api/roles")).body.roles).toEqual([]);
    expect(readFileSync(file, "utf8")).toContain("typescript");
  });

  it("may choose name, id and team, and a second folder of the same name gets another id", async () => {
    const hall = await startHall();
    const named = { path: codeFolder(), name: "Shop", roles: [] };
    expect((await hall.call("POST", "/api/welcome/project", named)).body).toMatchObject({
      projectId: "shop",
      roles: [],
    });
    const second = { path: codeFolder(), name: "Shop", roles: ["tester", "tester"] };
    expect((await hall.call("POST", "/api/welcome/project", second)).body).toMatchObject({
      projectId: "shop-2",
      roles: ["tester"],
    });
  });
});
