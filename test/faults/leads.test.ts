import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, temporaryFolder } from "../harness/daemon.ts";
import { type SeenRequest, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { furnish, PROJECT } from "../harness/spawned-runs.ts";
import type { CrashPoint } from "./crash-point.ts";
import { CHANGES, CrashingHall } from "./crashing-hall.ts";
import { sampled } from "./sampled.ts";

/** A line of a lead, on disk or not quite. */
const line = (type: string, when: CrashPoint["when"] = "after"): CrashPoint => ({
  ...{ victim: "daemon", file: CHANGES, when },
  text: `leads\\.jsonl[^]*type[^a-z]+${type}[^a-z]`,
});
const written = (text: string, when: CrashPoint["when"] = "after"): CrashPoint => {
  return { victim: "daemon", file: CHANGES, text, when };
};

const points: [name: string, point: CrashPoint][] = [
  ["when it is told, before its message", line("told")],
  ["before it is recorded", line("started", "before")],
  ["when it is recorded", line("started")],
  ["before it is told", line("told", "before")],
  ["when its message is said", { victim: "daemon", file: "/channel\\.jsonl$", text: '"id":"lead-', when: "after" }],
  ["when its run is created, before that is noted", written("run\\.created")],
  ["when its run is noted", line("run")],
  ["when its run has ended", written("run\\.ended")],
  ["before its report is saved", line("reported", "before")],
  ["when its report is saved, before the plan is complete", line("reported")],
  ["when the plan is complete", written("initiative\\.updated")],
  ["before its end is recorded", line("ended", "before")],
  ["when its end is recorded", line("ended")],
];

/** Follows what it is shown: starts the first ready task, and reports when there is none. */
function obedient({ tools, system, text, turns }: SeenRequest): Turn {
  if (!tools.includes("report_initiative")) {
    if (!tools.includes("report") || turns > 0) return { text: "Done." };
    return { calls: [{ name: "report", input: { summary: "Built it.", outcome: "full" } }] };
  }
  if (!text.includes("[from Guildhall]")) return { text: "That is all for now." };
  const ready = /Ready, in this order:\n- (TASK-\d+)/.exec(system)?.[1];
  if (ready !== undefined) return { calls: [{ name: "start_task", input: { task: ready, role: "worker" } }] };
  if (system.includes("Running:")) return { text: "Waiting." };
  return { calls: [{ name: "report_initiative", input: { summary: "All built.", complete: true } }] };
}

// Where a file comes under its name is seen through /proc.
describe.skipIf(process.platform !== "linux")("a lead, when the daemon is killed (needs Linux)", () => {
  it("continues, starts each task once, and reports once", { timeout: 900_000 }, async () => {
    const provider = await startProvider(obedient);
    onTestFinished(() => provider.close());
    const crashing = new CrashingHall(temporaryFolder());
    onTestFinished(() => crashing.end());
    mkdirSync(crashing.workspace, { recursive: true });
    const providers = { own: { kind: "openai-compatible", baseUrl: `${provider.url}/v1` } };
    const config = { providers, models: { default: "own/m" } };
    writeFileSync(join(crashing.workspace, "config.yml"), JSON.stringify(config));
    await furnish(await crashing.start(), {});
    await crashing.hall.call("POST", `/api/projects/${PROJECT}/team`, { roleId: "worker" });
    for (const [at, [name, point]] of sampled([...points.entries()], { every: 5 }))
      await survives(crashing, `plan-${at}`, { name, point });
  });
});

async function survives(
  crashing: CrashingHall,
  slug: string,
  { name, point }: { name: string; point: CrashPoint },
): Promise<void> {
  const base = `/api/projects/${PROJECT}` as const;
  await crashing.hall.call("POST", `${base}/initiatives`, { slug, title: slug, goals: ["Build it"] });
  for (const title of ["One", "Two"]) await crashing.hall.call("POST", `${base}/tasks`, { title, plan: slug });
  crashing.arm(point);
  const ask = () =>
    crashing.hall.call("POST", `${base}/initiatives/${slug}/lead`, {}, { "idempotency-key": `key-${slug}` });
  await ask().catch(() => undefined);
  await crashing.struck(point, 60_000);
  const again = await ask();
  expect(again.status, `${name}: ${JSON.stringify(again.body)}`).toBe(201);
  const leads = await eventually(
    async () => (await crashing.hall.call("GET", `/api/leads?project=${PROJECT}&initiative=${slug}`)).body.leads,
    (all) => all.every(({ endedAt }) => endedAt !== undefined),
    60_000,
  );
  expect(leads, name).toMatchObject([
    { status: "idle", report: { isComplete: true, tasks: { done: 2, total: 2 } }, briefing: { initiative: slug } },
  ]);
  const { tasks } = (await crashing.hall.call("GET", `${base}/tasks?plan=${slug}&limit=10`)).body;
  expect(
    tasks.map(({ status }) => status),
    name,
  ).toEqual(["done", "done"]);
  const { runs } = (await crashing.hall.call("GET", `/api/runs?project=${PROJECT}&limit=500`)).body;
  const own = runs.filter(({ taskId }) => tasks.some(({ id }) => id === taskId));
  expect(own.map(({ taskId }) => taskId).sort(), name).toEqual(tasks.map(({ id }) => id).sort());
  const { initiative } = (await crashing.hall.call("GET", `${base}/initiatives/${slug}`)).body;
  expect(initiative.status, name).toBe("complete");
  const lines = linesIn(crashing, `plans/${slug}/leads.jsonl`);
  const counts = Map.groupBy(lines, ({ type }) => type);
  for (const type of ["started", "reported", "ended"]) expect(counts.get(type), `${name}: ${type}`).toHaveLength(1);
  const ids = linesIn(crashing, "channel.jsonl").flatMap(({ id }) => id ?? []);
  expect(new Set(ids).size, name).toBe(ids.length);
}

function linesIn({ workspace }: CrashingHall, path: string): { type?: string; id?: string }[] {
  const text = readFileSync(join(workspace, "projects", PROJECT, path), "utf8");
  return text
    .split("\n")
    .filter((one) => one !== "")
    .map((one) => JSON.parse(one));
}
