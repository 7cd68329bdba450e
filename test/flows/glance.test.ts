import { writeFileSync } from "node:fs";
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
    expect(now.counts).toEqual({ needsMe: 0, review: 0, running: 0, pending: 0, projects: 1 });
    expect(now.today).toEqual({
      ...{ costUsd: 0, costKnown: true, tokens: 0, runs: 0, completed: 0, failed: 0 },
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
    const reviewed = await start("Easy too", { projectId: "tide", ...waiting });
    const lasting = await start("Lasts", reading);
    const stuck = await start("Costs", { projectId: "mill", ...reading });
    await untilDoing(hall, stuck, /^waiting for budget: /);
    writePack(join(folder, ".claude/skills"), "deploy");
    writeFileSync(inShop(hall, "TASKS/todo/TASK-099.md"), "---\nid: [\n---\n");
    const now = await eventually(
      () => nowOf(hall),
      ({ counts, working }) =>
        counts.needsMe === 4 &&
        working.some(({ id, context }: { id: string; context?: object }) => id === lasting && context !== undefined),
    );
    expect(now.needsMe.map(({ kind, id, projectId }: Record<string, string>) => [kind, id, projectId])).toEqual([
      ["waiting", stuck, "mill"],
      ["failed", failed, "shop"],
      ["problem", expect.stringMatching(/TASK-099/), "shop"],
      ["skill", "mill/deploy", "mill"],
    ]);
    const [stands, broke] = now.needsMe;
    expect(stands).toMatchObject({ title: "Costs", run: { waitingFor: "budget", turns: 3, costUsd: 2 } });
    expect(stands.detail).toContain("Raise it with: guildhall budget -p mill --run-usd");
    expect(broke).toMatchObject({ title: "Fails", run: { id: failed, status: "failed" } });
    expect(broke.detail).toBe(`${broke.run.error.slice(0, -1)}. Run it again, or move the task to where it belongs.`);
    expect(idsOf(now.review)).toEqual([reviewed]);
    expect(now.review[0]).toMatchObject({ result: { state: "review" }, context: { used: 1_000 } });
    expect(idsOf(now.working)).toEqual([stuck, lasting]);
    expect(now.working[1]).toMatchObject({
      activity: "thinking",
      turns: 2,
      context: { used: 20_800, window: expect.any(Number) },
    });
    expect(idsOf(now.done)).toEqual([done]);
    expect(now.done[0]).not.toHaveProperty("output");
    expect(now.counts).toEqual({ needsMe: 4, review: 1, running: 2, pending: 0, projects: 3 });
    expect(now.today).toMatchObject({ runs: 5, completed: 2, failed: 1, dayUsd: null, costKnown: true });
    const head = (await hall.call("GET", "/api/events/log?tail=1")).body.events[0].seq;
    expect(now.seq).toBeLessThanOrEqual(head);
    expect(await runOf(hall, lasting)).toMatchObject({ context: { used: 20_800 } });
    // Whoever takes it up, by hand too, takes it off the list.
    const { taskId } = broke.run;
    await hall.call("POST", `/api/projects/shop/tasks/${taskId}/move`, { status: "pending" });
    const [skill] = (await hall.call("GET", "/api/skills?project=mill")).body.skills;
    await hall.call("POST", "/api/skills/deploy/accept?project=mill", { hash: skill.hash });
    expect((await nowOf(hall)).needsMe.map(({ kind }: { kind: string }) => kind)).toEqual(["waiting", "problem"]);
    await hall.call("POST", `/api/runs/${stuck}/cancel`);
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
    expect(board.seq).toBe((await hall.call("GET", "/api/events/log?tail=1")).body.events[0].seq);
    for (const status of ["in-progress", "done"])
      await hall.call("POST", `/api/projects/shop/tasks/${first.id}/move`, { status });
    const [, after] = (await hall.call("GET", "/api/projects/shop/cards")).body.cards;
    expect(after).toMatchObject({ ready: true, waitingOn: [] });
    expect((await hall.call("GET", "/api/projects/nowhere/cards")).status).toBe(404);
  });
});
