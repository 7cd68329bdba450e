import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Team } from "../../src/contract/documents/teams/team.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { linesWithoutFormat } from "../harness/durable-lines.ts";
import { writing } from "../harness/repository.ts";
import { listRuns, PROJECT } from "../harness/spawned-runs.ts";
import {
  moduleFiles,
  startTeam,
  tasksOf,
  teamHall,
  teamOf,
  teamPlaybooks,
  titleOf,
  untilAsked,
  untilTeam,
} from "../harness/team-hall.ts";

const SUM = moduleFiles("sum", "REQ-001");
const WRONG = { ...SUM, "sum/index.js": "export const sum = (a, b) => a - b;\n" };
/** The gates of results; the whole is checked all the same. */
const GATES_OFF = { qualityGates: { appliesTo: "off" } };
const OFF = { config: GATES_OFF };
const VERSION = "export const version = 1;\n";
const LONG = { timeout: 300_000 };

describe("the walk of a team from a goal to one merge", () => {
  let hall: Hall;
  let repo: Awaited<ReturnType<typeof teamHall>>;
  let done: Team;
  let types: string[];

  beforeAll(async () => {
    hall = await startHall(undefined, { later: afterAll });
    const tasks = [{ key: "sum", requirement: "REQ-001", files: SUM, first: WRONG }];
    repo = await teamHall(hall, teamPlaybooks(tasks), { later: afterAll });
    const { id, status, approval, branch } = await startTeam(hall);
    expect({ status, approval, branch }).toEqual({ status: "specifying", approval: "plan", branch: `guildhall/${id}` });
    const asked = await untilAsked(hall, id);
    expect(asked).toMatchObject({ status: "awaiting-approval", escalation: { kind: "plan" } });
    const question = async () => (await hall.call("GET", `/api/escalations/${asked.escalation?.id}`)).body.escalation;
    expect(await question()).toMatchObject({ type: "approval", team: { id, kind: "plan", number: 1 } });
    const approved = await hall.call("POST", `/api/teams/${id}/plan/approve`);
    expect(approved.status, JSON.stringify(approved.body)).toBe(200);
    done = await untilTeam(hall, id, "completed", 240_000);
    expect((await question()).status).toBe("resolved");
    types = (await hall.call("GET", `/api/teams/${id}/activity`)).body.activity.map(({ type }) => type);
  }, 300_000);

  it("has a spec whose requirement is met, and closes the goal's task [S1-ORC-02] [S1-ORC-05]", async () => {
    expect(done.requirements).toEqual({ total: 1, met: 1 });
    const spec = (await hall.call("GET", `/api/teams/${done.id}/spec`)).body;
    expect(spec).toMatchObject({ text: expect.stringContaining("REQ-001"), criteria: [{ state: "met" }] });
    await eventually(
      async () => (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${done.taskId}`)).body.task.status,
      (status) => status === "done",
    );
    const [task] = await tasksOf(hall, done.id);
    const { acceptanceCriteria } = (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${task?.taskId}`)).body.task;
    expect(acceptanceCriteria.map(({ done: isMet }) => isMet)).toEqual([true]);
  });

  it("has its work judged, sent back once and judged again before it is merged [S1-TM-10]", async () => {
    const [task] = await tasksOf(hall, done.id);
    expect(task).toMatchObject({ key: "sum", state: "merged", gate: { verdict: "pass" }, attempts: 2 });
    const gates = (await hall.call("GET", `/api/runs/${task?.runIds.at(-1)}/gates`)).body.gates;
    expect(gates.map(({ verdict, teamId }) => [verdict, teamId])).toEqual([
      ["fail", done.id],
      ["pass", done.id],
    ]);
    expect(repo.text("sum/index.js")).toBe(SUM["sum/index.js"]);
    expect(repo.git("rev-list", "--count", "--merges", "--first-parent", "main")).toBe("1");
  });

  it("ends with a report that begins with what only the person can judge [S1-ORC-07]", async () => {
    const { report, text } = (await hall.call("GET", `/api/teams/${done.id}/report`)).body;
    expect(report).toMatchObject({
      requirements: [{ id: "REQ-001", met: true }],
      gates: { judged: 2, passed: 1, failed: 1 },
      lead: { summary: "Sums work." },
    });
    expect(text.indexOf("For you to judge")).toBeLessThan(text.indexOf("## Requirements"));
    const folder = join(hall.workspace, `projects/${PROJECT}/teams/${done.id}`);
    for (const name of ["team.json", "state.jsonl", "spec.md", "report.md"])
      expect(existsSync(join(folder, name)), name).toBe(true);
  });

  it("has each of its steps in the event log, with whoever took it [S1-MOD-07]", async () => {
    const { events } = (await hall.call("GET", "/api/events/log?limit=1000")).body;
    const steps = events.filter(({ type, subject }) => /^team\.(?!activity)/.test(type) && subject.id === done.id);
    expect(steps.map(({ type, actor, after }) => [type, actor.kind, after?.status])).toEqual([
      ["team.created", "person", undefined],
      ["team.moved", "daemon", "planning"],
      ["team.moved", "daemon", "awaiting-approval"],
      ["team.moved", "person", "working"],
      ...["integrating", "synthesizing", "delivering", "completed"].map((to) => ["team.moved", "daemon", to]),
    ]);
  });

  it("shows members and the plan in its feed [S1-ACT-01] [S1-ACT-02] [S1-ACT-11] [S1-ACT-12]", () => {
    for (const type of ["teammate-spawned", "teammate-shutdown", "plan-submitted", "plan-approved"])
      expect(types, type).toContain(type);
  });

  it("shows tasks in its feed [S1-ACT-03] [S1-ACT-04] [S1-ACT-06] [S1-ACT-31]", () => {
    for (const type of ["task-claimed", "task-completed", "task-in-review", "phase-advanced"])
      expect(types, type).toContain(type);
  });

  it("shows gates in its feed [S1-ACT-07] [S1-ACT-08] [S1-ACT-09] [S1-ACT-16] [S1-ACT-17]", () => {
    for (const type of [
      ...["quality-gate-passed", "quality-gate-failed", "review-feedback-sent"],
      ...["integration-check-started", "integration-check-passed"],
    ])
      expect(types, type).toContain(type);
  });
});

describe("a team", () => {
  it(
    "plans again with the person's remarks, and works on the plan that they edited [S1-MOD-11] [S1-ACT-13]",
    LONG,
    async () => {
      const hall = await startHall();
      await teamHall(hall, teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }]), OFF);
      const { id } = await startTeam(hall);
      const first = await untilAsked(hall, id);
      const sent = await hall.call("POST", `/api/teams/${id}/plan/reject`, { remarks: "Name it better." });
      expect(sent.status).toBe(200);
      const second = await eventually(
        () => teamOf(hall, id),
        ({ escalation }) => escalation !== undefined && escalation.id !== first.escalation?.id,
        60_000,
      );
      expect(second.status).toBe("awaiting-approval");
      const lead = (await listRuns(hall)).filter(({ purpose }) => purpose === "lead");
      expect(lead).toHaveLength(3);
      const journal = (await hall.call("GET", `/api/runs/${lead[0]?.id}/transcript`)).body;
      expect(JSON.stringify(journal)).toContain("Name it better.");
      const { plan } = (await hall.call("GET", `/api/teams/${id}/plan`)).body;
      const cyclic = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, dependsOn: [task.key] })) };
      const refused = await hall.call("POST", `/api/teams/${id}/plan/approve`, { plan: cyclic });
      expect(refused.status).toBe(422);
      const edited = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, title: `${task.title} please` })) };
      const approved = await hall.call("POST", `/api/teams/${id}/plan/approve`, { plan: edited });
      expect(approved.status, JSON.stringify(approved.body)).toBe(200);
      await untilTeam(hall, id, "completed");
      expect((await tasksOf(hall, id)).map(({ title }) => title)).toEqual(["Build sum now please"]);
      const types = (await hall.call("GET", `/api/teams/${id}/activity`)).body.activity.map(({ type }) => type);
      expect(types).toContain("plan-rejected");
    },
  );

  it(
    "works on three tasks with different files side by side, and merges each into its own branch first",
    LONG,
    async () => {
      const hall = await startHall();
      const keys = ["one", "two", "three"];
      const tasks = keys.map((key, at) => ({
        ...{ key, requirement: `REQ-00${at + 1}`, files: moduleFiles(key, `REQ-00${at + 1}`), delayMs: 2_000 },
      }));
      const repo = await teamHall(hall, teamPlaybooks(tasks), OFF);
      const { id } = await startTeam(hall, { approval: "none" });
      const done = await untilTeam(hall, id, "completed");
      expect(done.strategy).toMatchObject({ value: "flat", because: expect.stringContaining("3 of 3 tasks") });
      const work = (await listRuns(hall)).filter(({ purpose }) => purpose === "work");
      expect(work.map(({ rank }) => rank)).toEqual(["head", "head", "head"]);
      const started = work.map(({ startedAt = "" }) => startedAt).sort();
      const ended = work.map(({ endedAt = "" }) => endedAt).sort();
      expect((started.at(-1) ?? "") < (ended[0] ?? "")).toBe(true);
      for (const key of keys) expect(repo.exists(`${key}/index.js`)).toBe(true);
      expect(repo.git("rev-list", "--count", "--merges", "--first-parent", "main")).toBe("1");
      expect(new Set(done.members.map(({ name }) => name)).size).toBe(4);
    },
  );

  it("has a conflict between two results resolved by a run that sees both sides, without asking", LONG, async () => {
    const hall = await startHall();
    const keys = ["one", "two", "three"];
    const lines = keys.map((key) => `export * from "./${key}/index.js";\n`);
    const tasks = keys.map((key, at) => {
      const requirement = `REQ-00${at + 1}`;
      return { key, requirement, files: moduleFiles(key, requirement), also: { "index.js": `${VERSION}${lines[at]}` } };
    });
    const reads = { calls: [{ tool: "read", input: { path: "index.js" } }] };
    const { turns } = JSON.parse(writing({ "index.js": `${VERSION}${lines.join("")}` }));
    const resolves = (key: string) => JSON.stringify({ turns: [reads, ...turns], when: titleOf(key), sentBack: true });
    const books = Object.fromEntries(keys.map((key) => [`m-${key}-again`, resolves(key)]));
    const repo = await teamHall(hall, { ...teamPlaybooks(tasks), ...books }, OFF);
    const { id } = await startTeam(hall, { approval: "none" });
    await untilTeam(hall, id, "completed");
    for (const line of lines) expect(repo.text("index.js")).toContain(line);
    expect(repo.text("index.js")).not.toContain("<<<<");
    const again = (await tasksOf(hall, id)).flatMap(({ runIds }) => runIds.slice(1));
    expect(again.length).toBeGreaterThanOrEqual(2);
    for (const runId of again) {
      const journal = JSON.stringify((await hall.call("GET", `/api/runs/${runId}/transcript`)).body);
      for (const mark of ["<<<<<<<", "=======", ">>>>>>>", "These files conflict: index.js."])
        expect(journal).toContain(mark);
    }
  });

  it(
    "stops with all its runs, and leaves its branch; a paused one starts nothing until it is resumed",
    LONG,
    async () => {
      const hall = await startHall();
      // Longer than anything here waits.
      const slow = [{ key: "sum", requirement: "REQ-001", files: SUM, delayMs: 120_000 }];
      const repo = await teamHall(hall, teamPlaybooks(slow), OFF);
      const { id, taskId } = await startTeam(hall, { approval: "none" });
      await eventually(
        () => listRuns(hall),
        (runs) => runs.some(({ purpose, status }) => purpose === "work" && status === "running"),
        60_000,
      );
      expect((await hall.call("POST", `/api/teams/${id}/stop`)).body.team.status).toBe("stopped");
      await eventually(
        () => listRuns(hall),
        (runs) => runs.every(({ status }) => status !== "running" && status !== "pending"),
      );
      expect(repo.branches()).toContain(`guildhall/${id}`);
      await eventually(
        async () => (await hall.call("GET", `/api/projects/${PROJECT}/tasks/${taskId}`)).body.task.status,
        (status) => status === "pending",
      );
      const folder = join(hall.workspace, `projects/${PROJECT}/teams`);
      await eventually(
        () => existsSync(join(folder, id, "report.md")),
        (isWritten) => isWritten,
      );
      expect(readFileSync(join(folder, id, "report.md"), "utf8")).toContain("# Let people add numbers");
      const cleaned = await hall.call("POST", `/api/teams/${id}/cleanup`);
      expect(cleaned.status, JSON.stringify(cleaned.body)).toBe(200);
      expect(existsSync(join(folder, ".archive", id, "state.jsonl"))).toBe(true);
      expect((await hall.call("GET", `/api/teams/${id}`)).status).toBe(404);

      const other = await startTeam(hall);
      await untilAsked(hall, other.id);
      expect((await hall.call("POST", `/api/teams/${other.id}/pause`)).body.team.status).toBe("paused");
      const before = (await listRuns(hall)).length;
      await hall.call("POST", `/api/teams/${other.id}/plan/approve`);
      expect(await teamOf(hall, other.id)).toMatchObject({ status: "paused", pausedFrom: "working" });
      expect(await listRuns(hall)).toHaveLength(before);
      expect((await hall.call("POST", `/api/teams/${other.id}/resume`)).body.team.status).toBe("working");
      await eventually(
        () => listRuns(hall),
        ({ length }) => length > before,
      );
      await hall.call("POST", `/api/teams/${other.id}/stop`);
    },
  );

  it("is rehearsed without a key: a spec and a plan to answer, and no work", LONG, async () => {
    const hall = await startHall();
    await teamHall(hall, {}, OFF);
    const { id } = await startTeam(hall);
    const asked = await untilAsked(hall, id);
    expect(asked).toMatchObject({ status: "awaiting-approval", escalation: { kind: "plan" } });
    expect(await tasksOf(hall, id)).toMatchObject([{ key: "rehearsal", requirements: ["REQ-001"] }]);
    await hall.call("POST", `/api/teams/${id}/plan/approve`);
    await eventually(
      () => teamOf(hall, id),
      ({ escalation }) => escalation?.kind === "task-failed",
    );
    expect(await tasksOf(hall, id)).toMatchObject([{ state: "blocked", attempts: 1 }]);
  });

  it("is not formed for a goal, base or budget that can't be, and leaves nothing behind", LONG, async () => {
    const hall = await startHall();
    await teamHall(hall, teamPlaybooks([]), OFF);
    const refusals = [
      { goal: " " },
      { goal: "Sum", baseBranch: "nowhere" },
      { goal: "Sum", budgetUsd: 0 },
      { goal: "Sum", taskId: "TASK-404" },
    ];
    const answers = [];
    for (const body of refusals) answers.push(await hall.call("POST", `/api/projects/${PROJECT}/teams`, body));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 404]);
    expect((await hall.call("GET", "/api/teams")).body.teams).toEqual([]);
    expect((await hall.call("GET", `/api/projects/${PROJECT}/tasks`)).body.tasks).toEqual([]);
  });

  it("takes in what a person edits in spec.md, and says what can't be read [S1-TM-05]", LONG, async () => {
    const hall = await startHall();
    await teamHall(hall, teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }]), OFF);
    const { id } = await startTeam(hall);
    await untilAsked(hall, id);
    const path = join(hall.workspace, `projects/${PROJECT}/teams/${id}/spec.md`);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("REQ-001 must work.", "REQ-001 must work quickly."));
    await eventually(
      () => hall.call("GET", `/api/teams/${id}/spec`),
      ({ body }) => body.spec.requirements[0]?.text === "REQ-001 must work quickly.",
    );
    const told = await eventually(
      async () => (await hall.call("GET", "/api/events/log?type=team.spec_changed")).body.events,
      (events) => events.length > 0,
    );
    expect(told).toMatchObject([{ actor: { kind: "person", via: "file" }, after: { changed: ["REQ-001 changed"] } }]);
    writeFileSync(path, "# Nothing\n");
    const problems = await eventually(
      async () => (await hall.call("GET", "/api/problems")).body.problems,
      (found) => found.some(({ kind }) => kind === "team"),
    );
    expect(problems.find(({ kind }) => kind === "team")).toMatchObject({ file: expect.stringContaining("spec.md") });
    const put = await hall.call("PUT", `/api/teams/${id}/spec`, {
      text: text.replace("REQ-001 must", "REQ-001 should"),
    });
    expect(put.body.changed).toEqual(["REQ-001 changed"]);
    expect(readFileSync(path, "utf8")).toContain("REQ-001 should work.");
    await hall.call("POST", `/api/teams/${id}/stop`);
  });

  it(
    "briefs members with role-specs that a person can edit, and keeps the last good one [S2-TPL-01] [S2-SES-05] [S2-REL-06] [S2-RULE-01]",
    LONG,
    async () => {
      const hall = await startHall();
      const tasks = [
        { key: "sum", requirement: "REQ-001", files: SUM, delayMs: 1_500 },
        { key: "add", requirement: "REQ-002", files: moduleFiles("add", "REQ-002"), dependsOn: ["sum"] },
      ];
      await teamHall(hall, teamPlaybooks(tasks), OFF);
      const { id } = await startTeam(hall, { approval: "none" });
      const specs = async () => (await hall.call("GET", `/api/teams/${id}/role-specs`)).body.roleSpecs;
      await eventually(
        () => tasksOf(hall, id),
        (found) => found[0]?.state === "working",
        60_000,
      );
      const [spec = { name: "", text: "" }] = await specs();
      expect(spec).toMatchObject({
        name: "backend-implementer-impl",
        tasks: ["sum", "add"],
        faults: [],
        inUse: "file",
      });
      const path = join(hall.workspace, `projects/${PROJECT}/teams/${id}/role-specs/backend-implementer-impl.md`);
      expect(readFileSync(path, "utf8")).toBe(spec.text);
      const put = (text: string) => hall.call("PUT", `/api/teams/${id}/role-specs/${spec.name}`, { text });
      const refused = await put(spec.text.replace("prefix: IMPL", "prefix: IMPL\ntools: [exec]"));
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.body)).toContain("line 4: no-rights");
      const marked = spec.text.replace("Keep to the style", "Mind the rounding. Keep to the style");
      expect((await put(marked)).status).toBe(200);
      writeFileSync(path, `${marked}\n## Phase 5: Report\n`);
      const problems = await eventually(
        async () => (await hall.call("GET", "/api/problems")).body.problems,
        (found) => found.some(({ kind }) => kind === "team"),
      );
      expect(problems.find(({ kind }) => kind === "team")).toMatchObject({
        file: expect.stringContaining("role-specs/backend-implementer-impl.md"),
        reason: expect.stringContaining("phases-2-to-4"),
      });
      const edits = await eventually(
        async () => {
          const { events } = (await hall.call("GET", "/api/events/log?type=team.spec_changed&tail=100")).body;
          return events.filter(({ subject }) => subject.id === id);
        },
        ({ length }) => length > 1,
      );
      expect(edits.map(({ actor, after }) => [actor.via, after?.changed])).toEqual([
        ["http", [`role-spec ${spec.name}`]],
        ["file", [`role-spec ${spec.name}`]],
      ]);
      expect((await specs())[0]).toMatchObject({ inUse: "last-good", faults: [{ rule: "phases-2-to-4" }] });
      await untilTeam(hall, id, "completed");
      const [first, second] = await tasksOf(hall, id);
      const said = async (runId = "") => JSON.stringify((await hall.call("GET", `/api/runs/${runId}/transcript`)).body);
      expect(await said(first?.runIds[0])).toContain("## Phase 3: Code Implementation");
      const next = await said(second?.runIds[0]);
      expect(next).toContain("Mind the rounding.");
      expect(next).not.toContain("## Phase 5: Report");
    },
  );

  it(
    "gives a member a stronger model after two failures [S1-CFG-08] [S1-ROLE-06] [S1-ACT-14] [S1-ACT-05]",
    LONG,
    async () => {
      const hall = await startHall(undefined, { config: { agentTeams: { escalationModel: "offline/hero" } } });
      const books = teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }]);
      await teamHall(hall, { ...books, "m-sum": refusing(titleOf("sum")), hero: writing(SUM) }, OFF);
      const { id } = await startTeam(hall, { approval: "none" });
      const { members } = await untilTeam(hall, id, "completed");
      const [task] = await tasksOf(hall, id);
      expect(task).toMatchObject({ state: "merged", attempts: 3 });
      expect(members.find(({ name }) => name === task?.member)).toMatchObject({ rank: "escalation" });
      const { activity } = (await hall.call("GET", `/api/teams/${id}/activity`)).body;
      expect(activity.filter(({ type }) => type === "task-failed")).toHaveLength(2);
      expect(activity.find(({ type }) => type === "model-swapped")).toMatchObject({
        member: task?.member,
        data: { model: "offline/hero", by: "hall" },
      });
    },
  );

  it(
    "asks what becomes of a task that keeps failing, and goes on without it when the person says so [S1-ACT-15] [S1-ACT-32]",
    LONG,
    async () => {
      const hall = await startHall();
      const books = teamPlaybooks([
        { key: "sum", requirement: "REQ-001", files: SUM },
        { key: "bad", requirement: "REQ-002", files: moduleFiles("bad", "REQ-002") },
      ]);
      const repo = await teamHall(hall, { ...books, "m-bad": refusing(titleOf("bad")) }, OFF);
      const { id } = await startTeam(hall, { approval: "none" });
      const asked = await untilAsked(hall, id);
      expect(asked).toMatchObject({ status: "working", waitingFor: "person", escalation: { kind: "task-failed" } });
      const answer = { answer: "Leave it out", resolution: "Not worth it." };
      const answered = await hall.call("POST", `/api/escalations/${asked.escalation?.id}/resolve`, answer);
      expect(answered.status, JSON.stringify(answered.body)).toBe(200);
      const done = await untilTeam(hall, id, "completed");
      expect(done.tasks).toMatchObject({ merged: 1, "left-out": 1 });
      expect(repo.exists("bad/index.js")).toBe(false);
      const { report } = (await hall.call("GET", `/api/teams/${id}/report`)).body;
      expect(report.forPerson.map(({ kind }) => kind)).toEqual(["unmet", "left-out"]);
      const types = (await hall.call("GET", `/api/teams/${id}/activity`)).body.activity.map(({ type }) => type);
      for (const type of ["escalation", "phase-blocked", "task-failed"]) expect(types, type).toContain(type);
    },
  );

  it("repairs what the integration check finds before it delivers [S1-ACT-18]", LONG, async () => {
    const hall = await startHall();
    const loose = { ...SUM, "loose.js": "export const loose = 1;\n" };
    const books = teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: loose }]);
    const wired = { "index.js": 'export const version = 1;\nexport { loose } from "./loose.js";\n' };
    const fix = JSON.stringify({ ...JSON.parse(writing(wired)), when: "Fix Build sum now" });
    const repo = await teamHall(hall, { ...books, "m-fix": fix }, OFF);
    const { id } = await startTeam(hall, { approval: "none" });
    const done = await untilTeam(hall, id, "completed");
    expect(done).toMatchObject({ rounds: 1, tasks: { merged: 2 } });
    expect(repo.text("index.js")).toContain("loose");
    const types = (await hall.call("GET", `/api/teams/${id}/activity`)).body.activity.map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("integration-check"))).toEqual([
      "integration-check-started",
      "integration-check-failed",
      "integration-check-started",
      "integration-check-passed",
    ]);
  });

  it(
    "waits for the person's review where the project asks for one, and works on what they want changed",
    LONG,
    async () => {
      const robot = "r".repeat(43);
      const asRobot = { authorization: `Bearer ${robot}` };
      const hall = await startHall(undefined, { clients: { robot } });
      const books = teamPlaybooks([{ key: "sum", requirement: "REQ-001", files: SUM }]);
      const more = { "notes.md": "As you wish.\n" };
      const fix = JSON.stringify({ ...JSON.parse(writing(more)), when: "Add notes, please." });
      const repo = await teamHall(
        hall,
        { ...books, "m-fix": fix },
        { config: { ...GATES_OFF, constraints: { requireReview: true } } },
      );
      const goal = { goal: "Let people add numbers" };
      const { id } = (await hall.call("POST", `/api/projects/${PROJECT}/teams`, goal, asRobot)).body.team;
      await untilAsked(hall, id);
      for (const verdict of ["approve", "reject"] as const) {
        const body = verdict === "reject" ? { remarks: "Smaller." } : {};
        expect((await hall.call("POST", `/api/teams/${id}/plan/${verdict}`, body, asRobot)).status).toBe(403);
      }
      expect((await hall.call("POST", `/api/teams/${id}/plan/approve`)).status).toBe(200);
      const first = await untilTeam(hall, id, "delivering");
      const waiting = async (runId: string | undefined) =>
        eventually(
          async () => (await hall.call("GET", `/api/runs/${runId}`)).body.run.delivery,
          (delivery) => delivery?.state === "review",
          60_000,
        );
      await waiting(first.deliveryRunId);
      expect(repo.exists("sum/index.js")).toBe(false);
      // A client can't approve what a team did that it started.
      const approving = async (runId: string | undefined) => {
        const { hash } = (await hall.call("GET", `/api/runs/${runId}/diff`)).body;
        return (await hall.call("POST", `/api/runs/${runId}/approve`, { hash }, asRobot)).status;
      };
      expect(await approving(first.deliveryRunId)).toBe(403);
      const sent = await hall.call("POST", `/api/runs/${first.deliveryRunId}/request-changes`, {
        feedback: "Add notes, please.",
      });
      expect(sent.status, JSON.stringify(sent.body)).toBe(200);
      const second = await eventually(
        () => teamOf(hall, id),
        ({ status, deliveryRunId }) => status === "delivering" && deliveryRunId !== first.deliveryRunId,
        120_000,
      );
      await waiting(second.deliveryRunId);
      expect(await approving(second.deliveryRunId)).toBe(403);
      const { hash } = (await hall.call("GET", `/api/runs/${second.deliveryRunId}/diff`)).body;
      const approved = await hall.call("POST", `/api/runs/${second.deliveryRunId}/approve`, { hash });
      expect(approved.status, JSON.stringify(approved.body)).toBe(200);
      await untilTeam(hall, id, "completed");
      expect([repo.exists("sum/index.js"), repo.text("notes.md")]).toEqual([true, "As you wish.\n"]);
      expect(linesWithoutFormat(hall.workspace)).toEqual([]);
    },
  );
});

/** A member whose model refuses every call. */
function refusing(when: string): string {
  return JSON.stringify({ when, turns: [{ fail: { kind: "refused", times: 1_000 } }] });
}
