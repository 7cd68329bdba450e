import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/runs/run.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import {
  entriesOf,
  furnish,
  journalOf,
  PROJECT,
  runOf,
  spawnRun,
  untilDoing,
  untilOver,
} from "../harness/spawned-runs.ts";

const SOURCE = {
  "src/login.ts": "export function login(password: string) {\r\n  return true;\r\n}\r\n",
  "src/legacy/list.ts": "export const users = [];\n",
  "scripts/run.sh": "#!/bin/sh\nexit 1\n",
  ".github/workflows/ci.yml": "on: push\n",
  "node_modules/dep/index.js": "return true;\n",
};

const EVERY_TOOL = `
turns:
  - calls:
      - {tool: list, input: {path: "."}}
      - {tool: list, input: {glob: "*.yml"}}
      - {tool: search, input: {pattern: "return true"}}
      - {tool: read, input: {path: src/login.ts, offset: 2, limit: 1}}
  - calls:
      - tool: edit
        input: {path: src/login.ts, oldText: "  return true;\\n}", newText: "  // compared\\n  return password === stored;\\n}"}
      - {tool: edit, input: {path: scripts/run.sh, oldText: "exit 1", newText: "exit 0"}}
      - {tool: edit, input: {path: src/legacy/list.ts, oldText: "users = {}", newText: "x"}}
      - {tool: write, input: {path: docs/notes/login.md, content: "# Login\\n"}}
      - {tool: write, input: {path: src/legacy/list.ts, content: "export const users = [];\\n"}}
  - calls:
      - {tool: notify, input: {text: The login is mended.}}
      - {tool: spawn_subagent, input: {role: helper, title: Look at it}}
  - calls: [{tool: report, input: {summary: "Mended. The helper: {{last.spawn_subagent}}", outcome: full, artifacts: [docs/notes/login.md]}}]
  - text: Done.
`;

describe("an agent at work in a project's own folder", () => {
  it("lists, searches, reads, writes, edits, notifies, asks a helper and reports [S3-TOOL-07 S3-TOOL-08]", async () => {
    const { hall, at } = await hallWithFolder({ play: EVERY_TOOL, helper: "turns: [{text: The helper agrees.}]" });
    chmodSync(at("scripts/run.sh"), 0o755);
    const { run, outputs } = await play(hall, "play");
    expect([run.status, run.error]).toEqual(["completed", undefined]);
    expect(outputs).toEqual([
      "list: .github/\nnode_modules/\nscripts/\nsrc/",
      "list: .github/workflows/ci.yml\n(skipped: folders named node_modules; set path to search one)",
      "search: src/login.ts:2:   return true;\n(skipped: folders named node_modules; set path to search one)",
      "read:      2\t  return true;\n(lines 2 to 2 of 3; continue with offset 3)\n(lines end with CRLF; edit keeps that)",
      "edit: Edited src/login.ts (line 2).",
      "edit: Edited scripts/run.sh (line 2).",
      expect.stringContaining("edit failed: src/legacy/list.ts: oldText not found"),
      "write: Created docs/notes/login.md (1 line, 8 bytes).",
      "write: src/legacy/list.ts already has this content; nothing was changed.",
      "notify: Notification saved.",
      "spawn_subagent: The helper agrees.",
      "report: Report saved. End your turn now.",
    ]);
    expect(readFileSync(at("src/login.ts"), "utf8")).toBe(
      "export function login(password: string) {\r\n  // compared\r\n  return password === stored;\r\n}\r\n",
    );
    expect(readFileSync(at("scripts/run.sh"), "utf8")).toBe("#!/bin/sh\nexit 0\n");
    expect(statSync(at("scripts/run.sh")).mode & 0o777).toBe(0o755);
    expect(readFileSync(at("docs/notes/login.md"), "utf8")).toBe("# Login\n");
    expect(run.result).toMatchObject({
      output: "Mended. The helper: The helper agrees.",
      outcome: "full",
      artifacts: expect.arrayContaining(["docs/notes/login.md"]),
      filesChanged: ["docs/notes/login.md", "scripts/run.sh", "src/login.ts"],
    });
    const { events } = (await hall.call("GET", "/api/events/log?tail=100")).body;
    expect(JSON.stringify(events)).toContain("The login is mended.");
    expect(everyName(at("."))).not.toContainEqual(expect.stringMatching(/^\.tmp-/));
  });

  it("is refused a tool that its role does not list, at execution, and nothing changes [S0-SEC-01]", async () => {
    const { hall, at } = await hallWithFolder({
      play: `
turns:
  - calls:
      - {tool: write, input: {path: new.md, content: x}}
      - {tool: write, input: {path: src/login.ts, content: x}}
      - {tool: edit, input: {path: src/legacy/list.ts, oldText: users, newText: x}}
      - {tool: spawn_subagent, input: {role: helper, title: Write it for me}}
      - {tool: exec, input: {command: "touch new.md"}}
      - {tool: read, input: {path: src/legacy/list.ts}}
  - text: Tried.
`,
      helper: "turns: [{calls: [{tool: write, input: {path: new.md, content: x}}]}, {text: Wrote it.}]",
    });
    await hall.call("POST", "/api/roles", { id: "reader", name: "Reader", skills: ["read"] });
    const before = everyName(at("."));
    const { run, outputs } = await play(hall, "play", { roleId: "reader" });
    expect(run.status).toBe("completed");
    const refusals = outputs.slice(0, -1);
    expect(refusals).toHaveLength(5);
    for (const output of refusals) expect(output).toMatch(/^\w+ failed: There is no tool '\w+' for role 'reader'\./);
    expect(outputs.at(-1)).toBe("read:      1\texport const users = [];");
    expect(run.result?.filesChanged).toEqual([]);
    expect(everyName(at("."))).toEqual(before);
    for (const [path, content] of Object.entries(SOURCE)) expect(readFileSync(at(path), "utf8")).toBe(content);
  });

  it("reaches nothing outside of it, and no secrets within [S0-SEC-02]", async () => {
    const paths = ["../outside/secret.md", "link.md", "door/secret.md", ".env", "/etc/passwd", "alias/config"];
    const uses = paths.flatMap((path) => [
      { tool: "read", input: { path } },
      { tool: "write", input: { path, content: "by an agent" } },
      { tool: "edit", input: { path, oldText: "canary", newText: "by an agent" } },
      { tool: "search", input: { path, pattern: "canary|root" } },
    ]);
    const all = { tool: "search", input: { pattern: "canary" } };
    const { hall, at } = await hallWithFolder({
      play: JSON.stringify({ turns: [{ calls: [...uses, all] }, { text: "Tried." }] }),
    });
    const outside = join(dirname(at(".")), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.md"), "canary\n");
    symlinkSync(join(outside, "secret.md"), at("link.md"));
    symlinkSync("../outside", at("door"));
    writeFileSync(at(".env"), "KEY=canary\n");
    mkdirSync(at(".ssh"));
    writeFileSync(at(".ssh/config"), "canary\n");
    symlinkSync(".ssh", at("alias"));
    const { run, outputs } = await play(hall, "play");
    expect(run.status).toBe("completed");
    expect(outputs.slice(0, -1).filter((output) => !/^\w+ failed: /.test(output))).toEqual([]);
    expect(outputs.at(-1)).toMatch(/^search: \(no matches\)/);
    expect(outputs.join("\n")).not.toMatch(/:1: |root:|canary$/m);
    expect([readdirSync(outside), readFileSync(join(outside, "secret.md"), "utf8")]).toEqual([
      ["secret.md"],
      "canary\n",
    ]);
    expect(readFileSync(at(".env"), "utf8")).toBe("KEY=canary\n");
    expect(run.result?.filesChanged).toEqual([]);
  });

  it("is stopped within two seconds, in the middle of the largest file", async () => {
    const { hall, at } = await hallWithFolder({
      play: "turns: [{calls: [{tool: read, input: {path: big.log, offset: 1000000}}]}, {text: Done.}]",
    });
    writeFileSync(at("big.log"), "line\n".repeat(4_000));
    truncateSync(at("big.log"), 2 ** 36);
    const id = await spawnRun(hall, "play", "Read it");
    await untilDoing(hall, id, { kind: "tool", name: "read" });
    const start = performance.now();
    await hall.call("POST", `/api/runs/${id}/stop`);
    const run = await untilOver(hall, id);
    expect([run.status, performance.now() - start < 2_000]).toEqual(["cancelled", true]);
  });
});

it("an agent of a project without a folder of its own works in the project's, but not on what steers it", async () => {
  const hall = await furnish(await startHall(), {
    play: `
turns:
  - calls:
      - {tool: write, input: {path: notes.md, content: "mine\\n"}}
      - {tool: write, input: {path: PROJECT.json, content: "{}"}}
      - {tool: write, input: {path: runs/index.jsonl, content: ""}}
      - {tool: edit, input: {path: PROJECT.md, oldText: Shop, newText: Mine}}
  - text: Done.
`,
  });
  const folder = join(hall.workspace, "projects", PROJECT);
  const before = readFileSync(join(folder, "PROJECT.md"), "utf8");
  const { run, outputs } = await play(hall, "play");
  expect(outputs.map((output) => output.split(":")[0])).toEqual([
    "write",
    "write failed",
    "write failed",
    "edit failed",
  ]);
  expect(run.result?.filesChanged).toEqual(["notes.md"]);
  expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("mine\n");
  expect(readFileSync(join(folder, "PROJECT.md"), "utf8")).toBe(before);
  expect(existsSync(join(folder, "runs/index.jsonl"))).toBe(true);
});

/** A hall with playbooks, and a project that works in a folder with some sources. */
async function hallWithFolder(
  playbooks: Record<string, string>,
): Promise<{ hall: Hall; at: (path: string) => string }> {
  const folder = join(temporaryFolder(), "work");
  const at = (path: string) => join(folder, path);
  for (const [path, content] of Object.entries(SOURCE)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
  }
  const hall = await furnish(await startHall(), playbooks);
  const { status, body } = await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: folder });
  expect(status, JSON.stringify(body)).toBe(200);
  return { hall, at };
}

/** Plays a playbook to its end, and answers what each tool said, in the order of the calls. */
async function play(hall: Hall, playbook: string, more: object = {}): Promise<{ run: Run; outputs: string[] }> {
  const id = await spawnRun(hall, playbook, "Do it", more);
  await untilOver(hall, id);
  const results = entriesOf(journalOf(hall.workspace, id), "result");
  const outputs = results.map(({ name, output, failed }) => `${name}${failed ? " failed" : ""}: ${output}`);
  return { run: await runOf(hall, id), outputs };
}

/** The names of everything below a folder; links are not followed. */
function everyName(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => [
    entry.name,
    ...(entry.isDirectory() ? everyName(join(folder, entry.name)) : []),
  ]);
}
