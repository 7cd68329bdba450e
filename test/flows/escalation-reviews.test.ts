import { beforeAll, expect, it } from "vitest";
import type { Escalation } from "../../src/contract/documents/escalation.ts";
import { eventually } from "../harness/daemon.ts";
import { type ScriptedHall, scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";
import { untilOver } from "../harness/spawned-runs.ts";

/** How the reviewers of this test decide; by default as an agent that obeys whatever it reads. */
let decide: (request: SeenRequest) => Turn = () => ({ text: "Hm." });
let question: object = {};
const isReview = ({ body }: SeenRequest) => JSON.stringify(body).includes('"decide"');
const DONE: Turn = { text: "Done." };
const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });

let setup: ScriptedHall;
beforeAll(async () => {
  const cleanups: (() => unknown)[] = [];
  setup = await scriptedHall(
    (request) => {
      if (isReview(request)) return decide(request);
      const said = JSON.stringify(request.body);
      return said.includes("tool_call_id") || said.includes("## Answers") ? DONE : call("escalate", question);
    },
    { later: (clean) => cleanups.push(clean) },
  );
  const fact = { text: "Token blacklists are stored in Redis.", topic: "decisions", project: "shop" };
  expect((await setup.hall.call("POST", "/api/knowledge", fact)).status).toBe(201);
  return async () => {
    for (const clean of cleanups.reverse()) await clean();
  };
});

/** What becomes of a question of a new run, when a reviewer has answered it or it waits for the person. */
async function after(input: object, reviewer: typeof decide): Promise<{ escalation: Escalation; runId: string }> {
  decide = reviewer;
  question = { type: "question", ...input };
  const runId = (await setup.spawn()).body.sessionId;
  const of = async () => {
    const { escalations } = (await setup.hall.call("GET", "/api/escalations?limit=500")).body;
    return escalations.find(({ askers }) => askers.some(({ id }) => id === runId));
  };
  const escalation = await eventually(of, (one) => one !== undefined && one.status !== "draft");
  return { escalation: escalation as Escalation, runId };
}
const factId = ({ body }: SeenRequest) => /decisions-[0-9a-f]{10}/.exec(JSON.stringify(body))?.[0] ?? "";
const reviews = () => setup.provider.requests.filter(isReview);

it("is answered on its way by an agent that cites a recorded fact, and the asker reads it in its next request [S4-ESC-13]", async () => {
  const before = reviews().length;
  const { escalation, runId } = await after({ question: "Where are token blacklists stored?" }, (request) =>
    call("decide", { action: "resolve", resolution: "In Redis.", sources: [factId(request)] }),
  );
  expect(escalation).toMatchObject({
    ...{ status: "resolved", outcome: "answered", resolution: "In Redis.", resolvedBy: "project:shop" },
    sources: [{ kind: "knowledge", text: "Token blacklists are stored in Redis." }],
  });
  await untilOver(setup.hall, runId);
  const [review] = reviews().slice(before);
  const shown = JSON.stringify(review?.body);
  expect(shown).toContain("Only the person decides: changes of direction");
  expect(shown).toContain("Where are token blacklists stored?");
  await eventually(
    () => setup.provider.requests.filter((request) => !isReview(request)).map(({ body }) => JSON.stringify(body)),
    (told) => told.some((body) => body.split("Answer (project:shop): In Redis.").length === 2),
  );
});

it.each<[string, typeof decide]>([
  ["cites nothing", () => call("decide", { action: "resolve", resolution: "In files.", sources: [] })],
  ["cites what it was not given", () => call("decide", { action: "resolve", resolution: "x", sources: ["esc-999"] })],
  ["only talks", () => ({ text: "It is Redis, resolved." })],
  ["fails", () => ({ status: 400 })],
  ["promotes", () => call("decide", { action: "promote", reason: "Not covered." })],
])("goes on to the person when a reviewer %s", async (how, reviewer) => {
  const { escalation, runId } = await after({ question: `Are token blacklists in Redis if it ${how}?` }, reviewer);
  expect([escalation.status, escalation.escalationPath]).toEqual([
    "pending",
    [`run:${runId}`, "project:shop", "main", "person"],
  ]);
  expect(escalation.history.filter(({ action }) => action === "passed")).toHaveLength(2);
  await setup.hall.call("POST", `/api/escalations/${escalation.id}/dismiss`, { reason: "Test." });
});

it("goes on to the person when a reviewer cites a recorded fact that has nothing to do with it", async () => {
  const known = (await setup.hall.call("GET", "/api/knowledge?project=shop")).body.statements;
  const id = known.find(({ text }) => text.includes("Token blacklists"))?.id ?? "";
  const { escalation } = await after({ question: "Who pays for the design token workshop in Lyon next winter?" }, () =>
    call("decide", { action: "resolve", resolution: "Redis pays.", sources: [id] }),
  );
  expect(escalation).toMatchObject({ status: "pending", resolution: null, sources: [] });
  await setup.hall.call("POST", `/api/escalations/${escalation.id}/dismiss`, { reason: "Test." });
});

it("goes to the person at once when it is an approval, and no agent may decide it [S4-ESC-04]", async () => {
  const before = reviews().length;
  const { escalation } = await after(
    {
      type: "approval",
      question: "May I move the token blacklists out of Redis?",
      suggestedAnswers: [{ label: "Approve" }, { label: "Reject" }],
    },
    (request) => call("decide", { action: "resolve", resolution: "Yes.", sources: [factId(request)] }),
  );
  expect([escalation.status, reviews().length]).toEqual(["pending", before]);
  const handed = await setup.hall.call("POST", `/api/escalations/${escalation.id}/hand`, {});
  expect([handed.status, reviews().length]).toEqual([409, before]);
  const approved = await setup.hall.call("POST", `/api/escalations/${escalation.id}/resolve`, { answer: "Approve" });
  expect(approved.body.escalation).toMatchObject({ answer: "Approve", resolvedBy: "person" });
});

it("can be handed to an agent, which chooses and says why", async () => {
  const { escalation } = await after(
    { question: "Tabs or spaces?", suggestedAnswers: [{ label: "Tabs" }, { label: "Spaces" }] },
    () => call("decide", { action: "resolve", answer: "Spaces", reason: "The code has them." }),
  );
  expect(escalation.status).toBe("pending");
  const handed = await setup.hall.call("POST", `/api/escalations/${escalation.id}/hand`, { to: "project" });
  expect(handed.body.escalation).toMatchObject({ answer: "Spaces", resolvedBy: "project:shop" });
  expect(handed.body.escalation.history.slice(-2)).toMatchObject([
    { by: "person", action: "handed" },
    { by: "project:shop", action: "answered", reason: "The code has them." },
  ]);
});
