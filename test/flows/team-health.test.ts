import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Team, TeamActivity } from "../../src/contract/documents/teams/team.ts";
import type { MemberHealth } from "../../src/contract/documents/teams/team-health.ts";
import { HEALTH_ISSUES, type HealthIssueType } from "../../src/contract/words/teams/health-words.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { KEY, scriptedConfig } from "../harness/scripted-hall.ts";
import { type SeenRequest, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { moduleFiles, startTeam, teamHall, teamPlaybooks, titleOf, untilTeam } from "../harness/team-hall.ts";

const MODEL = "own/m";
const WINDOW = 20_000;
const NUDGED = "[from Guildhall]";
const KEYS = ["stalls", "loops", "storms", "fills"] as const;
type Key = (typeof KEYS)[number];

/** Settings under which a test need not wait for minutes. The clock of the machine jumps back and forth by hours. */
const config = {
  models: { default: "offline/rehearsal", contextWindow: { [MODEL]: WINDOW } },
  limits: { modelCalls: 10, runs: 20, runsPerProject: 10 },
  agentTeams: {
    ...{ headModel: MODEL, workerModel: MODEL, yolo: { maxConcurrency: 4 } },
    health: {
      ...{ checkSeconds: 0.3, stallSeconds: 60, models: { [MODEL]: 6 }, debounceSeconds: 1 },
      alikeResearchCalls: 5,
    },
  },
};

/** Members that are stuck until they are helped. */
class StuckMembers {
  readonly asked = new Map<Key, number>();
  summaries = 0;

  play = ({ body, text: said }: SeenRequest): Turn => {
    const text = JSON.stringify(body.messages);
    if (said.includes("Summarize the work below")) {
      this.summaries++;
      return { text: "It wrote nothing yet." };
    }
    const key = KEYS.find((one) => text.includes(titleOf(one))) ?? "stalls";
    const number = (this.asked.get(key) ?? 0) + 1;
    this.asked.set(key, number);
    return this.#turn(key, { number, text });
  };

  #turn(key: Key, { number, text }: { number: number; text: string }): Turn {
    const isTold = text.includes(NUDGED);
    if (key === "stalls" && number === 1) return { hang: true };
    if (key === "loops" && !isTold) return call("edit", { path: `none-${number}.js`, oldText: "a", newText: "b" });
    if (key === "storms" && !isTold) return call("search", { pattern: `number ${number}` });
    if (key === "fills" && this.summaries === 0)
      return { ...call("list", { path: number % 2 === 0 ? "." : "./" }), usage: { input: WINDOW * 0.9, output: 9 } };
    if (text.includes("Report saved")) return { text: "Done." };
    if (text.includes(`export const ${key} =`)) return call("report", { summary: "Done.", outcome: "full" });
    const files = Object.entries(moduleFiles(key, "REQ-001"));
    return { calls: files.map(([path, content]) => ({ name: "write", input: { path, content } })) };
  }
}

const call = (name: string, input: object): Turn => ({ delayMs: 150, calls: [{ name, input }] });

describe("the health of members that are stuck, while the clock of the machine jumps", () => {
  const members = new StuckMembers();
  let hall: Hall;
  let team: Team;
  let health: MemberHealth[];
  let activity: TeamActivity[];

  const of = (issue: HealthIssueType) => health.flatMap(({ history }) => history.filter((one) => one.issue === issue));

  beforeAll(async () => {
    const provider = await startProvider(members.play);
    afterAll(() => provider.close());
    let looks = 0;
    const clock = () => new Date(Date.UTC(2026, 10, 18, 12 + (looks++ % 3) * 5));
    const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY };
    hall = await startHall(undefined, { later: afterAll, env, clock, config: scriptedConfig(provider, config) });
    const tasks = KEYS.map((key) => ({ key, requirement: "REQ-001", files: moduleFiles(key, "REQ-001") }));
    await teamHall(hall, teamPlaybooks(tasks), { config: { qualityGates: { appliesTo: "off" } }, later: afterAll });
    const { id } = await startTeam(hall, { approval: "none" });
    team = await untilTeam(hall, id, "completed", 240_000);
    health = (await hall.call("GET", `/api/teams/${id}/health`)).body.members;
    activity = (await hall.call("GET", `/api/teams/${id}/activity`)).body.activity;
  }, 300_000);

  it("nudges a member that stalls, and then restarts it once from its journal [S1-HM-01] [S1-HM-02]", async () => {
    const stalls = of("stall").filter(({ task }) => task === "stalls");
    const [first, second] = stalls;
    expect(first).toMatchObject({ action: "nudge", task: "stalls", why: "First attempt.", outcome: "done" });
    expect(second).toMatchObject({ action: "restart", runId: first?.runId, outcome: "done", state: "cleared" });
    expect(stalls.filter(({ action }) => action === "restart")).toHaveLength(1);
    const { entries } = (await hall.call("GET", `/api/runs/${first?.runId}/transcript?limit=500`)).body;
    expect(entries.filter(({ type }) => type === "started")).toHaveLength(2);
    const told = entries.filter(({ type }) => type === "message");
    expect(told).toMatchObject([
      { from: "hall", text: expect.stringContaining("No activity for") },
      { from: "hall", text: expect.stringContaining("Guildhall restarted you") },
    ]);
  });

  it("nudges members that loop and storm, in their next turn [S1-HM-03] [S1-HM-04]", () => {
    expect(of("error-loop")).toMatchObject([{ task: "loops", action: "nudge", state: "cleared" }]);
    // The one that loops may have got to its fifth call, too, before it read the nudge.
    const storms = of("retry-storm").filter(({ task }) => task !== "loops");
    expect(storms).toMatchObject([{ task: "storms", action: "nudge", state: "cleared" }]);
  });

  it("has a member with a full context summarize its older turns [S1-HM-05]", async () => {
    const [found] = of("context-exhaustion");
    expect(found).toMatchObject({ task: "fills", action: "compact", state: "cleared" });
    expect(members.summaries).toBe(1);
    const { entries } = (await hall.call("GET", `/api/runs/${found?.runId}/transcript?limit=500`)).body;
    expect(entries.some(({ type }) => type === "summary")).toBe(true);
  });

  it("tells each issue in the feed, with what was done and why [S1-HM-08] [S1-ACT-19]", () => {
    const told = activity.map(({ type }) => type);
    for (const issue of HEALTH_ISSUES) expect(told, issue).toContain(`health:${issue}`);
    expect(told).toContain("stall-detected");
    expect(activity.find(({ type }) => type === "health:error-loop")).toMatchObject({
      ...{ member: expect.stringMatching(/^head-/), task: "loops", runId: expect.any(String) },
      data: { action: "nudge", reason: expect.stringContaining("edit failed"), why: "First attempt." },
    });
  });

  it("is nothing that ends with the team: its members are stopped, and their history stays", () => {
    expect(team.status).toBe("completed");
    expect(new Set(health.map(({ liveness }) => liveness))).toEqual(new Set(["stopped"]));
    expect(health.flatMap(({ open }) => open)).toEqual([]);
  });
});
