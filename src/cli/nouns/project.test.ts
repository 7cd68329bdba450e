import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { assignment, projectView } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const done = () => ok({ success: true, project: projectView() });

describe("project create", () => {
  it("sends only what was given", async () => {
    const { requests, out } = await runCli(["project", "create", "Shop"], done);
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/projects", body: { name: "Shop" } });
    expect(requests[0]?.body).toEqual({ name: "Shop" });
    expect(out).toContain("guildhall task add TITLE -p shop");
  });

  it("sends every field", async () => {
    const words =
      "--id s -d text --background b --goal one --goal two,2 --language TypeScript,Rust --framework hono --tool git --scope-in in --scope-out out --repo u --branch main --env-file .env --environment dev,prod --model p/m --workdir code --require-review --max-tokens 9 --timeout 60 --network --readable sdk --writable /cache --memory 512 --processes 64 --no-unsandboxed";
    const { requests } = await runCli(["project", "create", "Shop", ...words.split(" ")], done);
    expect(requests[0]?.body).toEqual({
      id: "s",
      name: "Shop",
      description: "text",
      background: "b",
      model: "p/m",
      workdir: resolve("code"),
      config: {
        techStack: { languages: ["TypeScript", "Rust"], frameworks: ["hono"], tools: ["git"] },
        goals: ["one", "two,2"],
        scope: { in: ["in"], out: ["out"] },
        constraints: {
          maxTokensPerTask: 9,
          defaultTimeout: 60,
          requireReview: true,
          allowedEnvironments: ["dev", "prod"],
        },
        repoUrl: "u",
        branch: "main",
        envFiles: [".env"],
        sandbox: {
          network: true,
          readable: [resolve("sdk")],
          writable: ["/cache"],
          memoryMb: 512,
          processes: 64,
          unsandboxed: false,
        },
      },
    });
  });
});

describe("project edit", () => {
  it("sends only what changes, and null for what is taken away", async () => {
    const words =
      "--repo= --branch dev --no-require-review --goal= --model= --workdir= --timeout= --memory= --processes= --readable= --writable=";
    const { requests } = await runCli(["project", "edit", "shop", ...words.split(" ")], done);
    expect(requests[0]).toMatchObject({ method: "PUT", path: "/api/projects/shop" });
    expect(requests[0]?.body).toEqual({
      config: {
        repoUrl: null,
        branch: "dev",
        constraints: { requireReview: false, defaultTimeout: null },
        goals: [],
        sandbox: { memoryMb: null, processes: null, readable: [], writable: [] },
      },
      model: null,
      workdir: null,
    });
  });
});

describe("project list, show and team", () => {
  const summary = {
    id: "shop",
    name: "Shop",
    description: "",
    status: "active",
    taskCount: projectView().taskCount,
    teamSize: 3,
    updatedAt: "",
  };

  it("lists projects with what is wrong with one", async () => {
    const broken = { ...summary, id: "site", status: "invalid", problem: "PROJECT.json:2 is not JSON" };
    const { out, requests } = await runCli(["project", "list", "--status", "active"], () =>
      ok({ projects: [summary, broken] }),
    );
    expect(requests[0]?.query).toEqual({ status: "active" });
    expect(out).toMatch(/shop\s+active\s+2\s+0\s+0\s+1\s+3\s+Shop/);
    expect(out).toContain("PROJECT.json:2 is not JSON");
  });

  it("says what to do when there is none", async () => {
    expect((await runCli(["project", "list"], () => ok({ projects: [] }))).out).toContain(
      "guildhall project create NAME",
    );
    expect((await runCli(["project", "list", "-q", "x"], () => ok({ projects: [] }))).out).toContain(
      "No projects match these filters",
    );
    expect((await runCli(["project", "team", "shop"], () => ok({ assignments: [] }))).out).toContain(
      "role assign ROLE -p shop",
    );
  });

  it("shows a project with its files", async () => {
    const files = [{ path: "PROJECT.md", kind: "document", size: 10, updatedAt: "2026-03-01T12:00:00.000Z" }];
    const { out } = await runCli(["project", "show", "shop"], () =>
      ok({ project: { ...projectView(), files, filesOmitted: 2 } }),
    );
    expect(out).toContain("Shop (shop)\n");
    expect(out).toMatch(/tasks +2 to do, 1 done\n/);
    expect(out).toContain("\nGoals\n- Sell books\n");
    expect(out).toContain("PROJECT.md  document");
    expect(out).toContain("and 2 more");
  });

  it("shows a team with its overrides", async () => {
    const { out } = await runCli(["project", "team", "shop"], () =>
      ok({ assignments: [assignment({ modelConfig: { timeout: 900 }, mode: "auto" })] }),
    );
    expect(out).toMatch(/backend\s+active\s+auto\s+timeout 900/);
  });
});

describe("the life of a project", () => {
  it.each([
    ["suspend", "suspended"],
    ["resume", "active"],
    ["complete", "completed"],
    ["reopen", "active"],
    ["archive", "archived"],
  ])("%s moves it to %s", async (verb, status) => {
    const { requests } = await runCli(["project", verb, "shop"], done);
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/projects/shop/move", body: { status } });
  });
});

it("project suspend lists what is still open", async () => {
  const open = [{ code: "draft_question", projectId: "shop", text: "esc-001 is a draft that no one has reviewed." }];
  const { out, code } = await runCli(["project", "suspend", "shop"], () =>
    ok({ success: true, project: { id: "shop", status: "suspended" }, open }),
  );
  expect({ out, code }).toEqual({
    out: "shop is suspended.\nStill open:\n  esc-001 is a draft that no one has reviewed.\n",
    code: 0,
  });
});

describe("project delete", () => {
  const deleted = () => ok({ success: true, trash: "trash/shop" });

  it("archives, or with --purge moves the folder to the trash", async () => {
    const archived = await runCli(["project", "delete", "shop"], () => ok({ success: true }));
    const purged = await runCli(["project", "delete", "shop", "--purge"], deleted);
    expect(archived.requests[0]).toMatchObject({ method: "DELETE", path: "/api/projects/shop", query: {} });
    expect(archived.out).toBe("shop archived.\n");
    expect(purged.requests[0]?.query).toEqual({ purge: "true" });
    expect(purged.out).toContain("trash/shop");
  });

  it("asks a person first, and does nothing without a yes", async () => {
    const no = await runCli(["project", "delete", "shop", "--purge"], deleted, { reply: "" });
    const yes = await runCli(["project", "delete", "shop", "--purge"], deleted, { reply: "Yes" });
    expect(no).toMatchObject({ code: 0, requests: [], err: "No changes made.\n" });
    expect(yes.host.questions).toEqual(["Move the folder of shop to the trash? [y/N] "]);
    expect(yes.requests).toHaveLength(1);
  });

  it("does not ask with --yes", async () => {
    const { host, requests } = await runCli(["project", "delete", "shop", "--yes"], deleted, { reply: "no" });
    expect(host.questions).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});
