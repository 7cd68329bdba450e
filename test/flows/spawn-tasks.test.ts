import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentOf,
  held,
  inShop,
  playedHall,
  request,
  scriptedHall,
  spawn,
  taskOf,
  waiting,
} from "../harness/scripted-hall.ts";

const DONE = "turns:\n  - text: Done.\n";
const FAILING = "turns:\n  - fail: {kind: refused, times: 99}\n";
const WRITING = "turns:\n  - calls: [{tool: write, input: {path: a.txt, content: a}}]\n  - text: Done.\n";
const shop = (playbook = DONE) => playedHall(playbook);

describe("a dry run", () => {
  it("shows the exact prompt, model, tools and limits, and changes nothing at all", async () => {
    const hall = await shop();
    await hall.call("POST", "/api/projects/shop/tasks", { title: "There before" });
    const before = contentOf(hall.workspace);
    const { status, body } = await hall.call("POST", "/api/team/spawn?dryRun=true", request);
    expect(status).toBe(200);
    expect(body.plan).toMatchObject({
      model: { value: "offline/play", because: "set by this request" },
      tools: { value: expect.arrayContaining(["read", "report"]), because: expect.stringContaining("set by the role") },
      limits: { turns: 50, seconds: 600 },
    });
    expect(body.plan.prompt).toContain("**Title:** Write a note");
    const inPath = { ...request, projectId: undefined, taskId: "TASK-001" };
    expect((await hall.call("POST", "/api/projects/shop/spawn?dryRun=true", inPath)).status).toBe(200);
    const unplaced = { ...request, projectId: undefined };
    expect((await hall.call("POST", "/api/team/spawn?dryRun=true", unplaced)).body.plan.projectId).toBe("inbox");
    expect(contentOf(hall.workspace)).toEqual(before);
    expect((await hall.call("GET", "/api/runs")).body.runs).toEqual([]);
    expect((await hall.call("GET", "/api/projects/inbox")).status).toBe(404);
  });

  it("does not make the folder that the project works in", async () => {
    const hall = await shop();
    await hall.call("PUT", "/api/projects/shop", { workdir: join(hall.workspace, "../elsewhere") });
    expect((await hall.call("POST", "/api/team/spawn?dryRun=true", request)).status).toBe(409);
    expect(readdirSync(join(hall.workspace, ".."))).toEqual(["workspace"]);
  });

  it("shows what the run then gets", async () => {
    const hall = await shop();
    const { plan } = (await hall.call("POST", "/api/team/spawn?dryRun=true", request)).body;
    const { body } = await spawn(hall, waiting);
    const run = (await hall.call("GET", `/api/runs/${body.sessionId}/prompt`)).body.plan;
    const own = { runId: "", createdAt: "", taskId: "", prompt: "" };
    expect({ ...plan, ...own }).toEqual({ ...run, ...own });
    expect(plan.prompt).toBe(run.prompt);
  });
});

describe("the task", () => {
  it("is failed when the run fails, and the answer says why [S0-SPAWN-09 S0-SPAWN-11]", async () => {
    const hall = await shop(FAILING);
    const { status, body } = await spawn(hall, waiting);
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, status: "failed", taskId: "TASK-001" });
    expect(body.error).toContain("refused");
    expect(await taskOf(hall)).toMatchObject({ status: "failed", result: { summary: body.error } });
    expect(readdirSync(inShop(hall, "TASKS/failed"))).toEqual(["TASK-001.md"]);
    const status2 = (await hall.call("GET", `/api/team/spawn/${body.sessionId}/status`)).body;
    expect(status2).toMatchObject({ status: "failed", error: body.error });
    expect(readFileSync(inShop(hall, "MEMORY.md"), "utf8")).not.toContain(body.sessionId);
  });

  it("waits for a person's review where the project asks for it", async () => {
    const hall = await shop(WRITING);
    await hall.call("PUT", "/api/projects/shop", { config: { constraints: { requireReview: true } } });
    await spawn(hall, waiting);
    expect((await taskOf(hall)).status).toBe("review");
    expect(readdirSync(inShop(hall, "TASKS/review"))).toEqual(["TASK-001.md"]);
  });

  it("holds of whatever the model says as much as can be read back, and so does the memory", async () => {
    const long = "x".repeat(150_000);
    const odd = { summary: "a\0b \ud800\r\u0007c", outcome: "full" };
    const script = [
      { text: [long] },
      { calls: [{ name: "report", input: odd }] },
      { text: "Done." },
      { text: "Last." },
    ];
    const { hall, spawn } = await scriptedHall(script);
    const answers = [await spawn(waiting), await spawn(waiting), await spawn(waiting)];
    expect(answers.map(({ body }) => body.status)).toEqual(["completed", "completed", "completed"]);
    expect(answers[0]?.body.result?.output).toBe(long);
    expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
    expect((await hall.call("GET", "/api/problems")).body.problems).toEqual([]);
    const { status, result } = await taskOf(hall);
    expect([status, result?.summary.length]).toEqual(["done", 100_000]);
    expect(result?.summary).toContain(`see run ${answers[0]?.body.sessionId} for the full text`);
    expect((await taskOf(hall, "TASK-002")).result?.summary).toBe("a\uFFFDb \uFFFD\r\u0007c");
    const memory = readFileSync(inShop(hall, "MEMORY.md"), "utf8");
    expect(memory).not.toMatch(/[^\P{Cc}\n]/u);
    for (const { body } of answers) expect(memory).toContain(body.sessionId);
  });

  it("that is done, failed or in review may be worked on again; one that is taken or cancelled may not [S0-SPAWN-02]", async () => {
    const gate = held();
    const { hall, provider, spawn } = await scriptedHall([{ text: "Once." }, { text: "Twice." }]);
    await spawn(waiting);
    expect((await spawn({ task: undefined, taskId: "TASK-001", ...waiting })).body.status).toBe("completed");
    expect((await taskOf(hall)).result?.summary).toBe("Twice.");
    provider.play(() => gate.opened.then(() => ({ text: "Done." })));
    const { body } = await spawn({ task: undefined, taskId: "TASK-001" });
    const taken = await spawn({ task: undefined, taskId: "TASK-001" });
    expect([taken.status, taken.body.error.code]).toEqual([409, "illegal_move"]);
    expect(taken.body.error.message).toContain(body.sessionId);
    const preview = { projectId: "shop", roleId: "coder", taskId: "TASK-001" };
    expect((await hall.call("POST", "/api/team/spawn?dryRun=true", preview)).status).toBe(409);
    await hall.call("POST", `/api/runs/${body.sessionId}/stop`);
    expect((await taskOf(hall)).status).toBe("pending");
    await hall.call("POST", "/api/projects/shop/tasks/TASK-001/move", { status: "cancelled" });
    expect((await spawn({ task: undefined, taskId: "TASK-001" })).status).toBe(409);
  });
});
