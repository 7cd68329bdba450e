import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import type { PersonsRepository } from "../harness/repository.ts";
import { listRuns, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, teamHall, teamPlaybooks, untilAsked, untilTeam } from "../harness/team-hall.ts";

const sandbox = await sandboxProbe().settle();
const CLIENT = "a-token-of-a-client-0123456789-0123456789";
const SUM = moduleFiles("sum", "REQ-001");

/** What the agents of two runs at the same time see of their worktrees. */
const LOOK = 'printf "%s %s %s\\n" "$GUILDHALL_PORT" "$(cat made.txt)" "$(cat "$GUILDHALL_DATA/db")" > seen-$0.txt';
const looking = (name: string) =>
  JSON.stringify({
    turns: [
      { delayMs: 1_000, calls: [{ tool: "exec", input: { command: LOOK.replace("$0", name) } }] },
      { calls: [{ tool: "report", input: { summary: "Looked.", outcome: "full" } }] },
      { text: "Done." },
    ],
  });

describe.skipIf(sandbox.name === "none")(`worktrees that are set up (sandbox: ${sandbox.name})`, () => {
  let hall: Hall;
  let repo: PersonsRepository;
  const overrides = (model: string) => ({ overrides: { model: `offline/${model}`, skills: ["exec", "report"] } });
  const worktree = async (settings: object | null) => {
    const set = await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { worktree: settings } });
    expect(set.status, JSON.stringify(set.body)).toBe(200);
  };
  const folder = (name: string) => join(hall.workspace, ".guildhall", name);
  const left = (name: string) => (existsSync(folder(name)) ? readdirSync(folder(name)) : []);
  const nothingLeft = () =>
    eventually(
      () => left("worktree-data"),
      (names) => names.length === 0,
    );

  beforeAll(async () => {
    const config = { agentTeams: { costCapUsd: 50 } };
    hall = await startHall(undefined, { later: afterAll, clients: { robot: CLIENT }, config });
    const books = teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }], {
      one: looking("one"),
      two: looking("two"),
    });
    const settings = { qualityGates: { appliesTo: "off" }, constraints: { requireReview: false } };
    repo = await teamHall(hall, books, { config: settings, later: afterAll });
    repo.write(".gitignore", "made.txt\nnode_modules/\n");
    repo.git("add", ".gitignore");
    repo.git("commit", "--quiet", "-m", "Ignore what is made");
  }, 60_000);

  it("have ports and data of their own, and are torn down", { timeout: 120_000 }, async () => {
    await worktree({
      setup: ['echo "$GUILDHALL_RUN" > made.txt', 'echo "data of $GUILDHALL_RUN" > "$GUILDHALL_DATA/db"'],
      teardown: ["test -s made.txt"],
    });
    const ids = await Promise.all(["one", "two"].map((name) => spawnRun(hall, name, `Look ${name}`, overrides(name))));
    const runs = await Promise.all(ids.map((id) => untilOver(hall, id, 60_000)));
    expect(runs.map(({ status, delivery }) => [status, delivery?.state])).toEqual([
      ["completed", "delivered"],
      ["completed", "delivered"],
    ]);
    const seen = ["one", "two"].map((name) => repo.text(`seen-${name}.txt`).trim());
    expect(seen.map((line) => line.split(" ").slice(1).join(" "))).toEqual(ids.map((id) => `${id} data of ${id}`));
    const ports = seen.map((line) => Number(line.split(" ")[0]));
    expect(Math.abs((ports[0] ?? 0) - (ports[1] ?? 0))).toBeGreaterThanOrEqual(10);
    expect(repo.exists("made.txt")).toBe(false);
    await nothingLeft();
  });

  it("end a run with what the command said where they can't be set up, before a model is asked", async () => {
    await worktree({ setup: ["echo no such database >&2; exit 3"] });
    const run = await untilOver(hall, await spawnRun(hall, "one", "Never starts", overrides("one")), 60_000);
    expect(run).toMatchObject({ status: "failed", cause: "setup", usage: { turns: 0 } });
    expect(run.error).toMatch(/'echo no such database >&2; exit 3': Exit code 3 [\s\S]*no such database/);
    await worktree({ setup: ["echo x > stray.txt"] });
    const strays = await untilOver(hall, await spawnRun(hall, "one", "Strays", overrides("one")), 60_000);
    expect(strays).toMatchObject({ cause: "setup", error: expect.stringContaining("stray.txt") });
    await nothingLeft();
  });

  it("stop with their run, whatever their commands do", { timeout: 60_000 }, async () => {
    await worktree({ setup: ["sleep 600 & sleep 600"] });
    const id = await spawnRun(hall, "one", "Slow", overrides("one"));
    await eventually(
      () => left("worktree-data"),
      (names) => names.includes(id),
      30_000,
    );
    await hall.call("POST", `/api/runs/${id}/stop`);
    expect((await runOf(hall, id)).status).toBe("cancelled");
    await nothingLeft();
  });

  it("are tried once before a team pays anyone, and the person is asked", { timeout: 120_000 }, async () => {
    await worktree({ setup: ["cat database.url"] });
    const before = (await listRuns(hall)).length;
    const { id } = await startTeam(hall, { approval: "none" });
    const asked = await untilAsked(hall, id);
    expect(asked).toMatchObject({ waitingFor: "person", escalation: { kind: "setup-failed" }, costUsd: 0 });
    expect(asked.reason).toContain("'cat database.url': Exit code 1");
    expect(await listRuns(hall)).toHaveLength(before);
    expect(left("worktrees").filter((name) => name.startsWith("setup-"))).toEqual([]);
    await worktree({ setup: ["echo ok > made.txt"] });
    const answer = { answer: "Try again" };
    expect((await hall.call("POST", `/api/escalations/${asked.escalation?.id}/resolve`, answer)).status).toBe(200);
    await untilTeam(hall, id, "completed");
    expect(repo.exists("sum/index.js")).toBe(true);
  });

  it("are for the person to set: no program with a token of its own names commands or starts a team unseen", async () => {
    const headers = { authorization: `Bearer ${CLIENT}` };
    const as = (method: "PUT" | "POST", path: string, body: object) =>
      hall.call(method, `/api/projects/${PROJECT}${path}`, body, headers);
    const attempts = [
      await as("PUT", "", { config: { worktree: { setup: ["curl evil.example"] } } }),
      await as("POST", "/teams", { goal: "Sum", approval: "none" }),
      await as("POST", "/teams", { goal: "Sum", budgetUsd: 100 }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403]);
    const empty = await hall.call("PUT", `/api/projects/${PROJECT}`, { config: { worktree: { setup: [""] } } });
    expect(empty.status).toBe(422);
  });
});
