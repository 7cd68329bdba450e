import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cycle } from "../../src/contract/documents/autonomy/orchestrator.ts";
import { commandLine } from "../harness/command-line.ts";
import { eventually } from "../harness/daemon.ts";
import { linesWithoutFormat } from "../harness/durable-lines.ts";
import { held, type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { refused, wanted } from "../harness/workspace.ts";

let on: ScriptedHall;
const call = (name: string, input: object = {}) => ({ name, input });
/** Ids of tasks by initiative: its lead has each of them done and reports. */
const work = new Map<string, string[]>();
/** How many turns a lead of an initiative took. */
const turns = new Map<string, number>();
/** What the tools of the lead of `night` answered. */
const told = new Set<string>();

/** The run of this initiative waits until the test opens it. */
const night = held(afterAll);
const NIGHT = [0, undefined, 1, undefined, 1, undefined] as const;

async function answer(request: SeenRequest): Promise<Turn> {
  const { system, tools, turns: taken } = request;
  if (tools.includes("decide")) return { hang: true };
  if (tools.includes("report") && JSON.stringify(request.body).includes("Do night")) await night.opened;
  if (tools.includes("report"))
    return taken > 0 ? { text: "Done." } : { calls: [call("report", { summary: "Did it.", outcome: "full" })] };
  const [slug, tasks = []] = [...work].find(([name]) => system.includes(`plans/${name}/plan.md`)) ?? [];
  if (slug === undefined || !tools.includes("report_initiative")) return { text: "Nothing to do." };
  const turn = turns.get(slug) ?? 0;
  turns.set(slug, turn + 1);
  if (slug === "night") {
    for (const { output } of request.results) told.add(output);
    const next = tasks[NIGHT[turn] ?? -1];
    if (next !== undefined) return { calls: [call("start_task", { task: next, role: "coder" })] };
    if (turn < NIGHT.length) return { text: "Waiting." };
  }
  const task = slug === "night" ? undefined : tasks[Math.floor(turn / 2)];
  if (task !== undefined)
    return turn % 2 === 0
      ? { calls: [call("start_task", { task, role: "coder" })] }
      : { text: "Waiting for the run.", usage: { input: 1_000, output: 100 } };
  if (turn === 2 * tasks.length || (slug === "night" && turn === NIGHT.length))
    return { calls: [call("report_initiative", { summary: `All of ${slug} is done.`, complete: true })] };
  return { text: "Reported." };
}

beforeAll(async () => {
  on = await scriptedHall(answer, {
    later: afterAll,
    config: { models: { default: "own/m", prices: { "own/m": { input: 10, output: 10 } } } },
  });
  const { hall } = on;
  await wanted(201, hall.call("POST", "/api/projects/shop/team", { roleId: "coder" }));
  await wanted(201, hall.call("POST", "/api/projects", { id: "docs", name: "Docs" }));
  await wanted(201, hall.call("POST", "/api/projects/docs/team", { roleId: "coder" }));
});

async function plan(project: string, slug: string, priority: string): Promise<string> {
  await wanted(
    201,
    on.hall.call("POST", `/api/projects/${project}/initiatives`, { slug, title: slug, goals: ["It works"] }),
  );
  const body = { title: `Do ${slug}`, plan: slug, priority };
  const { task } = await wanted(201, on.hall.call("POST", `/api/projects/${project}/tasks`, body));
  work.set(slug, [task.id]);
  return task.id;
}
const set = (settings: object) => wanted(200, on.hall.call("PUT", "/api/settings", { set: settings }));
const view = async () => (await wanted(200, on.hall.call("GET", "/api/orchestrator"))).orchestrator;
const cycles = async (): Promise<Cycle[]> =>
  (await wanted(200, on.hall.call("GET", "/api/orchestrator/cycles?limit=100"))).cycles;
const autonomy = (id: string, level: string | null) =>
  wanted(200, on.hall.call("PUT", `/api/projects/${id}`, { config: { autonomy: level } }));

describe("the orchestrator", () => {
  it("does nothing until it is switched on", async () => {
    await plan("shop", "doors", "low");
    await plan("docs", "manual", "urgent");
    expect(await view()).toMatchObject({ state: "off", leads: [] });
    await refused("orchestrator_refused", on.hall.call("POST", "/api/orchestrator/cycle"));
    await set({ "orchestrator.enabled": true });
    expect((await wanted(200, on.hall.call("POST", "/api/orchestrator/cycle"))).cycle).toMatchObject({
      saw: { projects: 0 },
      starts: [],
    });
  });

  it("leads to hours of work across projects from one trigger, the most urgent first, and then rests [S4-GOAL-05] [S4-ORC-04]", async () => {
    const { hall } = on;
    await wanted(200, hall.call("POST", "/api/orchestrator/pause"));
    for (const id of ["shop", "docs"]) await autonomy(id, "work");
    await wanted(200, hall.call("POST", "/api/orchestrator/resume"));
    const trigger = { name: "morning", on: { cron: "0 0 1 1 *", timezone: "UTC" }, do: { orchestrate: true } };
    await wanted(201, hall.call("POST", "/api/triggers", trigger));
    await wanted(200, hall.call("POST", "/api/triggers/morning/run"));
    await eventually(
      view,
      ({ state, last }) => state === "idle" && last?.results.some(({ initiative }) => initiative === "doors") === true,
      60_000,
    );
    const started = (await cycles())
      .reverse()
      .flatMap(({ starts }) => starts.map(({ initiative, outcome }) => `${initiative} ${outcome}`));
    expect(started).toEqual(["manual started", "doors started"]);
    for (const id of ["shop", "docs"])
      expect((await wanted(200, hall.call("GET", `/api/projects/${id}/tasks/TASK-001`))).task.status).toBe("done");
    const { firings } = await eventually(
      async () => wanted(200, hall.call("GET", "/api/triggers/morning/history")),
      (history) => history.firings[0]?.state === "ended",
    );
    expect(firings[0]).toMatchObject({ started: { kind: "cycle" } });
    const asked = on.provider.requests.length;
    for (let round = 0; round < 3; round++) await wanted(200, hall.call("POST", "/api/orchestrator/cycle"));
    expect(on.provider.requests.length).toBe(asked);
    const day = (await cycles())[0]?.at.slice(0, 10);
    expect(readFileSync(join(hall.workspace, `orchestrator/${day}.md`), "utf8")).toContain("All of doors is done.");
  });

  it("runs one cycle for one Idempotency-Key, and each command of the noun works", async () => {
    const run = () =>
      wanted(200, on.hall.call("POST", "/api/orchestrator/cycle", undefined, { "idempotency-key": "once" }));
    expect((await run()).cycle.id).toBe((await run()).cycle.id);
    const cli = async (...words: string[]) =>
      (await commandLine(["orchestrator", ...words], { workspace: on.hall.workspace })).stdout;
    expect(await cli("show")).toMatch(/^Orchestrator: idle\./);
    expect(await cli("cycle")).toContain("nothing to do");
    expect(await cli("history", "--limit", "50")).toMatch(/started docs \/ manual: 0\/1 tasks done, 1 ready/);
    expect(await cli("pause")).toBe("Paused the orchestrator.\n");
    expect(await cli("show")).toMatch(/^Orchestrator: paused\./);
    expect(await cli("resume")).toBe("Resumed the orchestrator.\n");
  });

  it("keeps within its day's money to the cent, and goes on when there is more", async () => {
    const { spentTodayUsd } = await view();
    expect(spentTodayUsd).toBeGreaterThan(0);
    const { scopes } = await wanted(200, on.hall.call("GET", "/api/budget"));
    const own = scopes.find(({ scope }) => scope === "orchestrator-day");
    expect(own?.usd.spent).toBeCloseTo(spentTodayUsd, 9);
    const { leads } = await wanted(200, on.hall.call("GET", "/api/leads"));
    const told = leads.reduce((sum: number, { costUsd }: { costUsd: number }) => sum + costUsd, 0);
    // Besides its agents it asked once about the order: 10 tokens in, 5 out.
    expect(spentTodayUsd - told).toBeCloseTo(0.00015, 9);
    const page = readFileSync(join(on.hall.workspace, "projects/shop/plans/doors/report.md"), "utf8");
    expect(page).toMatch(
      /Reported\.\n- From .*\n- Started by daemon: Orchestrator: 0\/1 tasks done, 1 ready\..*\n- Cost \$0\.0\d: 1 round, 1 run, 0 teams\n/,
    );
    expect(page).toMatch(/All of doors is done\.(?:.|\n)*- TASK-001: run-/);
    await set({ "orchestrator.dailyUsd": spentTodayUsd });
    await plan("shop", "roof", "urgent");
    await eventually(cycles, ([last]) => last?.held.some(({ reason }) => reason === "money-spent") === true);
    expect(await view()).toMatchObject({ state: "money-spent", spentTodayUsd });
    await set({ "orchestrator.dailyUsd": 100 });
    await eventually(
      view,
      ({ last }) => last?.results.some(({ initiative }) => initiative === "roof") === true,
      60_000,
    );
  });

  it("begins nothing outside its hours, also what its agents would begin, and goes on when they come", async () => {
    const first = await plan("shop", "night", "urgent");
    const more = { title: "More of it", plan: "night", priority: "urgent" };
    const { task } = await wanted(201, on.hall.call("POST", "/api/projects/shop/tasks", more));
    work.set("night", [first, task.id]);
    const taskOf = async (id: string) =>
      (await wanted(200, on.hall.call("GET", `/api/projects/shop/tasks/${id}`))).task.status;
    await eventually(
      () => taskOf(first),
      (status) => status === "in-progress",
    );
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    await set({ "briefing.timezone": "UTC", "orchestrator.hours": `${inHours(2)}-${inHours(3)}` });
    night.open();
    await eventually(
      async () => [...told].join(),
      (text) => text.includes("No work is started at this time of day"),
    );
    await eventually(
      async () => (await view()).leads,
      ([lead]) => lead?.status === "waiting",
    );
    expect([await taskOf(first), await taskOf(task.id)]).toEqual(["done", "pending"]);
    await wanted(200, on.hall.call("PUT", "/api/settings", { reset: ["orchestrator.hours"] }));
    await eventually(
      () => taskOf(task.id),
      (status) => status === "done",
      60_000,
    );
    await eventually(view, ({ state }) => state === "idle", 60_000);
    expect(linesWithoutFormat(on.hall.workspace)).toEqual([]);
  });
});
