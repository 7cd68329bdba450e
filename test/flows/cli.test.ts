import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { exampleText } from "../../src/cli/command-spec.ts";
import { allCommands, type CommandPath } from "../../src/cli/command-table.ts";
import { commandLine } from "../harness/command-line.ts";
import { type DaemonProcess, spawnHall, temporaryFolder } from "../harness/daemon.ts";
import { guildhall, type Invocation, type Outcome } from "../harness/guildhall.ts";
import { writePack } from "../harness/skill-packs.ts";
import { writePlaybook } from "../harness/spawned-runs.ts";
import type { Seen } from "../harness/workspace.ts";

interface Step {
  /** A command that has to go first. */
  before?: string[];
  /** What stands behind the command. */
  words?: string[] | ((hall: DaemonProcess) => Promise<string[]>);
  input?: string;
  says: RegExp;
  /** Where the API gives the very answer that --json prints. */
  api?: string;
  /** What is in the answer of a change. */
  answers?: object;
}

const shop = "/api/projects/shop";
const success = { success: true };
const ofShop = ["-p", "shop"];
const GRANTS = `
grants:
  - id: grant-001
    scope: always
    rule: { tool: exec, commands: [npm test] }
    projectId: shop
    roleId: backend
    runId: run-1
    callId: call-1
    from: esc-001
    createdAt: 2026-11-16T12:00:00.000Z
`;
const SLOW = "turns: [{delayMs: 600000, text: Too late.}]";

/** The end of the newest run's id, which names it. */
async function newestRun({ call }: DaemonProcess): Promise<string> {
  const { runs } = (await call("GET", "/api/runs?limit=1")).body;
  return runs[0]?.id.slice(-8) ?? "";
}

/** Put there after the project was made: nobody has accepted it. */
async function addInstructions({ call, workspace }: DaemonProcess): Promise<void> {
  await call("GET", "/api/projects/shop/instructions");
  writeFileSync(join(workspace, "projects/shop/AGENTS.md"), "Use tabs.\n");
}

/** The end of the id of what was found out last. */
async function firstStatement({ call }: DaemonProcess): Promise<string> {
  return (await call("GET", "/api/knowledge?status=all")).body.statements[0]?.id.slice(-6) ?? "";
}

/** These need a repository; review.test.ts gives them. */
type Reviewing = "run diff" | "run approve" | "run request-changes" | "run discard" | "run revert";
/** These need a service manager; service.test.ts has one. */
type Serving = "service install" | "service remove" | "service status";

/** cli-keys.test.ts gives them. */
type Keys =
  | "key set"
  | "key list"
  | "key test"
  | "key remove"
  | "config get"
  | "config set"
  | "config reset"
  | "restart";

/** These need an address in config.yml; pairing.test.ts gives one. */
type Pairing = "pair" | "device remove";

/** queue.test.ts has entries for them. */
type Deciding =
  | "escalation list"
  | "escalation show"
  | "escalation answer"
  | "escalation promote"
  | "escalation dismiss"
  | "escalation undo"
  | "escalation snooze"
  | "escalation hand";

/** hooks.test.ts has hooks for them. */
type Hooking = "hook list" | "hook show" | "hook test" | "hook enable" | "hook disable" | "hook accept";

/** gate-commands.test.ts and integration-checks.test.ts have changes for them. */
type Judging =
  | "gate check"
  | "gate show"
  | "gate list"
  | "gate detect"
  | "integration check"
  | "integration show"
  | "integration list";

/** Flows of teams use these. */
type Teaming = Extract<CommandPath, `team ${string}`>;

/** triggers.test.ts has triggers that fire, orchestrator.test.ts work to start. */
type Triggering = Extract<CommandPath, `trigger ${string}` | `orchestrator ${string}`>;

/** leads.test.ts has initiatives for them. */
type Leading = Extract<CommandPath, `initiative ${string}`>;

/** A first morning in the hall: every command of the table once, in an order that makes sense. */
const morning: Record<
  Exclude<
    CommandPath,
    | "init"
    | "up"
    | "down"
    | "demo"
    | Reviewing
    | Serving
    | Keys
    | Pairing
    | Deciding
    | Hooking
    | Judging
    | Teaming
    | Triggering
    | Leading
    | "import"
  >,
  Step
> = {
  status: { says: /^Guildhall \d+\.\d+\.\d+ is up at http/, answers: { status: "ok", counts: { roles: 0 } } },
  open: { says: /^http:\/\/127\.0\.0\.1:\d+\/#\/enter\/[0-9a-f]{32}\n$/, answers: { url: expect.any(String) } },
  now: {
    says: /^0 agents running, 0 queued, 0 waiting · \$0 of \$25\.00 spent today\n\nYou're all caught up\.\n$/,
    api: "/api/now",
  },
  figures: { says: /^WEEK +DONE/, api: "/api/figures" },
  portfolio: { says: /^No projects yet\. Create one with 'project create'\.\n$/, answers: { projects: [] } },
  briefing: { says: /^Briefing for \d{4}-\d\d-\d\d\n/, answers: { briefing: { isEmpty: true } } },
  doctor: { says: /All checks passed(?:, .*)?\.\n$/, answers: { healthy: true, problems: [] } },
  "role templates": { says: /^ID .*\ncoder .*\n.*\n.*reviewer/s, api: "/api/roles/templates" },
  "role create": {
    words: ["--template", "coder", "--id", "backend", "--name", "Backend developer"],
    says: /^Created role backend: \S+ Backend developer\n$/,
    answers: { ...success, role: { id: "backend", version: 1 } },
  },
  "role edit": {
    words: ["backend", "--thinking", "high", "--skills", "read,write"],
    says: /^Updated role backend to version 2\.\n$/,
    answers: { ...success, role: { version: 2, skills: ["read", "write"], modelConfig: { thinking: "high" } } },
  },
  "role list": { says: /^ID .*\nbackend .*Backend developer/, api: "/api/roles" },
  "role show": { words: ["backend"], says: /Backend developer\nid +backend\n.*Prompt\n/s, api: "/api/roles/backend" },
  "project templates": { says: /^ID .*\nsoftware .*\n.*research/s, api: "/api/projects/templates" },
  "project create": {
    words: ["Shop", "--goal", "Sell books", "--language", "TypeScript", "-d", "-"],
    input: "A shop\n\nfor books – 本 🎉\n",
    says: /^Created project shop: Shop\nProject files: projects\/shop\nAdd a task: guildhall task add TITLE -p shop\n$/,
    answers: { ...success, project: { id: "shop", description: "A shop\n\nfor books – 本 🎉" } },
  },
  "project edit": {
    words: ["shop", "--branch", "main", "--require-review"],
    says: /^Updated project shop\.\n$/,
    answers: { ...success, project: { config: { branch: "main", constraints: { requireReview: true } } } },
  },
  "project describe": {
    words: ["shop", "background", "A small shop."],
    says: /^Updated Background of project shop\.\n$/,
    answers: { ...success, project: { id: "shop" } },
  },
  "project show": { words: ["shop"], says: /^Shop \(shop\)\nstatus +active\n.*Goals\n- Sell books\n/s, api: shop },
  "project list": { says: /^ID .*\nshop +active .*Shop\n$/, api: "/api/projects" },
  "role assign": {
    words: ["backend", ...ofShop, "--auto", "--timeout", "900"],
    says: /^Assigned backend to shop \(auto, active\)\.\n$/,
    answers: { ...success, assignment: { roleId: "backend", mode: "auto", modelConfig: { timeout: 900 } } },
  },
  "role pause": {
    words: ["backend", ...ofShop],
    says: /^backend is paused in shop\.\n$/,
    answers: { ...success, assignment: { status: "paused" } },
  },
  "project team": { words: ["shop"], says: /^ROLE .*\nbackend +paused +auto +timeout 900/, api: `${shop}/team` },
  "role resume": {
    words: ["backend", ...ofShop],
    says: /^backend is active in shop\.\n$/,
    answers: { ...success, assignment: { status: "active" } },
  },
  "task add": {
    words: ["Fix the login page", ...ofShop, "--type", "bug", "--criterion", "It works", "--criterion", "It lasts"],
    says: /^Added shop\/TASK-001: Fix the login page\nFile: projects\/shop\/TASKS\/todo\/TASK-001\.md\n$/,
    answers: { ...success, task: { id: "TASK-001", type: "bug", status: "pending" } },
  },
  "task edit": {
    words: ["1", ...ofShop, "--check", "2", "--label", "login,web", "--priority", "high"],
    says: /^Updated shop\/TASK-001: Fix the login page \(pending\)\n$/,
    answers: {
      ...success,
      task: { labels: ["login", "web"], acceptanceCriteria: [{ done: false }, { text: "It lasts", done: true }] },
    },
  },
  "task move": {
    words: ["shop/1", "in-progress"],
    says: /^shop\/TASK-001 is in-progress\.\n$/,
    answers: { ...success, task: { status: "in-progress" } },
  },
  "task show": {
    words: ["shop/task-1"],
    says: /^shop\/TASK-001 {2}Fix the login page\nin-progress · high · bug.*\[ \] 1\. It works\n {2}\[x\] 2\. It lasts\n/s,
    api: `${shop}/tasks/TASK-001`,
  },
  "task list": { words: ofShop, says: /^ID .*\nTASK-001 +in-progress +high +bug +Fix the/, api: `${shop}/tasks` },
  "task search": { words: ["login"], says: /task +shop\/TASK-001 /, api: "/api/search?q=login&kind=task" },
  search: { words: ["sell", "books"], says: /project +shop /, api: "/api/search?q=sell+books" },
  "knowledge add": {
    words: ["Use pnpm, not npm.", ...ofShop, "--origin", "TASK-001"],
    says: /^Added: conventions-[0-9a-f]{10} in projects\/shop\/knowledge\/conventions\.md, line 5\.\n$/,
    answers: { ...success, merged: false, statement: { text: "Use pnpm, not npm.", origins: ["TASK-001"] } },
  },
  "knowledge list": {
    words: ofShop,
    says: /^ID .*\nconventions-\w+ +shop +\d{4}-\d\d-\d\d +Use pnpm, not npm\. +TASK-001\n$/,
    api: "/api/knowledge?project=shop",
  },
  "knowledge search": { words: ["PNPM"], says: /Use pnpm, not npm\./, api: "/api/knowledge?q=PNPM" },
  "knowledge uses": {
    words: async (hall) => [await firstStatement(hall), ...ofShop],
    says: /^Not used in the \d+ newest runs? and in answers\.\n$/,
    answers: { runs: [], escalations: [] },
  },
  "knowledge supersede": {
    words: async (hall) => [await firstStatement(hall), ...ofShop],
    says: /^Superseded: Use pnpm, not npm\.\n$/,
    answers: { ...success, statement: { status: "superseded" } },
  },
  "knowledge accept": {
    words: async (hall) => [await firstStatement(hall), ...ofShop],
    says: /^Accepted conventions-[0-9a-f]{10}: Use pnpm, not npm\.\n$/,
    answers: { ...success, statements: [{ status: "accepted" }] },
  },
  "knowledge promote": {
    words: async (hall) => [await firstStatement(hall), ...ofShop],
    says: /^Now applies to all projects: conventions-[0-9a-f]{10} in knowledge\/conventions\.md\.\n$/,
    answers: { ...success, statement: { origins: ["shop/TASK-001"] } },
  },
  "knowledge edit": {
    words: async (hall) => [await firstStatement(hall), "--hall", "Use", "pnpm", "10."],
    says: /^Updated for all projects\. New id: conventions-[0-9a-f]{10}\n$/,
    answers: { ...success, statement: { text: "Use pnpm 10." } },
  },
  "knowledge remove": {
    words: async (hall) => [await firstStatement(hall), "--hall"],
    says: /^Removed for all projects: Use pnpm 10\.\n$/,
    answers: success,
  },
  "rule add": {
    words: ["May we deploy on Fridays?", "--answer", "No.", ...ofShop],
    says: /^Added: rule-001 for project 'shop'\.\n$/,
    answers: { ...success, rule: { id: "rule-001", scope: "project", projectId: "shop", resolution: "No." } },
  },
  "rule list": {
    words: ofShop,
    says: /^ID .*\nrule-001 +shop +May we deploy on Fridays\? +No\./,
    api: "/api/answer-rules?project=shop",
  },
  "rule edit": {
    words: ["rule-001", "--answer", "Only before noon."],
    says: /^Updated: rule-001\.\n$/,
    answers: { ...success, rule: { resolution: "Only before noon." } },
  },
  "rule remove": { words: ["rule-001"], says: /^Removed: rule-001\./, answers: success },
  "grant list": {
    words: async (hall) => {
      writeFileSync(join(hall.workspace, "policies/permissions.yml"), GRANTS);
      return ofShop;
    },
    says: /^ID .*\ngrant-001 +open +always +shop +backend +0 +exec: npm test/,
    api: "/api/grants?project=shop",
  },
  "grant show": { words: ["grant-001"], says: /^exec: npm test\nid +grant-001\n/, api: "/api/grants/grant-001" },
  "grant revoke": { words: ["grant-001"], says: /^Revoked: grant-001 \(exec: npm test\)\.\n$/, answers: success },
  "role suggest": {
    words: ["write", "typescript"],
    says: /backend/,
    api: "/api/roles/suggestions?text=write+typescript",
  },
  spawn: {
    words: ["backend", "Look", "around", ...ofShop, "--offline"],
    says: /^run-\w+ {2}backend on shop\/TASK-002: Look around\noffline\/rehearsal, set by .*\n✓ list .*\nCompleted after \d+ s · /s,
    answers: { run: { taskId: "TASK-002", status: "completed", model: "offline/rehearsal" } },
  },
  "run list": { words: ofShop, says: /^RUN .*\nrun-\w+ +No changes +shop\/TASK-002 +backend/, api: "/api/runs" },
  "run show": {
    words: async (hall) => [await newestRun(hall)],
    says: /^run-\w+ {2}Look around\nNo changes\n\ntask +shop\/TASK-002\n.*Result\n/s,
    answers: { run: { status: "completed", usage: { costUsd: 0 } } },
  },
  "run logs": {
    words: async (hall) => [await newestRun(hall), "-n", "1"],
    says: /^(That's all .*\n)?\nCompleted after /,
    answers: { type: "ended", end: { status: "completed" } },
  },
  "run retry": {
    words: async (hall) => [await newestRun(hall)],
    says: /^Started run-\w+ for TASK-002\.\nFollow with: guildhall run logs -f run-\w+\n$/,
    answers: { ...success, taskId: "TASK-002", status: "pending" },
  },
  "run message": {
    before: ["spawn", "backend", "Wait", ...ofShop, "--model", "offline/slow", "--detach"],
    words: async (hall) => [await newestRun(hall), "Hurry", "up"],
    says: /^Sent\. run-\w+ reads it before its next turn\.\n$/,
    answers: success,
  },
  "run stop": {
    words: async (hall) => [await newestRun(hall)],
    says: /^run-\w+ is stopped\.\n$/,
    answers: { ...success, run: { status: "cancelled" } },
  },
  "model list": {
    says: /^No providers yet\. Add a key with 'guildhall key set NAME'\.\nDefault model: offline\/rehearsal\n$/,
    answers: { default: "offline/rehearsal", providers: [] },
  },
  "model price": {
    words: ["own/m", "0.5", "2"],
    says: /^own\/m now costs \$0\.5 per million input tokens and \$2 per million output tokens\.\n$/,
    answers: { model: "own/m", price: { input: 0.5, output: 2 } },
  },
  budget: { says: /^FOR +SPENT .*\nall, today +\$0 .*\$25\.00/s, api: "/api/budget" },
  "memory write": {
    words: ["facts/door.md", ...ofShop, "--file", "-"],
    input: "# Door\n\nIt sticks.\n",
    says: /^Wrote facts\/door\.md\. Summary: It sticks\.\n$/,
    answers: { ...success, file: { path: "facts/door.md", summary: "It sticks." } },
  },
  "memory list": { words: ofShop, says: /^FILE .*\nfacts\/door\.md .* It sticks\.\n$/, api: `${shop}/memory` },
  "memory show": {
    words: ["facts/door.md", ...ofShop],
    says: /^facts\/door\.md · .* · etag \S+\n# Door\n\n> Summary: It sticks\.\n\nIt sticks\.\n$/,
    api: `${shop}/memory/file?path=facts/door.md`,
  },
  "memory remove": {
    words: ["facts/door.md", ...ofShop],
    says: /^facts\/door\.md moved to the trash: trash\/\S+-door\.md\n$/,
    answers: { ...success, trash: expect.stringMatching(/^trash\/\S+-door\.md$/) },
  },
  "checkpoint list": {
    words: ofShop,
    says: /^CHECKPOINT .*\nckpt-\w+ .* a run +run-\w+/s,
    answers: { conflicts: [], checkpoints: expect.arrayContaining([expect.objectContaining({ projectId: "shop" })]) },
  },
  "checkpoint rollback": {
    words: async ({ call }) => [
      (await call("GET", "/api/projects/shop/checkpoints")).body.checkpoints.at(-1)?.id ?? "",
      ...ofShop,
    ],
    says: /^Nothing to roll back\.\n$/,
    answers: { dryRun: false, restored: [], left: [] },
  },
  cost: {
    words: ["--by", "model"],
    says: /^MODEL +RUNS .*\noffline\/rehearsal +2 .*\$0\n/s,
    api: "/api/costs?by=model",
  },
  "skill list": {
    words: ofShop,
    says: /^SKILL .*\ndeploy +in use +hall +How to deploy\.\n$/,
    api: "/api/skills?project=shop",
  },
  "skill show": {
    words: ["deploy"],
    says: /^deploy\nstate +in use\npath +skills\/deploy\n.*Description\nHow to deploy\.\n\nText\nBuild, then copy\.\n$/s,
    api: "/api/skills/deploy",
  },
  "skill accept": {
    words: ["deploy"],
    says: /^Accepted skill deploy \(skills\/deploy, hash \w{12}…\)\.\n$/,
    answers: { ...success, skill: { state: "accepted" } },
  },
  "instructions list": {
    words: async (hall) => {
      await addInstructions(hall);
      return ofShop;
    },
    says: /^FILE +STATE\nAGENTS\.md +new, not in use\n$/,
    api: "/api/projects/shop/instructions",
  },
  "instructions show": {
    words: ["AGENTS.md", ...ofShop],
    says: /^AGENTS\.md\nstate +new, not in use\nhash +\w{64}\n\nText\nUse tabs\.\n\n$/,
    answers: { instruction: { path: "AGENTS.md", state: "new" } },
  },
  "instructions accept": {
    words: ["AGENTS.md", ...ofShop],
    says: /^Accepted AGENTS\.md \(hash \w{12}…\)\.\n$/,
    answers: { ...success, instruction: { state: "accepted" } },
  },
  "role export": {
    words: ["backend"],
    says: /^---\nname: backend\ndescription: .*\ntools: Read, Glob, Grep, Write\nmodel: inherit\n/,
    api: "/api/roles/backend/export",
  },
  "role import": {
    words: ["-", "--id", "critic"],
    input: "---\nname: critic\ndescription: Looks: closely\ntools: Read, Grep, NotebookEdit\n---\nJudge it.\n",
    says: /^Imported role critic from -: read, search\.\n {2}No equivalent tool for NotebookEdit\.\n$/,
    answers: { failed: [], imported: [{ role: { id: "critic", skills: ["read", "search"] } }] },
  },
  chat: {
    words: ["/projects", "--no-wait"],
    says: /^Sent \(\S+\)\. The answer will appear in the conversation\.\n$/,
    answers: { from: "person", to: "hall", text: "/projects" },
  },
  "project talk": {
    words: ["shop", "What", "is", "open?", "--no-wait"],
    says: /^Sent /,
    answers: { from: "person", to: "project", text: "What is open?" },
  },
  session: {
    before: ["project", "talk", "shop", "And now?"],
    words: ofShop,
    says: /^\nperson in project\/shop .*\n│ What is open\?\n✓ task_list .*offline model.*\n│ And now\?\n/s,
    api: `${shop}/session`,
  },
  "channel list": { says: /^CHANNEL .*\ncli\/default +2 .*\nproject\/shop +4 /s, api: "/api/channels" },
  "role unassign": { words: ["backend", ...ofShop], says: /^Removed backend from shop\.\n$/, answers: success },
  "role delete": { words: ["backend"], says: /^Deleted role backend\.\n$/, answers: success },
  "project suspend": {
    words: ["shop"],
    says: /^shop is suspended\.\n$/,
    answers: { project: { status: "suspended" } },
  },
  "project resume": { words: ["shop"], says: /^shop is active\.\n$/, answers: { project: { status: "active" } } },
  "project complete": {
    words: ["shop"],
    says: /^shop is completed\.\n$/,
    answers: { project: { status: "completed" } },
  },
  "project reopen": { words: ["shop"], says: /^shop is active\.\n$/, answers: { project: { status: "active" } } },
  "project archive": {
    before: ["project", "complete", "shop"],
    words: ["shop"],
    says: /^shop is archived\.\n$/,
    answers: { ...success, project: { status: "archived" } },
  },
  "project delete": {
    words: ["shop", "--purge", "--yes"],
    says: /^shop moved to the trash: trash\/\S+shop\n$/,
    answers: { ...success, trash: expect.stringMatching(/^trash\//) },
  },
  "project folder": {
    words: async ({ call }) => {
      await call("POST", "/api/projects", { id: "site", name: "Site", workdir: temporaryFolder() });
      return ["site"];
    },
    says: /^\/\S+\nstate +unchanged\n.*git +no repository\n$/s,
    api: "/api/projects/site/workdir",
  },
  "device list": {
    says: /^No devices are paired\. No public address is configured\.\n$/,
    api: "/api/browser/devices",
  },
  "project first-commit": {
    words: async ({ call }) => {
      const workdir = join(temporaryFolder(), "empty");
      mkdirSync(workdir);
      execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: workdir });
      await call("POST", "/api/projects", { id: "empty", name: "Empty", workdir });
      return ["empty"];
    },
    says: /^Created the first commit on main \([0-9a-f]{10}\) with 0 files\.\n$/,
    answers: { ...success, branch: "main", files: 0, omitted: [] },
  },
  stop: {
    words: ["--all"],
    says: /^No runs were running\. Stopped \d+ process(?:es)?\.\n$/,
    answers: { ...success, runs: [] },
  },
  "events tail": {
    words: ["-n", "1"],
    says: /runs\.stopped {2}hall {2}person via cli/,
    answers: { type: "runs.stopped" },
  },
  "index rebuild": { says: /^Rebuilt the index from \d+ files in \d+ ms\.\n$/, answers: { ...success, problems: 0 } },
  "audit verify": {
    says: /^The event log is valid: \d+ events on \d days?, \d+ journals?, \d+ days? of costs, up to [0-9a-f]+\.\n$/,
    api: "/api/audit/verify",
  },
  completion: { words: ["bash"], says: /complete -F _guildhall guildhall\n$/, answers: { shell: "bash" } },
};

/** How a command is given: as a process of its own, as people do, or within this one. */
type Giver = (words: string[], options?: Invocation) => Promise<Outcome>;

/** One of each kind is started as a process of its own: what it prints, is given and is told goes through that. */
const AS_PROCESS = new Set([
  "status",
  "doctor",
  "role list",
  "project create",
  "task add",
  "task show",
  "spawn",
  "run logs",
  "memory write",
  "role import",
  "chat",
  "events tail",
  "completion",
]);

// On a busy machine so many of them take their time.
describe("every command", { timeout: 180_000 }, () => {
  it("answers a person in words", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    expect(await guildhall(["init"], { workspace })).toMatchObject(said(/^Created workspace \S+\nStart the daemon/));
    writePlaybook(workspace, "slow", SLOW);
    writePack(join(workspace, "skills"), "deploy");
    const hall = await spawnHall(workspace);
    for (const [path, step] of steps()) {
      const give = AS_PROCESS.has(path) ? guildhall : commandLine;
      expect(await take(give, { path, step, hall }), path).toMatchObject(said(step.says));
    }
    expect(await guildhall(["down"], { workspace })).toMatchObject(said(/^Guildhall stopped\.\n$/));
  });

  it("answers a program with one document, which is the API's answer", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    const init = await guildhall(["init", "--json"], { workspace });
    expect(JSON.parse(init.stdout)).toEqual({ created: true, path: workspace });
    writePlaybook(workspace, "slow", SLOW);
    writePack(join(workspace, "skills"), "deploy");
    const hall = await spawnHall(workspace);
    for (const [path, step] of steps()) await compare(path, step, hall);
    const down = await guildhall(["--json", "down"], { workspace });
    expect([down.code, JSON.parse(down.stdout)]).toEqual([0, { success: true, open: [] }]);
  });

  it("explains itself with --help", async () => {
    for (const { path, spec } of await allCommands()) {
      const help = await commandLine([...path.split(" "), "--help"]);
      expect(help).toMatchObject({
        code: 0,
        stderr: "",
        stdout: expect.stringContaining(exampleText(spec.examples[0], "guildhall")),
      });
      expect(help.stdout.split("\n")[0]).toMatch(new RegExp(`^Usage: guildhall ${path}( |$)`));
    }
    // A process of its own says the same.
    const words = ["task", "add", "--help"];
    expect(await guildhall(words)).toEqual(await commandLine(words));
  });
});

function steps(): [string, Step][] {
  return Object.entries(morning);
}

function said(words: RegExp) {
  return { code: 0, stderr: "", stdout: expect.stringMatching(words) };
}

async function take(
  give: Giver,
  { path, step, hall }: { path: string; step: Step; hall: DaemonProcess },
  ...more: string[]
): Promise<Outcome> {
  const { workspace } = hall;
  if (step.before !== undefined) await give(step.before, { workspace });
  const options = step.input === undefined ? { workspace } : { workspace, input: step.input };
  const words = typeof step.words === "function" ? await step.words(hall) : (step.words ?? []);
  return give([...path.split(" "), ...words, ...more], options);
}

/** Generated pages may still be on their way, so that two answers in a row can differ once. */
async function compare(path: string, step: Step, hall: DaemonProcess): Promise<void> {
  const printed = await take(commandLine, { path, step, hall }, "--json");
  expect(printed, path).toMatchObject({ code: 0, stderr: "" });
  expect(printed.stdout.trimEnd().split("\n"), path).toHaveLength(1);
  const document: Seen = JSON.parse(printed.stdout);
  const { api } = step;
  if (api === undefined) return expect(document, path).toMatchObject(step.answers ?? {});
  if (isDeepStrictEqual(document, (await hall.call("GET", api)).body)) return;
  const again = await take(commandLine, { path, step, hall }, "--json");
  expect(JSON.parse(again.stdout), path).toEqual((await hall.call("GET", api)).body);
}
