import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Team } from "../../src/contract/documents/teams/team.ts";
import type { TeamMessage } from "../../src/contract/documents/teams/team-message.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { entriesOf, journalOf, listRuns, PROJECT } from "../harness/spawned-runs.ts";
import {
  moduleFiles,
  startTeam,
  tasksOf,
  teamHall,
  teamOf,
  teamPlaybooks,
  titleOf,
  untilTeam,
} from "../harness/team-hall.ts";

const OFF = { qualityGates: { appliesTo: "off" } };
const SUM = moduleFiles("sum", "REQ-001");
const ADD = moduleFiles("add", "REQ-002");
const says = (input: object) => ({ tool: "team_msg", input });
const report = { calls: [{ tool: "report", input: { summary: "Written.", outcome: "full" } }] };
const written = (files: Record<string, string>) =>
  Object.entries(files).map(([path, content]) => ({ tool: "write", input: { path, content } }));

/** The first member tries everything; the second one is slow enough to be written to. */
const MEMBERS = {
  "m-sum": JSON.stringify({
    when: titleOf("sum"),
    turns: [
      {
        calls: [
          says({ op: "log", type: "progress", text: "Half of it is done." }),
          says({
            ...{ op: "log", type: "state_update", text: "Sums are in." },
            state: { status: "done", key_findings: ["Sums overflow."], verification: "tested" },
          }),
          says({ op: "log", to: "all-of-you", type: "chat", text: "Hello" }),
          says({ op: "broadcast", type: "chat", text: "Hello" }),
          says({ op: "log", type: "Bad Type", text: "", key: "x", limit: 3 }),
          says({ op: "log", type: "progress", text: "x".repeat(201) }),
        ],
      },
      {
        calls: [
          says({ op: "set_memory", key: "rounding", value: { mode: "half-even" } }),
          says({ op: "set_memory", key: "rounding", value: "up" }),
          says({ op: "add_wisdom", text: "Sums of large numbers overflow." }),
          says({ op: "save_artifact", path: "artifacts/design.md", content: "# Design\n" }),
          says({ op: "save_artifact", path: "artifacts/../team.json", content: "{}" }),
        ],
      },
      { calls: written(SUM) },
      report,
      { text: "Done." },
    ],
  }),
  "m-add": JSON.stringify({
    when: titleOf("add"),
    turns: [
      {
        delayMs: 1_500,
        calls: [
          says({ op: "get_memory" }),
          says({ op: "get_state" }),
          says({ op: "list_files" }),
          says({ op: "read_file", path: "wisdom/issues.md" }),
          says({ op: "list", limit: 5 }),
          says({ op: "read", id: "MSG-002" }),
          says({ op: "status" }),
        ],
      },
      { delayMs: 1_500, calls: written(ADD) },
      report,
      { text: "Done." },
    ],
  }),
};

describe("the bus of a team", () => {
  let hall: Hall;
  let team: Team;
  let folder: string;
  const messages = async (query = ""): Promise<TeamMessage[]> =>
    (await hall.call("GET", `/api/teams/${team.id}/messages${query}`)).body.messages;
  const runIdOf = async (key: string) =>
    (await tasksOf(hall, team.id)).find((task) => task.key === key)?.runIds[0] ?? "";
  const heardBy = (runId: string) =>
    entriesOf(journalOf(hall.workspace, runId), "message").map(({ from, text }) => [from, text.split("\n")[1]]);
  const outputsOf = async (key: string) => {
    const entries = entriesOf(journalOf(hall.workspace, await runIdOf(key)), "result");
    return entries.filter(({ name }) => name === "team_msg").map(({ output, failed }) => ({ output, failed }));
  };
  const working = (key: string) =>
    eventually(
      async () => (await tasksOf(hall, team.id)).find((task) => task.key === key),
      (task) => task?.state === "working" && task.runIds.length > 0,
      60_000,
    );

  beforeAll(async () => {
    hall = await startHall(undefined, { later: afterAll });
    const tasks = [
      { key: "sum", requirement: "REQ-001", files: SUM },
      { key: "add", requirement: "REQ-002", files: ADD, dependsOn: ["sum"] },
    ];
    await teamHall(hall, teamPlaybooks(tasks, MEMBERS), { config: OFF, later: afterAll });
    team = await startTeam(hall, { approval: "none" });
    folder = join(hall.workspace, `projects/${PROJECT}/teams/${team.id}`);
    const early = await hall.call("POST", `/api/teams/${team.id}/messages`, { text: "Use pnpm." });
    expect(early.status, JSON.stringify(early.body)).toBe(201);
    await working("add");
    const [worker] = (await teamOf(hall, team.id)).members.filter(({ rank }) => rank !== "lead");
    const sent = await hall.call("POST", `/api/teams/${team.id}/members/${worker?.name}/message`, {
      text: "Keep the old name.",
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    team = await untilTeam(hall, team.id, "completed");
  }, 300_000);

  it("brings a message to a member that works into its next turn, and to one that works later into its first [S1-TM-03]", async () => {
    const [first, second] = [await runIdOf("sum"), await runIdOf("add")];
    expect(heardBy(first)).toEqual([["person", "Use pnpm."]]);
    expect(heardBy(second)).toEqual([["person", "Keep the old name."]]);
    const entries = journalOf(hall.workspace, first).map(({ type }) => type);
    expect(entries.indexOf("message")).toBeLessThan(entries.indexOf("answer"));
    const kept = await messages();
    expect(kept.find(({ text }) => text === "Keep the old name.")).toMatchObject({
      ...{ from: "person", type: "message" },
      deliveries: [{ runId: second }],
    });
  });

  it("logs what members report, and keeps their state [S2-W-03] [S2-SES-02]", async () => {
    const [progress, update] = (await messages()).filter(({ from }) => from.startsWith("worker"));
    const lead = team.members.find(({ rank }) => rank === "lead")?.name;
    expect(progress).toMatchObject({ type: "progress", to: lead, task: "sum", text: "Half of it is done." });
    expect(update).toMatchObject({ type: "state_update", state: { verification: "tested" } });
    const memory = JSON.parse(readFileSync(join(folder, "shared-memory.json"), "utf8"));
    expect(memory).toMatchObject({
      role_state: {
        [progress?.from ?? ""]: { status: "done", key_findings: ["Sums overflow."], verification: "tested" },
      },
      rounding: { mode: "half-even" },
    });
    const report = (await listRuns(hall)).find(({ purpose, title }) => purpose === "lead" && title !== "")?.id ?? "";
    expect(heardBy(report).map(([from]) => from)).toContain("team");
  });

  it("refuses talk between members, and every fault of a call at once", async () => {
    const [, , direct, broadcast, faulty, long, , conflict, , , outside] = await outputsOf("sum");
    expect(direct).toMatchObject({ failed: true, output: expect.stringContaining("may write to the lead only") });
    expect(broadcast).toMatchObject({ failed: true, output: expect.stringContaining("may write to the lead only") });
    for (const field of ["type", "text", "key", "limit"]) expect(faulty?.output).toContain(field);
    expect(long).toMatchObject({ failed: true, output: expect.stringContaining("200 characters") });
    expect(conflict).toMatchObject({ failed: true, output: expect.stringContaining("etag") });
    expect(outside).toMatchObject({ failed: true });
    expect(JSON.parse(readFileSync(join(folder, "team.json"), "utf8"))).toMatchObject({ id: team.id });
  });

  it("gives members memory, wisdom and artifacts of others, which their sandboxes don't see [S2-SES-03] [S2-SES-04]", async () => {
    const [memory, states, files, issues, list, read, status] = (await outputsOf("add")).map(({ output }) => output);
    expect(memory).toContain("half-even");
    expect(states).toContain("Sums overflow.");
    expect(files).toContain("artifacts/design.md");
    expect(issues).toContain("Sums of large numbers overflow.");
    expect(list).toContain("MSG-002");
    expect(read).toContain("Half of it is done.");
    expect(status).toContain("add: working");
    expect(readFileSync(join(folder, "wisdom/issues.md"), "utf8")).toMatch(/^# Issues\n\n- Sums of .* \(worker-/);
    expect(readFileSync(join(folder, "artifacts/design.md"), "utf8")).toBe("# Design\n");
  });

  it("is named in each task and prompt by the team's folder [S2-SES-01]", async () => {
    const [task] = await tasksOf(hall, team.id);
    const path = `projects/${PROJECT}/teams/${team.id}`;
    const onBoard = (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${task?.taskId}`)).body.task;
    expect(onBoard.description).toContain(`Team folder: ${path}`);
    const [plan] = entriesOf(journalOf(hall.workspace, await runIdOf("sum")), "plan");
    expect(plan?.plan.prompt).toContain(`## Team folder\n\n${path}`);
  });

  it("shows messages in the feed, and takes none once the team has ended [S1-ACT-10]", async () => {
    const { activity } = (await hall.call("GET", `/api/teams/${team.id}/activity`)).body;
    expect(activity.filter(({ type }) => type === "message-sent")).toMatchObject([{ data: { to: "all" } }, {}]);
    const refused = await hall.call("POST", `/api/teams/${team.id}/messages`, { text: "Too late." });
    expect([refused.status, refused.body.error.code]).toEqual([409, "team_refused"]);
    expect((await hall.call("GET", "/api/teams/team-none/messages")).status).toBe(404);
  });
});
