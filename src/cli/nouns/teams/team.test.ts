import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ApiAnswer, type ApiRequest, fakeApi, ok, refused } from "../../../../test/fakes/api.ts";
import { runCli } from "../../../../test/fakes/cli.ts";
import { fakeHost } from "../../../../test/fakes/cli-host.ts";
import { sampleLessons, sampleMemberGate } from "../../../../test/fakes/fake-lessons.ts";
import {
  fakeTeams,
  sampleActivity,
  sampleMessages,
  samplePlan,
  sampleTeam,
  sampleTeamTasks,
} from "../../../../test/fakes/fake-teams.ts";
import type { Team } from "../../../contract/documents/teams/team.ts";
import { runCommandLine } from "../../run.ts";

const ID = sampleTeam.id;
const other: Team = { ...sampleTeam, id: "team-01m8zzzzzzzzzzzzbbbbbb", name: "Päckchen 📦 raus", status: "completed" };

/** A daemon with these teams, of which the first is asked for by its id. */
function hallWith({
  teams = [sampleTeam, other],
  team = teams[0] ?? sampleTeam,
}: {
  teams?: Team[];
  team?: Team;
} = {}) {
  const desk = fakeTeams();
  return ({ method, path }: ApiRequest): ApiAnswer | undefined => {
    if (path === "/api/teams") return ok({ teams });
    if (path.endsWith("/activity")) return ok({ activity: sampleActivity });
    if (path === `/api/teams/${team.id}/tasks`) return ok({ tasks: sampleTeamTasks });
    if (path.endsWith("/plan")) return ok(desk.plan(ID));
    if (path.endsWith("/lessons")) return ok({ lessons: sampleLessons });
    if (path === `/api/teams/${team.id}/gates`) return ok({ gates: [sampleMemberGate] });
    if (path.endsWith("/report")) return ok({ report: {}, text: "# Add a cart\n" });
    if (path.endsWith("/role-specs")) return ok({ roleSpecs: desk.roleSpecs.list(ID) });
    if (path.endsWith("/spec")) return ok({ text: "# Cart\n", etag: "e", spec: {}, criteria: [criterion] });
    if (path.startsWith("/api/runs/")) return ok({ gates: [{ id: "gate-1", verdict: "pass" }] });
    if (method !== "GET") return ok({ success: true, team });
    return path === `/api/teams/${team.id}` ? ok({ team }) : undefined;
  };
}
const criterion = { id: "REQ-001.1", text: "Two products", kind: "test", requirement: "REQ-001", state: "met" };

describe("team start", () => {
  it("sends the goal and the choices, and says how to watch", async () => {
    const { code, out, requests } = await runCli(
      ["team", "start", "-p", "shop", "Add", "a", "cart 🛒", "--name", "Mein Korb 🛒"].concat(
        ["--strategy", "flat", "--preset", "budget", "--approval", "none", "--budget", "2.5"],
        ["--sdd", "quick", "--base", "next"],
      ),
      hallWith(),
    );
    expect(requests[0]).toMatchObject({
      method: "POST",
      path: "/api/projects/shop/teams",
      body: {
        ...{ goal: "Add a cart 🛒", name: "Mein Korb 🛒", strategy: "flat", preset: "budget", approval: "none" },
        ...{ budgetUsd: 2.5, sdd: "quick", baseBranch: "next" },
      },
    });
    expect([code, out]).toEqual([0, expect.stringContaining(`Started ${ID}: Cart\nWatch with: guildhall`)]);
  });

  it("takes a task of the board as the goal", async () => {
    const task = { id: "TASK-012", title: "Add a cart", description: "With totals." };
    const { requests } = await runCli(["team", "start", "-p", "shop", "--task", "12"], (request) =>
      request.path === "/api/projects/shop/tasks/TASK-012" ? ok({ task }) : hallWith()(request),
    );
    expect(requests[1]?.body).toEqual({ goal: "Add a cart\n\nWith totals.", taskId: "TASK-012" });
  });

  it("needs a goal and a project", async () => {
    expect(await runCli(["team", "start", "-p", "shop"], hallWith())).toMatchObject({ code: 2, requests: [] });
    expect(await runCli(["team", "start", "Add a cart"], hallWith())).toMatchObject({ code: 2, requests: [] });
  });
});

describe("finding a team", () => {
  it.each([
    [["team", "show", "01m7p3"], ID],
    [["team", "show", "team-01m7p3"], ID],
    [["team", "show", "aaaaaa"], ID],
    [["team", "show", "cart"], ID],
    [["team", "show"], ID],
  ])("%j means one", async (words, id) => {
    const { code, out, requests } = await runCli(words, hallWith());
    expect([code, requests.at(-1)?.path]).toEqual([0, `/api/teams/${id}`]);
    expect(out).toContain(id);
  });

  it("takes a name with spaces and emoji", async () => {
    const { requests } = await runCli(["team", "show", "Päckchen", "📦", "raus"], hallWith({ team: other }));
    expect(requests.at(-1)?.path).toBe(`/api/teams/${other.id}`);
  });

  it("asks which one is meant where several are active or match, and says when none is there", async () => {
    const two = hallWith({ teams: [sampleTeam, { ...other, status: "paused" }] });
    expect(await runCli(["team", "stop"], two)).toMatchObject({ code: 2, err: expect.stringContaining(other.id) });
    expect((await runCli(["team", "show", "team-01m"], two)).code).toBe(2);
    expect((await runCli(["team", "show", "nothing"], two)).code).toBe(3);
    expect((await runCli(["team", "show"], hallWith({ teams: [] }))).code).toBe(3);
  });
});

describe("team budget", () => {
  it.each([
    ["10", 10],
    ["$2.50", 2.5],
    ["none", null],
  ])("takes %s for %j", async (amount, budgetUsd) => {
    const { code, requests } = await runCli(["team", "budget", ID, amount], hallWith());
    expect([code, requests[0]]).toMatchObject([
      0,
      { method: "PUT", path: `/api/teams/${ID}/budget`, body: { budgetUsd } },
    ]);
  });

  it.each(["0", "-1", "much", ""])("refuses '%s'", async (amount) => {
    expect(await runCli(["team", "budget", ID, amount], hallWith())).toMatchObject({ code: 2, requests: [] });
  });
});

describe("team autonomy", () => {
  const limits = {
    timeoutMinutes: 60,
    maxConcurrency: 3,
    maxRemediationRounds: 3,
    requireApprovalForSpecChanges: true,
  };
  const of = (autonomy: object) => (request: ApiRequest) =>
    request.method === "GET" && request.path.endsWith("/autonomy")
      ? ok({ autonomy: { costCapUsd: 5, usedMinutes: 12.5, ...limits, ...autonomy }, proposals: [] })
      : hallWith()(request);
  const on = { mode: "smart", phase: "paused", pauseReason: "timeout" };

  it("shows the mode, why it is paused and the limits", async () => {
    const { code, out } = await runCli(["team", "autonomy", ID], of(on));
    expect(code).toBe(0);
    expect(out).toContain("smart mode, paused: the time limit is reached");
    expect(out).toContain("12.5 of 60 minutes");
  });

  it("changes what is passed, and keeps the mode", async () => {
    const { requests } = await runCli(
      ["team", "autonomy", ID, "--cost-cap", "9", "--timeout", "90", "--approve-spec", "no"],
      of(on),
    );
    expect(requests.at(-1)).toMatchObject({
      ...{ method: "POST", path: `/api/teams/${ID}/autonomy` },
      body: { mode: "smart", costCapUsd: 9, timeoutMinutes: 90, requireApprovalForSpecChanges: false },
    });
  });

  it("does not switch it on by a limit alone", async () => {
    const off = { mode: "off", phase: "idle" };
    const { code, requests } = await runCli(["team", "autonomy", ID, "--rounds", "1"], of(off));
    expect([code, requests.length]).toEqual([2, 1]);
  });
});

describe("team check", () => {
  it("shows how members do and what was done, and exits with 1 while an issue persists", async () => {
    const issue = {
      ...{
        number: 1,
        at: "2026-11-18T12:00:00.000Z",
        issue: "stall",
        reason: "No activity for 5 min.",
        runId: "run-1",
      },
      ...{ action: "nudge", why: "First attempt.", state: "open", outcome: "done" },
    };
    const member = { name: "worker-lima", rank: "worker", task: "store", liveness: "stalled", inactiveSeconds: 312 };
    const check = (issues: object[]) =>
      runCli(["team", "check", ID], (request) =>
        request.path === `/api/teams/${ID}/health`
          ? ok({ members: [{ ...member, calls: [{ tool: "exec", failed: true }], open: issues, history: issues }] })
          : hallWith()(request),
      );
    const { code, out } = await check([issue]);
    expect([code, out]).toEqual([1, expect.stringMatching(/worker-lima +stalled, last sign 312 s ago +store/)]);
    expect(out).toMatch(/worker-lima +Stalled +Nudged +persists +No activity for 5 min\./);
    const { outcome: _, ...decided } = issue;
    for (const [more, words] of [
      [{ state: "acting", action: "escalate" }, "Waiting to ask you +acting now"],
      [{ state: "ended", action: "escalate" }, "Didn't ask you +run ended"],
      [{ state: "ended", action: "restart", outcome: "too-late" }, "Not restarted +run ended"],
      [{ state: "ended", action: "restart", outcome: "done" }, "Restarted from its last checkpoint +run ended"],
    ] as const)
      expect((await check([{ ...decided, ...more }])).out).toMatch(new RegExp(words));
    expect(await check([])).toMatchObject({ code: 0, out: expect.stringContaining("No issues so far.") });
  });
});

describe("reading", () => {
  it("lists teams, and says how to start the first", async () => {
    const { out, requests } = await runCli(["team", "list", "-p", "shop", "--status", "active"], hallWith());
    expect(requests[0]?.query).toEqual({ project: "shop", status: "active" });
    expect(out).toMatch(/TEAM +STATUS[^\n]*\nteam-01m7p3p8ca0000aaaaaaaa +Working +shop +0\/2 +\$0\.4200/);
    const none = hallWith({ teams: [] });
    expect((await runCli(["team", "list"], none)).out).toBe(
      'No teams yet. Start one: guildhall team start -p PROJECT "GOAL"\n',
    );
    expect((await runCli(["team", "list", "-s", "failed"], none)).out).toBe("No teams match these filters.\n");
  });

  it("shows a team with its members, and what the person has to do", async () => {
    const waiting: Team = {
      ...sampleTeam,
      ...{ status: "awaiting-approval", waitingFor: "person", escalation: { id: "esc-004", kind: "plan" } },
    };
    const { out } = await runCli(["team", "show", ID], hallWith({ teams: [waiting] }));
    expect(out).toContain("Waiting for approval · phase 1 of 2: Build · tasks: 1 waiting, 1 working · $0.4200 of $5");
    expect(out).toContain(`Approve: guildhall team approve ${ID}`);
    expect(out).toMatch(/worker-lima +working +store +run-1 +test\/small/);
    const failed: Team = { ...sampleTeam, waitingFor: "person", escalation: { id: "esc-004", kind: "task-failed" } };
    expect((await runCli(["team", "show", ID], hallWith({ teams: [failed] }))).out).toContain(
      "Answer: guildhall escalation answer esc-004",
    );
  });

  it("shows the type of the project with what decided it, what past teams taught, and gates by member [S1-TM-09]", async () => {
    const { out } = await runCli(["team", "show", ID], hallWith());
    expect(out).toContain(`Type of project
  React app with Vite (TypeScript) in web, by web/package.json: react ^19.0.0, vite ^7.0.0; standards: react-standards
  Not read: api/package.json: it is not a JSON object

What past teams taught
  Errors: failed 4 of 9 results, mean 61
  Failing tests: 3 of 5 tasks, last: cart.test.js: adds two products
  Code in src came without tests. (not confirmed)
`);
    const nothing = { ...sampleLessons, kinds: [], unread: [], gates: 1, weakStages: [], repeated: [], statements: [] };
    const empty = await runCli(["team", "show", ID], (request) =>
      request.path.endsWith("/lessons") ? ok({ lessons: nothing }) : hallWith()(request),
    );
    expect(empty.out).toContain("Unknown: no manifest was found.");
    expect(empty.out).toContain("Nothing yet (1 gate report searched).");
    const gates = await runCli(["team", "gates", ID, "--member", "worker-lima"], hallWith());
    expect(gates.out).toMatch(/worker-lima +store +1 +Failed +61 +Errors +gate-01m7p3p8ca\n$/);
    expect(gates.requests.at(-1)?.query).toEqual({ member: "worker-lima" });
  });

  it("shows tasks, activity, spec, plan and report", async () => {
    const show = async (...words: string[]) => (await runCli(["team", ...words], hallWith())).out;
    expect(await show("tasks", ID)).toMatch(/store +Working +TASK-002 +build +worker-lima +Keep the cart\n/);
    expect(await show("activity", ID)).toMatch(/worker-lima started store\n$/);
    expect(await show("spec", ID)).toMatch(/^# Cart\n\n[^\n]*\nREQ-001\.1 +met +test +Two products\n$/);
    expect(await show("plan", ID)).toMatch(
      /^2 tasks in 2 phases\nStrategy single: [\s\S]*page +Show the cart +frontend +store/,
    );
    expect(await show("report", ID)).toBe("# Add a cart\n");
    expect(JSON.parse(await show("tasks", ID, "--json"))).toEqual({ tasks: sampleTeamTasks });
  });

  it("lints role-specs, and exits with 1 only for errors", async () => {
    const fault = { rule: "length", line: 101, message: "has 110 lines; about 80 are right", severity: "warning" };
    const lint = async (...faults: object[]) => {
      const [roleSpec] = fakeTeams().roleSpecs.list(ID);
      const { code, out } = await runCli(["team", "lint", ID], (request) =>
        request.path.endsWith("/role-specs") ? ok({ roleSpecs: [{ ...roleSpec, faults }] }) : hallWith()(request),
      );
      return [code, out];
    };
    const shown = (severity: string) =>
      `engineer-impl.md:101: ${severity}: length: has 110 lines; about 80 are right\n`;
    expect(await lint()).toEqual([0, "1 role-spec, no faults.\n"]);
    expect(await lint(fault)).toEqual([0, shown("warning")]);
    expect(await lint({ ...fault, severity: "error" })).toEqual([1, shown("error")]);
  });

  it("exports spec, coverage, gate reports, plan and report [S1-MOD-10]", async () => {
    const folder = mkdtempSync(join(tmpdir(), "guildhall-export-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const to = join(folder, "mit Leerzeichen 📁");
    const { code, out } = await runCli(["team", "export", ID, "--to", to, "--json"], hallWith());
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        folder: to,
        files: ["activity.json", "coverage.json", "gates/gate-1.json", "plan.json", "report.json", "report.md"].concat([
          "role-specs/engineer-impl.md",
          "spec.md",
          "tasks.json",
          "team.json",
        ]),
      },
    ]);
    expect(readFileSync(join(to, "spec.md"), "utf8")).toBe("# Cart\n");
    expect(JSON.parse(readFileSync(join(to, "coverage.json"), "utf8"))).toEqual([criterion]);
    expect(JSON.parse(readFileSync(join(to, "plan.json"), "utf8"))).toEqual(samplePlan);
  });

  it("exports a team that has no spec yet", async () => {
    const folder = mkdtempSync(join(tmpdir(), "guildhall-export-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { code, out } = await runCli(["team", "export", ID, "--to", folder, "--json"], (request) =>
      /\/(?:spec|plan)$/.test(request.path) ? refused("team_refused", 409) : hallWith()(request),
    );
    expect([code, JSON.parse(out).files]).toEqual([0, expect.not.arrayContaining(["spec.md", "plan.json"])]);
  });
});

describe("team executor", () => {
  const sessionFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), "guildhall-session-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "role-specs"));
    for (const path of ["team.json", "spec.md", "plan.json", "role-specs/dev-impl.md", "notes.md"])
      writeFileSync(join(folder, path), path);
    return folder;
  };

  it("sends the files of a session, and no others [S2-REL-08]", async () => {
    const { code, out, requests } = await runCli(
      ["team", "executor", "-p", "shop", sessionFolder(), "--budget", "2"],
      hallWith(),
    );
    const files = Object.fromEntries(
      ["team.json", "spec.md", "plan.json", "role-specs/dev-impl.md"].map((path) => [path, path]),
    );
    expect(requests[0]).toMatchObject({ path: "/api/projects/shop/teams/import", body: { files, budgetUsd: 2 } });
    expect([code, out]).toEqual([0, expect.stringContaining(`Started ${ID}: Cart`)]);
  });

  it("sends which parts it can't send, and why: links, other bytes, odd files", async () => {
    const folder = sessionFolder();
    symlinkSync("/etc/hostname", join(folder, "role-specs", "link.md"));
    symlinkSync(join(folder, "role-specs"), join(folder, "wisdom"));
    writeFileSync(join(folder, "spec.md"), Buffer.from([0xff, 0xfe, 0x41]));
    rmSync(join(folder, "plan.json"));
    mkdirSync(join(folder, "plan.json"));
    mkdirSync(join(folder, "artifacts", "sum"), { recursive: true });
    writeFileSync(join(folder, "artifacts", "sum", "report.md"), "x".repeat(1_000_001));
    writeFileSync(join(folder, "artifacts", "sum", "notes.md"), "Notes");
    const { requests } = await runCli(["team", "executor", "-p", "shop", folder], hallWith());
    expect(requests[0]?.body).toEqual({
      files: {
        "team.json": "team.json",
        "role-specs/dev-impl.md": "role-specs/dev-impl.md",
        "artifacts/sum/notes.md": "Notes",
      },
      unreadable: expect.arrayContaining([
        { path: "spec.md", reason: "is not UTF-8 text" },
        { path: "plan.json", reason: "is not a regular file" },
        { path: "wisdom/", reason: "is a link, which is not followed" },
        { path: "role-specs/link.md", reason: "is a link, which is not followed" },
        { path: "artifacts/sum/report.md", reason: "has more than 1 MB" },
      ]),
    });
  });

  it("says that the folder can't be read", async () => {
    const answer = await runCli(["team", "executor", "-p", "shop", "/dev/null/none"], hallWith());
    expect(answer).toMatchObject({
      code: 2,
      requests: [],
      err: expect.stringContaining("Can't read the folder (ENOTDIR)."),
    });
  });
});

describe("team complete", () => {
  const ended = { ...sampleTeam, status: "completed" as const };
  const complete = async (words: string[], team: Team = ended) => {
    const { code, out, requests } = await runCli(["team", "complete", ID, ...words], hallWith({ teams: [team] }));
    return { code, out, posts: requests.filter(({ method }) => method === "POST").map(({ path }) => path) };
  };
  const archived = [`/api/teams/${ID}/cleanup`];

  it("archives, keeps, or exports and then archives [S2-REL-03]", async () => {
    const folder = mkdtempSync(join(tmpdir(), "guildhall-complete-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expect(await complete(["--archive"])).toEqual({ code: 0, out: `Archived ${ID}.\n`, posts: archived });
    expect(await complete(["--keep"])).toEqual({ code: 0, out: `Kept ${ID}.\n`, posts: [] });
    const exported = await complete(["--export", join(folder, "audit")]);
    expect(exported).toMatchObject({ code: 0, posts: archived });
    expect(readFileSync(join(folder, "audit", "spec.md"), "utf8")).toBe("# Cart\n");
  });

  it("keeps a team that can't be exported, and one that is at work", async () => {
    expect(await complete(["--export", "/dev/null/audit"])).toMatchObject({ code: 2, posts: [] });
    const working = await complete(["--archive"], { ...sampleTeam, status: "working" });
    expect(working.code).not.toBe(0);
    expect(working.posts).toEqual([]);
  });

  it.each([[[]], [["--archive", "--keep"]], [["--keep", "--export", "audit"]]])("refuses %j", async (words) => {
    expect(await complete(words)).toMatchObject({ code: 2, posts: [] });
  });
});

describe("steering", () => {
  it.each([
    [["approve", ID, "--remarks", "Good"], "plan/approve", { remarks: "Good" }],
    [["reject", ID, "Split", "it"], "plan/reject", { remarks: "Split it" }],
    [["pause", ID], "pause", {}],
    [["resume", ID], "resume", {}],
    [["stop", ID], "stop", {}],
    [["cleanup", ID], "cleanup", {}],
    [["model", ID, "worker-lima", "test/large"], "members/worker-lima/model", { model: "test/large" }],
    [["stop-member", ID, "worker-lima"], "members/worker-lima/stop", {}],
  ])("team %j posts", async (words, path, body) => {
    const { code, requests } = await runCli(["team", ...words], hallWith());
    const sent = requests.find(({ method }) => method === "POST");
    expect([code, sent?.path, sent?.body]).toEqual([0, `/api/teams/${ID}/${path}`, body]);
  });

  it("approves an edited plan, as it was printed or by itself", async () => {
    for (const input of [{ plan: samplePlan }, samplePlan]) {
      const { requests } = await runCli(["team", "approve", ID, "--plan", "-"], hallWith(), {
        input: JSON.stringify(input),
      });
      expect(requests.at(-1)?.body).toEqual({ plan: samplePlan });
    }
  });

  it("asks before it stops a team on a terminal", async () => {
    const stopped = async (reply: string, ...words: string[]) => {
      const { requests, host } = await runCli(["team", "stop", ID, ...words], hallWith(), { terminal: 100, reply });
      return [host.questions.length, requests.some(({ method }) => method === "POST")];
    };
    expect(await stopped("n")).toEqual([1, false]);
    expect(await stopped("y")).toEqual([1, true]);
    expect(await stopped("n", "--yes")).toEqual([0, true]);
  });

  it("tells what the daemon refuses, with its exit code", async () => {
    const { code, err } = await runCli(["team", "approve", ID], () => refused("team_refused", 409));
    expect([code, err]).toEqual([5, expect.stringContaining("refused with team_refused")]);
  });
});

describe("team watch", () => {
  const frame = (kind: string, data: object) => `event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
  const moved = frame("event", { event: { type: "team.moved", subject: { kind: "team", id: ID } } });
  const thinks = frame("run", { runId: "run-1", projectId: "shop", activity: { kind: "thinking" } });

  /** A team that is in the next of these states whenever its stream tells of a change. */
  function watching(states: Team[], frames: string[] = []) {
    let asked = 0;
    return (request: ApiRequest): ApiAnswer | undefined => {
      if (request.path === `/api/teams/${ID}`) return ok({ team: states[Math.min(asked++, states.length - 1)] });
      if (request.path.endsWith("/activity"))
        return ok({ activity: sampleActivity.filter(({ seq }) => seq > Number(request.query.after ?? 0)) });
      if (request.path !== "/api/live") return undefined;
      return (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const text of [frame("hello", { seq: 1, reset: false }), thinks, ...frames, moved]) response.write(text);
      };
    };
  }
  const done: Team = { ...sampleTeam, status: "completed" };

  it("prints what happens line by line in a pipe, each once, until the team completes", async () => {
    const { code, out, requests } = await runCli(["team", "watch", ID], watching([sampleTeam, sampleTeam, done]));
    expect(requests.find(({ path }) => path === "/api/live")?.query).toMatchObject({ project: "shop" });
    expect(code).toBe(0);
    expect(out.match(/worker-lima started store/g)).toHaveLength(1);
    expect(out).toMatch(/Working · phase 1 of 2[\s\S]*Completed · [\s\S]*\nReport: guildhall .*team report/);
  });

  it("draws what everyone does on a terminal", async () => {
    const { out } = await runCli(["team", "watch", ID], watching([sampleTeam, sampleTeam, sampleTeam, done], [moved]), {
      terminal: 100,
    });
    expect(out).toContain("worker-lima  store · ");
    expect(out).toContain("\u001b[J");
  });

  it("exits with 1 when the team fails, and prints JSON lines", async () => {
    const failed: Team = { ...sampleTeam, status: "failed", reason: "Out of budget" };
    const { code, out } = await runCli(["team", "watch", ID, "--json"], watching([failed]));
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([code, lines.length, lines.at(-1)]).toEqual([1, 4, { team: failed }]);
  });

  it("leaves the team working on Ctrl-C, and says so", async () => {
    const api = await fakeApi(watching([sampleTeam]));
    onTestFinished(() => api.close());
    const left = Promise.withResolvers<void>();
    const host = fakeHost({
      env: { GUILDHALL_WORKSPACE: api.workspace },
      every: () => {
        queueMicrotask(() => host.signal());
        return () => {};
      },
    });
    host.exit = (code) => {
      host.exits.push(code);
      left.resolve();
    };
    void runCommandLine(["team", "watch", ID], host);
    await left.promise;
    expect(host.exits).toEqual([130]);
    expect(host.printed.err).toMatch(
      /Stopped watching\. team-\S+ is still active\.\nWatch again with: .*\nStop with: /,
    );
    expect(api.requests.filter(({ method }) => method === "POST")).toEqual([]);
  });
});

describe("team messages", () => {
  const hall = (request: ApiRequest) => {
    if (request.path.endsWith("/message") || (request.method === "POST" && request.path.endsWith("/messages")))
      return ok({ message: sampleMessages[1] });
    return request.path.endsWith("/messages") ? ok({ messages: sampleMessages }) : hallWith()(request);
  };

  it("shows who said what to whom, and what is not delivered yet", async () => {
    const { code, out, requests } = await runCli(["team", "messages", "--member", "worker-lima"], hall);
    expect([code, requests.at(-1)?.query]).toEqual([0, { member: "worker-lima", limit: "20" }]);
    expect(out).toContain("MSG-001  worker-lima → lead-oslo (progress, store)  not delivered yet");
    expect(out).toContain("MSG-002  You → worker-lima (message)\n  Keep the old endpoint.");
    expect(await runCli(["team", "messages"], () => ok({ teams: [sampleTeam], messages: [] }))).toMatchObject({
      ...{ code: 0, out: "No messages.\n" },
    });
  });

  it("writes to all members, or to one", async () => {
    const all = await runCli(["team", "message", "01m7p3", "Use", "pnpm"], hall);
    expect(all.requests.at(-1)).toMatchObject({ path: `/api/teams/${ID}/messages`, body: { text: "Use pnpm" } });
    const one = await runCli(["team", "message", "01m7p3", "--to", "worker-lima", "Hi"], hall);
    expect(one.requests.at(-1)).toMatchObject({ path: `/api/teams/${ID}/members/worker-lima/message` });
    expect([one.code, one.out]).toEqual([0, "Sent MSG-002 to worker-lima.\n"]);
    expect(await runCli(["team", "message", "01m7p3", " "], hall)).toMatchObject({ code: 2, requests: [] });
  });
});
