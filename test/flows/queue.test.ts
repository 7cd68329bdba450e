import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Escalation } from "../../src/contract/documents/escalation.ts";
import type { SubjectKind } from "../../src/contract/documents/escalation-status.ts";
import { ageFolder } from "../harness/aged-folder.ts";
import type { BodyOf } from "../harness/answer.ts";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { NOBODY } from "../harness/guildhall.ts";
import { models } from "../harness/paid-calls.ts";
import { repositoryAt } from "../harness/repository.ts";
import { inShop, KEY, makeShop, scriptedConfig } from "../harness/scripted-hall.ts";
import { type ScriptedProvider, type SeenRequest, startProvider, type Turn } from "../harness/scripted-provider.ts";
import { writePack } from "../harness/skill-packs.ts";
import { runOf, untilDoing, untilOver } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

const DOLLAR = { input: 19_800, output: 1_000 };
const requireReview = { constraints: { requireReview: true } };
const clients = { robot: "robot-token-0123456789abcdef" };
const later = afterAllTests();

let hall: Hall;
let provider: ScriptedProvider;
let mill: string;
let dock: string;

const script = async ({ body, turns }: SeenRequest): Promise<Turn> => {
  const text = JSON.stringify(body);
  if (text.includes("Fails")) return { status: 400 };
  if (text.includes("Costs"))
    return turns < 4
      ? { calls: [{ name: "list", input: { path: ".", depth: turns + 1 } }], usage: DOLLAR }
      : { text: "Done." };
  const file = /Write ([a-z]\d)/.exec(text)?.[1] ?? "x";
  if (turns === 0) return { calls: [{ name: "write", input: { path: `${file}.txt`, content: file } }] };
  return { text: "Done." };
};

const configOf = (more: object) =>
  scriptedConfig(provider, { models, budget: { runUsd: null, dayUsd: null }, limits: { runs: 50 }, ...more });
const env = { SCRIPTED_KEY: KEY, OLLAMA_HOST: NOBODY };

async function spawn(title: string, more: object = {}): Promise<string> {
  const body = {
    projectId: "shop",
    roleId: "coder",
    task: { title },
    overrides: { skills: ["read", "write"] },
    ...more,
  };
  const { status, body: made } = await hall.call("POST", "/api/team/spawn", body);
  expect(status, JSON.stringify(made)).toBe(200);
  return made.sessionId;
}

const list = async (query = "") => (await hall.call("GET", `/api/escalations?status=pending&limit=1000${query}`)).body;
const ofKind = async (kind: SubjectKind): Promise<Escalation[]> =>
  (await list()).escalations.filter(({ subject }) => subject?.kind === kind);
const firstOf = async (kind: SubjectKind): Promise<Escalation> => {
  const [entry] = await ofKind(kind);
  if (entry === undefined) throw new Error(`no ${kind} in the queue`);
  return entry;
};
const get = async (id: string) => (await hall.call("GET", `/api/escalations/${id}`)).body.escalation;
const resolve = (id: string, body: object, headers = {}) =>
  hall.call("POST", `/api/escalations/${id}/resolve`, body, headers);
const cli = (...words: string[]) => commandLine(["escalation", ...words], { workspace: hall.workspace });
const nowCount = async () => {
  const { counts } = (await hall.call("GET", "/api/now")).body;
  return counts.needsMe + counts.review;
};
const agree = async () => {
  const { total, escalations } = await list();
  expect([total, await nowCount()]).toEqual([escalations.length, escalations.length]);
  return escalations;
};
const task = (n: number) => inShop(hall, `TASKS/todo/TASK-09${n}.md`);

function ask(n: number, more: object = {}): void {
  const folder = join(hall.workspace, "escalations/pending");
  mkdirSync(folder, { recursive: true });
  const file = {
    id: `esc-00${n}`,
    type: "question",
    question: `Which color for part ${n}? 😀`,
    projectId: "shop",
    ...more,
  };
  writeFileSync(join(folder, `esc-00${n}.json`), JSON.stringify(file));
}

/** Twenty-eight entries of every kind but one in six projects; suspended projects follow with the restart. */
beforeAll(async () => {
  provider = await startProvider(script);
  later(() => provider.close());
  hall = await startHall(undefined, { config: configOf({}), env, clients, later });
  await makeShop(hall);
  mill = temporaryFolder(later);
  dock = join(temporaryFolder(later), "dock");
  mkdirSync(dock);
  const keel = repositoryAt(temporaryFolder(later));
  keel.git("init", "--quiet", "--initial-branch=main");
  keel.git("commit", "--quiet", "--allow-empty", "-m", "First");
  const project = (id: string, more: object) =>
    hall.call("POST", "/api/projects", { id, name: `${id} & Söhne 😀`, ...more });
  await project("mill", { workdir: mill, config: { budget: { runUsd: 2.5 } } });
  for (const id of ["tide", "cafe"]) await project(id, { config: requireReview });
  await project("dock", { workdir: dock });
  await project("keel", { workdir: keel.root });
  for (const id of ["rest-1", "rest-2"]) await project(id, {});
  const started = [
    ...["t1", "t2", "t3"].map((name) => spawn(`Write ${name} 😀`, { projectId: "tide" })),
    ...["c1", "c2", "c3"].map((name) => spawn(`Write ${name}`, { projectId: "cafe" })),
    ...[1, 2, 3, 4, 5].map((n) => spawn(`Fails ${n}`, { overrides: { skills: ["read"] } })),
  ];
  const costly = await Promise.all(
    [1, 2].map((n) => spawn(`Costs ${n}`, { projectId: "mill", overrides: { skills: ["read"] } })),
  );
  for (const id of await Promise.all(started)) await untilOver(hall, id);
  for (const id of costly) await untilDoing(hall, id, { kind: "waiting", for: "budget" });
  for (const name of ["deploy", "lint", "test"]) writePack(join(mill, ".claude/skills"), name);
  writeFileSync(join(mill, "AGENTS.md"), "Use tabs.\n");
  rmSync(dock, { recursive: true });
  mkdirSync(dock);
  for (const n of [1, 2, 3]) writeFileSync(task(n), "---\nid: [\n---\n");
  const tip = keel.git("rev-parse", "main");
  truncateSync(keel.at(`.git/objects/${tip.slice(0, 2)}/${tip.slice(2)}`));
  const refused = await hall.call("POST", "/api/team/spawn", {
    ...{ projectId: "keel", roleId: "coder", task: { title: "Write k1" } },
  });
  expect(refused.status).toBe(409);
  ask(1, { priority: "urgent" });
  for (const n of [2, 3, 4]) ask(n);
  ask(5, { suggestedAnswers: [{ label: "Red", description: "" }], context: "It is \u001b[31mred\u001b[0m." });
  await eventually(list, ({ total }) => total >= 27);
}, 60_000);

describe("the queue of what waits for the person", () => {
  it("lists every kind in one order and shape, page by page, and Now counts the same [S4-ESC-14]", async () => {
    const all = await agree();
    const kinds = all.map(({ subject }) => subject?.kind ?? "question");
    const counted = Object.fromEntries(kinds.map((kind) => [kind, kinds.filter((each) => each === kind).length]));
    expect(counted).toEqual({
      ...{ question: 5, review: 6, failed: 5, budget: 2, problem: 3, skill: 3, instructions: 1, folder: 1, damaged: 1 },
    });
    const urgencies = all.map(({ urgency }) => urgency);
    expect(urgencies).toEqual(urgencies.toSorted((one, other) => other - one));
    expect(all.every(({ id }) => /^[A-Za-z0-9._~-]+$/.test(id))).toBe(true);
    const paged: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page: BodyOf<"listEscalations"> = (
        await hall.call("GET", `/api/escalations?status=pending&limit=7${cursor && `&cursor=${cursor}`}`)
      ).body;
      paged.push(...page.escalations.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(paged).toEqual(all.map(({ id }) => id));
    expect((await list("&project=tide")).escalations.map(({ origin }) => origin)).toEqual([
      "review",
      "review",
      "review",
    ]);
    expect((await list("&type=blocker")).total).toBe(4);
    expect((await list("&q=söhne")).total + (await list("&q=part%20TWO")).total).toBe(0);
    const { needsMe } = (await hall.call("GET", "/api/now")).body;
    expect(needsMe[0]).toMatchObject({ kind: "escalation", id: "esc-001", title: "Which color for part 1? 😀" });
    const budget = await firstOf("budget");
    expect(budget).toMatchObject({ type: "approval", origin: "budget", blocksTask: expect.stringMatching(/^TASK-/) });
    expect(budget.context).toMatch(
      /\$2\.50 reached.*\nTASK-\d+ in project mill.*Spent so far: \$2\.00 in 3 turns\.\nThe next model call/s,
    );
    expect(budget.suggestedAnswers.map(({ action }) => action)).toEqual([
      "raise-limit",
      "raise-limit-to",
      "wait",
      "stop-run",
    ]);
    expect((await firstOf("problem")).context).toMatch(/^Line \d+: .*Fix the file/);
  });

  it("merges one of two answers given at once, and shows it to the other", async () => {
    const { id, subject } = await firstOf("review");
    expect(await resolve(id, { answer: "Approve" }, { "if-match": '"0123"' })).toMatchObject({ status: 412 });
    const { etag } = await get(id);
    const given = await Promise.all([
      resolve(id, { answer: "Approve" }, { "if-match": `"${etag}"` }),
      resolve(id, { answer: "Discard" }),
    ]);
    const [first, second] = given.toSorted((one, other) => one.status - other.status);
    expect(first).toMatchObject({ status: 200, body: { escalation: { status: "resolved", outcome: "answered" } } });
    const answer = first?.body.escalation.answer ?? "";
    expect(second).toMatchObject({ status: 409, body: { error: { code: "escalation_resolved" } } });
    expect(JSON.stringify(second?.body)).toContain(`answered by the person with '${answer}'`);
    const state = answer === "Approve" ? "delivered" : "discarded";
    expect((await runOf(hall, subject?.id ?? "")).delivery?.state).toBe(state);
    expect(await get(id)).toMatchObject({ status: "resolved", answer, resolvedBy: "person" });
    await agree();
  });

  it("carries each answer out, and refuses what is not one, or not the person's", async () => {
    const [one, two, three] = await ofKind("review");
    const robot = await fetch(`${hall.url}/api/escalations/${one?.id}/resolve`, {
      method: "POST",
      headers: { authorization: `Bearer ${clients.robot}`, "content-type": "application/json" },
      body: JSON.stringify({ answer: "Approve" }),
    });
    expect(robot.status).toBe(403);
    expect(await resolve(one?.id ?? "", { answer: "Approved" })).toMatchObject({ status: 422 });
    expect(await resolve(one?.id ?? "", { resolution: "Looks good" })).toMatchObject({
      body: { error: { message: "answer: must be one of 'Approve', 'Request changes', 'Discard'." } },
    });
    expect(await resolve(one?.id ?? "", { answer: "Request changes" })).toMatchObject({ status: 422 });
    const sent = await cli("answer", one?.id ?? "", "request", "changes", "--text", "Keep the name: Write c9");
    expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining("Answered: Approve the result of")]);
    const { delivery } = await runOf(hall, one?.subject?.id ?? "");
    expect(delivery?.state).toBe("rejected");
    await untilOver(hall, delivery?.next ?? "");
    const gone = await cli("answer", two?.id.slice(-10) ?? "", "3");
    expect(gone.stdout).toMatch(/Discard\. Undo with 'guildhall escalation undo review-/);
    expect(await cli("undo", two?.id ?? "")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Pending again/),
    });
    expect(await get(two?.id ?? "")).toMatchObject({ status: "pending" });
    const approved = await cli("answer", two?.id ?? "", "1");
    expect([approved.code, approved.stdout + approved.stderr]).toEqual([
      0,
      expect.stringMatching(/1 changed file:\n +[a-z]\d\.txt +\+1 -0\n/),
    ]);
    // Decided on the run's page.
    await hall.call("POST", `/api/runs/${three?.subject?.id}/discard`, {});
    expect(await cli("answer", three?.id ?? "", "Approve")).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("answered by the person with 'Discard'"),
    });
    const failed = await ofKind("failed");
    const [retried, cancelled] = failed;
    expect(retried).toMatchObject({
      question: expect.stringMatching(/^“Fails \d” failed\. Retry it\?$/),
      hintAction: { action: "provider-check" },
    });
    expect((await resolve(retried?.id ?? "", { answer: "Retry" })).status).toBe(200);
    expect((await cli("answer", cancelled?.id ?? "", "Cancel", "the", "task")).code).toBe(0);
    const taskId = cancelled?.blocksTask;
    expect((await hall.call("GET", `/api/projects/shop/tasks/${taskId}`)).body.task.status).toBe("cancelled");
    await eventually(
      () => ofKind("failed"),
      (left) => left.length === 4,
    );
  });

  it("raises limits, stops runs, accepts skills and instructions, and confirms folders", async () => {
    const [first, second] = await ofKind("budget");
    expect((await cli("answer", second?.id ?? "", "4")).stdout).toContain("Stop the run");
    expect((await runOf(hall, second?.subject?.id ?? "")).status).toBe("cancelled");
    const amount = { answer: "Raise the limit to another amount" };
    expect(await resolve(first?.id ?? "", { ...amount, resolution: "a lot" })).toMatchObject({ status: 422 });
    expect((await resolve(first?.id ?? "", { ...amount, resolution: "$6.50" })).status).toBe(200);
    expect((await untilOver(hall, first?.subject?.id ?? "")).status).toBe("completed");
    expect((await hall.call("GET", "/api/projects/mill")).body.project.config.budget).toEqual({ runUsd: 6.5 });
    const [skill, other] = await ofKind("skill");
    expect((await resolve(skill?.id ?? "", { answer: "Accept" })).status).toBe(200);
    expect((await cli("answer", other?.id ?? "", "2")).code).toBe(0);
    expect((await resolve((await firstOf("instructions")).id, { answer: "Accept" })).status).toBe(200);
    expect((await resolve((await firstOf("folder")).id, { answer: "Confirm the folder" })).status).toBe(200);
    expect([
      (await ofKind("skill")).length,
      (await ofKind("instructions")).length,
      (await ofKind("folder")).length,
    ]).toEqual([1, 0, 0]);
    expect((await hall.call("GET", "/api/escalations?status=resolved")).body.escalations).toMatchObject([
      { id: other?.id, answer: "Leave", outcome: "answered" },
    ]);
    await agree();
  });

  it("hides what was snoozed or dismissed across a restart, until it changes", async () => {
    const [one, two, three] = await ofKind("problem");
    expect((await cli("snooze", one?.id ?? "", "--for", "2h")).stdout).toMatch(/^Snoozed until/);
    expect((await cli("dismiss", two?.id ?? "")).code).toBe(2);
    expect((await cli("dismiss", two?.id ?? "", "--reason", "It is a draft")).code).toBe(0);
    expect(await hall.call("POST", `/api/escalations/${three?.id}/hand`, {})).toMatchObject({ status: 409 });
    expect(await resolve(three?.id ?? "", { answer: "Fix" })).toMatchObject({ status: 409 });
    expect((await agree()).filter(({ subject }) => subject?.kind === "problem")).toMatchObject([{ id: three?.id }]);
    const dismissed = (await firstOf("damaged")).id;
    expect((await cli("dismiss", dismissed, "--reason", "Known")).code).toBe(0);
    const before = (await list()).escalations.map(({ id }) => id);
    await hall.stop();
    for (const id of ["rest-1", "rest-2"]) ageFolder(join(hall.workspace, "projects", id));
    hall = await startHall(hall.workspace, {
      config: configOf({ projects: { suspendAfterDays: 7 } }),
      env,
      clients,
      later,
    });
    await eventually(
      () => ofKind("suspended"),
      (found) => found.length === 2,
    );
    const after = (await agree()).map(({ id }) => id);
    expect(after.filter((id) => !id.startsWith("suspended-")).toSorted()).toEqual(before.toSorted());
    expect((await list("&snoozed=true")).escalations.map(({ id }) => id)).toContain(one?.id);
    expect(await get(two?.id ?? "")).toMatchObject({
      status: "resolved",
      outcome: "dismissed",
      resolution: "It is a draft",
    });
    expect(await resolve(two?.id ?? "", { answer: "x" })).toMatchObject({
      status: 409,
      body: { error: { code: "escalation_resolved" } },
    });
    writeFileSync(task(2), "---\nid: {\n---\n");
    writeFileSync(task(3), "---\nid: TASK-093\ntitle: Repaired\nstatus: pending\n---\n");
    const shown = await eventually(
      () => ofKind("problem"),
      (found) => found.every(({ id }) => id === two?.id) && found.length === 1,
    );
    expect(shown[0]?.status).toBe("pending");
    expect((await cli("snooze", one?.id ?? "", "--until", "")).stdout).toMatch(/^Shown again/);
    const [resumed, kept] = await ofKind("suspended");
    expect((await resolve(resumed?.id ?? "", { answer: "Resume" })).status).toBe(200);
    expect((await cli("answer", kept?.id ?? "", "keep", "suspended")).code).toBe(0);
    expect(await ofKind("suspended")).toEqual([]);
    expect((await hall.call("POST", `/api/escalations/${kept?.id}/undo`, {})).body.escalation).toMatchObject({
      status: "pending",
    });
    await agree();
  });

  it("prints what agents wrote without letting it act on the terminal", async () => {
    const shown = await cli("show", "esc-005");
    expect(shown.stdout).toContain("It is ␛[31mred␛[0m.");
    expect(shown.stdout).toMatch(/1\. Red/);
    const listed = await cli("list", "-p", "shop");
    expect(listed.stdout).toMatch(/^ID +KIND .*QUESTION\n/);
    expect(listed.stdout).toContain("Which color for part 5? 😀");
    expect((await cli("show", "esc-999")).code).toBe(3);
    const json = JSON.parse((await cli("list", "--json")).stdout);
    expect(json.total).toBe((await list()).total);
    const status = await commandLine(["status"], { workspace: hall.workspace });
    expect(status.stdout).toMatch(new RegExp(`decisions +${json.total} `));
  });

  it("answers questions in the same way, and one of two answers wins", async () => {
    const given = await Promise.all([
      resolve("esc-001", { resolution: "Green" }),
      cli("answer", "esc-001", "--text", "Yellow"),
    ]);
    const [api, terminal] = given;
    expect([api.status === 200, terminal.code]).toEqual(api.status === 409 ? [false, 0] : [true, 4]);
    const { resolution } = await get("esc-001");
    expect(resolution).toBe(api.status === 200 ? "Green" : "Yellow");
    expect(JSON.stringify(given)).toContain(resolution);
    expect((await cli("answer", "esc-005", "red")).stdout).toMatch(/^Answered: Which color for part 5\? 😀 Red\./);
    expect((await cli("dismiss", "esc-002", "--reason", "Not needed")).stdout).toMatch(/^Dismissed/);
    expect((await cli("undo", "esc-002")).code).toBe(0);
    expect((await cli("snooze", "esc-003", "--for", "1d")).code).toBe(0);
    expect((await cli("promote", "esc-004")).code).toBe(4);
    const left = (await agree()).filter(({ subject }) => subject === undefined);
    expect(left.map(({ id }) => id)).toEqual(["esc-002", "esc-004"]);
    const { escalations } = (await hall.call("GET", "/api/escalations?limit=1000")).body;
    const resolved = escalations.filter(({ status }) => status === "resolved").map(({ id }) => id);
    expect(resolved.slice(-2)).toEqual(["esc-005", "esc-001"]);
  });
});
