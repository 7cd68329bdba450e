import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Team } from "../../src/contract/documents/teams/team.ts";
import type { Run } from "../../src/contract/runs/run.ts";
import type { Domain } from "../../src/contract/words/teams/team-words.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { listRuns } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, teamHall, teamPlaybooks, titleOf, untilTeam } from "../harness/team-hall.ts";

const KEYS = ["one", "two", "three"];
/** Its task is one of design. The best model that can be asked here is the one for escalations. */
const DESIGN = "one";
const BEST = `offline/c-head-${DESIGN}`;
/** What each head says of the rank of its helpers: a rank that is given comes before the one in a name. */
const RANKED: Record<string, { worker: object; reviewer: object }> = {
  one: { worker: { rank: "worker", name: "reviewer-lima" }, reviewer: { rank: "reviewer", name: "worker-lima" } },
  two: { worker: { name: "worker-oslo" }, reviewer: { name: "reviewer-oslo" } },
  three: { worker: {}, reviewer: { rank: "reviewer" } },
};
/** All heads add the same, which merges. */
const SHARED = { path: "shared.txt", content: "All.\n" };
const partOf = (key: string) => `Write module ${key} of the team`;
const reviewOf = (key: string) => `Read module ${key} of the team`;

/** A head that has its module written by a worker and read by a reviewer. */
function headBook(key: string): string {
  const spawn = (role: string, how: object, title: string) => ({
    calls: [{ tool: "spawn_subagent", input: { role, ...how, title, description: title } }],
  });
  const { worker, reviewer } = RANKED[key] ?? {};
  return JSON.stringify({
    when: titleOf(key),
    turns: [
      { calls: [{ tool: "write", input: SHARED }] },
      { delayMs: 1_500, ...spawn("backend-implementer", worker ?? {}, partOf(key)) },
      spawn("quality-reviewer", reviewer ?? {}, reviewOf(key)),
      { calls: [{ tool: "report", input: { summary: "Written and reviewed.", outcome: "full" } }] },
      { text: "Done." },
    ],
  });
}

function workerBook(key: string, requirement: string): string {
  const calls = Object.entries(moduleFiles(key, requirement)).map(([path, content]) => ({
    ...{ tool: "write", input: { path, content } },
  }));
  const report = { calls: [{ tool: "report", input: { summary: "Written.", outcome: "full" } }] };
  return JSON.stringify({ when: partOf(key), turns: [{ calls }, report, { text: "Done." }] });
}

function reviewerBook(key: string): string {
  const report = { calls: [{ tool: "report", input: { summary: "No findings.", outcome: "full" } }] };
  return JSON.stringify({ when: reviewOf(key), turns: [report, { text: "No findings." }] });
}

/** Children first: the title of a head's task is part of what its children read, too. */
function books(): Record<string, string> {
  const tasks = KEYS.map((key, at) => {
    const requirement = `REQ-00${at + 1}`;
    const domain: Domain = key === DESIGN ? "ux_design" : "backend";
    return { key, requirement, files: moduleFiles(key, requirement), domain };
  });
  const own = tasks.flatMap(({ key, requirement }) => [
    [`b-worker-${key}`, workerBook(key, requirement)],
    [`b-reviewer-${key}`, reviewerBook(key)],
    [`c-head-${key}`, headBook(key)],
  ]);
  return { ...teamPlaybooks(tasks), ...Object.fromEntries(own) };
}

describe("the ranks of a managed team", () => {
  let done: Team;
  let runs: Run[];
  let feed: string[];

  beforeAll(async () => {
    const hall: Hall = await startHall(undefined, {
      later: afterAll,
      config: { agentTeams: { escalationModel: BEST } },
    });
    await teamHall(hall, books(), { later: afterAll, config: { qualityGates: { appliesTo: "off" } } });
    const { id } = await startTeam(hall, { approval: "none", strategy: "managed" });
    done = await untilTeam(hall, id, "completed", 240_000);
    runs = (await listRuns(hall)).filter(({ team }) => team?.id === id);
    feed = (await hall.call("GET", `/api/teams/${id}/activity`)).body.activity.map(({ type }) => type);
  }, 300_000);

  const heads = () => runs.filter(({ rank }) => rank === "head");
  const childrenOf = (rank: string) => runs.filter((run) => run.rank === rank && run.parentRunId !== undefined);

  it("has heads as members that work at the same time, each for its own task [S1-ROLE-03] [S1-ROLE-08]", () => {
    const own = heads().map(({ team }) => team?.member);
    expect(new Set(own).size).toBe(KEYS.length);
    const members = done.members.filter(({ rank }) => rank === "head").map(({ name }) => name);
    expect(members.sort()).toEqual(own.sort());
    const started = heads().map(({ startedAt = "" }) => startedAt);
    const ended = heads().map(({ endedAt = "" }) => endedAt);
    expect((started.sort().at(-1) ?? "") < (ended.sort()[0] ?? "")).toBe(true);
  });

  it("shows in its feed that members change the same file [S1-ACT-20]", () => {
    expect(feed).toContain("file-conflict");
  });

  it("has the best model that can be asked for a task of design, and for no other [S1-RT-03]", () => {
    const models = heads().map(({ title, model }) => [title, model]);
    expect(models.filter(([, model]) => model === BEST)).toEqual([[titleOf(DESIGN), BEST]]);
    expect(models).toHaveLength(KEYS.length);
  });

  it("has workers as child runs of heads, which are no members of the team [S1-ROLE-04]", () =>
    expectChildren("worker"));

  it("has reviewers as child runs of heads, which are no members of the team [S1-ROLE-05] [S1-ROLE-09] [S1-ROLE-10]", () =>
    expectChildren("reviewer"));

  it("has as teammates the runs that were started with the team's name; what those start are subagents [S1-ROLE-07]", () => {
    const started = runs.filter(({ parentRunId }) => parentRunId === undefined);
    const names = ["lead", ...done.members.map(({ name }) => name)];
    expect(started.filter(({ team }) => !names.includes(team?.member ?? ""))).toEqual([]);
    const subagents = runs.filter(({ parentRunId }) => parentRunId !== undefined);
    expect(subagents).toHaveLength(2 * KEYS.length);
    // A member's runs are those that were started with its name; its subagents are not among them.
    for (const { name, runs: count } of done.members)
      expect([name, started.filter(({ team }) => team?.member === name).length]).toEqual([name, count]);
  });

  function expectChildren(rank: string): void {
    const children = childrenOf(rank);
    expect(children.map(({ status }) => status)).toEqual(KEYS.map(() => "completed"));
    expect(children.map(({ parentRunId }) => parentRunId).sort()).toEqual(
      heads()
        .map(({ id }) => id)
        .sort(),
    );
    expect(done.members.map((member) => member.rank)).not.toContain(rank);
  }
});
