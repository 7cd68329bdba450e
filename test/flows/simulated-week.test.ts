import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Briefing } from "../../src/contract/documents/autonomy/briefing.ts";
import type { Firing, Skipped, Trigger } from "../../src/contract/documents/autonomy/trigger.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { linesWithoutFormat } from "../harness/durable-lines.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { KEY, scriptedHall } from "../harness/scripted-hall.ts";
import { minutesAt } from "../harness/wall-clock.ts";
import { wanted } from "../harness/workspace.ts";

const HOUR_MS = 3_600_000;
const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"] as const;
/** In full: 20 projects for a week. Both have the night in which clocks in Europe are set forward. */
const FULL = process.env.GUILDHALL_WEEK !== undefined;
const [PROJECTS, STEPS, STEP_HOURS] = FULL ? [20, 56, 3] : [2, 8, 6];
const START = FULL ? "2031-03-24T04:10:00Z" : "2031-03-29T04:10:00Z";
const SECRET = "a secret of this week";
const ENV = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY, WEEK_SECRET: SECRET };
const LOOK = { spawn: { roleId: "coder", title: "Look around" } };

interface Due {
  name: string;
  slots: (after: number, until: number) => number[];
}

it(
  "is a simulated week: every slot fired once or was skipped with a reason, and briefings match the records [S4-SCOPE-14] [S4-BRIEF-06]",
  async () => {
    let ahead = Date.parse(START) - Date.now();
    const clock = () => new Date(Date.now() + ahead);
    const prices = { "own/m": { input: 50, output: 10 } };
    const config = {
      models: { default: "own/m", prices },
      briefing: { time: "08:00", timezone: "UTC" },
      // The clock is years ahead of the times of files.
      projects: { suspendAfterDays: 0 },
      budget: { dayUsd: null, runUsd: null },
    };
    const { hall: first } = await scriptedHall(
      () => ({ text: "Two tasks are stuck.", usage: { input: 1_000, output: 50 } }),
      {
        clock,
        config,
        env: ENV,
      },
    );
    let hall = first;
    const due = await furnished(hall);
    let delivered = 0;
    const off = Math.floor(STEPS / 3);
    for (let step = 1; step <= STEPS; step++) {
      const isOff = step === off || step === 2 * off;
      if (isOff) await hall.stop();
      if (step === off + 1) await wanted(200, hall.call("POST", "/api/projects/p0/move", { status: "suspended" }));
      ahead += STEP_HOURS * HOUR_MS;
      // Paused by hand after its slot came, and before anything looked at it.
      if (step === off) edited(hall, "p1/triggers/often-1.md", "---\n", "---\nenabled: false\n");
      if (isOff) hall = await startHall(hall.workspace, { clock, env: ENV });
      if (step === off + 2) await wanted(200, hall.call("POST", "/api/triggers/often-1/resume"));
      if (step === off + 3) await wanted(200, hall.call("POST", "/api/projects/p0/move", { status: "active" }));
      const isOpen = step <= off || step >= off + 3;
      // Sent twice, and forged once: it counts once.
      for (const secret of [SECRET, "wrong", SECRET]) await deliver(hall, step, secret);
      if (isOpen) delivered++;
      await asked(hall, step);
      await settled(hall, clock);
    }
    await assertAccounted(hall, due, clock().getTime());
    expect((await history(hall, "hook")).firings.map(({ cause }) => cause).length).toBe(delivered);
    await assertBriefings(hall, clock());
    expect(linesWithoutFormat(hall.workspace)).toEqual([]);
  },
  FULL ? 3_600_000 : 300_000,
);

function edited({ workspace }: Hall, path: string, from: string, to: string): void {
  const file = join(workspace, "projects", path);
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
}

async function furnished(hall: Hall): Promise<Due[]> {
  const due: Due[] = [];
  const create = (body: object) => wanted(201, hall.call("POST", "/api/triggers", body));
  for (let at = 0; at < PROJECTS; at++) {
    const projectId = `p${at}`;
    await wanted(201, hall.call("POST", "/api/projects", { id: projectId, name: `Project ${at}` }));
    const timezone = ZONES[at % ZONES.length] ?? "UTC";
    const hour = String((5 + at) % 24).padStart(2, "0");
    const policy = (["once", "all", "skip"] as const)[at % 3];
    const [daily, often] = [`daily-${at}`, `often-${at}`];
    await create({
      name: daily,
      projectId,
      on: { cron: `30 ${Number(hour)} * * *`, timezone },
      do: LOOK,
      late: { policy },
    });
    await create({
      name: often,
      projectId,
      on: { interval: "6h" },
      do: LOOK,
      late: { policy: at % 2 === 0 ? "all" : "skip" },
    });
    due.push({ name: daily, slots: (after, until) => minutesAt(`${hour}:30`, timezone, { after, until }) });
    due.push({
      name: often,
      slots: (after, until) =>
        Array.from(
          { length: Math.floor((until - after) / (6 * HOUR_MS)) },
          (_, index) => after + (index + 1) * 6 * HOUR_MS,
        ),
    });
  }
  const webhook = { secretEnv: "WEEK_SECRET", form: "github" };
  await create({ name: "hook", projectId: "p0", on: { webhook }, do: LOOK });
  return due;
}

async function deliver(hall: Hall, step: number, secret: string): Promise<void> {
  const body = JSON.stringify({ step });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { "x-hub-signature-256": signature, "x-github-delivery": `d-${step}` };
  const { status } = await fetch(`${hall.url}/hooks/hook`, { method: "POST", headers, body });
  expect(secret === SECRET ? [200, 202, 409] : [401]).toContain(status);
}

/** A question in each step; every third one is answered. Something happens, so that the daemon looks at its clock. */
async function asked(hall: Hall, step: number): Promise<void> {
  const type = (["decision", "blocker", "question", "approval"] as const)[step % 4];
  const body = { type, question: `What about step ${step}?`, projectId: "p1" };
  const { id } = (await wanted(201, hall.call("POST", "/api/escalations", body))).escalation as { id: string };
  await eventually(
    async () => (await wanted(200, hall.call("GET", `/api/escalations/${id}`))).escalation.status as string,
    (status) => status === "pending",
  );
  if (step % 3 === 0) await wanted(200, hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "Yes" }));
}

/** Nothing is due, and nothing is under way. */
async function settled(hall: Hall, clock: () => Date): Promise<void> {
  const isCalm = ({ state, inFlight, waiting, nextAt, on }: Trigger) =>
    inFlight === undefined &&
    waiting === 0 &&
    (state !== "active" ||
      on.webhook !== undefined ||
      (nextAt !== undefined && Date.parse(nextAt) > clock().getTime()));
  await eventually(
    async (): Promise<Trigger[]> => (await wanted(200, hall.call("GET", "/api/triggers"))).triggers,
    (triggers) => triggers.every(isCalm),
    120_000,
  );
}

function history(hall: Hall, name: string): Promise<{ firings: Firing[]; skipped: Skipped[] }> {
  return wanted(200, hall.call("GET", `/api/triggers/${name}/history?limit=1000`));
}

/** The expected slots come from the wall clock and from arithmetic, not from the code that planned them. */
async function assertAccounted(hall: Hall, due: readonly Due[], until: number): Promise<void> {
  const reasons = new Set<string>();
  for (const { name, slots } of due) {
    const [began = "{}"] = readFileSync(join(hall.workspace, `state/triggers/${name}.jsonl`), "utf8").split("\n");
    const expected = slots(Date.parse(JSON.parse(began).at), until);
    const { firings, skipped } = await history(hall, name);
    const fired = firings.map(({ slot = "" }) => Date.parse(slot));
    const ranges = skipped.map(({ from = "", to = "" }) => ({ from: Date.parse(from), to: Date.parse(to) }));
    for (const slot of expected) {
      const times = fired.filter((one) => one === slot).length;
      const skips = ranges.filter(({ from, to }) => slot >= from && slot <= to).length;
      expect({ name, slot: new Date(slot).toISOString(), times: times + skips }).toMatchObject({ times: 1 });
    }
    expect(fired.filter((slot) => !expected.includes(slot))).toEqual([]);
    expect(skipped.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length - fired.length);
    expect(firings.every(({ state, outcome }) => state === "ended" && outcome === "report")).toBe(true);
    for (const { reason } of skipped) reasons.add(reason);
  }
  expect([...reasons]).toEqual(expect.arrayContaining(["paused", "project-inactive"]));
}

async function assertBriefings(hall: Hall, now: Date): Promise<void> {
  const runs = await allRuns(hall);
  const events = eventsOf(hall);
  const firstDay = Date.parse(START.slice(0, 10));
  for (let day = firstDay; day <= now.getTime(); day += 24 * HOUR_MS) {
    const name = new Date(day).toISOString().slice(0, 10);
    const { briefing } = await wanted(200, hall.call("GET", `/api/briefings/${name}`));
    assertBriefing(briefing, {
      runs,
      events,
      from: day - 16 * HOUR_MS,
      until: Math.min(day + 24 * HOUR_MS, now.getTime()),
    });
  }
  const { briefing } = await wanted(200, hall.call("GET", "/api/briefings/today"));
  const { escalations } = await wanted(200, hall.call("GET", "/api/escalations?status=pending&limit=500"));
  for (const type of ["decision", "blocker", "question", "approval"] as const) {
    const ids = escalations.filter((one: { type: string }) => one.type === type).map(({ id }: { id: string }) => id);
    const { count, items } = briefing.needs[`${type}s`];
    expect([type, count]).toEqual([type, ids.length]);
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set(ids));
  }
  const sent = events.filter(({ type }) => type === "briefing.created").map(({ subject }) => subject.id);
  expect(sent.length).toBeGreaterThan(0);
  expect(new Set(sent).size).toBe(sent.length);
}

interface Records {
  runs: readonly Run[];
  events: readonly { type: string; at: string; subject: { id: string } }[];
  from: number;
  until: number;
}

function assertBriefing(briefing: Briefing, { runs, events, from, until }: Records): void {
  const isIn = (at: string | undefined) => at !== undefined && Date.parse(at) >= from && Date.parse(at) < until;
  const ended = runs.filter(({ endedAt }) => isIn(endedAt));
  expect(Date.parse(briefing.from)).toBe(from);
  expect(new Set(briefing.done.runs.map(({ id }) => id))).toEqual(new Set(ended.map(({ id }) => id)));
  const { counts } = briefing.done;
  expect(counts.completed).toBe(ended.filter(({ status }) => status === "completed").length);
  const happened = (type: string) => events.filter((event) => event.type === type && isIn(event.at)).length;
  expect([counts.asked, counts.answered]).toEqual([happened("escalation.created"), happened("escalation.resolved")]);
  // To the cent: what the runs of the period say they cost. The main agent has calls of its own.
  const { byProject, costUsd: total } = briefing.spent;
  for (let at = 0; at < PROJECTS; at++) {
    const own = ended.filter(({ projectId }) => projectId === `p${at}`);
    const told = byProject.find(({ projectId }) => projectId === `p${at}`)?.costUsd ?? 0;
    expect(told).toBeCloseTo(
      own.reduce((sum, { usage }) => sum + usage.costUsd, 0),
      6,
    );
  }
  expect(total).toBeCloseTo(
    byProject.reduce((sum, { costUsd }) => sum + costUsd, 0),
    6,
  );
}

async function allRuns(hall: Hall): Promise<Run[]> {
  const runs: Run[] = [];
  for (let at = 0; at < PROJECTS; at++)
    runs.push(...(await wanted(200, hall.call("GET", `/api/runs?limit=500&project=p${at}`))).runs);
  return runs;
}

function eventsOf({ workspace }: Hall): Records["events"] {
  const days = Array.from({ length: 10 }, (_, index) =>
    new Date(Date.parse(START) + index * 24 * HOUR_MS).toISOString().slice(0, 10),
  );
  return days.flatMap((day) => {
    try {
      const lines = readFileSync(join(workspace, `events/${day}.jsonl`), "utf8").split("\n");
      return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
    } catch {
      return [];
    }
  });
}
