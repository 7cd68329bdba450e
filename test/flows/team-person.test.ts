import { describe, expect, it } from "vitest";
import { hasEnded } from "../../src/contract/words/teams/team-words.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { writing } from "../harness/repository.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import { moduleFiles, startTeam, tasksOf, teamHall, teamOf, teamPlaybooks, untilTeam } from "../harness/team-hall.ts";

const OFF = { qualityGates: { appliesTo: "off" } };
const LONG = { timeout: 300_000 };
const TASKS = [
  { key: "sum", requirement: "REQ-001", files: moduleFiles("sum", "REQ-001"), delayMs: 1_500 },
  { key: "add", requirement: "REQ-002", files: moduleFiles("add", "REQ-002"), dependsOn: ["sum"] },
];

/** A task is given to a member before its run is planned. */
const untilWorking = (hall: Hall, id: string) =>
  eventually(
    async () => {
      const [runId] = (await tasksOf(hall, id))[0]?.runIds ?? [];
      return runId === undefined ? undefined : (await hall.call("GET", `/api/runs/${runId}`)).body.run?.status;
    },
    (status) => status === "running",
    60_000,
  );
const untilItAsks = (hall: Hall, id: string) =>
  eventually(
    () => teamOf(hall, id),
    ({ status, escalation }) => hasEnded(status) || escalation !== undefined,
    60_000,
  );
const questionsIn = async (hall: Hall) => (await hall.call("GET", "/api/escalations?status=pending")).body.escalations;
const answer = (hall: Hall, id: string, label: string) =>
  hall.call("POST", `/api/escalations/${id}/resolve`, { answer: label });

describe("a team, when the person changes something midway", () => {
  it("asks once when its branch was deleted before the work, and continues when it is restored", LONG, async () => {
    const hall = await startHall();
    const repo = await teamHall(hall, teamPlaybooks(TASKS), { config: OFF });
    const { id, branch = "" } = await startTeam(hall);
    await untilItAsks(hall, id);
    const head = repo.git("rev-parse", branch).trim();
    repo.git("branch", "-D", branch);
    expect((await hall.call("POST", `/api/teams/${id}/plan/approve`)).status).toBe(200);
    const { escalation, reason } = await eventually(
      () => teamOf(hall, id),
      (team) => team.escalation?.kind === "setup-failed",
      60_000,
    );
    expect(reason).toMatch(/The branch '\S+' no longer exists\.( |$)/);
    // The failed run of the team is no question of its own.
    expect((await questionsIn(hall)).map((one) => one.id)).toEqual([escalation?.id]);
    repo.git("branch", branch, head);
    expect((await answer(hall, escalation?.id ?? "", "Try again")).status).toBe(200);
    await untilTeam(hall, id, "completed");
  });

  it("asks when its branch was deleted while a member works, and continues when it is restored", LONG, async () => {
    const hall = await startHall();
    const repo = await teamHall(hall, teamPlaybooks(TASKS), { config: OFF });
    const { id, branch = "" } = await startTeam(hall, { approval: "none" });
    await untilWorking(hall, id);
    const head = repo.git("rev-parse", branch).trim();
    repo.git("branch", "-D", branch);
    const { escalation } = await untilItAsks(hall, id);
    expect(escalation).toBeDefined();
    repo.git("branch", branch, head);
    expect((await answer(hall, escalation?.id ?? "", "Try again")).status).toBe(200);
    await untilTeam(hall, id, "completed");
  });

  it("asks about a task whose role was deleted, and continues when the role is there again", LONG, async () => {
    const hall = await startHall();
    const books = teamPlaybooks(TASKS);
    const plan = JSON.parse(books["a-plan"] ?? "");
    for (const task of plan.turns[0].calls[0].input.tasks) task.role = "worker";
    await teamHall(hall, { ...books, "a-plan": JSON.stringify(plan) }, { config: OFF });
    const { id } = await startTeam(hall, { approval: "none" });
    await untilWorking(hall, id);
    const { role } = (await hall.call("GET", "/api/roles/worker")).body;
    expect((await hall.call("DELETE", "/api/roles/worker")).status).toBe(200);
    const { escalation, reason, tasks } = await untilItAsks(hall, id);
    expect([reason, escalation?.kind, tasks]).toEqual([
      "There is no role 'worker'.",
      "task-failed",
      expect.objectContaining({ merged: 1, blocked: 1 }),
    ]);
    const { name, skills, systemPromptTemplate, modelConfig } = role;
    const again = { id: "worker", name, skills, systemPromptTemplate, modelConfig };
    expect((await hall.call("POST", "/api/roles", again)).status).toBe(201);
    expect((await answer(hall, escalation?.id ?? "", "Try again")).status).toBe(200);
    await untilTeam(hall, id, "completed");
  });

  it("resolves what a commit on the base conflicts with, also while its result waits for review", LONG, async () => {
    const hall = await startHall();
    const version = "export const version = 1;\n";
    const [byTeam, ...byHand] = ["team", "first", "second"].map((name) => `export const ${name} = 1;\n`);
    const also = { "index.js": `${version}${byTeam}` };
    const [first, second] = byHand.map((_, at) => `${version}${byHand.slice(0, at + 1).join("")}`) as [string, string];
    const resolves = JSON.parse(writing({ "index.js": `${second}${byTeam}` }));
    const reads = { calls: [{ tool: "read", input: { path: "index.js" } }] };
    const books = {
      ...teamPlaybooks([
        { key: "sum", requirement: "REQ-001", files: moduleFiles("sum", "REQ-001"), also, delayMs: 1_500 },
      ]),
      "f-resolve": JSON.stringify({ turns: [reads, ...resolves.turns], when: "Resolve the conflicts with main" }),
    };
    const repo = await teamHall(hall, books, { config: { ...OFF, constraints: { requireReview: true } } });
    const { id } = await startTeam(hall, { approval: "none" });
    await untilWorking(hall, id);
    const commit = (text: string) => {
      repo.write("index.js", text);
      repo.git("commit", "--quiet", "-am", "By hand");
    };
    const untilDelivered = (rounds: number) =>
      eventually(
        () => teamOf(hall, id),
        (team) => hasEnded(team.status) || (team.rounds === rounds && team.waitingFor === "person"),
        120_000,
      );
    const approve = async (runId = "") => {
      const { hash } = (await hall.call("GET", `/api/runs/${runId}/diff`)).body;
      return hall.call("POST", `/api/runs/${runId}/approve`, { hash });
    };
    commit(first);
    const delivered = await untilDelivered(1);
    expect(delivered.status).toBe("delivering");
    commit(second);
    expect(await approve(delivered.deliveryRunId)).toMatchObject({
      status: 409,
      body: { error: { code: "merge_refused" } },
    });
    const again = await untilDelivered(2);
    expect((await approve(again.deliveryRunId)).status).toBe(200);
    await untilTeam(hall, id, "completed");
    expect(repo.text("index.js")).toBe(`${second}${byTeam}`);
    for (const { key, runIds } of await tasksOf(hall, id)) {
      if (!key.startsWith("fix-")) continue;
      const journal = JSON.stringify((await hall.call("GET", `/api/runs/${runIds[0]}/transcript`)).body);
      for (const mark of ["<<<<<<<", "=======", ">>>>>>>"]) expect(journal).toContain(mark);
    }
  });

  it("waits while its project is suspended, and completes when it is resumed", LONG, async () => {
    const hall = await startHall();
    await teamHall(hall, teamPlaybooks(TASKS), { config: OFF });
    const { id } = await startTeam(hall, { approval: "none" });
    await untilWorking(hall, id);
    const put = (status: "suspended" | "active") => hall.call("PUT", `/api/projects/${PROJECT}`, { status });
    expect((await put("suspended")).status).toBe(200);
    await eventually(
      () => teamOf(hall, id),
      ({ waitingFor }) => waitingFor === "project",
      60_000,
    );
    expect((await put("active")).status).toBe(200);
    await untilTeam(hall, id, "completed");
  });
});
