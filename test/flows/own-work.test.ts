import { describe, expect, it } from "vitest";
import { fakeEngine } from "../fakes/fake-engine.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { PROJECT, runOf, spawnBody, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const CLIENTS = { robot: "r".repeat(43), other: "o".repeat(43) };
const by = (name: keyof typeof CLIENTS) => ({ authorization: `Bearer ${CLIENTS[name]}` });
const FORBIDDEN = { status: 403, body: { error: { code: "forbidden" } } };

async function reviewedHall() {
  const repo = repository({ "a.txt": "a\n" });
  const hall = await hallOver(await startHall(undefined, { clients: CLIENTS }), {
    root: repo.root,
    config: { constraints: { requireReview: true } },
    playbooks: { play: writing({ "a.txt": "agent\n" }) },
  });
  return { hall, repo };
}

async function spawnedBy(hall: Hall, name: keyof typeof CLIENTS): Promise<string> {
  const { status, body } = await hall.call("POST", "/api/team/spawn", spawnBody("play", "Do it"), by(name));
  expect(status).toBe(200);
  await untilOver(hall, body.sessionId);
  return body.sessionId;
}

const hashOf = async (hall: Hall, id: string) => (await hall.call("GET", `/api/runs/${id}/diff`)).body.hash;
const approve = async (hall: Hall, id: string, headers?: Record<string, string>) =>
  hall.call("POST", `/api/runs/${id}/approve`, { hash: await hashOf(hall, id) }, headers);

describe("a client with a token of its own", () => {
  it("cannot decide about what it started, nor complete its task around the review; others can", async () => {
    const { hall, repo } = await reviewedHall();
    const id = await spawnedBy(hall, "robot");
    const { taskId } = await runOf(hall, id);
    expect(await approve(hall, id, by("robot"))).toMatchObject(FORBIDDEN);
    const send = { feedback: "Better." };
    expect(await hall.call("POST", `/api/runs/${id}/request-changes`, send, by("robot"))).toMatchObject(FORBIDDEN);
    expect(await hall.call("POST", `/api/runs/${id}/revert`, undefined, by("robot"))).toMatchObject(FORBIDDEN);
    const task = `/api/projects/${PROJECT}/tasks/${taskId}`;
    const done = { status: "done" };
    expect(await hall.call("POST", `${task}/move`, done, by("robot"))).toMatchObject(FORBIDDEN);
    expect((await hall.call("POST", `${task}/move`, { status: "in-progress" }, by("robot"))).status).toBe(200);
    expect(await hall.call("PUT", task, done, by("robot"))).toMatchObject(FORBIDDEN);
    expect([repo.committed("main", "a.txt"), (await runOf(hall, id)).delivery?.state]).toEqual(["a", "review"]);
    // What a request says of itself does not count.
    const claims = { ...by("robot"), "x-guildhall-client": "cli", "x-guildhall-actor": "person" };
    expect(await approve(hall, id, claims)).toMatchObject(FORBIDDEN);

    expect(await approve(hall, id, by("other"))).toMatchObject({ status: 200 });
    expect(repo.committed("main", "a.txt")).toBe("agent");
    const { events } = (await hall.call("GET", "/api/events/log?type=run.approved")).body;
    expect(events).toMatchObject([{ actor: { kind: "client", id: "other", via: "http" } }]);
  });

  it("cannot approve what did not pass its quality gates; the person can", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const engine = fakeEngine(() => ({ verdict: "unable", reason: "There is no compiler." }));
    const hall = await hallOver(await startHall(undefined, { clients: CLIENTS, engine }), {
      root: repo.root,
      playbooks: { play: writing({ "a.txt": "agent\n" }) },
    });
    const id = await spawnRun(hall, "play", "Do it");
    await untilOver(hall, id);
    expect(await approve(hall, id, by("other"))).toMatchObject(FORBIDDEN);
    expect(repo.committed("main", "a.txt")).toBe("a");
    expect((await approve(hall, id)).status).toBe(200);
  });

  it("cannot approve what the daemon had made of its result", async () => {
    const repo = repository({ "a.txt": "a\n" });
    const verdicts = ["fail", "pass"] as const;
    let judged = 0;
    const engine = fakeEngine(() => ({
      verdict: verdicts[judged++] ?? "pass",
      findings: [{ message: "Improve it." }],
    }));
    const hall = await hallOver(await startHall(undefined, { clients: CLIENTS, engine }), {
      root: repo.root,
      config: { constraints: { requireReview: true } },
      playbooks: { play: writing({ "a.txt": "agent\n" }) },
    });
    const first = await spawnedBy(hall, "robot");
    const next = await eventually(
      async () => (await runOf(hall, first)).delivery?.next,
      (id) => id !== undefined,
    );
    await eventually(
      async () => (await runOf(hall, next ?? "")).delivery,
      (delivery) => delivery?.state === "review" && judged === 2,
    );
    expect(await approve(hall, next ?? "", by("robot"))).toMatchObject(FORBIDDEN);
    expect(repo.committed("main", "a.txt")).toBe("a");
    expect((await approve(hall, next ?? "", by("other"))).status).toBe(200);
  });

  it("cannot become the person, or anybody without a token at all", async () => {
    const { hall } = await reviewedHall();
    const id = await spawnRun(hall, "play", "Do it");
    await untilOver(hall, id);
    expect(await hall.call("POST", "/api/browser/links", {}, by("robot"))).toMatchObject(FORBIDDEN);
    const wrong = { authorization: `Bearer ${"x".repeat(43)}` };
    expect(await approve(hall, id, wrong)).toMatchObject({ status: 401 });
    // What the person started, a client may decide about; the person about everything.
    expect((await approve(hall, id, by("robot"))).status).toBe(200);
    expect((await hall.call("POST", `/api/runs/${await spawnedBy(hall, "robot")}/revert`)).status).toBe(409);
  });

  it("cannot turn the review off, choose folders or open the sandbox", async () => {
    const { hall } = await reviewedHall();
    const project = `/api/projects/${PROJECT}`;
    const { workdir } = (await hall.call("GET", project)).body.project;
    const off = { config: { constraints: { requireReview: false } } };
    const open = { config: { sandbox: { network: true } } };
    const reviewed = { config: { constraints: { requireReview: true } } };
    for (const body of [off, open, { workdir: temporaryFolder() }, { workdir: null }])
      expect(await hall.call("PUT", project, body, by("robot"))).toMatchObject(FORBIDDEN);
    const folder = { ...reviewed, name: "Own", workdir: temporaryFolder() };
    expect(await hall.call("POST", "/api/projects", folder, by("robot"))).toMatchObject(FORBIDDEN);
    expect(await hall.call("POST", "/api/projects", { ...off, name: "Own" }, by("robot"))).toMatchObject(FORBIDDEN);
    expect(await hall.call("DELETE", "/api/browser/devices/none", undefined, by("robot"))).toMatchObject(FORBIDDEN);
    // What it read, it can send back.
    const same = { ...reviewed, workdir, description: "Better" };
    expect((await hall.call("PUT", project, same, by("robot"))).status).toBe(200);
    expect((await hall.call("POST", "/api/projects", { name: "Other" }, by("robot"))).status).toBe(201);
  });

  it("can't decide for the person: answers, rules, plans, waivers, triggers and hooks", async () => {
    const { hall } = await reviewedHall();
    const project = `/api/projects/${PROJECT}`;
    const rule = { question: "May we deploy?", resolution: "No.", scope: "hall" };
    const waiver = { findingId: "review-1", reason: "It is fine." };
    const trigger = { name: "beat", projectId: PROJECT, on: { interval: "1h" }, do: { message: "Look." } };
    const { escalation } = (
      await hall.call("POST", "/api/escalations", { type: "question", question: "Which door?", projectId: PROJECT })
    ).body;
    const asked = `/api/escalations/${escalation?.id}` as const;
    const requests: [method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object][] = [
      ["POST", `${asked}/resolve`, { resolution: "The blue one." }],
      ["POST", `${asked}/dismiss`, { reason: "Not now." }],
      ["POST", "/api/answer-rules", rule],
      ["PUT", "/api/answer-rules/rule-001", { resolution: "Yes." }],
      ["DELETE", "/api/answer-rules/rule-001"],
      ["POST", `${project}/teams`, { goal: "Add numbers", approval: "none" }],
      ["POST", "/api/gates/gate-01m7p3p8ca0000aaaaa1/waivers", waiver],
      ["POST", "/api/integration-checks/check-01m7p3p8ca0000aaaaa1/waivers", waiver],
      ["POST", "/api/triggers", trigger],
      ["POST", "/api/hooks/mine/test", { input: {} }],
    ];
    for (const [method, path, body] of requests)
      expect(await hall.call(method, path, body, by("robot")), `${method} ${path}`).toMatchObject(FORBIDDEN);
    expect((await hall.call("GET", asked)).body.escalation.resolution).toBeNull();
    expect((await hall.call("GET", "/api/answer-rules")).body.rules).toEqual([]);
    expect((await hall.call("GET", "/api/teams")).body.teams).toEqual([]);
    expect((await hall.call("GET", "/api/triggers")).body.triggers).toEqual([]);
  });

  it("can't administer Guildhall: stop it, spend more, change roles and teams, purge projects or list folders", async () => {
    const { hall } = await reviewedHall();
    const project = `/api/projects/${PROJECT}`;
    const { assignments } = (await hall.call("GET", `${project}/team`)).body;
    const assignment = `${project}/team/${assignments[0]?.id ?? "none"}`;
    const requests: [method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object][] = [
      ["POST", "/api/shutdown"],
      ["POST", "/api/restart"],
      ["POST", "/api/index/rebuild"],
      ["PUT", "/api/budget", { dayUsd: 1_000 }],
      ["PUT", "/api/budget/price", { model: "a/b", input: 0, output: 0 }],
      ["PUT", project, { config: { budget: { dayUsd: 1_000 } } }],
      ["POST", "/api/projects", { name: "Rich", config: { budget: { dayUsd: 1_000 } } }],
      ["PUT", project, { config: { constraints: { maxToolCallsPerRun: 1_000 } } }],
      ["PUT", project, { config: { constraints: { maxTokensPerTask: 1_000_000 } } }],
      ["PUT", project, { config: { autonomy: "initiatives" } }],
      ["PUT", "/api/settings", { set: { "orchestrator.dailyUsd": 1_000 } }],
      ["POST", "/api/orchestrator/resume"],
      ["POST", "/api/roles", { name: "Root" }],
      ["POST", "/api/roles/import", { content: "---\nname: root\n---\nRoot." }],
      ["PUT", "/api/roles/worker", { skills: ["exec"] }],
      ["DELETE", "/api/roles/worker"],
      ["POST", `${project}/team`, { roleId: "helper" }],
      ["PUT", assignment, { roleId: "helper" }],
      ["DELETE", assignment],
      ["POST", "/api/models/test", {}],
      ["POST", "/api/providers/anthropic/test", {}],
      ["GET", "/api/folders"],
      ["POST", "/api/skills/any/accept", { hash: "0" }],
      ["DELETE", `${project}?purge=true`],
    ];
    const before = (await hall.call("GET", "/api/roles")).body;
    for (const [method, path, body] of requests)
      expect(await hall.call(method, path, body, by("robot")), `${method} ${path}`).toMatchObject(FORBIDDEN);
    expect((await hall.call("GET", "/api/status")).status).toBe(200);
    expect((await hall.call("GET", "/api/roles")).body).toEqual(before);
    expect((await hall.call("GET", project)).status).toBe(200);
    expect(JSON.stringify((await hall.call("GET", "/api/budget")).body)).not.toContain("1000");
    // What a client is for.
    for (const path of ["/api/roles", "/api/models", "/api/budget", `${project}/team`, "/api/now"])
      expect((await hall.call("GET", path, undefined, by("robot"))).status, path).toBe(200);
    expect((await hall.call("POST", `${project}/tasks`, { title: "Do it" }, by("robot"))).status).toBe(201);
    expect((await hall.call("DELETE", project, undefined, by("robot"))).status).toBe(200);
  });
});
