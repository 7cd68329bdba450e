import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HallEvent } from "../../src/contract/event.ts";
import { eventually, type Hall } from "../harness/daemon.ts";
import { projectProcesses } from "../harness/processes.ts";
import { held, inShop, playedHall, request, scriptedHall, spawn, taskOf, waiting } from "../harness/scripted-hall.ts";

const WRITING = `
turns:
  - text: I look around.
    calls: [{tool: list, input: {path: "."}}, {tool: write, input: {path: notes/hello.md, content: "hello world\\n"}}]
  - calls: [{tool: edit, input: {path: notes/hello.md, oldText: world, newText: guild}}]
  - calls: [{tool: report, input: {summary: "Wrote the note", outcome: full}}]
  - text: Done.
`;
const shop = () => playedHall(WRITING);

const eventsOf = async (hall: Hall, query = ""): Promise<HallEvent[]> =>
  (await hall.call("GET", `/api/events/log?tail=100${query}`)).body.events;

describe("a spawn", () => {
  it("goes from request to artifact, moved task, memory and event [S0-API-20 S0-SPAWN-08 S0-SPAWN-10 S0-FLOW-09 S0-TASK-05]", async () => {
    const hall = await shop();
    const { status, body } = await spawn(hall, waiting);
    expect(status).toBe(200);
    const wanted = { success: true, taskId: "TASK-001", status: "completed", result: { output: "Wrote the note" } };
    expect(body).toMatchObject(wanted);
    expect(body.sessionId).toMatch(/^run-/);
    expect(body.result?.duration).toBeGreaterThanOrEqual(0);
    expect(readFileSync(inShop(hall, "notes/hello.md"), "utf8")).toBe("hello guild\n");
    expect(readdirSync(inShop(hall, "TASKS/done"))).toEqual(["TASK-001.md"]);
    const [artifact = ""] = body.result?.artifacts ?? [];
    expect(artifact).toMatch(new RegExp(`^ARTIFACTS/\\d{4}-\\d\\d-\\d\\d/TASK-001-${body.sessionId}\\.md$`));
    expect(readFileSync(inShop(hall, artifact), "utf8")).toContain("Wrote the note");
    const entry = readFileSync(inShop(hall, "MEMORY.md"), "utf8")
      .split("\n")
      .filter((line) => line.includes(body.sessionId));
    expect(entry).toEqual([expect.stringMatching(/^- \d{4}-\d\d-\d\d TASK-001 Write a note: Wrote the note/)]);
    expect(await taskOf(hall)).toMatchObject({
      title: "Write a note",
      description: "Please",
      status: "done",
      assignedRoleId: "coder",
      assignedSubAgentId: body.sessionId,
      outcome: "full",
      result: { summary: "Wrote the note", filesChanged: ["notes/hello.md"], artifactsCreated: [artifact] },
    });
  });

  it("leaves a line in the audit trail for each of its steps, by whoever took it [S0-SEC-05]", async () => {
    const hall = await shop();
    const { body } = await spawn(hall, waiting);
    const run = { kind: "agent", id: body.sessionId, via: "daemon" };
    const person = { kind: "person", via: "http" };
    const told = await eventsOf(hall, "&project=shop");
    const actorsOf = (type: string) => told.filter((event) => event.type === type).map(({ actor }) => actor);
    expect(actorsOf("task.created")).toEqual([person]);
    expect(actorsOf("run.created")).toEqual([person]);
    expect(actorsOf("run.started")).toEqual([run]);
    expect(actorsOf("run.ended")).toEqual([run]);
    expect(actorsOf("task.moved").at(-1)).toEqual(run);
    expect(actorsOf("document.written")).toEqual([run]);
    expect(told.find(({ type }) => type === "run.created")).toMatchObject({
      subject: { kind: "run", id: body.sessionId },
      after: { roleId: "coder", taskId: "TASK-001", model: "offline/play" },
    });
    expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  });

  it("reads the role from ROLES.json and the project's files as they are at that moment [S0-FLOW-01 S0-FLOW-02 S0-FLOW-04 S0-ROLE-12]", async () => {
    const { hall, provider, spawn } = await scriptedHall([{ text: "Done." }]);
    const roles = JSON.parse(readFileSync(join(hall.workspace, "ROLES.json"), "utf8"));
    roles.roles[0].systemPromptTemplate = "You are an owl who works on {{projectName}}.";
    writeFileSync(join(hall.workspace, "ROLES.json"), JSON.stringify(roles));
    writeFileSync(inShop(hall, "MEMORY.md"), "# Project Memory\n\nThe till is broken.\n");
    await eventually(
      async () => (await hall.call("GET", "/api/roles/coder")).body.role?.systemPromptTemplate,
      (template) => template?.includes("owl"),
    );
    expect((await spawn(waiting)).body.status).toBe("completed");
    const [seen] = provider.requests;
    expect(seen?.system).toContain("You are an owl who works on Shop.");
    expect(seen?.text).toContain("The till is broken.");
    expect(seen?.text).toContain("**Title:** Write a note");
  });

  it("asks the role's model, or the hall's, with the role's settings and tools [S0-ROLE-06 S0-ROLE-09 S0-ROLE-10 S0-ROLE-11]", async () => {
    const { hall, provider, spawn } = await scriptedHall(() => ({ text: "Done." }));
    const asked = async (role: object) => {
      expect((await hall.call("PUT", "/api/roles/coder", role)).status).toBe(200);
      expect((await spawn({ overrides: {}, ...waiting })).body.status).toBe("completed");
      const { model, format, tools, body } = provider.requests.at(-1) ?? {};
      return { model, format, tools, temperature: body?.temperature, longest: body?.max_tokens };
    };
    const own = { model: "claude/owl", temperature: 0.3, maxTokens: 777, thinking: "off" };
    expect(await asked({ modelConfig: own, skills: ["read", "write"] })).toMatchObject({
      ...{ model: "owl", format: "anthropic", temperature: 0.3, longest: 777 },
      tools: expect.arrayContaining(["read", "write"]),
    });
    const none = { model: "default", temperature: null, maxTokens: null };
    const plain = await asked({ modelConfig: none, skills: ["read"] });
    expect(plain).toMatchObject({ model: "m", format: "openai-chat" });
    expect([plain.temperature, plain.longest]).toEqual([undefined, undefined]);
    expect(plain.tools).not.toContain("write");
  });

  it("journals the run before a process of the project's own takes it up [S0-FLOW-06]", async () => {
    const gate = held();
    const { hall, provider, spawn } = await scriptedHall(() => gate.opened.then(() => ({ text: "Done." })));
    const { body } = await spawn();
    const { entries } = (await hall.call("GET", `/api/runs/${body.sessionId}/transcript`)).body;
    expect(entries[0]).toMatchObject({ type: "plan", plan: { runId: body.sessionId, taskId: "TASK-001" } });
    await provider.request(0);
    expect(projectProcesses(hall.workspace)).toHaveLength(1);
    const types = (await eventsOf(hall, "&type=run")).map(({ type }) => type);
    expect(types).toEqual(["run.created", "run.started"]);
    gate.open();
    await hall.call("POST", `/api/runs/${body.sessionId}/stop`);
  });

  it("that takes an existing task, in a project from the path, makes no other and learns its run [S0-SPAWN-02 S0-API-22 S0-FLOW-07]", async () => {
    const hall = await shop();
    await hall.call("POST", "/api/projects/shop/tasks", { title: "There before", priority: "high" });
    const { body } = await hall.call("POST", "/api/projects/shop/spawn", {
      roleId: "coder",
      taskId: "TASK-001",
      task: { title: "Not this one" },
      overrides: request.overrides,
      ...waiting,
    });
    expect(body).toMatchObject({ taskId: "TASK-001", status: "completed" });
    const { tasks } = (await hall.call("GET", "/api/projects/shop/tasks")).body;
    const taken = { id: "TASK-001", title: "There before", status: "done", priority: "high" };
    expect(tasks).toMatchObject([{ ...taken, assignedSubAgentId: body.sessionId }]);
    const { plan } = (await hall.call("GET", `/api/runs/${body.sessionId}/prompt`)).body;
    expect(plan.prompt).toContain("**Title:** There before");
  });

  it("makes its task with all that the request says of it [S0-SPAWN-03 S0-FLOW-03]", async () => {
    const hall = await shop();
    const context = { files: ["a.ts"], codeRefs: ["b.ts:3"], dependencies: [] };
    const task = { title: "T", description: "D", type: "bug", priority: "urgent", context };
    const { body } = await spawn(hall, { task, ...waiting });
    expect(body.status).toBe("completed");
    expect(await taskOf(hall)).toMatchObject({ title: "T", description: "D", type: "bug", priority: "urgent" });
    expect((await taskOf(hall)).context).toEqual(context);
  });

  it("lets a request override model, thinking, timeout and skills, and the run keeps to them [S0-SPAWN-04]", async () => {
    const hall = await shop();
    const overrides = { model: "offline/play", thinking: "off", timeout: 33, skills: ["read"] };
    const { body } = await spawn(hall, { overrides, ...waiting });
    const { plan } = (await hall.call("GET", `/api/runs/${body.sessionId}/prompt`)).body;
    const because = "set by this request";
    expect(plan).toMatchObject({
      model: { value: "offline/play", because },
      thinking: { value: "off", because },
      timeout: { value: 33, because },
      tools: { value: ["read", "list", "search", "report", "notify", "escalate"], because },
      limits: { seconds: 33 },
    });
    expect(readdirSync(inShop(hall))).not.toContain("notes");
  });
});

describe("waiting for the end", () => {
  it("is not done unless asked for, and the status tells how far it is [S0-SPAWN-09 S0-SPAWN-12 S0-API-21 S0-FLOW-07 S0-FLOW-08]", async () => {
    const gate = held();
    const { hall, provider, spawn } = await scriptedHall(({ turns }) =>
      turns === 0 ? { calls: [{ name: "list", input: { path: "." } }] } : gate.opened.then(() => ({ text: "Done." })),
    );
    const { body } = await spawn();
    expect(body).toEqual({ success: true, sessionId: body.sessionId, taskId: "TASK-001", status: "pending" });
    expect(await taskOf(hall)).toMatchObject({ status: "in-progress", assignedSubAgentId: body.sessionId });
    await provider.request(1);
    const status = async () => (await hall.call("GET", `/api/team/spawn/${body.sessionId}/status`)).body;
    const running = await eventually(status, ({ progress }) => progress > 0);
    expect(running).toMatchObject({ status: "running", activity: { kind: expect.any(String) } });
    expect(running.progress).toBeLessThan(1);
    expect(running.result).toBeUndefined();
    gate.open();
    const over = await eventually(status, (answer) => answer.status === "completed");
    expect(over).toMatchObject({ progress: 1, result: { output: "Done.", artifacts: [expect.any(String)] } });
    const ended = (await eventsOf(hall, "&type=run.ended")).map(({ subject }) => subject.id);
    expect(ended).toEqual([body.sessionId]);
  });

  it("is done when asked for: the answer comes with the result, not before [S0-SPAWN-05]", async () => {
    const gate = held();
    const { provider, spawn } = await scriptedHall(() => gate.opened.then(() => ({ text: "Done." })));
    let isAnswered = false;
    const answer = spawn(waiting).finally(() => {
      isAnswered = true;
    });
    await provider.request(0);
    expect(isAnswered).toBe(false);
    gate.open();
    expect((await answer).body).toMatchObject({ status: "completed", result: { output: "Done." } });
  });

  it("may be given up by the client, and the run goes on to its end [S0-SPAWN-05]", async () => {
    const gate = held();
    const { hall, provider } = await scriptedHall(() => gate.opened.then(() => ({ text: "Done all the same." })));
    const leaving = new AbortController();
    const asked = fetch(`${hall.url}/api/team/spawn`, {
      method: "POST",
      headers: { authorization: `Bearer ${hall.token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...request, overrides: {}, ...waiting }),
      signal: leaving.signal,
    });
    await provider.request(0);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    gate.open();
    const runs = async () => (await hall.call("GET", "/api/runs")).body.runs;
    const [run] = await eventually(runs, ([one]) => one?.status !== "running" && one?.status !== "pending");
    expect(run).toMatchObject({ status: "completed", result: { output: "Done all the same." } });
    expect((await taskOf(hall)).status).toBe("done");
  });
});

describe("the options", () => {
  it("notifyOnComplete: the event of the end says whether the person wants to be told [S0-SPAWN-06 S0-FLOW-08]", async () => {
    const hall = await shop();
    await spawn(hall, waiting);
    await spawn(hall, { options: { waitForCompletion: true, notifyOnComplete: true } });
    await spawn(hall, { options: { waitForCompletion: true, notifyOnComplete: false } });
    const ended = await eventsOf(hall, "&type=run.ended");
    expect(ended.map(({ after }) => after?.notify)).toEqual([true, true, false]);
  });

  it("createArtifact: nothing is saved when it is false [S0-SPAWN-07]", async () => {
    const hall = await shop();
    const { body } = await spawn(hall, { options: { waitForCompletion: true, createArtifact: false } });
    expect(body.result).toMatchObject({ output: "Wrote the note", artifacts: [] });
    expect((await hall.call("GET", "/api/projects/shop/artifacts")).body.artifacts).toEqual([]);
    await spawn(hall, { options: { waitForCompletion: true, createArtifact: true } });
    expect((await hall.call("GET", "/api/projects/shop/artifacts")).body.artifacts).toHaveLength(1);
  });
});
