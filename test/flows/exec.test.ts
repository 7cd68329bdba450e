import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { startHall } from "../harness/daemon.ts";
import { guildhall } from "../harness/guildhall.ts";
import { play, readUntil, WORKER, withCommandsIn } from "../harness/hall-with-commands.ts";
import { uniqueSleep, untilGone } from "../harness/processes.ts";
import { entriesOf, journalOf, PROJECT, spawnRun, untilDoing, untilOver } from "../harness/spawned-runs.ts";

const here = await sandboxProbe().settle();
const isHere = here.name !== "none";
const title = isHere ? "commands" : `commands (skipped: ${here.detail})`;

const WORK = `
turns:
  - calls: [{tool: write, input: {path: test.sh, content: "test -f built.txt && echo passed\\n"}}]
  - calls: [{tool: exec, input: {command: "sh test.sh || echo not yet >&2; exit 4"}}]
  - calls: [{tool: exec, input: {command: "echo built > built.txt; sh test.sh; cat .env; ls ../../.guildhall"}}]
  - calls: [{tool: report, input: {summary: "It said: {{result.3}}", outcome: full}}]
  - text: Done.
`;

describe.skipIf(!isHere)(title, () => {
  it("are run by an agent whose role has exec: exit code, output, changed files; env files stay hidden", async () => {
    const { hall, at } = await hallWithCommands({ play: WORK });
    writeFileSync(at(".env"), "KEY=canary\n");
    const { run, outputs } = await play(hall, "play");
    expect([run.status, run.error, run.sandbox]).toEqual(["completed", undefined, here.name]);
    expect(outputs[1]).toMatch(/^exec failed: Exit code 4 after \d+\.\d s\.\nnot yet$/);
    expect(outputs[2]).toMatch(/^exec failed: Exit code 2 after \d+\.\d s\.\npassed\nls: .*No such file or directory$/);
    expect(run.result?.filesChanged).toEqual(["built.txt", "test.sh"]);
    expect(readFileSync(at("built.txt"), "utf8")).toBe("built\n");
    const plan = entriesOf(journalOf(hall.workspace, run.id), "plan")[0]?.plan;
    expect(plan?.sandbox).toMatchObject({ name: here.name, network: false, hidden: [hall.workspace] });
    expect(JSON.stringify(journalOf(hall.workspace, run.id))).not.toContain("canary");
  });

  it("that say much can be read page by page", async () => {
    const { hall } = await hallWithCommands({
      play: `
turns:
  - calls: [{tool: exec, input: {command: "seq 1 30000"}}]
  - text: "{{last.exec}}"
`,
    });
    const first = await play(hall, "play");
    const name = /read '(output:[\w-]+)'/.exec(first.outputs[0] ?? "")?.[1] ?? "";
    // Ids of calls follow from the conversation, so the next run's first call has the same.
    const { hall: again } = await hallWithCommands({
      play: `
turns:
  - calls: [{tool: exec, input: {command: "seq 1 30000"}}]
  - calls:
      - {tool: read, input: {path: "${name}", offset: 15000, limit: 2}}
      - {tool: read, input: {path: "output:../../x"}}
      - {tool: read, input: {path: "output:none"}}
  - text: Read.
`,
    });
    const { outputs } = await play(again, "play");
    expect(outputs[1]).toMatch(/^read:\s+15000\t15000\n\s+15001\t15001\n\(lines 15000 to 15001 of 30000/);
    expect(outputs.slice(2)).toEqual([
      "read failed: There is no output 'output:../../x'.",
      "read failed: The output 'output:none' can't be read: it is missing or binary.",
    ]);
  });

  it("are streamed to those who watch, and end with the run when it is cancelled", async () => {
    const sleep = uniqueSleep();
    const { hall } = await hallWithCommands({
      play: `
turns:
  - calls: [{tool: exec, input: {command: "echo on my way; setsid sleep ${sleep} & sleep ${sleep}"}}]
  - text: Done.
`,
    });
    const stop = new AbortController();
    const live = await fetch(`${hall.url}/api/live?topics=runs&deltas=*`, {
      headers: { authorization: `Bearer ${hall.token}` },
      signal: stop.signal,
    });
    const id = await spawnRun(hall, "play", "Cancelled", WORKER);
    const heard = await readUntil(live, /"kind":"output"/);
    expect(heard).toContain("on my way");
    stop.abort();
    await untilDoing(hall, id, { kind: "tool", name: "exec" });
    expect((await hall.call("POST", `/api/runs/${id}/stop`)).status).toBe(200);
    await untilGone(sleep);
    expect((await untilOver(hall, id)).status).toBe("cancelled");
  });

  it("have the network and the limits that the project sets; a bad setting is refused", async () => {
    const { hall } = await hallWithCommands({ play: "turns: [{text: Nothing.}]" });
    const set = (sandbox: unknown) => hall.call("PUT", `/api/projects/${PROJECT}`, { config: { sandbox } });
    expect((await set({ network: true, memoryMb: 512 })).status).toBe(200);
    expect((await set({ processes: 64, memoryMb: null })).body.project.config.sandbox).toEqual({
      network: true,
      processes: 64,
    });
    const body = { projectId: PROJECT, task: { title: "T" }, ...WORKER };
    const { plan } = (await hall.call("POST", "/api/team/spawn?dryRun=true", body)).body;
    expect(plan.sandbox).toMatchObject({ network: true, processes: 64, memoryMb: 4_096 });
    expect((await set({ memoryMb: 1 })).status).toBe(422);
    expect((await set({ readable: ["relative"] })).status).toBe(422);
    for (const [key, path] of [
      ["readable", hall.workspace],
      ["writable", "/"],
    ] as const) {
      const refused = await set({ [key]: [path] });
      const message = `config.sandbox.${key}: '${path}' would expose the workspace to commands.`;
      expect([refused.status, refused.body.error.message]).toEqual([422, message]);
    }
    expect((await set(null)).body.project.config.sandbox).toBeUndefined();
  });
});

describe("a role without exec", () => {
  it("is refused every command, and nothing changes [S0-SEC-01]", async () => {
    const { hall, at } = await hallWithCommands({
      play: 'turns: [{calls: [{tool: exec, input: {command: "touch new"}}]}, {text: Tried.}]',
    });
    await hall.call("POST", "/api/roles", { id: "writer", name: "Writer", skills: ["read", "write"] });
    const { run, outputs } = await play(hall, "play", { roleId: "writer" });
    expect(outputs).toEqual([expect.stringMatching(/^exec failed: There is no tool 'exec' for role 'writer'\./)]);
    expect([existsSync(at("new")), run.sandbox]).toEqual([false, undefined]);
  });
});

describe("the state of the sandbox", () => {
  it("is told by status, health and doctor", async () => {
    const { hall } = await hallWithCommands({});
    expect((await hall.call("GET", "/api/status")).body.sandbox).toEqual(here);
    expect((await hall.call("GET", "/api/health")).body.sandbox).toBe(here.name);
    const { stdout } = await guildhall(["doctor"], { workspace: hall.workspace });
    expect(stdout).toContain(`  ${here.detail}`);
  });
});

/** A hall with a project that works in a folder of its own, and a role that may run commands. */
const hallWithCommands = async (playbooks: Record<string, string>) => withCommandsIn(await startHall(), playbooks);
