import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { pendingOf } from "../harness/escalating.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { entriesOf, journalOf, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";

/** Each command on its own turn, then a report of the last one. */
const execs = (...commands: string[]) =>
  JSON.stringify({
    turns: [...commands.map((command) => ({ calls: [{ tool: "exec", input: { command } }] })), { text: "Done." }],
  });
/** Shows how often it ran. */
const LINE = "echo ran >> ran.txt; cat ran.txt";
const PLAIN = "git status";

let hall: Hall;
const later = afterAllTests();
let now: Date | undefined;

beforeAll(async () => {
  const clock = () => now ?? new Date();
  const { root } = repository({ "a.txt": "a\n" }, "work", later);
  const playbooks = {
    line: execs(LINE),
    plain: execs(PLAIN),
    twice: execs(PLAIN, PLAIN),
    both: execs(`${PLAIN} && ls`),
    other: execs("git status -s"),
    writes: JSON.stringify({
      turns: [{ calls: [{ tool: "write", input: { path: "b.txt", content: "one\ntwo" } }] }, { text: "Done." }],
    }),
    over: JSON.stringify({
      turns: [{ calls: [{ tool: "write", input: { path: "a.txt", content: "a\nb\n" } }] }, { text: "Done." }],
    }),
    parent: JSON.stringify({
      turns: [{ calls: [{ tool: "spawn_subagent", input: { role: "helper", title: "A part" } }] }, { text: "Done." }],
    }),
    helper: execs(PLAIN),
  };
  hall = await hallOver(await startHall(undefined, { later, clock }), { root, playbooks });
  const skills = ["read", "write", "exec", "spawn_subagent"];
  await made("/api/roles", { id: "asker", name: "Asker", skills, ask: ["exec"] });
  expect((await hall.call("PUT", "/api/roles/helper", { skills: ["read", "exec"] })).status).toBe(200);
});

async function made(path: string, body: object) {
  const answer = await hall.call("POST", path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
}
const spawn = (playbook: string, more: object = {}) => spawnRun(hall, playbook, "Do it", { roleId: "asker", ...more });
const resolve = (id: string, body: object) => hall.call("POST", `/api/escalations/${id}/resolve`, body);
const resultsOf = (id: string) => entriesOf(journalOf(hall.workspace, id), "result").map(({ output }) => output);
const grantsOf = async (query = "") => (await hall.call("GET", `/api/grants${query}`)).body.grants;
const grantOf = async (from: string) => (await grantsOf("?all=true")).find((grant) => grant.from === from);
const revoke = (id: string) => hall.call("DELETE", `/api/grants/${id}`);

async function waiting(playbook: string, more: object = {}) {
  const id = await spawn(playbook, more);
  const asked = await pendingOf(hall, id);
  const run = await eventually(
    () => runOf(hall, id),
    (found) => found.waitingFor === "answer",
  );
  return { id, asked, run };
}

/** Answers what a run asks, and waits until it is over. */
async function answered(playbook: string, body: object, more: object = {}) {
  const { id, asked } = await waiting(playbook, more);
  const answer = await resolve(asked.id, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const run = await untilOver(hall, id);
  expect([run.status, run.error]).toEqual(["completed", undefined]);
  return { id, asked };
}

/** Whether a run of the playbook is asked about nothing. */
async function isUnasked(playbook: string, more: object = {}) {
  const id = await spawn(playbook, more);
  const run = await eventually(
    () => runOf(hall, id),
    (found) => found.status === "completed" || found.waitingFor === "answer",
  );
  if (run.status === "completed") return true;
  expect((await hall.call("POST", `/api/runs/${id}/stop`)).status).toBe(200);
  return false;
}

/** The same for several playbooks at once. */
const areUnasked = (...playbooks: string[]) => Promise.all(playbooks.map((playbook) => isUnasked(playbook)));

describe("a call of a tool that needs consent", () => {
  it("waits, and is carried out once when it is allowed once", async () => {
    const { id, asked, run } = await waiting("line");
    expect(asked).toMatchObject({
      ...{ type: "approval", origin: "permission", status: "pending", question: `Run ${LINE}?` },
      permission: { runId: id, roleId: "asker", tool: "exec", rule: { tool: "exec", commands: [LINE] } },
      askers: [{ kind: "run", id, waits: true }],
      escalationPath: [`run:${id}`, "person"],
    });
    expect(asked.suggestedAnswers.map(({ label }) => label)).toEqual(["once", "run", "hour", "always", "no"]);
    expect(asked.context).toContain(LINE);
    expect(run.activity).toMatchObject({ kind: "waiting", for: "answer", detail: `Run ${LINE}?` });
    expect(resultsOf(id)).toEqual([]);

    const answer = await resolve(asked.id, { answer: "once", resolution: "Only this time." });
    expect([answer.status, answer.body.escalation]).toMatchObject([200, { answer: "once", outcome: "answered" }]);
    expect(answer.body.escalation).not.toHaveProperty("undoUntil");
    const done = await untilOver(hall, id);
    expect([done.status, done.error]).toEqual(["completed", undefined]);
    expect(resultsOf(id)).toEqual([expect.stringMatching(/^Exit code 0 .*\nran\n+Remark .*: Only this time\.$/)]);
    const again = await resolve(asked.id, { answer: "no" });
    expect([again.status, again.body.error?.code]).toEqual([409, "escalation_resolved"]);
    expect(await grantOf(asked.id)).toMatchObject({ scope: "once", state: "used", uses: 1, runId: id });
  });

  it("is refused with the person's words, and not carried out", async () => {
    const { id } = await answered("line", { answer: "no", resolution: "Use a script." });
    expect(resultsOf(id)).toEqual([
      expect.stringMatching(/^The person refused this call \(esc-\d+\)\. Use a script\./),
    ]);
  });

  it("is refused when the request is dismissed", async () => {
    const { id, asked } = await waiting("line");
    const dismissed = await hall.call("POST", `/api/escalations/${asked.id}/dismiss`, { reason: "Not now." });
    expect(dismissed.status).toBe(200);
    await untilOver(hall, id);
    expect(resultsOf(id)).toEqual([expect.stringContaining("refused this call")]);
  });

  it("is answered by one of the five labels and nothing else", async () => {
    const { id, asked } = await waiting("plain");
    const bodies = [
      ...[{ resolution: "yes" }, { answer: "yes" }, { answer: "once", always: true }, { answer: "always", hours: 2 }],
      ...[
        { answer: "hour", hours: 9 },
        { answer: "hour", hours: 0 },
        { answer: "once", scope: "project" },
      ],
    ];
    for (const body of bodies) expect([body, (await resolve(asked.id, body)).status]).toEqual([body, 422]);
    for (const to of ["main", "project"])
      expect((await hall.call("POST", `/api/escalations/${asked.id}/hand`, { to })).status).toBe(409);
    expect((await hall.call("POST", `/api/runs/${id}/stop`)).status).toBe(200);
    await untilOver(hall, id);
    const late = await eventually(
      () => resolve(asked.id, { answer: "once" }),
      ({ status }) => status === 409,
    );
    expect(late.body.error?.message).toContain("was withdrawn");
    expect(await grantOf(asked.id)).toBeUndefined();
  });

  it("is decided by one of two answers that come at once, and the other one sees it", async () => {
    const { id, asked } = await waiting("line");
    const both = await Promise.all([resolve(asked.id, { answer: "run" }), resolve(asked.id, { answer: "no" })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    await untilOver(hall, id);
    const isAllowed = both[0].status === 200;
    expect(resultsOf(id)).toEqual([expect.stringMatching(isAllowed ? /^Exit code 0/ : /^The person refused/)]);
    expect((await grantOf(asked.id))?.uses).toBe(isAllowed ? 1 : undefined);
  });

  it("is refused when its request was deleted, and can be asked about again", async () => {
    const { id, asked } = await waiting("twice");
    rmSync(join(hall.workspace, asked.path ?? ""));
    const second = await eventually(
      async () => (await hall.call("GET", "/api/escalations?status=pending")).body.escalations,
      (open) => open.some((one) => one.permission?.runId === id && one.id !== asked.id),
    );
    expect(resultsOf(id)).toEqual([expect.stringContaining("was deleted. Repeat the call")]);
    expect((await resolve(second[0]?.id ?? "", { answer: "no" })).status).toBe(200);
    await untilOver(hall, id);
  });

  it("shows what is written", async () => {
    const { asked } = await answered(
      "writes",
      { answer: "no" },
      { overrides: { model: "offline/writes", ask: ["write"] } },
    );
    expect(asked).toMatchObject({
      question: "Write b.txt?",
      context: expect.stringContaining("b.txt\n\n+ one\n+ two"),
    });
  });

  it("shows what changes in a file that is there", async () => {
    const overrides = { model: "offline/over", ask: ["write"] };
    const { asked } = await answered("over", { answer: "no" }, { overrides });
    expect(asked).toMatchObject({
      context: expect.stringContaining("a.txt, replaces the file\n\n  a\n+ b"),
      permission: { replaces: { bytes: 2, text: "a\n" } },
    });
  });

  it("is not asked about twice, nor learned from", async () => {
    const { asked } = await answered("plain", { answer: "once" });
    const second = await answered("plain", { answer: "no" });
    expect(second.asked.id).not.toBe(asked.id);
    expect(second.asked.suggestedAnswers).toHaveLength(5);
    const { statements } = (await hall.call("GET", `/api/knowledge?project=${PROJECT}`)).body;
    expect(statements).toEqual([]);
  });

  it("is asked about in a run that another one started, where that one needs consent", async () => {
    const id = await spawn("parent");
    const child = await eventually(
      async () => (await hall.call("GET", "/api/runs?limit=50")).body.runs.find((run) => run.parentRunId === id),
      (run) => run?.waitingFor === "answer",
    );
    const asked = await pendingOf(hall, child?.id ?? "");
    expect(asked.permission).toMatchObject({ roleId: "helper", tool: "exec" });
    await resolve(asked.id, { answer: "no" });
    await untilOver(hall, id);
  });
});

describe("a grant", () => {
  it("for the run allows the same call in that run only", async () => {
    const { id, asked } = await answered("twice", { answer: "run" });
    expect(resultsOf(id)).toEqual([expect.stringContaining("Exit code 0"), expect.stringContaining("Exit code 0")]);
    const grant = await eventually(
      () => grantOf(asked.id),
      (found) => found?.state === "expired",
    );
    expect(grant).toMatchObject({ scope: "run", uses: 2, recentUses: 2 });
    expect(await isUnasked("plain")).toBe(false);
    // The file has what may still be used.
    expect(parse(readFileSync(join(hall.workspace, "policies/permissions.yml"), "utf8")).grants).toEqual([]);
  });

  it("for a time ends when it is over, after the hours that were said", async () => {
    const { asked } = await answered("plain", { answer: "hour", hours: 2 });
    const { createdAt = "", expiresAt = "" } = (await grantOf(asked.id)) ?? {};
    expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000)).toBe(120);
    expect(await isUnasked("plain")).toBe(true);
    now = new Date(Date.now() + 121 * 60_000);
    expect(await isUnasked("plain")).toBe(false);
    now = undefined;
  });

  it("for good allows exactly that call until it is revoked, and lists what it allowed", async () => {
    const { id, asked } = await waiting("plain");
    const shown = await hall.call("GET", `/api/escalations/${asked.id}/permission`);
    expect(shown.body).toMatchObject({ rule: { tool: "exec", commands: [PLAIN] }, text: `exec: ${PLAIN}` });
    expect(shown.body.total).toBeGreaterThan(3);
    expect(shown.body.calls.every(({ subject, tool }) => tool === "exec" && subject === PLAIN)).toBe(true);
    expect((await resolve(asked.id, { answer: "always" })).status).toBe(200);
    await untilOver(hall, id);
    expect(await areUnasked("plain", "other", "both")).toEqual([true, false, false]);
    // Another role, and another project, are not concerned.
    await made("/api/roles", { id: "second", name: "Second", skills: ["exec"], ask: ["exec"] });
    expect(await isUnasked("plain", { roleId: "second" })).toBe(false);

    const [open] = await grantsOf(`?project=${PROJECT}`);
    expect(open).toMatchObject({ scope: "always", state: "open", uses: 2, text: `exec: ${PLAIN}`, from: asked.id });
    const { uses } = (await hall.call("GET", `/api/grants/${open?.id}`)).body;
    expect(uses).toMatchObject([{ subject: PLAIN }, { subject: PLAIN, runId: id, tool: "exec" }]);
    expect([(await revoke(open?.id ?? "")).status, (await revoke(open?.id ?? "")).status]).toEqual([200, 404]);
    expect(await isUnasked("plain")).toBe(false);
    expect([await grantsOf(), await grantOf(asked.id)]).toMatchObject([[], { state: "revoked", uses: 2 }]);
  });

  it("lets other calls continue that wait for the same", async () => {
    const [one, two, three] = await Promise.all([waiting("plain"), waiting("plain"), waiting("other")]);
    expect((await resolve(one.asked.id, { answer: "hour" })).status).toBe(200);
    await Promise.all([untilOver(hall, one.id), untilOver(hall, two.id)]);
    expect(resultsOf(two.id)).toEqual([expect.stringMatching(/^Exit code 0/)]);
    const { escalation } = (await hall.call("GET", `/api/escalations/${two.asked.id}`)).body;
    expect(escalation).toMatchObject({
      answer: "hour",
      resolvedBy: "hall",
      resolution: expect.stringContaining("Allowed by"),
    });
    const grant = await grantOf(one.asked.id);
    expect([grant?.uses, (await revoke(grant?.id ?? "")).status]).toEqual([2, 200]);
    expect((await runOf(hall, three.id)).waitingFor).toBe("answer");
    expect((await resolve(three.asked.id, { answer: "no" })).status).toBe(200);
    await untilOver(hall, three.id);
  });

  it("for each part allows a compound command", async () => {
    const one = await answered("both", { answer: "always" });
    expect((await grantOf(one.asked.id))?.rule).toEqual({ tool: "exec", commands: [PLAIN, "ls"] });
    expect(await areUnasked("plain", "both", "other")).toEqual([true, true, false]);
    // Taking it out of the file revokes it, and a file that is broken allows nothing.
    const file = join(hall.workspace, "policies/permissions.yml");
    const text = readFileSync(file, "utf8");
    // One line for each field, though the list was empty before: a person edits it.
    expect(text).toMatch(/^grants:\n {2}- id: grant-\d+\n {4}scope: always$/m);
    writeFileSync(file, text.replace("scope: always", "scope: forever"));
    expect(await isUnasked("plain")).toBe(false);
    writeFileSync(file, text.replace(/grants:[\s\S]*?(?=^lastId)/m, "grants: []\n"));
    expect([await isUnasked("plain"), (await grantOf(one.asked.id))?.state]).toEqual([false, "revoked"]);
  });
});

it("an unknown tool in ask is refused, and ask of role, assignment and request adds up", async () => {
  for (const ask of [["shell"], ["escalate"], ["*"]])
    expect((await hall.call("POST", "/api/roles", { name: "X", ask })).status).toBe(422);
  const assigned = await hall.call("POST", `/api/projects/${PROJECT}/team`, {
    roleId: "asker",
    ask: ["memory"],
  });
  expect([assigned.status, assigned.body.assignment.ask]).toEqual([201, ["memory"]]);
  const body = { projectId: PROJECT, roleId: "asker", task: { title: "x" }, overrides: { ask: ["write"] } };
  const { plan } = (await hall.call("POST", "/api/team/spawn?dryRun=true", body)).body;
  expect(plan.ask).toEqual(expect.arrayContaining(["exec", "write", "memory_write", "memory_read"]));
  const role = { role: { id: "asker" }, projectId: PROJECT };
  expect((await hall.call("POST", "/api/roles/preview", role)).body.ask).toEqual(["exec"]);
});
