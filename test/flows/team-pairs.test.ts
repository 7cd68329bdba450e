import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";
import { PROJECT } from "../harness/spawned-runs.ts";
import {
  moduleFiles,
  startTeam,
  tasksOf,
  teamHall,
  teamOf,
  teamPlaybooks,
  untilAsked,
  untilTeam,
} from "../harness/team-hall.ts";

const TASKS = [{ key: "sum", requirement: "REQ-001", files: moduleFiles("sum", "REQ-001") }];
const OFF = { config: { qualityGates: { appliesTo: "off" } } };

describe("teams side by side", () => {
  it("of one project keep their tasks, phases and state apart, until one is cleaned up [S1-TM-02] [S1-TM-06] [S1-TM-08] [S1-TM-17]", {
    timeout: 180_000,
  }, async () => {
    const hall = await startHall();
    await teamHall(hall, teamPlaybooks(TASKS), OFF);
    const [one, two] = [await startTeam(hall, { approval: "none" }), await startTeam(hall)];
    const done = await untilTeam(hall, one.id, "completed");
    await untilAsked(hall, two.id);
    const waiting = await teamOf(hall, two.id);
    const [mine] = await tasksOf(hall, one.id);
    expect(mine).toMatchObject({ key: "sum", state: "merged", taskId: expect.stringMatching(/^TASK-/) });
    expect(done.members.map(({ rank }) => rank).sort()).toEqual(["lead", "worker"]);
    expect(done.phases).toMatchObject([{ id: "work", status: "completed", taskIds: [mine?.taskId] }]);
    expect((await tasksOf(hall, two.id)).map(({ taskId, state }) => [taskId, state])).toEqual([[undefined, "waiting"]]);
    expect(waiting.phases).toMatchObject([{ id: "work", status: "pending", taskIds: [] }]);
    const folder = join(hall.workspace, `projects/${PROJECT}/teams`);
    for (const { id } of [one, two]) expect(readdirSync(join(folder, id)), id).toContain("state.jsonl");
    expect((await hall.call("POST", `/api/teams/${one.id}/cleanup`)).status).toBe(200);
    expect(readdirSync(join(folder, ".archive"))).toEqual([one.id]);
    expect((await hall.call("GET", `/api/teams/${one.id}`)).status).toBe(404);
    expect((await teamOf(hall, two.id)).status).toBe("awaiting-approval");
    await hall.call("POST", `/api/teams/${two.id}/stop`);
  });

  it("show a lead that submits nothing as an error in the feed, and asks [S1-ACT-33]", {
    timeout: 120_000,
  }, async () => {
    const hall = await startHall();
    const silent = JSON.stringify({ tool: "submit_plan", turns: [{ text: "I would rather not." }] });
    await teamHall(hall, { ...teamPlaybooks(TASKS), "a-plan": silent }, OFF);
    const { id } = await startTeam(hall, { approval: "none" });
    expect(await untilAsked(hall, id)).toMatchObject({ status: "planning", escalation: { kind: "lead-failed" } });
    const { activity } = (await hall.call("GET", `/api/teams/${id}/activity`)).body;
    const errors = activity.filter(({ type }) => type === "error");
    expect(errors.map(({ data }) => data?.step)).toEqual(["plan", "plan"]);
    await hall.call("POST", `/api/teams/${id}/stop`);
  });
});
