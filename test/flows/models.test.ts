import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { type Script, startProvider } from "../harness/scripted-provider.ts";

const CANARY = "sk-CANARY-0123456789abcdef";

async function scripted(script: Script) {
  const provider = await startProvider(script);
  onTestFinished(() => provider.close());
  return provider;
}

/** A hall whose default model is a scripted one. */
async function hallAsking(script: Script, more: { config?: object; env?: Record<string, string> } = {}) {
  const provider = await scripted(script);
  const config = {
    providers: {
      own: { kind: "openai-compatible", baseUrl: provider.url, apiKeyEnv: "OWN_KEY" },
      claude: { kind: "anthropic", baseUrl: `${provider.url}/v1`, apiKeyEnv: "OWN_KEY" },
    },
    models: { default: "own/m", prices: { "own/m": { input: 2, output: 10 } } },
    ...more.config,
  };
  const env = { OWN_KEY: CANARY, OLLAMA_HOST: "127.0.0.1:9", ...more.env };
  return { provider, hall: await startHall(undefined, { config, env }) };
}

async function startOllama(models: string[]): Promise<string> {
  const server = createServer((request, response) => {
    response.end(request.url === "/api/tags" ? JSON.stringify({ models: models.map((name) => ({ name })) }) : "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const modelsOf = async (hall: Hall) => (await hall.call("GET", "/api/models")).body;
const test = async (hall: Hall, body: object = {}) => (await hall.call("POST", "/api/models/test", body)).body;

describe("GET /api/models", () => {
  it("shows what was found and where, never a key", async () => {
    const config = {
      providers: { own: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1", apiKeyEnv: "OWN_KEY" } },
    };
    const env = { OWN_KEY: CANARY, ANTHROPIC_API_KEY: CANARY, OLLAMA_HOST: await startOllama(["qwen3:8b"]) };
    const report = await modelsOf(await startHall(undefined, { config, env }));
    expect(report).toEqual({
      default: "anthropic/claude-sonnet-4-6",
      offline: "offline/rehearsal",
      providers: [
        {
          name: "own",
          kind: "openai-compatible",
          source: "config",
          key: true,
          keySource: "environment",
          keyNames: ["OWN_KEY"],
          baseUrl: "http://127.0.0.1:1/v1",
        },
        {
          name: "anthropic",
          kind: "anthropic",
          source: "environment",
          key: true,
          keySource: "environment",
          keyNames: ["ANTHROPIC_API_KEY"],
        },
        {
          name: "ollama",
          kind: "openai-compatible",
          source: "local",
          key: false,
          keySource: "not_needed",
          baseUrl: `http://${env.OLLAMA_HOST}/v1`,
          models: ["qwen3:8b"],
        },
      ],
      team: expect.any(Object),
      playbooks: [],
    });
  });

  it("falls back on a local model, then on the offline one", async () => {
    const local = await startHall(undefined, { env: { OLLAMA_HOST: await startOllama(["qwen3:8b"]) } });
    expect((await modelsOf(local)).default).toBe("ollama/qwen3:8b");
    const bare = await startHall(undefined, { env: { OLLAMA_HOST: "127.0.0.1:9" } });
    expect(await modelsOf(bare)).toEqual({
      default: "offline/rehearsal",
      offline: "offline/rehearsal",
      providers: [],
      team: expect.any(Object),
      playbooks: [],
    });
  });

  it("knows of no provider when the hall is offline", async () => {
    const env = { ANTHROPIC_API_KEY: "test", OLLAMA_HOST: await startOllama(["qwen3:8b"]) };
    const switched = await startHall(undefined, { env: { ...env, GUILDHALL_OFFLINE: "1" } });
    expect(await modelsOf(switched)).toMatchObject({ default: "offline/rehearsal", providers: [] });
    const config = { models: { offline: true, default: "anthropic/claude-sonnet-4-5" } };
    expect(await modelsOf(await startHall(undefined, { config, env }))).toMatchObject({
      default: "offline/rehearsal",
      providers: [],
    });
  });

  it("lists the playbooks of the workspace", async () => {
    const hall = await startHall();
    mkdirSync(join(hall.workspace, "playbooks"));
    writeFileSync(join(hall.workspace, "playbooks/demo.yml"), "turns: [{text: hi}]");
    expect((await modelsOf(hall)).playbooks).toEqual(["demo"]);
  });

  it("takes keys from .guildhall/secrets, which is closed to others", async () => {
    const workspace = join(temporaryFolder(), "workspace");
    mkdirSync(join(workspace, ".guildhall"), { recursive: true });
    const path = join(workspace, ".guildhall/secrets");
    writeFileSync(path, `OPENAI_API_KEY="${CANARY}"\n`, { mode: 0o644 });
    const hall = await startHall(workspace, { env: { OPENAI_API_KEY: "", OLLAMA_HOST: "127.0.0.1:9" } });
    const report = await modelsOf(hall);
    expect(report).toMatchObject({
      default: "openai/gpt-5.1",
      providers: [{ name: "openai", source: "environment", key: true }],
    });
    expect(JSON.stringify(report)).not.toContain(CANARY);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("POST /api/models/test", () => {
  it("asks the default model, or the one named, for a word", async () => {
    const { hall, provider } = await hallAsking(() => ({ text: "Hello" }));
    expect(await test(hall)).toMatchObject({ ok: true, model: "own/m", text: "Hello", ms: expect.any(Number) });
    expect(await test(hall, { model: "claude/c" })).toMatchObject({ ok: true, model: "claude/c", text: "Hello" });
    expect(provider.requests.map(({ path, body }) => [path, body.model, body.max_tokens])).toEqual([
      ["/v1/chat/completions", "m", 16],
      ["/v1/messages", "c", 16],
    ]);
  });

  it("says why a model does not answer, without the key", async () => {
    const { hall } = await hallAsking(({ model }) =>
      model === "m"
        ? { status: 401, error: { message: `bad key ${CANARY}` } }
        : { status: 404, error: { message: `no model ${model}` } },
    );
    const refused = await test(hall);
    expect(refused).toMatchObject({
      ok: false,
      model: "own/m",
      error: expect.stringContaining("answered 401: bad key [key]"),
    });
    expect(await test(hall, { model: "own/x" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("no model x"),
    });
    expect(await test(hall, { model: "nobody/x" })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/known providers: offline, .*own, claude/),
    });
  });

  it("works with the offline model, which says what it is", async () => {
    const hall = await startHall();
    expect(await test(hall)).toMatchObject({
      ok: true,
      model: "offline/rehearsal",
      text: expect.stringContaining("offline model"),
    });
  });
});

describe("a configuration that cannot be meant", () => {
  it.each([
    ["models:\n  default: antropic/claude\n", 2, "names the provider 'antropic'"],
    ["server: {port: 0}\nproviders:\n  own: {kind: openai-compatible}\n", 3, "requires a baseUrl"],
    ["providers:\n  own:\n    kind: anthropic\n    baseUrl: https://me:secret@host\n", 4, "password"],
  ])("stops the start with its line (%#)", async (config, line, message) => {
    await expect(startHall(undefined, { config })).rejects.toMatchObject({
      code: "config_invalid",
      file: "config.yml",
      line,
      message: expect.stringContaining(message),
    });
  });
});

describe("a run", () => {
  const spawn = async (hall: Hall, more: object = {}) => {
    await hall.call("POST", "/api/roles", { template: "coder" });
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    const task = { title: "Write a note", description: "Please" };
    const options = { waitForCompletion: true };
    return hall.call("POST", "/api/team/spawn", { projectId: "shop", roleId: "coder", task, options, ...more });
  };

  it("asks its model through the daemon's registry, and what it cost is counted there [S3-LLM-05 S3-LLM-06]", async () => {
    const { hall, provider } = await hallAsking([
      { calls: [{ name: "write", input: { path: "note.md", content: "hi\n" } }], usage: { input: 1_000, output: 100 } },
      { status: 529 },
      { text: "I wrote it.", usage: { input: 2_000, output: 50 } },
    ]);
    const { body } = await spawn(hall);
    expect(body).toMatchObject({ status: "completed", result: { output: "I wrote it." } });
    expect(provider.requests.every(({ headers }) => headers.authorization === `Bearer ${CANARY}`)).toBe(true);
    const { total } = (await hall.call("GET", "/api/costs?by=model")).body;
    expect(total).toMatchObject({ runs: 1, inputTokens: 3_000, outputTokens: 150, unpriced: 0 });
    expect(total.costUsd).toBeCloseTo((3_000 * 2 + 150 * 10) / 1_000_000);
  });

  it("of a model without a known price is estimated, and said to be unpriced", async () => {
    const { hall } = await hallAsking(() => ({ text: "Done.", usage: { input: 1_000, output: 100 } }));
    await spawn(hall, { overrides: { model: "claude/c" } });
    const { total } = (await hall.call("GET", "/api/costs?by=model")).body;
    expect(total).toMatchObject({ inputTokens: 1_000, outputTokens: 100, unpriced: 1 });
    expect(total.costUsd).toBeCloseTo((1_000 * 5 + 100 * 25) / 1_000_000);
  });

  it("is refused before anything happens when its model cannot be asked", async () => {
    const hall = await startHall(undefined, {
      config: { providers: { claude: { kind: "anthropic", apiKeyEnv: "MY_KEY" } } },
    });
    for (const [model, words] of [
      ["claude/c", "MY_KEY"],
      ["nobody/x", "known providers"],
      ["offline/missing", "playbooks/missing.yml"],
    ]) {
      const { status, body } = await spawn(hall, { overrides: { model } });
      expect([status, body.error.code]).toEqual([422, "invalid"]);
      expect(body.error.message).toContain(words);
    }
    expect((await hall.call("GET", "/api/runs")).body.runs).toEqual([]);
  });

  it("leaves no key behind, whatever the provider repeats", async () => {
    const { hall } = await hallAsking([{ status: 500, error: { message: `echo ${CANARY}` } }, { text: "Done." }]);
    await spawn(hall);
    await hall.stop();
    const files = readdirSync(hall.workspace, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const tainted = files.filter((entry) =>
      readFileSync(join(entry.parentPath, entry.name), "latin1").includes("CANARY"),
    );
    expect(tainted.map(({ name }) => name)).toEqual([]);
  });

  it("plays the documented playbook from its first turn to the moved task", async () => {
    const hall = await startHall();
    const page = readFileSync(join(import.meta.dirname, "../../docs/playbooks.md"), "utf8");
    mkdirSync(join(hall.workspace, "playbooks"));
    writeFileSync(join(hall.workspace, "playbooks/login.yml"), /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "");
    await hall.call("POST", "/api/roles", { template: "coder" });
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    const source = join(hall.workspace, "projects/shop/src/login.ts");
    mkdirSync(join(source, ".."));
    writeFileSync(source, "export const login = (password: string) => {\n  return true;\n};\n");
    const task = { title: "Fix the login", description: "Everybody passes." };
    const { body } = await spawn(hall, { task });
    expect(body).toMatchObject({
      status: "completed",
      result: { output: expect.stringContaining("Fix the login: the password") },
    });
    expect(readFileSync(source, "utf8")).toContain("return password === stored;");
    const { run } = (await hall.call("GET", `/api/runs/${body.sessionId}`)).body;
    expect(run).toMatchObject({ model: "offline/rehearsal", usage: { turns: 4, costUsd: 0, costKnown: true } });
  });

  it("without a playbook is a rehearsal: the task stays pending and is marked, also where results are reviewed", async () => {
    const hall = await startHall();
    await hall.call("POST", "/api/roles", { template: "coder" });
    const config = { constraints: { requireReview: true } };
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop", config });
    const { body } = await spawn(hall, { task: { title: "Add a README" } });
    expect(body).toMatchObject({ status: "completed" });
    const { run } = (await hall.call("GET", `/api/runs/${body.sessionId}`)).body;
    expect(run).toMatchObject({ result: { outcome: "rehearsed" }, delivery: { state: "unchanged" } });
    const taskNow = async () => (await hall.call("GET", `/api/projects/shop/tasks/${body.taskId}`)).body.task;
    const task = await taskNow();
    expect(task).toMatchObject({ status: "pending", outcome: "rehearsed" });
    expect(task).not.toHaveProperty("result");
    expect((await hall.call("GET", "/api/projects/shop/cards")).body.cards).toMatchObject([{ outcome: "rehearsed" }]);
    expect((await hall.call("GET", "/api/now")).body.counts).toMatchObject({ review: 0, needsMe: 0 });
    const { stdout } = await commandLine(["task", "list", "-p", "shop"], { workspace: hall.workspace });
    expect(stdout).toContain("pending (rehearsed)");
    // Work that starts takes the mark away.
    await hall.call("POST", `/api/projects/shop/tasks/${body.taskId}/move`, { status: "in-progress" });
    expect(await taskNow()).not.toHaveProperty("outcome");
  });

  it("is refused when its playbook is broken, with the place", async () => {
    const hall = await startHall();
    mkdirSync(join(hall.workspace, "playbooks"));
    writeFileSync(join(hall.workspace, "playbooks/bad.yml"), "turns:\n  - text: hi\n    calls: [{input: {}}]\n");
    const { status, body } = await spawn(hall, { overrides: { model: "offline/bad" } });
    expect(status).toBe(422);
    expect(body.error.message).toContain("playbooks/bad.yml is not valid: line 3: turns.0.calls.0.tool: ");
  });

  it("that is cancelled ends its request at the provider", async () => {
    const { hall, provider } = await hallAsking([{ text: "Half", hang: "middle" }]);
    const { body } = await spawn(hall, { options: { waitForCompletion: false } });
    const request = await provider.request(0);
    await hall.call("POST", `/api/runs/${body.sessionId}/stop`);
    expect(await request.ended).toBe("aborted");
    const status = async () => (await hall.call("GET", `/api/runs/${body.sessionId}`)).body.run.status;
    await eventually(status, (now) => now === "cancelled");
  });
});
