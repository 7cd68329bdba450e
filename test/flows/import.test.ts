import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { ImportEntry, ImportReport } from "../../src/contract/documents/autonomy/import.ts";
import { contentsOf } from "../harness/board.ts";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
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

it("refuses a folder that is none of theirs, is not there, or is the workspace", async () => {
  const hall = await startHall();
  for (const folder of [folderOf({ "a.txt": "x" }), "/nowhere/at/all", hall.workspace]) {
    const { status, body } = await hall.call("POST", "/api/import", { folder });
    expect([status, body.error?.code]).toEqual([422, "invalid"]);
  }
});
