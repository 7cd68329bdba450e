import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { client, eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { environment } from "../harness/guildhall.ts";
import { projectProcess, projectProcesses, untilNoProcess } from "../harness/processes.ts";
import { held } from "../harness/scripted-hall.ts";
import { type Script, startProvider } from "../harness/scripted-provider.ts";
import {
  entriesOf,
  furnish,
  journalOf,
  journalPath,
  PROJECT,
  SOON,
  spawnRun,
  untilOver,
} from "../harness/spawned-runs.ts";
import type { Recorded } from "./message-record.ts";
import { assertDoneOnce } from "./run-traces.ts";

const CANARY = "sk-CANARY-0123456789abcdef";
const sandbox = await sandboxProbe().settle();
const root = join(import.meta.dirname, "../..");

function configFor(url: string, more: object = {}): object {
  const providers = { own: { kind: "anthropic", baseUrl: `${url}/v1`, apiKeyEnv: "OWN_KEY" } };
  return { providers, models: { default: "own/m" }, ...more };
}

/** Until it is called, timers of exactly this length fire at once; answers how many there were. */
function shortened(ms: number): () => number {
  const { setTimeout: real } = globalThis;
  let count = 0;
  const quick = (call: () => void, after?: number) => {
    if (after !== ms) return real(call, after);
    count++;
    return real(call, 50);
  };
  const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(quick as typeof setTimeout);
  onTestFinished(() => spy.mockRestore());
  return () => {
    spy.mockRestore();
    return count;
  };
}

async function scripted(script: Script) {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  return provider;
}

/** A daemon with keys in its environment, and what its project processes were told and said. */
async function recordingHall(config: object): Promise<{ hall: Hall; recorded: () => Recorded[] }> {
  const folder = temporaryFolder();
  const workspace = join(folder, "workspace");
  const record = join(folder, "record.jsonl");
  mkdirSync(workspace);
  writeFileSync(record, "");
  writeFileSync(join(workspace, "config.yml"), JSON.stringify(config));
  const words = ["--disable-warning=ExperimentalWarning", "--import", join(import.meta.dirname, "message-record.ts")];
  const args = [
    ...words,
    join(root, "src/cli/main.ts"),
    "up",
    "--workspace",
    workspace,
    "--port",
    "0",
    "--no-open",
    "--no-build",
  ];
  const keys = { OWN_KEY: CANARY, ANTHROPIC_API_KEY: CANARY, HOOK_SECRET: CANARY };
  const env = { ...environment(), ...keys, GUILDHALL_RECORD: record };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = () => {
    child.kill("SIGTERM");
    return gone;
  };
  onTestFinished(stop);
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, up] = /^Guildhall is up at (http:\S+)/.exec(line) ?? [];
      if (up !== undefined) resolve(up);
    });
  });
  const recorded = () =>
    readFileSync(record, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Recorded);
  return { hall: client({ url, workspace, stop }), recorded };
}

describe("a project's process", () => {
  it("knows no key, neither from its environment nor from any message, and hears no events [S3-LLM-02 S3-WT-11 S3-BOOT-07 S3-BOOT-11 S3-SHUT-04]", {
    timeout: 180_000,
  }, async () => {
    const child = { role: "helper", title: "A part", description: "Look." };
    const provider = await scripted(({ text, turns, results }) => {
      if (results.some(({ output }) => output === "Sent to the main agent.")) return { text: `I say ${CANARY}.` };
      if (text.includes("Speak")) return { calls: [{ name: "notify", input: { text: `It is ${CANARY}` } }] };
      if (text.includes("[from project")) return { text: "" };
      if (text.includes("A part")) return { text: "I am the child." };
      if (turns === 0) return { calls: [{ name: "spawn_subagent", input: child }] };
      if (turns === 1) return { calls: [{ name: "notify", input: { text: "Half is done." } }] };
      return { text: "All is done." };
    });
    const hook = await scripted([]);
    const notify = { url: hook.url, secretEnv: "HOOK_SECRET" };
    const config = configFor(provider.url, { limits: { toolCalls: 7 }, notify });
    const { hall, recorded } = await recordingHall(config);
    await furnish(hall, {});
    await hall.call("PUT", "/api/roles/helper", { modelConfig: { model: "own/m" } });
    const id = await spawnRun(hall, "unused", "Sell", { overrides: { model: "own/m" } });
    const run = await untilOver(hall, id);
    expect(run, run.error).toMatchObject({ status: "completed", result: { output: "All is done." } });
    const spoken = await hall.call("POST", `/api/projects/${PROJECT}/messages?wait=20`, {
      text: `Speak. My key is ${CANARY}.`,
    });
    expect(spoken.body.answers).toMatchObject([{ from: "project", text: expect.stringMatching(/^I say /) }]);
    expect(JSON.stringify((await hall.call("GET", `/api/projects/${PROJECT}/messages`)).body)).not.toContain(CANARY);
    expect(JSON.stringify((await hall.call("GET", `/api/projects/${PROJECT}/session`)).body)).not.toContain(CANARY);
    const pid = projectProcess(hall.workspace);
    expect(readFileSync(`/proc/${pid}/environ`, "latin1")).not.toContain(CANARY);
    expect(readFileSync(`/proc/${pid}/cmdline`, "latin1")).not.toContain(CANARY);
    const all = recorded();
    expect(JSON.stringify(all)).not.toContain(CANARY);
    expect(provider.requests.every(({ headers }) => headers["x-api-key"] === CANARY)).toBe(true);
    const types = (way: Recorded["way"]) =>
      new Set(all.filter((said) => said.way === way).map(({ message }) => message.type));
    const heard = [...types("in")].filter((type) => type !== "ping").toSorted();
    expect(heard).toEqual(["init", "llm_response", "order", "post", "reply"]);
    const said = [...types("out")].filter((type) => type !== "activity" && type !== "pong").toSorted();
    expect(said).toEqual(["answered", "answering", "ask_hall", "ended", "llm_request", "ready"]);
    expect(all.slice(0, 2)).toMatchObject([
      { way: "in", message: { type: "init", toolSlots: 7 } },
      { way: "out", message: { type: "ready", pid } },
    ]);
    await hall.stop();
    expect(
      recorded()
        .slice(-3)
        .map(({ message }) => message),
    ).toEqual([{ type: "shutdown" }, { type: "shutdown-complete" }, { type: "exit", code: 0 }]);
    expect(projectProcesses(hall.workspace)).toEqual([]);
  });

  it.skipIf(sandbox.name === "none")(
    "lets the tool at work finish when the daemon stops, writes its result down and exits [S3-SHUT-02 S3-BOOT-10]",
    async () => {
      const { hall, recorded } = await recordingHall({});
      const command = "echo begun > begun; while [ ! -e go ]; do sleep 0.05; done; echo finished | tee done";
      await furnish(hall, {
        tool: `turns:\n  - calls: [{tool: exec, input: {command: "${command}"}}]\n  - text: "{{last.exec}}"\n`,
      });
      const workdir = join(temporaryFolder(), "work");
      mkdirSync(workdir);
      await hall.call("POST", "/api/roles", { id: "coder", name: "Coder", skills: ["exec"] });
      await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir });
      const id = await spawnRun(hall, "tool", "At work", { roleId: "coder" });
      await eventually(() => existsSync(join(workdir, "begun")), Boolean);
      const stopped = hall.stop();
      const said = () => recorded().map(({ message }) => message.type);
      await eventually(said, (types) => types.includes("shutdown"));
      expect(said()).not.toContain("shutdown-complete");
      writeFileSync(join(workdir, "go"), "");
      await stopped;
      expect(recorded().at(-1)?.message).toEqual({ type: "exit", code: 0 });
      expect(readFileSync(join(workdir, "done"), "utf8")).toBe("finished\n");
      const results = () => entriesOf(journalOf(hall.workspace, id), "result").map(({ output }) => output);
      expect(results()).toEqual([expect.stringContaining("finished")]);
      expect(entriesOf(journalOf(hall.workspace, id), "ended")).toEqual([]);
      const again = await startHall(hall.workspace);
      expect((await untilOver(again, id)).result?.output).toContain("finished");
      expect(results()).toHaveLength(1);
    },
  );

  it("that does not stop within 30 seconds is ended by force; a line it was writing is repaired at the next start [S3-SHUT-05 S3-CA-06]", async () => {
    const hall = await furnish(await startHall(), { soon: SOON });
    const id = await spawnRun(hall, "soon", "stuck");
    await eventually(
      () => entriesOf(journalOf(hall.workspace, id), "result").length,
      (count) => count === 1,
    );
    const pid = projectProcess(hall.workspace);
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")).toContain("--max-old-space-size=512");
    process.kill(pid, "SIGSTOP");
    const restore = shortened(30_000);
    const move = (status: string) => hall.call("POST", `/api/projects/${PROJECT}/move`, { status });
    expect((await move("suspended")).status).toBe(200);
    await untilNoProcess(hall.workspace);
    expect(restore()).toBe(1);
    appendFileSync(journalPath(hall.workspace, id) as string, '{"type":"answer","text":"to');
    expect((await move("active")).status).toBe(200);
    await untilOver(hall, id);
    await assertDoneOnce(hall, id);
  });

  it("shares the model calls that may be made at once with those of all other projects [S3-WT-09]", async () => {
    const gate = held();
    let now = 0;
    let most = 0;
    const provider = await scripted(async () => {
      most = Math.max(most, ++now);
      await gate.opened;
      await new Promise((resolve) => setTimeout(resolve, 60));
      now--;
      return { text: "Done." };
    });
    const config = configFor(provider.url, { limits: { modelCalls: 2 } });
    const hall = await startHall(undefined, { config, env: { OWN_KEY: CANARY, OLLAMA_HOST: "127.0.0.1:9" } });
    await furnish(hall, {});
    const projects = [PROJECT, "two", "three"];
    for (const id of projects.slice(1)) await hall.call("POST", "/api/projects", { id, name: id });
    const spawns = projects.flatMap((projectId) =>
      ["a", "b"].map((title) => spawnRun(hall, "unused", title, { projectId, overrides: { model: "own/m" } })),
    );
    const ids = await Promise.all(spawns);
    await eventually(
      () => [now, projectProcesses(hall.workspace).length],
      ([calls, processes]) => calls === 2 && processes === 3,
    );
    gate.open();
    for (const id of ids) expect((await untilOver(hall, id)).status).toBe("completed");
    expect(provider.requests).toHaveLength(6);
    expect(most).toBe(2);
  });

  it("does not change PROJECT.md, which only the daemon writes, whatever the agent tries [S3-WT-06]", async () => {
    const playbook = `
turns:
  - calls: [{tool: write, input: {path: PROJECT.md, content: "mine"}}]
  - calls: [{tool: edit, input: {path: PROJECT.json, oldText: "Shop", newText: "Mine"}}]
  - text: Done.
`;
    const hall = await furnish(await startHall(), { grab: playbook });
    const texts = () =>
      ["PROJECT.md", "PROJECT.json"].map((name) =>
        readFileSync(join(hall.workspace, "projects", PROJECT, name), "utf8"),
      );
    const before = texts();
    await untilOver(hall, await spawnRun(hall, "grab", "grabs"));
    expect(texts()).toEqual(before);
    await hall.call("PUT", `/api/projects/${PROJECT}`, { description: "Ours." });
    await eventually(texts, (now) => now.join("").includes("Ours."));
  });
});
