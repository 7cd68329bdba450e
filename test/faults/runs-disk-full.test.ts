import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { eventually, type Hall, launchHall, spawnHall } from "../harness/daemon.ts";
import { makeShop } from "../harness/scripted-hall.ts";
import { type ScriptedProvider, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { isDoing, runOf, untilOver } from "../harness/spawned-runs.ts";
import { type SmallDisk, smallDisk, whyNoSmallDisk } from "./small-disk.ts";

const reason = whyNoSmallDisk();
const about = reason === undefined ? "" : ` (not tried here: ${reason})`;
const RUNS = 3;
const TURNS = 30;

/** Each turn adds a line or two to the ledger and to the journal, so that both need more room before long. */
function turn({ turns }: { turns: number }): Turn {
  const usage = { input: 100, output: 10 };
  if (turns + 1 >= TURNS) return { text: "Done.", usage };
  return { text: `Turn ${turns}.`, calls: [{ name: "list", input: { path: ".", depth: turns + 1 } }], usage };
}

interface Stage {
  disk: SmallDisk;
  provider: ScriptedProvider;
  workspace: string;
}

async function stage(): Promise<Stage> {
  const provider = await startProvider(turn);
  onTestFinished(() => provider.close());
  const disk = smallDisk("16m");
  const workspace = join(disk.path, "workspace");
  mkdirSync(workspace);
  const config = {
    providers: { own: { kind: "openai-compatible", baseUrl: `${provider.url}/v1` } },
    models: { default: "own/m" },
    budget: { runUsd: null, dayUsd: null },
  };
  writeFileSync(join(workspace, "config.yml"), JSON.stringify(config));
  return { disk, provider, workspace };
}

/** Runs that are all waiting for the disk. */
async function waitingRuns(hall: Hall, { disk, provider }: Stage): Promise<string[]> {
  await makeShop(hall);
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n++) {
    const body = { projectId: "shop", roleId: "coder", task: { title: `Look ${n}` }, overrides: { skills: ["list"] } };
    ids.push((await hall.call("POST", "/api/team/spawn", body)).body.sessionId);
  }
  await provider.request(RUNS * 2);
  disk.fill();
  const waiting = await eventually(
    () => Promise.all(ids.map((id) => runOf(hall, id))),
    (runs: Run[]) => runs.every(({ waitingFor }) => waitingFor === "disk"),
  );
  for (const run of waiting)
    expect(run).toMatchObject({
      status: expect.stringMatching(/^(running|pending)$/),
      waitingSince: expect.any(String),
      activity: { kind: "waiting", for: "disk", detail: expect.stringMatching(/ because ./) },
    });
  return ids;
}

interface Line {
  type: string;
  how?: string;
  id: string;
}

function ledgerOf(workspace: string): Line[] {
  const folder = join(workspace, "costs");
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return text
    .join("")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

describe.skipIf(reason !== undefined)(`runs on a disk that is full for a while${about}`, () => {
  it("wait, send nothing that cannot be booked, and go on by themselves", { timeout: 120_000 }, async () => {
    const staged = await stage();
    const { disk, provider, workspace } = staged;
    const hall = await spawnHall(workspace);
    const ids = await waitingRuns(hall, staged);
    const { body: now } = await hall.call("GET", "/api/now");
    expect(now.needsMe).toMatchObject(
      ids.map(() => ({ kind: "waiting", detail: expect.stringMatching(/^Waiting for the disk/) })),
    );
    const asked = provider.requests.length;
    disk.free();
    for (const id of ids) {
      const run = await untilOver(hall, id);
      expect([run.status, run.attempt, run.usage.turns, run.error]).toEqual(["completed", 1, TURNS, undefined]);
    }
    expect(asked).toBeLessThan(RUNS * TURNS);
    // Every call was sent once, and booked once.
    expect(provider.requests).toHaveLength(RUNS * TURNS);
    const settled = ledgerOf(workspace).filter(({ type }) => type === "settled");
    expect(settled.filter(({ how }) => how === "answered")).toHaveLength(RUNS * TURNS);
    expect(new Set(settled.map(({ id }) => id)).size).toBe(settled.length);
    expect((await hall.call("GET", "/api/audit/verify")).body).toMatchObject({ ok: true });
  });

  it("end when they are cancelled, and go on when the daemon was killed meanwhile", { timeout: 120_000 }, async () => {
    const staged = await stage();
    const launch = launchHall(staged.workspace);
    const ids = await waitingRuns(await launch.ready, staged);
    const [cancelled = "", ...others] = ids;
    const hall = await launch.ready;
    // It can be written down, or not: the run does nothing more in either case.
    const asked = await hall.call("POST", `/api/runs/${cancelled}/cancel?wait=false`, {}).catch(() => undefined);
    if (asked?.status === 503) expect(asked.body.error.hint).toMatch(/ends when the disk is writable/);
    await launch.kill("SIGKILL");
    await launch.ended;
    staged.disk.free();
    const again = await spawnHall(staged.workspace);
    for (const id of others) expect((await untilOver(again, id)).status).toBe("completed");
    await again.call("POST", `/api/runs/${cancelled}/stop`, {});
    expect(["cancelled", "completed"]).toContain((await untilOver(again, cancelled)).status);
  });

  it("end as cancelled once the disk is back when they were cancelled before", { timeout: 120_000 }, async () => {
    const staged = await stage();
    const hall = await spawnHall(staged.workspace);
    const [id = ""] = await waitingRuns(hall, staged);
    const cancelling = hall.call("POST", `/api/runs/${id}/stop`, {});
    await eventually(
      () => runOf(hall, id),
      (run: Run) => run.status === "cancelled" || isDoing(run, { detail: /can't be (?:saved|recorded)/ }),
    );
    staged.disk.free();
    expect([200, 503]).toContain((await cancelling).status);
    expect((await untilOver(hall, id)).status).toBe("cancelled");
  });
});
