import { expect, test } from "vitest";
import { fakeTeams, sampleTeam } from "../../../test/fakes/fake-teams.ts";
import { house } from "../../../test/fakes/house.ts";

const ROBOT = "a-token-of-a-client-0123456789";
const asRobot = { authorization: `Bearer ${ROBOT}` };
const TEAM = `/api/teams/${sampleTeam.id}`;
const GOAL = { goal: "Add a cart" };

test.each([
  [
    "/api/projects/shop/teams/import",
    { files: {} },
    { type: "team.created", projectId: "shop", subjectId: sampleTeam.id },
    201,
  ],
  ["/api/projects/shop/teams", GOAL, { type: "team.created", projectId: "shop", subjectId: sampleTeam.id }, 201],
  [`${TEAM}/plan/approve`, {}, { type: "escalation.resolved", projectId: "shop", subjectId: "esc-001" }, 200],
  [`${TEAM}/plan/reject`, { remarks: "No" }, { type: "team.moved", projectId: "shop", subjectId: sampleTeam.id }, 200],
] as const)("after a restart POST %s is answered from what it did", async (path, body, done, status) => {
  const refuse = () => Promise.reject(new Error("must not be done again"));
  const home = house({ teams: { ...fakeTeams(), starts: { goal: refuse, session: refuse }, decide: refuse } });
  home.hall.replay = () => done;
  const answer = await home.ask("POST", path, { body, headers: { "idempotency-key": "k1" } });
  expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([status, "true"]);
  expect(await answer.json()).toMatchObject({ team: { id: sampleTeam.id } });
});

test("a client starts, reads, steers and stops teams, and neither approves plans nor changes specs", async () => {
  const { ask } = house({ clients: { robot: ROBOT } });
  const statusOf = async (method: string, path: string, body?: object) =>
    (await ask(method, path, { headers: asRobot, ...(body && { body }) })).status;
  expect(await statusOf("POST", "/api/projects/shop/teams", GOAL)).toBe(201);
  expect(await statusOf("GET", `${TEAM}/report`)).toBe(200);
  expect(await statusOf("POST", `${TEAM}/pause`)).toBe(200);
  expect(await statusOf("POST", `${TEAM}/stop`)).toBe(200);
  expect(await statusOf("POST", `${TEAM}/members/worker-lima/model`, { model: "test/large" })).toBe(200);
  expect(await statusOf("POST", `${TEAM}/plan/approve`, {})).toBe(403);
  expect(await statusOf("POST", `${TEAM}/plan/reject`, { remarks: "No" })).toBe(403);
  expect(await statusOf("PUT", `${TEAM}/spec`, { text: "# Less" })).toBe(403);
  expect(await statusOf("PUT", `${TEAM}/budget`, { budgetUsd: 100 })).toBe(403);
});

test("a goal must say something, a budget must be money, and words must be known", async () => {
  const { ask } = house();
  for (const body of [{ goal: " \n" }, { ...GOAL, budgetUsd: 0 }, { ...GOAL, strategy: "huge" }, { ...GOAL, nme: "x" }])
    expect((await ask("POST", "/api/projects/shop/teams", { body })).status).toBe(422);
  expect((await ask("GET", "/api/teams?status=asleep")).status).toBe(422);
  expect((await ask("GET", "/api/teams?status=active")).status).toBe(200);
});
