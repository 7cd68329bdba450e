import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  autonomyIn,
  feedOf,
  type Letters,
  letterBooks,
  order,
  orderOf,
  untilPaused,
  wholeBook,
} from "../harness/autonomous-team.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { bookkeeper, ledgerOf, models } from "../harness/paid-calls.ts";
import { KEY, scriptedConfig } from "../harness/scripted-hall.ts";
import { type SeenRequest, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { listRuns, PROJECT } from "../harness/spawned-runs.ts";
import { startTeam, tasksOf, teamHall, teamOf, untilTeam } from "../harness/team-hall.ts";

const LONG = { timeout: 300_000 };
const TEAMS: Letters[] = [
  { name: "plain", writes: "plain.txt", wanted: "plain.txt" },
  { name: "fixed", writes: "draft.txt", wanted: "final.txt" },
  { name: "changed", writes: "old.txt", fixes: "new.txt", wanted: "never.txt", proposes: ["new.txt", "more.txt"] },
  { name: "kept", writes: "one.txt", fixes: "two.txt", wanted: "three.txt", proposes: ["two.txt"] },
  { name: "strict", writes: "red.txt", fixes: "blue.txt", wanted: "green.txt", proposes: ["blue.txt"] },
  { name: "slow", writes: "slow.txt", wanted: "slow.txt", delayMs: 4_000 },
  { name: "lost", writes: "lost.txt", wanted: "lost.txt", refuses: true },
];

describe("teams that work without a person", () => {
  let hall: Hall;
  let repo: Awaited<ReturnType<typeof teamHall>>;
  const start = async (name: string, autonomy?: object) => (await startTeam(hall, orderOf(name, autonomy))).id;
  const resolve = async (id: string, answer: object) => {
    const { escalation } = await eventually(
      () => teamOf(hall, id),
      (team) => team.escalation !== undefined,
    );
    const asked = (await hall.call("GET", `/api/escalations/${escalation?.id}`)).body.escalation;
    const { status, body } = await hall.call("POST", `/api/escalations/${escalation?.id}/resolve`, answer);
    expect(status, JSON.stringify(body)).toBe(200);
    return asked;
  };

  beforeAll(async () => {
    hall = await startHall(undefined, {
      later: afterAll,
      config: { agentTeams: { yolo: { maxRemediationRounds: 1 } } },
    });
    const books = { ...letterBooks(TEAMS), "k-whole": wholeBook("more.txt") };
    repo = await teamHall(hall, books, { config: { qualityGates: { appliesTo: "off" } }, later: afterAll });
  }, 120_000);

  it("are off unless someone wants them, and refuse to ask and not to ask at once [S1-YOLO-05]", LONG, async () => {
    const { id, autonomy, approval } = await startTeam(hall, { goal: "Have plain letters" });
    expect({ autonomy, approval }).toEqual({ autonomy: undefined, approval: "plan" });
    expect((await autonomyIn(hall, id)).autonomy).toMatchObject({ mode: "off", phase: "idle" });
    const both = { ...orderOf("plain"), approval: "plan" };
    expect((await hall.call("POST", `/api/projects/${PROJECT}/teams`, both)).status).toBe(422);
    // Switched on later, it approves the plan that waits.
    await eventually(
      () => teamOf(hall, id),
      ({ status }) => status === "awaiting-approval",
      60_000,
    );
    const on = await hall.call("POST", `/api/teams/${id}/autonomy`, { mode: "fixed" });
    expect(on.status, JSON.stringify(on.body)).toBe(200);
    expect((await untilTeam(hall, id, "completed")).autonomy).toMatchObject({ mode: "fixed", phase: "completed" });
  });

  it(
    "go from a goal to the merge with no hand, and repair on the way [S1-YOLO-01] [S1-YOLO-02] [S1-ACT-25] [S1-ACT-29]",
    LONG,
    async () => {
      const id = await start("fixed");
      const done = await untilTeam(hall, id, "completed", 240_000);
      expect(done).toMatchObject({ rounds: 1, requirements: { total: 1, met: 1 } });
      expect(repo.text("final.txt")).toBe("fixed\n");
      const escalations = (await hall.call("GET", "/api/escalations?status=pending")).body.escalations;
      expect(escalations.filter(({ team }) => team?.id === id)).toEqual([]);
      expect(await feedOf(hall, id)).toEqual([
        ...["yolo-started", "spec-generation", "task-decomposition", "executing", "reviewing", "integration-check"],
        ...["yolo-remediation-created", "remediating", "executing", "reviewing", "integration-check"],
        ...["synthesizing", "yolo-completed"],
      ]);
    },
  );

  it("tell when they begin, pause and end [S1-ACT-24] [S1-ACT-26] [S1-ACT-27] [S1-ACT-28]", LONG, async () => {
    const first = await start("slow", { mode: "fixed" });
    await order(hall, first, "pause");
    await order(hall, first, "stop");
    expect((await teamOf(hall, first)).autonomy).toMatchObject({ phase: "aborted" });
    const told = await feedOf(hall, first);
    expect([told[0], told.at(-2), told.at(-1)]).toEqual(["yolo-started", "yolo-paused", "yolo-aborted"]);
    const second = await start("plain");
    await untilTeam(hall, second, "completed");
    expect((await feedOf(hall, second)).at(-1)).toBe("yolo-completed");
  });

  it(
    "hold a change of the spec for the person, and follow it once approved [S1-YOLO-03] [S1-YOLO-10] [S1-YOLO-11] [S1-ACT-30]",
    LONG,
    async () => {
      const id = await start("changed", { mode: "smart", maxRemediationRounds: 2 });
      await untilPaused(hall, id, "approval-required");
      const { proposals } = await autonomyIn(hall, id);
      expect(proposals).toMatchObject([
        {
          ...{ state: "pending", reason: "The letter has another name.", added: ["REQ-002"], changed: ["REQ-001"] },
          evidence: [{ source: "remediation", requirements: ["REQ-001"] }],
          diff: expect.stringContaining("-- never.txt is there."),
        },
      ]);
      const spec = join(hall.workspace, `projects/${PROJECT}/teams/${id}/spec.md`);
      expect(readFileSync(spec, "utf8")).toContain("never.txt");
      const asked = await resolve(id, { answer: "Approve the change" });
      expect(asked).toMatchObject({ type: "approval", origin: "spec_change", team: { id, kind: "spec-change" } });
      const done = await untilTeam(hall, id, "completed", 240_000);
      expect(done.requirements).toEqual({ total: 2, met: 2 });
      expect(readFileSync(spec, "utf8")).toContain("more.txt");
      expect(readFileSync(spec, "utf8")).not.toContain("never.txt");
      expect((await autonomyIn(hall, id)).proposals).toMatchObject([{ state: "applied", decidedBy: "person" }]);
      expect(await feedOf(hall, id)).toContain("yolo-spec-evolution-proposed");
      expect(repo.exists("more.txt")).toBe(true);
    },
  );

  it("keep their spec where the person says so, and stop repairing after their rounds [S1-YOLO-09]", LONG, async () => {
    const id = await start("kept");
    await untilPaused(hall, id, "approval-required");
    await resolve(id, { answer: "Keep the spec" });
    await untilPaused(hall, id, "max-remediation");
    expect((await autonomyIn(hall, id)).proposals).toMatchObject([{ state: "rejected" }]);
    expect((await teamOf(hall, id)).rounds).toBe(2);
    await order(hall, id, "stop");
  });

  it("never propose a change in fixed mode [S1-YOLO-04]", LONG, async () => {
    const id = await start("strict", { mode: "fixed" });
    await untilPaused(hall, id, "max-remediation");
    expect((await autonomyIn(hall, id)).proposals).toEqual([]);
    await order(hall, id, "resume");
    await eventually(
      () => teamOf(hall, id),
      ({ rounds }) => rounds === 2,
      120_000,
    );
    await order(hall, id, "stop");
  });

  it("are paused when nobody can go on, and try again when they are resumed", LONG, async () => {
    const id = await start("lost");
    await untilPaused(hall, id, "all-teammates-error");
    const before = (await tasksOf(hall, id))[0]?.attempts ?? 0;
    await order(hall, id, "resume");
    await eventually(
      () => tasksOf(hall, id),
      ([task]) => (task?.attempts ?? 0) > before,
      60_000,
    );
    await order(hall, id, "stop");
  });

  it(
    "are paused by their time limit, each by its own, and go on with the same runs after a restart [S1-YOLO-07] [S1-TM-07]",
    LONG,
    async () => {
      const own = await startHall();
      await teamHall(own, letterBooks(TEAMS), { config: { qualityGates: { appliesTo: "off" } } });
      const timed = (await startTeam(own, orderOf("slow", { mode: "fixed", timeoutMinutes: 0.03 }))).id;
      const other = (await startTeam(own, orderOf("lost", { mode: "smart" }))).id;
      await untilPaused(own, timed, "timeout");
      await untilPaused(own, other, "all-teammates-error");
      const runs = (await listRuns(own)).map(({ id }) => id).sort();
      await own.stop();
      const again = await startHall(own.workspace);
      expect((await autonomyIn(again, timed)).autonomy).toMatchObject({ mode: "fixed", timeoutMinutes: 0.03 });
      await untilPaused(again, timed, "timeout");
      await untilPaused(again, other, "all-teammates-error");
      await order(again, other, "stop");
      const { status } = await again.call("POST", `/api/teams/${timed}/autonomy`, {
        mode: "fixed",
        timeoutMinutes: 30,
      });
      expect(status).toBe(200);
      await order(again, timed, "resume");
      expect(await untilTeam(again, timed, "completed")).toMatchObject({ tasks: { merged: 1 } });
      const after = (await listRuns(again)).map(({ id }) => id);
      expect(runs.every((id) => after.includes(id))).toBe(true);
      const own_ = (await listRuns(again)).filter(({ team }) => team?.id === timed);
      expect(own_.map(({ purpose }) => purpose).sort()).toEqual(["lead", "lead", "lead", "work"]);
    },
  );
});

describe("the limits of a team that works without a person", () => {
  const calls = (name: string, input: object): Turn => ({ calls: [{ name, input }], usage: USAGE });
  const USAGE = { input: 2_000, output: 100 };
  const KEYS = ["one", "two", "three", "four"];

  /** A lead, and members that each write a file. */
  function script({ tools, text, turns }: SeenRequest): Turn {
    if (tools.includes("submit_spec"))
      return calls("submit_spec", {
        ...{ title: "Files", goals: ["There are files."] },
        requirements: [
          {
            ...{ id: "REQ-001", text: "There must be files." },
            acceptance: [{ text: "They are there.", check: "command", command: ["test", "-s", "one.txt"] }],
          },
        ],
      });
    if (tools.includes("submit_plan"))
      return calls("submit_plan", {
        tasks: KEYS.map((key) => ({
          ...{ key, title: `Write file ${key}`, description: "Write it.", type: "feature", domain: "other" },
          ...{ requirements: ["REQ-001"], files: [`${key}.txt`] },
        })),
      });
    if (tools.includes("submit_report")) return calls("submit_report", { summary: "Written." });
    const [, key = "one"] = /Files that the task is expected to change\s+- (\w+)\.txt/.exec(text) ?? [];
    if (turns === 0) return calls("write", { path: `${key}.txt`, content: `${key}\n` });
    return turns === 1 ? calls("report", { summary: "Written.", outcome: "full" }) : { text: "Done.", usage: USAGE };
  }

  it(
    "hold to the cent, to the number of tasks at once, and by the models of its ranks [S1-YOLO-06] [S1-YOLO-08] [S1-ORC-01]",
    LONG,
    async () => {
      const books = bookkeeper(script);
      const agentTeams = { leadModel: "own/lead", headModel: "own/head", yolo: { mode: "fixed", maxConcurrency: 2 } };
      const prices = Object.fromEntries(
        ["own/m", "own/lead", "own/head"].map((name) => [name, models.prices["own/m"]]),
      );
      const provider = await startProvider(books.script);
      onTestFinished(() => provider.close());
      const config = scriptedConfig(provider, { models: { ...models, prices }, agentTeams });
      const hall = await startHall(undefined, { env: { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY }, config });
      await teamHall(hall, {}, { config: { qualityGates: { appliesTo: "off" } } });
      const cap = 0.7;
      const { id, autonomy } = await startTeam(hall, {
        goal: "Have files",
        autonomy: { mode: "fixed", costCapUsd: cap },
      });
      expect(autonomy).toMatchObject({ mode: "fixed", costCapUsd: cap, maxConcurrency: 2 });
      await untilPaused(hall, id, "cost-cap");
      expect(books.bill()).toBeLessThanOrEqual(cap);
      const refused = await hall.call("POST", `/api/teams/${id}/resume`);
      expect(refused).toMatchObject({ status: 409, body: { error: { code: "team_refused" } } });
      const raised = await hall.call("PUT", `/api/teams/${id}/budget`, { budgetUsd: 20 });
      expect(raised.status).toBe(200);
      await untilTeam(hall, id, "completed", 40_000);
      const runs = await listRuns(hall);
      const rankModels = new Set(runs.map(({ rank, model }) => `${rank} ${model}`));
      expect([...rankModels].sort()).toEqual(["head own/head", "lead own/lead"]);
      expect(atOnce(runs.filter(({ purpose }) => purpose === "work"))).toBe(2);
      expect(ledgerOf(hall.workspace).length).toBeGreaterThan(0);
    },
  );
});

/** The most runs that worked at the same time. */
function atOnce(runs: readonly { startedAt?: string | undefined; endedAt?: string | undefined }[]): number {
  const marks = runs.flatMap(({ startedAt = "", endedAt = "" }): [string, number][] => [
    [startedAt, 1],
    [endedAt, -1],
  ]);
  let [now, most] = [0, 0];
  for (const [, step] of marks.sort(([a, x], [b, y]) => (a === b ? x - y : a < b ? -1 : 1))) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}
