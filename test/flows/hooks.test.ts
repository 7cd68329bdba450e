import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import type { Hook } from "../../src/contract/documents/hook.ts";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { outputsOf, play, WORKER, withCommandsIn } from "../harness/hall-with-commands.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import {
  entriesOf,
  journalOf,
  PROJECT,
  spawnBody,
  spawnRun,
  untilOver,
  writePlaybook,
} from "../harness/spawned-runs.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { refused, wanted } from "../harness/workspace.ts";

const isHere = (await sandboxProbe().settle()).name !== "none";

const NO_PUSH = `#!/bin/sh
input=$(cat)
case $input in
  *'git push'*) echo "Pushing is not allowed here." >&2; exit 2 ;;
esac
`;
const PUSH = { tool_name: "exec", tool_input: { command: "git push" } };

describe.skipIf(!isHere)("hooks", () => {
  let hall: Hall;
  let at: (path: string) => string;
  const later = afterAllTests();
  beforeAll(async () => {
    const config = `# Mine.
hooks:
  - { event: PreToolUse, name: no-push, command: [./no-push.sh], matcher: exec } # keep this
`;
    hall = await startHall(undefined, { config, later });
    write("no-push.sh", NO_PUSH);
    ({ at } = await withCommandsIn(hall, {}, later));
  });

  function write(name: string, text: string): void {
    mkdirSync(join(hall.workspace, "hooks"), { recursive: true });
    writeFileSync(join(hall.workspace, "hooks", name), text, { mode: 0o755 });
  }

  function remove(...names: string[]): void {
    for (const name of names) rmSync(join(hall.workspace, "hooks", name));
  }

  const hooks = async (): Promise<Hook[]> => (await wanted(200, hall.call("GET", "/api/hooks"))).hooks;
  const hookNamed = async (name: string) => (await hooks()).find((hook) => hook.name === name);
  const cli = (...words: string[]) => commandLine(["hook", ...words], { workspace: hall.workspace });

  it("keep a call from happening, and the model reads why", async () => {
    const { run, outputs } = await played(hall, "push", [
      { tool: "exec", input: { command: "echo git push > pushed.txt" } },
      { tool: "exec", input: { command: "echo fine > fine.txt" } },
    ]);
    expect(outputs[0]).toBe("exec failed: Refused by the hook 'no-push': Pushing is not allowed here.");
    expect(outputs[1]).toMatch(/^exec: Exit code 0/);
    expect([existsSync(at("pushed.txt")), existsSync(at("fine.txt"))]).toEqual([false, true]);
    const traces = entriesOf(journalOf(hall.workspace, run.id), "hook");
    expect(traces.map(({ name, outcome, text }) => [name, outcome, text])).toEqual([
      ["no-push", "refused", "Pushing is not allowed here."],
      ["no-push", "allowed", undefined],
    ]);
    const { hook, recent } = await wanted(200, hall.call("GET", "/api/hooks/no-push"));
    expect(hook).toMatchObject({ source: "config", last30Days: { allowed: 1, refused: 1, failed: 0 } });
    expect(recent).toMatchObject([
      { outcome: "allowed", runId: run.id, projectId: PROJECT },
      { outcome: "refused", text: "Pushing is not allowed here." },
    ]);
    const { events } = await wanted(200, hall.call("GET", "/api/events/log?type=hook.refused"));
    expect(events).toMatchObject([{ subject: { kind: "hook", id: "no-push" }, projectId: PROJECT }]);
  });

  it("are listed, shown, tested and switched by commands; the file keeps its comments", async () => {
    expect(await cli("list")).toMatchObject({ stderr: "" });
    expect((await cli("list")).stdout).toMatch(/^HOOK[\s\S]*\nno-push +PreToolUse +on .*\.\/no-push\.sh/);
    expect((await cli("show", "no-push")).stdout).toContain("1 allowed, 1 refused, 0 failed");
    const pushed = await cli("test", "no-push", "--input", JSON.stringify(PUSH));
    expect([pushed.code, pushed.stdout]).toEqual([0, expect.stringMatching(/^Refused after \d+ ms: Pushing is not/)]);
    expect((await cli("test", "no-push")).stdout).toMatch(/^Allowed after/);
    expect((await cli("disable", "no-push")).stdout).toBe("Disabled: no-push.\n");
    expect(await hookNamed("no-push")).toMatchObject({ enabled: false, last30Days: { allowed: 1, refused: 1 } });
    const { outputs } = await played(hall, "off", [{ tool: "exec", input: { command: "echo git push" } }]);
    expect(outputs[0]).toMatch(/^exec: Exit code 0/);
    expect((await cli("enable", "no-push")).stdout).toBe("Enabled: no-push.\n");
    expect(readFileSync(join(hall.workspace, "config.yml"), "utf8")).toMatch(/^# Mine\.\n.*# keep this\n$/s);
    expect((await cli("show", "none")).code).toBe(3);
    await refused("invalid", hall.call("POST", "/api/hooks/no-push/accept", { hash: "0" }));
  });

  it("are also files in hooks/, which apply at once to runs at work", async () => {
    write("once.yml", "event: PreToolUse\nmatcher: Write|Edit\ncommand: [sh, -c, 'echo Not now. >&2; exit 2']\n");
    await eventually(
      () => hookNamed("once"),
      (hook) => hook?.source === "file",
    );
    const { outputs } = await played(hall, "files", [{ tool: "write", input: { path: "a.md", content: "a" } }]);
    expect(outputs).toEqual(["write failed: Refused by the hook 'once': Not now."]);
    await wanted(200, hall.call("PUT", "/api/hooks/once", { enabled: false }));
    expect((await played(hall, "files", [])).run.status).toBe("completed");
    expect(await hookNamed("once")).toMatchObject({ enabled: false });
  });

  it("refuse everything they guard while they let their sample pass, or can't be read", async () => {
    const sample = JSON.stringify({ tool_name: "list", tool_input: {} });
    write("weak.yml", `event: PreToolUse\nmatcher: list\ncommand: ["true"]\nonError: allow\nsample: ${sample}\n`);
    write("odd.yml", "event: PreToolUse\nmatcher: search\ncommand: 3\n");
    await eventually(
      () => hookNamed("weak"),
      (hook) => hook?.problem?.includes("allowed its sample") === true,
    );
    const { problems } = await wanted(200, hall.call("GET", "/api/problems"));
    expect(JSON.stringify(problems)).toContain("it allowed its sample");
    expect(JSON.stringify(problems)).toContain("hooks/odd.yml");
    const refusedBoth = await played(hall, "weak", [{ tool: "list", input: {} }]);
    expect(refusedBoth.outputs[0]).toMatch(/^list failed: Refused, because the hook '(?:weak|odd)' did not work/);
    write("odd.yml", "event: PreToolUse\nmatcher: search\ncommand: ['true']\n");
    write("weak.yml", `event: PreToolUse\nmatcher: list\ncommand: [sh, -c, "exit 2"]\nsample: ${sample}\n`);
    await eventually(hooks, (all) => all.every(({ problem }) => problem === undefined));
    await wanted(200, hall.call("PUT", "/api/hooks/weak", { enabled: false }));
    expect((await played(hall, "weak", [{ tool: "list", input: {} }])).outputs[0]).toMatch(/^list:/);
  });
  it("tell an agent something at the start and after a call", async () => {
    write("welcome.yml", "event: SessionStart\ncommand: [echo, 'Use pnpm here.']\n");
    write("lint.yml", "event: PostToolUse\nmatcher: write\ncommand: [sh, -c, 'echo Format it. >&2; exit 2']\n");
    const { run, outputs } = await played(hall, "told", [{ tool: "write", input: { path: "b.md", content: "b" } }]);
    expect(outputs[0]).toMatch(/^write: .*\n\nFormat it\.$/s);
    const journal = journalOf(hall.workspace, run.id);
    expect(entriesOf(journal, "message")).toMatchObject([{ from: "hall", text: "Use pnpm here." }]);
    expect(journal.findIndex(({ type }) => type === "message")).toBeLessThan(
      journal.findIndex(({ type }) => type === "answer"),
    );
    remove("welcome.yml", "lint.yml");
  });

  it("apply to a run that is at work", async () => {
    writePlaybook(
      hall.workspace,
      "late",
      `
turns:
  - calls: [{tool: list, input: {}}]
  - delayMs: 1500
    calls: [{tool: write, input: {path: late.md, content: x}}]
  - text: Done.
`,
    );
    const id = await spawnRun(hall, "late", "Late", { ...WORKER, overrides: { model: "offline/late" } });
    await eventually(
      () => entriesOf(journalOf(hall.workspace, id), "result").length,
      (count) => count === 1,
    );
    write("late.yml", "event: PreToolUse\nmatcher: write\ncommand: [sh, -c, 'echo Too late. >&2; exit 2']\n");
    await untilOver(hall, id, 30_000);
    expect(outputsOf(hall, id)[1]).toBe("write failed: Refused by the hook 'late': Too late.");
    remove("late.yml");
  });

  it("refuse new tasks, however they are made, and hear of files and escalations", async () => {
    const script = "grep -q forbidden && echo 'Not this one.' >&2 && exit 2; exit 0";
    write("tasks.yml", `event: TaskCreated\ncommand: [sh, -c, "${script}"]\n`);
    write("asked.yml", "event: EscalationCreated\ncommand: ['true']\n");
    const task = { title: "Do a forbidden thing" };
    const body = await refused("hook_refused", hall.call("POST", `/api/projects/${PROJECT}/tasks`, task));
    expect(JSON.stringify(body)).toContain("Refused by the hook 'tasks': Not this one.");
    const added = await commandLine(["task", "add", "A forbidden task", "-p", PROJECT], { workspace: hall.workspace });
    expect([added.code, added.stderr]).toEqual([4, expect.stringContaining("Not this one.")]);
    await refused("hook_refused", hall.call("POST", "/api/team/spawn", spawnBody("late", "forbidden")));
    const { tasks } = await wanted(200, hall.call("GET", `/api/projects/${PROJECT}/tasks?q=forbidden`));
    expect(tasks).toEqual([]);
    await wanted(201, hall.call("POST", `/api/projects/${PROJECT}/tasks`, { title: "A fine thing" }));
    await wanted(201, hall.call("POST", "/api/escalations", { type: "question", question: "Redis or Memcached?" }));
    await eventually(
      () => hookNamed("asked"),
      (hook) => hook?.last30Days.allowed === 1,
    );
    remove("tasks.yml", "asked.yml");
  });

  it("that refuse everything end the run as failed, not in a loop", async () => {
    write("all.yml", "event: PreToolUse\ncommand: ['false']\n");
    const few = await played(hall, "few", [{ tool: "list", input: {} }]);
    expect(few.run).toMatchObject({ status: "failed", cause: "calls_refused" });
    const calls = Array.from({ length: 40 }, (_, at) => ({ tool: "list", input: { path: `${at}` } }));
    const many = await played(hall, "many", calls);
    expect(many.run).toMatchObject({ status: "failed", cause: "calls_refused" });
    expect(many.outputs.length).toBe(12);
    remove("all.yml");
  });

  it("of a repository are run only after a person accepted their content", async () => {
    const settings = (script: string) => ({
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: script }] }] },
    });
    mkdirSync(at(".claude/hooks"), { recursive: true });
    const script = 'input=$(cat); case $input in *\'"tool_name":"Bash"\'*) echo "From $0." >&2; exit 2 ;; esac\n';
    writeFileSync(at(".claude/hooks/check.sh"), script);
    writeFileSync(
      at(".claude/settings.json"),
      JSON.stringify(settings('sh "$CLAUDE_PROJECT_DIR/.claude/hooks/check.sh"')),
    );
    const name = `${PROJECT}:PreToolUse-1`;
    const call = [{ tool: "exec", input: { command: "echo hello" } }];
    expect((await played(hall, "repo", call)).outputs[0]).toMatch(/^exec: Exit code 0/);
    const detail = await wanted(200, hall.call("GET", `/api/hooks/${encodeURIComponent(name)}`));
    expect(detail.hook).toMatchObject({ source: "repository", projectId: PROJECT, accepted: false });
    expect(detail.content?.map(({ path }) => path)).toEqual([".claude/settings.json", ".claude/hooks/check.sh"]);
    const { problems } = await wanted(200, hall.call("GET", "/api/problems"));
    expect(JSON.stringify(problems)).toContain("hooks that you have not accepted");
    await refused("version_mismatch", hall.call("POST", `/api/hooks/${name}/accept`, { hash: "0123" }));
    await refused("hook_refused", hall.call("POST", `/api/hooks/${name}/test`, {}));
    expect(await cli("accept", name)).toMatchObject({ code: 2, stderr: expect.stringContaining("--hash or --yes") });
    const hash = detail.hook.hash ?? "";
    expect((await cli("accept", name, "--hash", hash)).stdout).toBe(`Accepted: ${name}. It runs from now on.\n`);
    expect((await played(hall, "repo", call)).outputs[0]).toContain("check.sh.");
    // Another content was not accepted, wherever it changed.
    writeFileSync(at(".claude/hooks/check.sh"), `${script}# more\n`);
    expect(await hookNamed(name)).toMatchObject({ accepted: false });
    // What it guarded is refused until a person looked: an agent must not switch it off by an edit.
    const refusal = /^exec failed: Refused, because the hook '.*:PreToolUse-1-\w{6}' did not work: the content of/;
    expect((await played(hall, "repo", call)).outputs[0]).toMatch(refusal);
    rmSync(at(".claude"), { recursive: true });
    const gone = await played(hall, "repo", [...call, { tool: "read", input: { path: "fine.txt" } }]);
    expect(gone.outputs).toEqual([expect.stringMatching(refusal), expect.stringMatching(/^read: /)]);
    const left = (await hooks()).find((hook) => hook.name.startsWith(`${name}-`))?.name ?? "";
    await wanted(200, hall.call("PUT", `/api/hooks/${left}`, { enabled: false }));
    expect((await played(hall, "repo", call)).outputs[0]).toMatch(/^exec: Exit code 0/);
  });
});

/** A run that makes these calls, one in each turn. */
function played(hall: Hall, name: string, calls: object[]) {
  const turns = [...calls.map((call) => ({ calls: [call] })), { text: "Done." }];
  mkdirSync(join(hall.workspace, "playbooks"), { recursive: true });
  writeFileSync(join(hall.workspace, "playbooks", `${name}.yml`), JSON.stringify({ turns }));
  return play(hall, name, { overrides: { model: `offline/${name}` } });
}

it.skipIf(!isHere)("the examples of docs/hooks.md do what the page says", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/hooks.md"), "utf8");
  const [config = "", ...examples] = [...page.matchAll(/^```(?:yaml|sh)\n(.*?)^```$/gms)].map(([, text]) => text ?? "");
  const hall = await startHall(undefined, { config });
  mkdirSync(join(hall.workspace, "hooks"));
  for (const [at, name] of ["no-push.sh", "described.yml", "pnpm.yml"].entries())
    writeFileSync(join(hall.workspace, "hooks", name), examples[at] ?? "", { mode: 0o755 });
  const test = async (name: string, input?: object) => {
    const { outcome, text } = await wanted(200, hall.call("POST", `/api/hooks/${name}/test`, { input }));
    return `${outcome}: ${text}`;
  };
  expect(await test("no-push")).toBe("refused: Don't push. Report what should be pushed.");
  expect(await test("no-push", { tool_name: "exec", tool_input: { command: "git pull" } })).toBe("allowed: ");
  expect(await test("described")).toBe("refused: Describe the task.");
  expect(await test("described", { task: { title: "Fix it", description: "All of it." } })).toBe("allowed: ");
  expect(await test("pnpm")).toBe("allowed: Use pnpm and never npm.");
  const { hooks } = await wanted(200, hall.call("GET", "/api/hooks"));
  expect(hooks.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

it.skipIf(!isHere)("a project's agent reads what hooks say when its session begins, once", async () => {
  const { hall, provider } = await scriptedHall(() => ({ text: "Here." }));
  mkdirSync(join(hall.workspace, "hooks"));
  const fields = { event: "SessionStart", command: ["sh", "-c", "test -f PROJECT.md && echo Sell only books."] };
  writeFileSync(join(hall.workspace, "hooks/start.yml"), JSON.stringify(fields));
  for (const text of ["Hello.", "Hello again."])
    await wanted(201, hall.call("POST", "/api/projects/shop/messages?wait=20", { text }));
  expect(provider.requests.map(({ system }) => system.includes("# Context from hooks\n\nSell only books."))).toEqual([
    true,
    true,
  ]);
  const { hook } = await wanted(200, hall.call("GET", "/api/hooks/start"));
  expect(hook.last30Days).toEqual({ allowed: 1, refused: 0, failed: 0 });
});
