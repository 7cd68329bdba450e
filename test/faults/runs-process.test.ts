import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { client, eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { environment } from "../harness/guildhall.ts";
import { projectProcesses } from "../harness/processes.ts";
import { held } from "../harness/scripted-hall.ts";
import { type Script, startProvider } from "../harness/scripted-provider.ts";
import { furnish, PROJECT, spawnRun, untilOver } from "../harness/spawned-runs.ts";
import type { Recorded } from "./message-record.ts";

const CANARY = "sk-CANARY-0123456789abcdef";
const root = join(import.meta.dirname, "../..");

function configFor(url: string, more: object = {}): object {
  const providers = { own: { kind: "anthropic", baseUrl: `${url}/v1`, apiKeyEnv: "OWN_KEY" } };
  return { providers, models: { default: "own/m" }, ...more };
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
  it("knows no key, neither from its environment nor from any message, and hears no events [S3-LLM-02 S3-WT-11 S3-BOOT-01 S3-BOOT-11 S3-TOOL-07 S3-TOOL-08]", {
    timeout: 180_000,
  }, async () => {
    const child = { role: "helper", title: "A part", description: "Look." };
    const provider = await scripted(({ text, turns, results }) => {
      if (results.some(({ output }) => output === "The main agent is told.")) return { text: `I say ${CANARY}.` };
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
    const [pid = 0] = projectProcesses(hall.workspace);
    expect(readFileSync(`/proc/${pid}/environ`, "latin1")).not.toContain(CANARY);
    expect(readFileSync(`/proc/${pid}/cmdline`, "latin1")).not.toContain(CANARY);
    const all = recorded();
    expect(JSON.stringify(all)).not.toContain(CANARY);
    expect(provider.requests.every(({ headers }) => headers["x-api-key"] === CANARY)).toBe(true);
    const types = (way: Recorded["way"]) =>
      new Set(all.filter((said) => said.way === way).map(({ message }) => message.type));
    expect([...types("in")].toSorted()).toEqual(["init", "llm_response", "post", "reply", "run"]);
    const said = [...types("out")].filter((type) => type !== "activity" && type !== "pong").toSorted();
    expect(said).toEqual([
      ...["answered", "answering", "ask_hall", "ended", "llm_request", "notify", "ready", "spawn"],
    ]);
    expect(all[0]).toMatchObject({ way: "in", message: { type: "init", toolSlots: 7 } });
    await hall.stop();
    expect(
      recorded()
        .slice(-2)
        .map(({ message }) => message.type),
    ).toEqual(["shutdown", "shutdown-complete"]);
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
