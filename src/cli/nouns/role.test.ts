import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiRequest, ok } from "../../../test/fakes/api.ts";
import { assignment } from "../../../test/fakes/api-documents.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const role = {
  id: "backend",
  name: "Backend developer",
  emoji: "🛠️",
  description: "Writes the server.",
  specialty: ["api", "sql"],
  modelConfig: { model: "default", thinking: "medium", timeout: 300 },
  skills: ["read"],
  systemPromptTemplate: "You are {{roleName}}.",
  variables: [],
  createdAt: "2026-03-01T12:00:00.000Z",
  updatedAt: "2026-03-01T12:00:00.000Z",
  version: 2,
  etag: "r2",
};
const done = () => ok({ success: true, role });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-role-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

describe("role export", () => {
  it("shows a terminal nothing that it would act on, and gives a file every character", async () => {
    const text = "---\nname: backend\n---\nYou \u001b[2Kare.\n";
    const exported = () => ok({ name: "backend.md", text, notes: [] });
    const shown = await runCli(["role", "export", "backend"], exported, { terminal: 80 });
    expect(shown.out).toContain("You ␛[2Kare.");
    expect((await runCli(["role", "export", "backend"], exported)).out).toBe(text);
  });
});

describe("role create", () => {
  it("sends only what was given", async () => {
    const { requests, out } = await runCli(["role", "create", "--template", "coder", "--id", "backend"], done);
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/roles" });
    expect(requests[0]?.body).toEqual({ template: "coder", id: "backend" });
    expect(out).toBe("Created role backend: 🛠️ Backend developer\n");
  });

  it("sends every field, with the prompt from a file", async () => {
    const prompt = file("prompt.md", "You are {{roleName}}.\n");
    const words =
      "--name N --emoji 🪶 -d text --specialty a,b --model p/m --thinking high --timeout 60 --temperature 0.5 --max-tokens 9 --skills read,write --variables x,y";
    const { requests } = await runCli(["role", "create", ...words.split(" "), "--prompt-file", prompt], done);
    expect(requests[0]?.body).toEqual({
      name: "N",
      emoji: "🪶",
      description: "text",
      specialty: ["a", "b"],
      modelConfig: { model: "p/m", thinking: "high", timeout: 60, temperature: 0.5, maxTokens: 9 },
      skills: ["read", "write"],
      variables: ["x", "y"],
      systemPromptTemplate: "You are {{roleName}}.\n",
    });
  });

  it("takes a role as JSON from a file or standard input, and lays the options over it", async () => {
    const json = JSON.stringify({ name: "From file", modelConfig: { model: "p/m", timeout: 5 }, future: true });
    const body = { id: "x", name: "From file", modelConfig: { model: "p/m", timeout: 60 }, future: true };
    const options = ["--id", "x", "--timeout", "60"];
    const fromFile = await runCli(["role", "create", "--file", file("role.json", json), ...options], done);
    const fromInput = await runCli(["role", "create", "--file", "-", ...options], done, { input: json });
    expect(fromFile.requests[0]?.body).toEqual(body);
    expect(fromInput.requests[0]?.body).toEqual(body);
  });

  it.each([
    ["nothing at all", () => [], "Missing role."],
    ["a file that is not JSON", () => ["--file", file("bad.json", "{")], "not valid JSON"],
    ["a file that holds a list", () => ["--file", file("list.json", "[]")], "one JSON object"],
    ["a file that is not there", () => ["--file", join(folder, "none.json")], "ENOENT"],
    ["a prompt that is a folder", () => ["--prompt-file", folder], "EISDIR"],
  ])("refuses %s before anything is sent", async (_, words, message) => {
    const run = await runCli(["role", "create", ...words()], done);
    expect(run).toMatchObject({ code: 2, requests: [], err: expect.stringContaining(message) });
  });
});

describe("role edit, show, list and delete", () => {
  it("edits with an etag and tells the new version", async () => {
    const { requests, out } = await runCli(["role", "edit", "backend", "--skills=", "--if-match", "r1"], done);
    expect(requests[0]).toMatchObject({ method: "PUT", path: "/api/roles/backend", headers: { "if-match": "r1" } });
    expect(requests[0]?.body).toEqual({ skills: [] });
    expect(out).toContain("version 2");
  });

  it("shows a role with its prompt", async () => {
    const { out } = await runCli(["role", "show", "backend"], () => ok({ role }));
    expect(out).toContain("🛠️ Backend developer\n");
    expect(out).toContain("\nPrompt\nYou are {{roleName}}.\n");
  });

  it("lists roles, or says how to get one", async () => {
    const some = await runCli(["role", "list", "-q", "back"], () => ok({ roles: [role], invalid: [] }));
    const none = await runCli(["role", "list"], () => ok({ roles: [], invalid: [] }));
    expect(some.out).toMatch(/backend\s+🛠️\s+Backend developer/);
    expect(some.requests[0]?.query).toEqual({ q: "back" });
    expect(none.out).toContain("guildhall role create --template");
  });

  it("deletes", async () => {
    const { requests } = await runCli(["role", "delete", "backend"], () => ok({ success: true }));
    expect(requests[0]).toMatchObject({ method: "DELETE", path: "/api/roles/backend" });
  });

  it("lists templates and suggests roles", async () => {
    const templates = await runCli(["role", "templates"], () =>
      ok({ templates: [{ id: "developer", name: "Developer", description: "Writes code", baseRole: role }] }),
    );
    const suggested = await runCli(["role", "suggest", "fix", "login", "-p", "shop", "--task", "7"], () =>
      ok({ suggestions: [{ roleId: "backend", score: 0.756, matched: ["api"] }] }),
    );
    expect(templates.out).toContain("developer  Developer  Writes code");
    expect(suggested.requests[0]?.query).toEqual({ text: "fix login", project: "shop", task: "TASK-007" });
    expect(suggested.out).toContain("backend  0.76   api");
  });
});

describe("a role in a project", () => {
  const team = ({ method }: ApiRequest) =>
    method === "GET" ? ok({ assignments: [assignment()] }) : ok({ success: true, assignment: assignment() });

  it("is assigned with overrides", async () => {
    const words = "role assign backend -p shop --auto --paused --timeout 900 --skills read";
    const { requests } = await runCli(words.split(" "), team);
    expect(requests[0]).toMatchObject({ method: "POST", path: "/api/projects/shop/team" });
    expect(requests[0]?.body).toEqual({
      roleId: "backend",
      mode: "auto",
      status: "paused",
      modelConfig: { timeout: 900 },
      skills: ["read"],
    });
  });

  it("is assigned without any when none are given", async () => {
    const { requests } = await runCli(["role", "assign", "backend", "-p", "shop"], team);
    expect(requests[0]?.body).toEqual({ roleId: "backend" });
  });

  it.each([
    ["unassign", "DELETE", undefined],
    ["pause", "PUT", { status: "paused" }],
    ["resume", "PUT", { status: "active" }],
  ])("is found by the role's id to %s it", async (verb, method, body) => {
    const { code, requests } = await runCli(["role", verb, "backend", "-p", "shop"], team);
    expect(code).toBe(0);
    expect(requests[1]).toMatchObject({ method, path: "/api/projects/shop/team/asg-1" });
    expect(requests[1]?.body).toEqual(body);
  });

  it("is not there to be unassigned", async () => {
    const { code, err } = await runCli(["role", "unassign", "poet", "-p", "shop"], team);
    expect(code).toBe(3);
    expect(err).toContain("guildhall project team shop");
  });
});
