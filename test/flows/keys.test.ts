import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Hall, startHall } from "../harness/daemon.ts";
import { filesBelow } from "../harness/look-below.ts";
import { type Script, startProvider } from "../harness/scripted-provider.ts";

const KEY = "test-KEY-0123456789abcdef";
const OTHER = "test-OTHER-fedcba9876543210";
const OLLAMA = { OLLAMA_HOST: "127.0.0.1:9" };

async function keyed(script: Script = () => ({ text: "Hello." }), { models = ["small-1", "large-2"] } = {}) {
  let accepted = KEY;
  const provider = await startProvider(script, { models, key: () => accepted });
  onTestFinished(() => provider.close());
  return Object.assign(provider, {
    accept: (key: string) => {
      accepted = key;
    },
  });
}

const setKey = (hall: Hall, name: string, body: object, headers = {}) =>
  hall.call("PUT", `/api/providers/${name}/key`, body, headers);
const modelsOf = async (hall: Hall) => (await hall.call("GET", "/api/models")).body;
const secretsOf = (hall: Hall) => readFileSync(join(hall.workspace, ".guildhall/secrets"), "utf8");

/** Every file of the workspace but the one that holds keys. */
function everythingIn(hall: Hall): string {
  return filesBelow(hall.workspace)
    .filter(({ path }) => path !== ".guildhall/secrets")
    .map(({ bytes }) => bytes.toString("latin1"))
    .join("\n");
}

describe("setting a key", () => {
  it("tests it, lists the models, chooses a default and is used at once, and it is stored nowhere else", async () => {
    const provider = await keyed();
    const logged: object[] = [];
    const hall = await startHall(undefined, { env: OLLAMA, log: (entry) => logged.push(entry) });
    expect((await modelsOf(hall)).default).toBe("offline/rehearsal");
    const baseUrl = `${provider.url}/`;
    const { status, body } = await setKey(hall, "lab", { key: ` "${KEY}"\n`, baseUrl });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        provider: "lab",
        test: { state: "works", models: ["small-1", "large-2"], model: "small-1", ms: expect.any(Number) },
        defaultModel: "lab/small-1",
        offline: false,
      },
    });
    expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
    const report = await modelsOf(hall);
    expect(report).toMatchObject({ default: "lab/small-1" });
    expect(report.providers).toEqual([
      {
        ...{ name: "lab", kind: "openai-compatible", source: "config", key: true, keySource: "stored" },
        ...{ keyNames: ["LAB_API_KEY"], baseUrl: `${provider.url}/v1` },
      },
    ]);
    expect((await hall.call("POST", "/api/models/test", {})).body).toMatchObject({ ok: true, model: "lab/small-1" });
    for (const side of ["role", "project", "run"])
      expect((await hall.call("GET", `/api/costs?by=${side}`)).body.rows).toMatchObject([
        { key: "connection tests", runs: 0, calls: 2 },
      ]);
    expect(secretsOf(hall)).toMatch(new RegExp(`^LAB_API_KEY=${KEY}$`, "m"));
    expect(statSync(join(hall.workspace, ".guildhall/secrets")).mode & 0o777).toBe(0o600);
    await hall.stop();
    expect(everythingIn(hall)).not.toContain(KEY);
    expect(JSON.stringify(logged)).not.toContain(KEY);
  });

  it("refuses a wrong, revoked or expired key, without repeating it, and keeps the one that works", async () => {
    const provider = await keyed();
    const hall = await startHall(undefined, { env: OLLAMA });
    await setKey(hall, "lab", { key: KEY, baseUrl: provider.url });
    const wrong = await setKey(hall, "lab", { key: OTHER });
    expect(wrong).toMatchObject({ status: 422, body: { error: { code: "key_rejected" } } });
    expect(JSON.stringify(wrong.body)).not.toContain(OTHER);
    expect(secretsOf(hall)).toContain(KEY);
    provider.accept(OTHER);
    expect((await hall.call("POST", "/api/providers/lab/test", {})).body.test.state).toBe("rejected");
    expect(await setKey(hall, "lab", { key: `export LAB_API_KEY='${OTHER}'` })).toMatchObject({ status: 200 });
    expect(secretsOf(hall)).not.toContain(KEY);
    expect((await hall.call("POST", "/api/models/test", {})).body).toMatchObject({ ok: true });
    expect((await hall.call("GET", "/api/providers/lab/available-models")).body).toEqual({
      provider: "lab",
      models: ["lab/small-1", "lab/large-2"],
    });
  });

  it("says that it could not test the key of a provider that is down, and saves it only when told to", async () => {
    const provider = await keyed();
    await provider.shut();
    const hall = await startHall(undefined, { env: OLLAMA });
    const body = { key: KEY, baseUrl: `${provider.url}/v1`, model: "large-2" };
    expect(await setKey(hall, "lab", body)).toMatchObject({ status: 422, body: { error: { code: "key_untested" } } });
    expect(secretsOf(hall)).not.toContain(KEY);
    expect(await setKey(hall, "lab", { ...body, untested: true })).toMatchObject({
      status: 200,
      body: { defaultModel: "lab/large-2", test: { state: "unreachable" } },
    });
    await provider.reopen();
    expect((await hall.call("POST", "/api/models/test", {})).body).toMatchObject({ ok: true, model: "lab/large-2" });
  });

  it("refuses what is no key, and one of another vendor before it is sent anywhere", async () => {
    const hall = await startHall(undefined, { env: OLLAMA });
    for (const key of ["", "  ", "two words here", "kürzel-mit-umlaut", "short"])
      expect(await setKey(hall, "anthropic", { key })).toMatchObject({
        status: 422,
        body: { error: { code: "invalid" } },
      });
    const other = await setKey(hall, "openai", { key: "sk-ant-0123456789abcdef" });
    expect(other).toMatchObject({ status: 422, body: { error: { code: "key_mismatch" } } });
    expect(JSON.stringify(other.body)).not.toContain("sk-ant-0123456789");
    expect(await setKey(hall, "offline", { key: KEY })).toMatchObject({ status: 422 });
    expect(await setKey(hall, "lab", { key: KEY })).toMatchObject({
      status: 422,
      body: { error: { code: "invalid" } },
    });
    expect(await setKey(hall, "lab", { key: KEY, baseUrl: "ftp://x" })).toMatchObject({ status: 422 });
  });

  it("takes a short key for a server of one's own, and stores nothing under a name that cannot be one", async () => {
    const provider = await keyed();
    provider.accept("test");
    const hall = await startHall(undefined, { env: OLLAMA });
    const body = { key: "test", baseUrl: provider.url };
    const before = secretsOf(hall);
    const refused = await setKey(hall, encodeURIComponent("My Lab é"), body);
    expect(refused).toMatchObject({ status: 422, body: { error: { code: "invalid" } } });
    expect(refused.body.error.message).toContain("can't be the name of a provider");
    expect((await setKey(hall, "anthropic", { key: "test" })).status).toBe(422);
    expect(secretsOf(hall)).toBe(before);
    expect((await setKey(hall, "lab", body)).body).toMatchObject({ test: { state: "works" } });
    expect((await hall.call("POST", "/api/models/test", {})).body).toMatchObject({ ok: true, model: "lab/small-1" });
  });

  it("never sends a stored key to another address, and lets neither a client nor a stranger do it", async () => {
    const [provider, thief] = [await keyed(), await keyed()];
    const clients = { bot: "a-token-of-a-client-0123456789" };
    const hall = await startHall(undefined, { env: OLLAMA, clients });
    await setKey(hall, "lab", { key: KEY, baseUrl: provider.url });
    const moved = await setKey(hall, "lab", { baseUrl: thief.url });
    expect(moved).toMatchObject({ status: 422, body: { error: { code: "key_required" } } });
    const settings = { set: { providers: { lab: { kind: "openai-compatible", baseUrl: thief.url } } } };
    expect(await hall.call("PUT", "/api/settings", settings)).toMatchObject({ status: 422 });
    const asBot = { authorization: `Bearer ${clients.bot}` };
    expect(await setKey(hall, "lab", { key: KEY, baseUrl: thief.url }, asBot)).toMatchObject({ status: 403 });
    expect(await hall.call("DELETE", "/api/providers/lab/key", undefined, asBot)).toMatchObject({ status: 403 });
    // The file is as it was, so the answer must not call it broken.
    expect(await hall.call("PUT", "/api/settings", { set: { "limits.runs": -1 } })).toMatchObject({
      status: 422,
      body: { error: { code: "invalid", message: expect.stringContaining("limits.runs: must be at least 1") } },
    });
    expect(await hall.call("PUT", "/api/settings", { set: { "limits.runs": 2 } }, asBot)).toMatchObject({
      status: 403,
    });
    const page = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };
    expect((await setKey(hall, "lab", { key: KEY, baseUrl: thief.url }, page)).status).toBe(403);
    expect(thief.requests).toEqual([]);
  });
});

describe("a project's process that is awake", () => {
  it("asks with the new key at once, and hides it in what its runs read", { timeout: 60_000 }, async () => {
    const provider = await keyed([
      { text: "Hello." },
      { text: "Done." },
      { text: "Hello." },
      { calls: [{ name: "read", input: { path: "notes.txt" } }] },
      { text: "Done again." },
    ]);
    const hall = await startHall(undefined, { env: OLLAMA });
    await setKey(hall, "lab", { key: KEY, baseUrl: provider.url });
    await hall.call("POST", "/api/roles", { id: "reader", name: "Reader", skills: ["read"] });
    await hall.call("POST", "/api/projects", { id: "shop", name: "Shop" });
    const spawn = async (title: string) => {
      const body = { projectId: "shop", roleId: "reader", task: { title }, options: { waitForCompletion: true } };
      return (await hall.call("POST", "/api/team/spawn", body)).body;
    };
    expect(await spawn("One")).toMatchObject({ result: { output: "Done." } });
    provider.accept(OTHER);
    expect(await setKey(hall, "lab", { key: OTHER })).toMatchObject({ status: 200 });
    writeFileSync(join(hall.workspace, "projects/shop/notes.txt"), `before ${OTHER} after`);
    expect(await spawn("Two")).toMatchObject({ result: { output: "Done again." } });
    const told = JSON.stringify(provider.requests.at(-1)?.body);
    expect(told).toContain("before [secret: LAB_API_KEY] after");
    expect(provider.requests.at(-1)?.headers.authorization).toBe(`Bearer ${OTHER}`);
    await hall.stop();
    writeFileSync(join(hall.workspace, "projects/shop/notes.txt"), "");
    expect(everythingIn(hall)).not.toContain(OTHER);
  });
});

describe("removing a key", () => {
  it("takes it away at once, with the default model and the provider that came with it", async () => {
    const provider = await keyed();
    const config = "# mine\nlimits:\n  runs: 4 # enough\n";
    const hall = await startHall(undefined, { config, env: OLLAMA });
    await setKey(hall, "lab", { key: KEY, baseUrl: provider.url });
    const removed = await hall.call("DELETE", "/api/providers/lab/key");
    expect(removed).toMatchObject({ status: 200, body: { defaultModel: "offline/rehearsal" } });
    expect((await modelsOf(hall)).providers).toEqual([]);
    expect(secretsOf(hall)).not.toContain(KEY);
    expect(readFileSync(join(hall.workspace, "config.yml"), "utf8")).toBe(config);
    expect(await hall.call("DELETE", "/api/providers/lab/key")).toMatchObject({
      status: 404,
      body: { error: { code: "provider_not_found" } },
    });
    const events = (await hall.call("GET", "/api/events/log?type=provider.changed,provider.removed")).body.events;
    expect(events.map(({ type, subject }) => `${type} ${subject.id}`)).toEqual([
      "provider.changed lab",
      "provider.removed lab",
    ]);
    expect(JSON.stringify(events)).not.toContain(KEY);
  });

  it("shows a key of the environment as such, keeps it, and prefers one that the person set", async () => {
    const provider = await keyed();
    provider.accept(OTHER);
    const env = { ...OLLAMA, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: provider.url };
    const hall = await startHall(undefined, { env });
    const source = async () => (await modelsOf(hall)).providers[0]?.keySource;
    expect(await source()).toBe("environment");
    expect(await hall.call("DELETE", "/api/providers/anthropic/key")).toMatchObject({
      status: 409,
      body: { error: { code: "key_in_environment" } },
    });
    const own = await setKey(hall, "anthropic", { key: OTHER, baseUrl: provider.url });
    expect(own).toMatchObject({ status: 200, body: { test: { state: "works" } } });
    expect(await source()).toBe("stored");
    expect(await hall.call("DELETE", "/api/providers/anthropic/key")).toMatchObject({ status: 200 });
    expect(await source()).toBe("environment");
  });
});

describe("keys and settings that are edited by hand", () => {
  it("apply without a restart", async () => {
    const provider = await keyed();
    const hall = await startHall(undefined, { env: OLLAMA });
    expect((await modelsOf(hall)).default).toBe("offline/rehearsal");
    writeFileSync(join(hall.workspace, ".guildhall/secrets"), `LAB_KEY=${KEY}\n`);
    const lab = { kind: "openai-compatible", baseUrl: provider.url, apiKeyEnv: "LAB_KEY" };
    writeFileSync(
      join(hall.workspace, "config.yml"),
      JSON.stringify({ providers: { lab }, models: { default: "lab/small-1" } }),
    );
    expect((await hall.call("POST", "/api/models/test", {})).body).toMatchObject({ ok: true, model: "lab/small-1" });
    expect((await hall.call("GET", "/api/settings")).body.needsRestart).toBe(false);
  });
});
