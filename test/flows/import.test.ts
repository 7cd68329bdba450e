import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { ImportEntry, ImportReport } from "../../src/contract/documents/autonomy/import.ts";
import { contentsOf } from "../harness/board.ts";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { ordinaryFolder } from "../harness/temporary-folder.ts";

function folderOf(files: Record<string, string | object>, name = "."): string {
  const folder = join(ordinaryFolder(), name);
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

const SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";

const superbot = () =>
  folderOf({
    "config.json": { apiKey: SECRET },
    ".env": `ANTHROPIC_API_KEY=${SECRET}`,
    "USER.md": "# User\n\nLikes tea.\n",
    "knowledge/conventions.md": "# Conventions\n\n- Always use Zod.\n- Prices are in euros.\n",
    "escalations/pending/esc-002.json": {
      type: "decision",
      space: "auth",
      question: "Redis or Memcached?",
      status: "pending",
    },
    "escalations/resolved/esc-001.json": {
      space: "auth",
      question: "Which hash?",
      resolution: "Argon2",
      status: "resolved",
    },
    "daily/2026-02-15.md": "Quiet.",
    "spaces/auth/space.json": { name: "Auth", codeDir: "/srv/auth" },
    "spaces/auth/OVERVIEW.md": "Everything about logins.\n",
    "spaces/auth/knowledge/patterns.md": "- Endpoints return {data, error}.\n",
    "spaces/auth/plans/jwt-refresh/plan.md": "# JWT refresh\n\nTokens that last.\n",
    "spaces/auth/plans/jwt-refresh/tasks/1.json": {
      id: 1,
      subject: "Write the endpoint",
      status: "in_progress",
      blockedBy: [2],
      acceptanceCriteria: ["401 for old tokens"],
      priority: "high",
    },
    "spaces/auth/plans/jwt-refresh/tasks/2.json": {
      id: 2,
      subject: "Choose a library",
      status: "completed",
      completionNotes: "jose",
    },
    "spaces/auth/plans/jwt-refresh/tasks/3.json": '{\n  "id": 3,\n  "subject":\n}\n',
  });

const importing = async (hall: Hall, body: object) => {
  const answer = await hall.call("POST", "/api/import", body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { report: ImportReport }).report;
};
const entry = ({ entries }: ImportReport, source: string): Partial<ImportEntry> =>
  entries.find((one) => one.source === source) ?? {};

it("takes over a superbot folder: a dry run first, nothing twice, nothing overwritten, no keys [S4-SCOPE-21]", async () => {
  const hall = await startHall();
  const folder = superbot();
  const before = contentsOf(join(hall.workspace, "projects"));
  const planned = await importing(hall, { folder });
  expect(planned).toMatchObject({ kind: "superbot", dryRun: true, counts: { imported: 0, broken: 1 } });
  expect(contentsOf(join(hall.workspace, "projects"))).toEqual(before);
  const done = await importing(hall, { folder, dryRun: false });
  expect(done.counts).toMatchObject({ imported: planned.counts.new, new: 0, exists: 0 });
  expect(entry(done, "spaces/auth/plans/jwt-refresh/tasks/3.json")).toMatchObject({ state: "broken", line: 4 });
  expect(entry(done, ".env")).toMatchObject({ state: "left_out", reason: "secret" });
  expect(entry(done, "config.json")).toMatchObject({ state: "left_out", reason: "settings" });
  expect(entry(done, "spaces/auth/space.json")).toMatchObject({ reason: "folder_not_named", detail: "/srv/auth" });
  const project = (await hall.call("GET", "/api/projects/auth")).body.project;
  expect([project.name, project.workdir]).toEqual(["Auth", undefined]);
  const { tasks } = (await hall.call("GET", "/api/projects/auth/tasks?plan=jwt-refresh")).body;
  const [library, endpoint] = tasks;
  expect(library).toMatchObject({ title: "Choose a library", status: "done", completionNotes: "jose" });
  expect(endpoint).toMatchObject({
    title: "Write the endpoint",
    status: "pending",
    priority: "high",
    blockedBy: [library?.id],
  });
  expect(readFileSync(join(hall.workspace, "projects/auth/plans/jwt-refresh/plan.md"), "utf8")).toContain(
    "Tokens that last.",
  );
  const known = JSON.stringify((await hall.call("GET", "/api/knowledge?limit=100")).body);
  for (const text of ["Always use Zod.", "Endpoints return {data, error}.", "Which hash? Argon2"])
    expect(known).toContain(text);
  const { escalations } = (await hall.call("GET", "/api/escalations")).body;
  expect(escalations.map(({ question }: { question: string }) => question)).toContain("Redis or Memcached?");
  const { id } = entry(done, "escalations/pending/esc-002.json");
  expect((await hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "Redis" })).status).toBe(200);
  const after = contentsOf(join(hall.workspace, "projects/auth/TASKS"));
  const again = await importing(hall, { folder, dryRun: false });
  expect(again.counts).toMatchObject({ imported: 0, exists: done.counts.imported, left_out: done.counts.left_out });
  expect(contentsOf(join(hall.workspace, "projects/auth/TASKS"))).toEqual(after);
  expect(Object.values(contentsOf(hall.workspace)).join("\n")).not.toContain(SECRET);
});

it("keeps what a person has under the same name, and leaves out what belongs to it", async () => {
  const hall = await startHall();
  await hall.call("POST", "/api/projects", { id: "auth", name: "Mine", description: "My own." });
  const report = await importing(hall, { folder: superbot(), dryRun: false });
  expect(entry(report, "spaces/auth")).toMatchObject({ thing: "project", state: "exists" });
  expect(entry(report, "spaces/auth/plans/jwt-refresh/plan.md")).toMatchObject({ reason: "no_project" });
  expect((await hall.call("GET", "/api/projects/auth/tasks")).body.tasks).toEqual([]);
  expect((await hall.call("GET", "/api/projects/auth")).body.project.description).toBe("My own.");
});

it("takes over OpenClaw: jobs as paused triggers, agents as roles, skills that wait, conversations left out", async () => {
  const hall = await startHall();
  const skill = "---\nname: brew\ndescription: Brews tea.\n---\nBoil water.\n";
  const job = {
    name: "Morning brief",
    enabled: true,
    schedule: { kind: "cron", expr: "0 7 * * *", tz: "Europe/Berlin" },
    payload: { kind: "agentTurn", message: "Summarize the night." },
  };
  const once = { name: "Once", schedule: { kind: "at", at: "2027-01-01T00:00:00Z" }, payload: { message: "Now." } };
  const folder = folderOf({
    "openclaw.json": "{ gateway: {} }",
    "cron/jobs.json": { version: 1, jobs: [job, once] },
    "workspace/USER.md": "Likes tea.\n",
    "workspace/skills/brew/SKILL.md": skill,
    "workspace-ops/SOUL.md": "You keep things running.\n",
    "agents/main/sessions/a.jsonl": "{}",
    "credentials/keys.json": `{"key": "${SECRET}"}`,
  });
  const report = await importing(hall, { folder, dryRun: false });
  expect(report).toMatchObject({ kind: "openclaw", counts: { imported: 4, broken: 0 } });
  expect(entry(report, "agents/main")).toMatchObject({ reason: "session" });
  expect(entry(report, "credentials")).toMatchObject({ reason: "secret" });
  expect(report.entries.filter(({ thing }) => thing === "trigger").map(({ state, reason }) => [state, reason])).toEqual(
    [
      ["imported", undefined],
      ["left_out", "schedule"],
    ],
  );
  expect((await hall.call("GET", "/api/triggers/morning-brief")).body.trigger).toMatchObject({
    state: "paused",
    on: { cron: "0 7 * * *" },
  });
  expect((await hall.call("GET", "/api/roles/ops")).body.role.skills).toEqual(["read"]);
  expect((await hall.call("GET", "/api/skills/brew")).body.skill).toMatchObject({ state: "new", usable: false });
});

it("takes over Claude Code at the command line, and goes through no link", async () => {
  const hall = await startHall();
  const outside = folderOf({ "evil.md": "---\nname: evil\n---\nObey.\n" });
  const agent = "---\nname: reviewer\ndescription: Reviews.\ntools: Read\n---\nReview it.\n";
  const folder = folderOf(
    {
      "CLAUDE.md": "Use tabs.\n",
      ".claude/agents/reviewer.md": agent,
      ".claude/agents/broken.md": "---\ndescription: x\n---\n",
    },
    "tea-shop",
  );
  symlinkSync(join(outside, "evil.md"), join(folder, ".claude/agents/evil.md"));
  linkSync(join(outside, "evil.md"), join(folder, ".claude/agents/hard.md"));
  const dry = await commandLine(["import", folder, "--dry-run"], hall);
  expect(dry.stdout).toMatch(/new +role +\.claude\/agents\/reviewer\.md → reviewer/);
  expect((await hall.call("GET", "/api/roles")).body.roles).toEqual([]);
  const done = await commandLine(["import", folder, "--yes", "--json"], hall);
  const { report } = JSON.parse(done.stdout) as { report: ImportReport };
  expect(entry(report, ".claude/agents/broken.md")).toMatchObject({ state: "broken", line: 1 });
  for (const name of ["evil", "hard"])
    expect(entry(report, `.claude/agents/${name}.md`)).toMatchObject({ reason: "link" });
  expect(entry(report, "CLAUDE.md")).toMatchObject({ reason: "read_in_place" });
  expect((await hall.call("GET", "/api/projects/tea-shop")).body.project.workdir).toBe(folder);
  expect((await hall.call("GET", "/api/roles")).body.roles.map(({ id }: { id: string }) => id)).toEqual(["reviewer"]);
  expect(readdirSync(folder).sort()).toEqual([".claude", "CLAUDE.md"]);
});

/** The same for a dry run and for the import. */
const verdicts = ({ entries }: ImportReport) =>
  entries.map(({ source, line, thing, state, reason, detail }) => ({
    ...{ source, line, thing, reason, detail },
    state: state === "imported" ? "new" : state,
  }));

it("imports the rest where something can't be made, and the dry run said so before", async () => {
  const hall = await startHall();
  const plan = "spaces/a/plans/p";
  const task = (id: number, more: object) => ({ id, subject: `Task ${id}`, ...more });
  const folder = folderOf({
    "knowledge/conventions.md": `- ${"x".repeat(900)}\n- Prices are in euros and dollars.\n- Prices are in euros\n`,
    "spaces/a/space.json": { name: "A\u202e b\u0007c", description: "NUL \0 in it" },
    "spaces/con/space.json": { name: "Reserved" },
    [`${plan}/plan.md`]: "# P\n",
    [`${plan}/tasks/1.json`]: task(1, { labels: ["x\ny", "  ", "y".repeat(90)], description: "NUL \0" }),
    [`${plan}/tasks/2.json`]: task(2, { acceptanceCriteria: ["Rings \u0007", 7, "z".repeat(3_000)] }),
    [`${plan}/tasks/3.json`]: task(3, { subject: "\u202e", blockedBy: [1] }),
    [`${plan}/tasks/4.json`]: task(4, { blockedBy: [1, 99] }),
    "escalations/pending/1.json": { space: "a", question: "Bell \u0007?" },
    "escalations/draft/2.json": { space: "a", question: "Bell ?", context: "\ud800" },
  });
  const planned = await importing(hall, { folder });
  const done = await importing(hall, { folder, dryRun: false });
  expect(verdicts(done)).toEqual(verdicts(planned));
  expect(entry(done, "knowledge/conventions.md")).toMatchObject({ state: "left_out", reason: "refused" });
  expect(entry(done, "spaces/con")).toMatchObject({ state: "left_out", reason: "refused" });
  expect(entry(done, `${plan}/tasks/1.json`)).toMatchObject({
    state: "imported",
    detail: expect.stringMatching(/cut to 60.*left out/),
  });
  expect(entry(done, `${plan}/tasks/3.json`)).toMatchObject({ state: "broken" });
  expect(entry(done, `${plan}/tasks/4.json`)).toMatchObject({ state: "imported", detail: "no link to 99" });
  expect(entry(done, "escalations/pending/1.json")).toMatchObject({ state: "exists" });
  expect((await hall.call("GET", "/api/projects/a")).body.project.name).toBe("A b c");
  const again = await importing(hall, { folder, dryRun: false });
  expect(again.counts).toMatchObject({ imported: 0, exists: done.counts.imported + done.counts.exists });
});

it("takes the first of those with one name, and says so of the others", async () => {
  const hall = await startHall();
  const space = (name: string) => ({
    [`spaces/${name}/space.json`]: { name },
    [`spaces/${name}/plans/p/plan.md`]: `# Of ${name}\n`,
    [`spaces/${name}/plans/p/tasks/1.json`]: { id: 1, subject: `Of ${name}` },
  });
  const twice = { "spaces/My App/plans/p/tasks/1b.json": { id: 1, subject: "A copy" } };
  const folder = folderOf({ ...space("My App"), ...space("my-app"), ...twice });
  const planned = await importing(hall, { folder });
  const report = await importing(hall, { folder, dryRun: false });
  expect(verdicts(report)).toEqual(verdicts(planned));
  expect(entry(report, "spaces/my-app")).toMatchObject({ state: "left_out", reason: "same_name", detail: "my-app" });
  expect(entry(report, "spaces/My App/plans/p/tasks/1b.json")).toMatchObject({ reason: "same_name" });
  const { tasks } = (await hall.call("GET", "/api/projects/my-app/tasks")).body;
  expect(tasks.map(({ title }: { title: string }) => title)).toEqual(["Of My App"]);
  const agent = (more: string) => `---\nname: reviewer\ndescription: Reviews.\n${more}---\nReview it.\n`;
  const claude = folderOf({ ".claude/agents/a.md": agent(""), ".claude/agents/b.md": agent("tools: Bash\n") }, "shop");
  for (const dryRun of [true, false, false])
    expect(entry(await importing(hall, { folder: claude, dryRun }), ".claude/agents/b.md")).toMatchObject({
      state: "left_out",
      reason: "same_name",
      id: "reviewer",
    });
});

it("adds what is new days later, and nothing of another folder to a project", async () => {
  const workspace = join(temporaryFolder(), "workspace");
  const first = await startHall(workspace);
  const folder = superbot();
  await importing(first, { folder, dryRun: false });
  await first.stop();
  const hall = await startHall(workspace, { clock: () => new Date(Date.now() + 3 * 86_400_000) });
  await hall.call("POST", "/api/projects", { id: "later", name: "Later" });
  const more = "spaces/auth/plans/jwt-refresh/tasks/4.json";
  writeFileSync(join(folder, more), JSON.stringify({ id: 4, subject: "Write it down" }));
  const again = await importing(hall, { folder, dryRun: false });
  expect(again.counts.imported).toBe(1);
  expect(entry(again, more)).toMatchObject({ state: "imported", projectId: "auth" });
  const other = await importing(hall, { folder: superbot(), dryRun: false });
  expect(entry(other, "spaces/auth")).toMatchObject({ state: "exists" });
  expect(entry(other, "spaces/auth/plans/jwt-refresh/tasks/2.json")).toMatchObject({ reason: "no_project" });
});

it("tells of everything that it left out", async () => {
  const hall = await startHall();
  const folder = folderOf({
    "escalations/old/esc.json": {},
    "knowledge/conventions.md": "# Conventions\nSome words.\n\n- Use tabs,\n  never spaces.\n",
    "spaces/a/space.json": { name: "A" },
    "spaces/a/app/index.ts": "",
    "spaces/a/.env": "KEY=1",
    "spaces/a/plans/p/notes.md": "Notes",
    "spaces/a/plans/p/tasks/notes.txt": "Notes",
    "spaces/мой/space.json": { name: "My" },
  });
  symlinkSync("/etc/hostname", join(folder, "spaces/a/OVERVIEW.md"));
  const report = await importing(hall, { folder, dryRun: false });
  const left = report.entries
    .filter(({ state }) => state === "left_out")
    .map(({ source, reason, detail }) => [source, reason, detail]);
  expect(left.toSorted()).toEqual([
    ["escalations/old", "unknown", undefined],
    ["knowledge/conventions.md", "unknown", "lines outside of its lists: 1"],
    ["spaces/a/.env", "secret", undefined],
    ["spaces/a/OVERVIEW.md", "link", undefined],
    ["spaces/a/app", "unknown", undefined],
    ["spaces/a/plans/p/notes.md", "unknown", undefined],
    ["spaces/a/plans/p/plan.md", "missing", undefined],
    ["spaces/a/plans/p/tasks/notes.txt", "unknown", undefined],
    ["spaces/мой", "unknown", "an id needs letters a to z or digits; rename it first"],
  ]);
  const { statements } = (await hall.call("GET", "/api/knowledge")).body;
  expect(statements.map(({ text }: { text: string }) => text)).toEqual(["Use tabs, never spaces."]);
  // A repository with a folder 'agents' is not one of Claude Code.
  expect((await hall.call("POST", "/api/import", { folder: folderOf({ "agents/a.py": "" }) })).status).toBe(422);
});

it("names the job of OpenClaw that it can't take over, and keeps each interval", async () => {
  const hall = await startHall();
  const job = (name: string, schedule: object) => ({ name, schedule, payload: { message: "Go." } });
  const jobs = [
    job("Café", { kind: "every", everyMs: 90_000 }),
    job("Mars", { kind: "cron", expr: "0 7 * * *", tz: "Mars/Base" }),
    job("Never", { kind: "cron", expr: "0 0 31 2 *" }),
    job("Cafe", { kind: "every", everyMs: 120_000 }),
    job("Bell\u0007", { kind: "cron", expr: "0 7 * * *" }),
  ];
  const folder = folderOf({ "cron/jobs.json": { jobs }, "workspace-ops/USER.md": "x" });
  const planned = await importing(hall, { folder });
  const report = await importing(hall, { folder, dryRun: false });
  expect(verdicts(report)).toEqual(verdicts(planned));
  const triggers = report.entries.filter(({ thing }) => thing === "trigger");
  expect(triggers.map(({ state, reason, line }) => [state, reason, typeof line])).toEqual([
    ["imported", undefined, "number"],
    ["left_out", "refused", "number"],
    ["left_out", "refused", "number"],
    ["left_out", "same_name", "number"],
    ["imported", undefined, "number"],
  ]);
  expect((await hall.call("GET", "/api/triggers/cafe")).body.trigger.on).toEqual({ interval: "90s" });
  expect(entry(report, "workspace-ops")).toMatchObject({ state: "left_out", reason: "unknown" });
});

it("refuses a folder that is none of theirs, is not there, or is the workspace", async () => {
  const hall = await startHall();
  for (const folder of [folderOf({ "a.txt": "x" }), "/nowhere/at/all", hall.workspace]) {
    const { status, body } = await hall.call("POST", "/api/import", { folder });
    expect([status, body.error?.code]).toEqual([422, "invalid"]);
  }
});
