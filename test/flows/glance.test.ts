import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, type Hall, temporaryFolder } from "../harness/daemon.ts";
import { models } from "../harness/paid-calls.ts";
import { held, inShop, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { writePack } from "../harness/skill-packs.ts";
import { runOf, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const nowOf = async (hall: Hall) => (await hall.call("GET", "/api/now")).body;
const idsOf = (lines: { id: string }[]) => lines.map(({ id }) => id);
const reading = { overrides: { model: "own/m", skills: ["read"] } };
const waiting = { ...reading, options: { waitForCompletion: true } };
const DOLLAR = { input: 19_800, output: 1_000 };

describe("GET /api/now", () => {
  it("is empty where nothing has happened", async () => {
    const { hall } = await scriptedHall([]);
    const now = await nowOf(hall);
    expect(now).toMatchObject({ needsMe: [], review: [], working: [], done: [] });
    expect(now.counts).toEqual({ needsMe: 0, review: 0, running: 0, pending: 0, waiting: 0, projects: 1 });
    expect(now.today).toEqual({
      ...{ costUsd: 0, costKnown: true, tokens: 0, runs: 0, completed: 0, failed: 0, stopped: 0 },
      dayUsd: 25,
    });
  });

  it("tells what failed, waits, is to be reviewed, is worked on and is done, and what of it needs the person", async () => {
    const gate = held();
    const look = { calls: [{ name: "list", input: { path: "." } }], usage: DOLLAR } satisfies Turn;
    const script = async ({ body, turns }: SeenRequest): Promise<Turn> => {
      const text = JSON.stringify(body);
      if (text.includes("Fails")) return { status: 400 };
      if (text.includes("Costs"))
        return turns < 3
          ? { ...look, calls: [{ name: "list", input: { path: ".", depth: turns + 1 } }] }
          : { text: "Done." };
      if (text.includes("Easy too") && turns === 0)
        return { calls: [{ name: "write", input: { path: "a.txt", content: "a" } }] };
      if (text.includes("Lasts") && turns > 0) await gate.opened;
      return text.includes("Lasts") && turns === 0 ? look : { text: "Done.", usage: { input: 900, output: 100 } };
    };
    const { hall, spawn } = await scriptedHall(script, { config: { models, budget: { runUsd: null, dayUsd: null } } });
    const folder = temporaryFolder();
    await hall.call("POST", "/api/projects", {
      id: "mill",
      name: "Mill",
      config: { budget: { runUsd: 2.5 } },
      workdir: folder,
    });
    await hall.call("POST", "/api/projects", {
      id: "tide",
      name: "Tide",
      config: { constraints: { requireReview: true } },
    });
    const start = async (title: string, more: object) => (await spawn({ task: { title }, ...more })).body.sessionId;
    const failed = await start("Fails", waiting);
    const done = await start("Easy", waiting);
    const reviewed = await start("Easy too", {
      projectId: "tide",
      ...waiting,
      overrides: { skills: ["read", "write"] },
    });
    const lasting = await start("Lasts", reading);
    const stuck = await start("Costs", { projectId: "mill", ...reading });
    await untilDoing(hall, stuck, { kind: "waiting", for: "budget" });
    writePack(join(folder, ".claude/skills"), "deploy");
    writeFileSync(inShop(hall, "TASKS/todo/TASK-099.md"), "---\nid: [\n---\n");
    const now = await eventually(
      () => nowOf(hall),
      ({ counts, working }) =>
        counts.needsMe === 4 && working.some(({ id, context }) => id === lasting && context !== undefined),
    );
    expect(now.needsMe.map(({ kind, id, projectId }) => [kind, id, projectId])).toEqual([
      ["waiting", stuck, "mill"],
      ["failed", failed, "shop"],
      ["problem", expect.stringMatching(/TASK-099/), "shop"],
      ["skill", "mill/deploy", "mill"],
    ]);
    const [stands, broke] = now.needsMe;
    expect(stands).toMatchObject({ title: "Costs", run: { waitingFor: "budget", turns: 3, costUsd: 2 } });
    expect(stands?.hintAction).toMatchObject({ action: "budget-raise", args: { project: "mill", limit: "--run-usd" } });
    expect(broke).toMatchObject({ title: "Fails", run: { id: failed, status: "failed" } });
    expect(broke?.hintAction).toEqual({ action: "provider-check", args: { provider: expect.any(String) } });
    expect(broke?.detail).toBe(
      `${broke?.run?.error?.slice(0, -1)}. Check the provider, or choose another model for the role, then retry.`,
    );
    expect(idsOf(now.review)).toEqual([reviewed]);
    expect(now.review[0]).toMatchObject({ delivery: { kind: "folder", state: "review" }, context: { used: 1_000 } });
    expect(idsOf(now.working)).toEqual([lasting]);
    expect(now.working[0]).toMatchObject({
      activity: { kind: "thinking" },
      turns: 2,
      context: { used: 20_800, window: expect.any(Number) },
    });
    expect(idsOf(now.done)).toEqual([done]);
    expect(now.done[0]).not.toHaveProperty("output");
    expect(now.counts).toEqual({ needsMe: 4, review: 1, running: 1, pending: 0, waiting: 1, projects: 3 });
    expect(now.today).toMatchObject({ runs: 5, completed: 2, failed: 1, stopped: 0, dayUsd: null, costKnown: true });
    const head = (await hall.call("GET", "/api/events/log?tail=1")).body.events[0]?.seq ?? 0;
    expect(now.seq).toBeLessThanOrEqual(head);
    expect(await runOf(hall, lasting)).toMatchObject({ context: { used: 20_800 } });
    // Whoever takes it up, by hand too, takes it off the list.
    const taskId = broke?.run?.taskId;
    await hall.call("POST", `/api/projects/shop/tasks/${taskId}/move`, { status: "pending" });
    const [skill] = (await hall.call("GET", "/api/skills?project=mill")).body.skills;
    await hall.call("POST", "/api/skills/deploy/accept?project=mill", { hash: skill?.hash });
    expect((await nowOf(hall)).needsMe.map(({ kind }: { kind: string }) => kind)).toEqual(["waiting", "problem"]);
    await hall.call("POST", `/api/runs/${stuck}/stop`);
    gate.open();
    expect(await untilOver(hall, lasting)).toMatchObject({ context: { used: 1_000 } });
    const after = await nowOf(hall);
    expect(idsOf(after.done)).toEqual([lasting, stuck, done]);
    expect(after.counts).toMatchObject({ needsMe: 1, running: 0 });
  });
});

describe("GET /api/projects/:id/cards", () => {
  it("has every task of the board in one answer, as the tasks have it, and files that cannot be read", async () => {
    const { hall } = await scriptedHall([]);
    const add = async (body: object) => (await hall.call("POST", "/api/projects/shop/tasks", body)).body.task;
    const first = await add({ title: "First", description: "Long.", labels: ["infra"], priority: "high" });
    const criteria = [{ text: "One", done: true }, { text: "Two" }];
    const second = await add({ title: "Second", blockedBy: [first.id], acceptanceCriteria: criteria });
    writeFileSync(inShop(hall, "TASKS/todo/TASK-099.md"), "---\nid: [\n---\n");
    const board = await eventually(
      async () => (await hall.call("GET", "/api/projects/shop/cards")).body,
      ({ invalid }) => invalid.length === 1,
    );
    expect(board.cards.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
    const [one, two] = board.cards;
    const { title, type, priority, status, labels, updatedAt } = first;
    expect(one).toEqual({ id: first.id, title, type, priority, status, labels, updatedAt, ready: true, waitingOn: [] });
    expect(two).toMatchObject({ ready: false, waitingOn: [first.id], criteria: { done: 1, total: 2 } });
    // The board may be answered between a change by hand and the event that tells of it.
    const numbers = async () => {
      const { seq } = (await hall.call("GET", "/api/projects/shop/cards")).body;
      return [seq, (await hall.call("GET", "/api/events/log?tail=1")).body.events[0]?.seq];
    };
    await eventually(numbers, ([shown, newest]) => shown === newest);
    for (const status of ["in-progress", "done"])
      await hall.call("POST", `/api/projects/shop/tasks/${first.id}/move`, { status });
    const skipped = await add({ title: "Third" });
    for (const body of [{ status: "in-progress" }, { status: "done", outcome: "skipped" }])
      await hall.call("POST", `/api/projects/shop/tasks/${skipped.id}/move`, body);
    const [done, after, third] = (await hall.call("GET", "/api/projects/shop/cards")).body.cards;
    expect([done?.outcome, after?.outcome, third?.outcome]).toEqual(["full", undefined, "skipped"]);
    expect(after).toMatchObject({ ready: true, waitingOn: [] });
    expect((await hall.call("GET", "/api/projects/nowhere/cards")).status).toBe(404);
  });
});

describe("POST /api/roles/preview", () => {
  const preview = async (hall: Hall, body: object) => await hall.call("POST", "/api/roles/preview", body);

  it("shows what an agent would be told and may use, for a role that nobody has saved", async () => {
    const { hall } = await scriptedHall([]);
    const systemPromptTemplate = "You are {{roleName}} in {{projectName}}. Do: {{taskTitle}}. Mind {{season}}.";
    const role = { name: "Baker", systemPromptTemplate, skills: ["read", "juggle"], variables: ["oven"] };
    const example = (await preview(hall, { role })).body;
    expect(example).toMatchObject({
      system: "You are Baker in Example project. Do: An example task. Mind {{season}}.",
      unknown: ["season"],
      unused: ["oven"],
      tools: ["read", "list", "search", "report", "notify", "escalate"],
      problems: ["Each spawn needs a value for oven.", "There is no tool or skill juggle."],
    });
    const task = { title: "Bake", description: "Bread." };
    const { id } = (await hall.call("POST", "/api/projects/shop/tasks", task)).body.task;
    const real = (await preview(hall, { role: { ...role, variables: [] }, projectId: "shop", taskId: id })).body;
    expect(real.system).toBe("You are Baker in Shop. Do: Bake. Mind {{season}}.");
    expect((await hall.call("GET", "/api/roles")).body.roles.map((each: { id: string }) => each.id)).toEqual(["coder"]);
  });

  it("takes a role that is there with the changes made to it, and is told as a real run is", async () => {
    const { hall } = await scriptedHall([]);
    const { system, tools } = (await preview(hall, { role: { id: "coder" }, projectId: "shop" })).body;
    const asked = {
      projectId: "shop",
      roleId: "coder",
      task: { title: "An example task", description: "The task's description.", type: "feature" },
    };
    const { plan } = (await hall.call("POST", "/api/team/spawn?dryRun=true", asked)).body;
    expect({ system, tools }).toEqual({ system: plan.system, tools: plan.tools.value });
    const changed = {
      id: "coder",
      name: "Smith",
      systemPromptTemplate: "{{roleName}}",
      modelConfig: { model: "nobody/m" },
    };
    const { body } = await preview(hall, { role: changed });
    expect(body).toMatchObject({
      system: "Smith",
      problems: expect.arrayContaining([expect.stringContaining("nobody")]),
    });
    for (const wrong of [{}, { role: { skills: "read" } }, { role: {}, taskId: "TASK-001" }])
      expect((await preview(hall, wrong)).status).toBe(422);
    expect((await preview(hall, { role: {}, projectId: "nowhere" })).status).toBe(404);
  });
});

describe("GET /api/folders", () => {
  it("leads from the home folder to one that a project can be made in, and not into the workspace", async () => {
    const { hall } = await scriptedHall([]);
    const list = (path?: string) =>
      hall.call("GET", `/api/folders${path === undefined ? "" : `?path=${encodeURIComponent(path)}`}`);
    expect((await list()).body).toMatchObject({ folders: expect.any(Array), more: expect.any(Boolean) });
    const folder = realpathSync(temporaryFolder());
    mkdirSync(join(folder, "ä b/.git"), { recursive: true });
    const { path = "", isGit } = (await list(folder)).body.folders[0] ?? {};
    expect([path, isGit]).toEqual([join(folder, "ä b"), true]);
    expect((await hall.call("POST", "/api/projects", { name: "Made", workdir: path })).status).toBe(201);
    const within = await list(hall.workspace);
    const made = await hall.call("POST", "/api/projects", { name: "Not made", workdir: hall.workspace });
    expect([within.status, made.status]).toEqual([422, 422]);
    expect(within.body.error.message).toBe(made.body.error.message);
    expect((await list(join(folder, "gone"))).body.error).toMatchObject({ code: "file_not_found" });
  });
});

describe("GET /api/settings and /api/doctor", () => {
  it("show every setting and where things lie, and of secrets only whether they are there", async () => {
    const config = { limits: { runs: 5 }, notify: { url: "https://hooks.example.org/T0/canary", secretEnv: "HOOK" } };
    const { hall } = await scriptedHall([], { config, env: { HOOK: "canary-of-the-hook" } });
    const answer = await hall.call("GET", "/api/settings");
    const { settings, secrets, paths, needsRestart } = answer.body;
    const of = (key: string) => settings.find((setting: { key: string }) => setting.key === key);
    expect(of("limits.runs")).toEqual({
      ...{ key: "limits.runs", value: 5, default: 8, set: true, about: "Concurrent runs across all projects." },
      ...{ form: { kind: "number", whole: true, min: 1, max: 1_000 }, restart: true, editable: true, sensitive: false },
    });
    expect(of("limits.turns")).toMatchObject({ value: 50, set: false });
    expect(of("notify.url")).toMatchObject({ value: "https://hooks.example.org/…", default: null, set: true });
    expect(secrets).toContainEqual({ name: "HOOK", set: true });
    expect(secrets).toContainEqual({ name: "SCRIPTED_KEY", set: true });
    expect(JSON.stringify(answer.body).toLowerCase()).not.toContain("canary");
    expect(paths).toMatchObject({ workspace: realpathSync(hall.workspace), token: expect.stringMatching(/token$/) });
    expect(needsRestart).toBe(false);
    await hall.call("PUT", "/api/budget", { dayUsd: 7 });
    const after = (await hall.call("GET", "/api/settings")).body.settings;
    expect(after.find(({ key }: { key: string }) => key === "budget.dayUsd")).toMatchObject({ value: 7, set: true });
  });

  it("say what is well and what is not, as the daemon sees it", async () => {
    const { hall } = await scriptedHall([]);
    const stateOf = async (id: string) =>
      (await hall.call("GET", "/api/doctor")).body.checks.find((check: { id: string }) => check.id === id)?.state;
    for (const id of [
      "node",
      "workspace",
      "secrets",
      "token",
      "index",
      "git",
      "disk",
      "watch",
      "model",
      "provider-own",
    ])
      expect([id, await stateOf(id)]).toEqual([id, "ok"]);
    expect(["ok", "warning"]).toContain(await stateOf("sandbox"));
    expect(await stateOf("files")).not.toBe("failed");
    writeFileSync(inShop(hall, "TASKS/todo/TASK-099.md"), "---\nid: [\n---\n");
    await eventually(
      () => stateOf("files"),
      (state) => state === "failed",
    );
    chmodSync(join(hall.workspace, ".guildhall/token"), 0o644);
    expect(await stateOf("token")).toBe("failed");
  });
});

describe("GET /api/events/log", () => {
  it("scrolls back from a number, and filters by who did it and by several kinds", async () => {
    const { hall } = await scriptedHall([]);
    for (const title of ["One", "Two"]) await hall.call("POST", "/api/projects/shop/tasks", { title });
    await hall.call("POST", "/api/projects/shop/tasks/TASK-001/move", { status: "in-progress" });
    const read = async (query: string) => await hall.call("GET", `/api/events/log?${query}`);
    const typesOf = async (query: string) => (await read(query)).body.events.map(({ type }: { type: string }) => type);
    const all = (await read("after=0")).body.events;
    const head = all.length;
    const page = (await read(`before=${head + 1}&limit=2`)).body;
    expect(page).toEqual({ events: all.slice(-2), earlier: head - 1 });
    const rest = (await read(`before=${page.earlier}`)).body;
    expect(rest).toEqual({ events: all.slice(0, -2) });
    expect(await typesOf("after=0&type=task.")).toEqual(["task.created", "task.created", "task.moved"]);
    expect(await typesOf("tail=10&type=task.moved,role.created")).toEqual(["role.created", "task.moved"]);
    expect(await typesOf(`before=${head + 1}&type=task&limit=1`)).toEqual(["task.moved"]);
    expect(await typesOf("after=0&actor=daemon")).toContain("daemon.started");
    expect(await typesOf("after=0&actor=person")).not.toContain("daemon.started");
    for (const wrong of ["before=0", "before=5&tail=3", "before=5&after=1", "actor=nobody"])
      expect([wrong, (await read(wrong)).status]).toEqual([wrong, 422]);
  });
});

describe("search", () => {
  it("finds runs that are over by their title, role, answer and error", async () => {
    const { hall, spawn } = await scriptedHall(({ text }) =>
      text.includes("Fails") ? { status: 400, error: { message: "zeppelin" } } : { text: "A marzipan answer." },
    );
    const done = (await spawn({ task: { title: "Quince" }, ...waiting })).body.sessionId;
    const failed = (await spawn({ task: { title: "Fails" }, ...waiting })).body.sessionId;
    const find = async (q: string) => (await hall.call("GET", `/api/search?kind=run&q=${q}`)).body.hits;
    expect(await find("quince")).toMatchObject([{ kind: "run", id: done, projectId: "shop", title: "Quince" }]);
    expect(idsOf(await find("marzipan"))).toEqual([done]);
    expect(idsOf(await find("zeppelin"))).toEqual([failed]);
    expect(idsOf(await find("coder"))).toEqual([failed, done]);
    expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
    expect(idsOf(await find("marzipan"))).toEqual([done]);
    const all = (await hall.call("GET", "/api/search?q=quince")).body.hits;
    expect(all.map(({ kind }: { kind: string }) => kind)).toEqual(expect.arrayContaining(["task", "run"]));
  });
});
