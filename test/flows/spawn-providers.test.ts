import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { filesBelow } from "../harness/look-below.ts";
import { KEY, scriptedHall, WIRE_MODELS } from "../harness/scripted-hall.ts";
import type { Turn } from "../harness/scripted-provider.ts";

const waiting = { options: { waitForCompletion: true } };

const WORK: Turn[] = [
  { text: "I look.", calls: [{ name: "list", input: { path: "." } }] },
  { calls: [{ name: "write", input: { path: "notes/a.md", content: "one\n" } }] },
  { calls: [{ name: "report", input: { summary: "Wrote it", outcome: "full" } }] },
  { text: "Done." },
];

describe.each([WIRE_MODELS.anthropic, WIRE_MODELS.openai])("a spawn with %s", (model) => {
  it("is carried out from the first request to the moved task [S0-API-20 S0-FLOW-06 S0-FLOW-09]", async () => {
    const { hall, provider, spawn } = await scriptedHall(WORK, { model });
    const { body } = await spawn(waiting);
    expect(body).toMatchObject({ status: "completed", result: { output: "Wrote it" } });
    expect(provider.requests).toHaveLength(4);
    expect(provider.requests[1]?.results[0]?.output).toContain("MEMORY.md");
    expect(readFileSync(join(hall.workspace, "projects/shop/notes/a.md"), "utf8")).toBe("one\n");
    expect(readdirSync(join(hall.workspace, "projects/shop/TASKS/done"))).toEqual(["TASK-001.md"]);
    expect((await hall.call("GET", `/api/runs/${body.sessionId}`)).body.run).toMatchObject({
      model,
      usage: { turns: 4 },
    });
  });

  it("offers the tools of the role and no others, and refuses the rest when it is called [S0-SEC-01]", async () => {
    const evil = { path: "evil.md", content: "x" };
    const script = [
      { calls: [{ name: "write", input: evil }] },
      { calls: [{ name: "exec", input: { command: "touch evil.md" } }] },
      { calls: [{ name: "no_such_tool", input: {} }] },
      { text: "Tried." },
    ];
    const { hall, provider, spawn } = await scriptedHall(script, { model });
    await hall.call("POST", "/api/roles", { id: "looker", name: "Looker", skills: ["read"] });
    const { body } = await spawn({ roleId: "looker", ...waiting });
    expect(body.status).toBe("completed");
    expect([...(provider.requests[0]?.tools ?? [])].sort()).toEqual([
      "escalate",
      "list",
      "notify",
      "read",
      "report",
      "search",
    ]);
    expect(readdirSync(join(hall.workspace, "projects/shop"))).not.toContain("evil.md");
    const { entries } = (await hall.call("GET", `/api/runs/${body.sessionId}/transcript`)).body;
    const results = entries.filter((entry) => entry.type === "result");
    expect(results.map(({ name, failed }) => [name, failed])).toEqual([
      ["write", true],
      ["exec", true],
      ["no_such_tool", true],
    ]);
    expect(provider.requests[1]?.results[0]?.output).toMatch(/write/);
  });
});

it("an agent reaches nothing outside its project's folder [S0-SEC-02]", async () => {
  const paths = (outside: string) => [
    "../../ROLES.json",
    "../../.guildhall/token",
    "..",
    join(outside, "secret.txt"),
    "link/secret.txt",
    "link",
    "notes/../../../ROLES.json",
  ];
  const outside = temporaryFolder();
  writeFileSync(join(outside, "secret.txt"), "CANARY-SECRET");
  const calls = paths(outside).flatMap((path) => [
    { name: "read", input: { path } },
    { name: "list", input: { path } },
    { name: "search", input: { pattern: "CANARY|sha256|roles", path } },
    { name: "write", input: { path, content: "overwritten" } },
    { name: "write", input: { path: `${path}/new.txt`, content: "new" } },
    { name: "edit", input: { path, oldText: "CANARY", newText: "GONE" } },
  ]);
  const { hall, provider, spawn } = await scriptedHall([{ calls }, { text: "Tried." }]);
  symlinkSync(outside, join(hall.workspace, "projects/shop/link"));
  const roles = readFileSync(join(hall.workspace, "ROLES.json"), "utf8");
  expect((await spawn(waiting)).body.status).toBe("completed");
  const results = provider.requests[1]?.results ?? [];
  expect(results).toHaveLength(calls.length);
  const told = JSON.stringify(results);
  for (const secret of ["CANARY-SECRET", hall.token, "systemPromptTemplate"]) expect(told).not.toContain(secret);
  expect(readFileSync(join(hall.workspace, "ROLES.json"), "utf8")).toBe(roles);
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("CANARY-SECRET");
  expect(readdirSync(outside)).toEqual(["secret.txt"]);
  expect(readdirSync(join(hall.workspace, "projects"))).toEqual(["shop"]);
});

it("an agent of a project with a workdir reaches that folder and not the workspace [S0-SEC-02 S0-COMPAT-03]", async () => {
  const workdir = join(temporaryFolder(), "code");
  mkdirSync(workdir);
  const calls = [
    { name: "write", input: { path: "a.txt", content: "in the code" } },
    { name: "read", input: { path: "MEMORY.md" } },
  ];
  const { hall, provider, spawn } = await scriptedHall([{ calls }, { text: "Done." }]);
  await hall.call("PUT", "/api/projects/shop", { workdir });
  expect((await spawn(waiting)).body.status).toBe("completed");
  expect(readFileSync(join(workdir, "a.txt"), "utf8")).toBe("in the code");
  expect(provider.requests[1]?.results[1]?.output).not.toContain("Project Memory");
});

it("no answer, file or log of the hall shows the key, which only the provider gets", async () => {
  const { hall, provider, spawn } = await scriptedHall([{ text: "Done." }]);
  const { body } = await spawn(waiting);
  expect(JSON.stringify(provider.requests[0]?.headers)).toContain(KEY);
  const id = body.sessionId;
  const paths = ["/api/models", "/api/costs", "/api/runs", `/api/runs/${id}`, `/api/runs/${id}/transcript`];
  for (const path of [...paths, `/api/runs/${id}/prompt`, "/api/status", "/api/events/log", "/api/problems"])
    expect(JSON.stringify((await hall.call("GET", path)).body), path).not.toContain(KEY);
  expect(JSON.stringify((await hall.call("POST", "/api/models/test", {})).body)).not.toContain(KEY);
  for (const { path, bytes } of filesBelow(hall.workspace)) expect(bytes.includes(KEY), path).toBe(false);
});

it("every try of a model call is in the journal, also of one that somebody cancels", async () => {
  const busy = { status: 429, headers: { "retry-after": "30" }, error: { message: "Slow down." } };
  const { hall, spawn } = await scriptedHall([busy]);
  const { body } = await spawn();
  const entries = async () => (await hall.call("GET", `/api/runs/${body.sessionId}/transcript`)).body.entries;
  const isFailure = ({ type }: { type: string }) => type === "failure";
  const told = await eventually(entries, (all) => all.some(isFailure));
  expect(told.find(isFailure)).toMatchObject({ reason: expect.stringContaining("Slow down.") });
  const { run } = (await hall.call("GET", `/api/runs/${body.sessionId}`)).body;
  expect(run.activity).toEqual({ kind: "retrying", seconds: 30, detail: expect.stringContaining("Slow down.") });
  await hall.call("POST", `/api/runs/${body.sessionId}/stop`);
  expect((await entries()).map((entry: { type: string }) => entry.type)).toEqual([
    "plan",
    "started",
    "failure",
    "ended",
  ]);
});
