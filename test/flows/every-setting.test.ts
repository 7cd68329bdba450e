import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { Settings } from "../../src/contract/documents/config.ts";
import type { Setting } from "../../src/contract/routes/settings-routes.ts";
import { settingGroups } from "../../web/src/pages/settings/setting-groups.ts";

import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall } from "../harness/daemon.ts";
import { afterAllTests } from "../harness/temporary-folder.ts";
import { refused, wanted } from "../harness/workspace.ts";

type Schema = { properties?: Record<string, Schema>; additionalProperties?: Schema | boolean };

/** Kept by the program itself: the format of the file. */
const NOT_A_SETTING = new Set(["version"]);
/** Maps that are edited as a whole, because their keys are names of models. */
const MAPS = new Set(["models.prices", "models.contextWindow", "agentTeams.health.models"]);

/** Every key of config.yml; those of a provider for one named `lab`. */
function keysOf(schema: Schema, before = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = `${before}${name}`;
    if (inner.properties !== undefined) return keysOf(inner, `${key}.`);
    const each = inner.additionalProperties;
    if (typeof each === "object" && !MAPS.has(key)) return keysOf(each, `${key}.lab.`);
    return [key];
  });
}

const all = keysOf(z.toJSONSchema(Settings, { io: "input", unrepresentable: "any" }) as Schema).filter(
  (key) => !NOT_A_SETTING.has(key),
);

/** Where a value of the kind is not enough. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  "server.host": "::1",
  "server.port": 5_000,
  "server.publicUrl": "https://hall.example.org",
  "server.allowedHosts": ["hall.example.org"],
  "server.tls.cert": "/etc/cert.pem",
  "server.tls.key": "/etc/key.pem",
  "providers.lab.kind": "openai-compatible",
  "providers.lab.baseUrl": "http://127.0.0.1:9/v1",
  "models.prices": { "lab/a": { input: 1, output: 2 } },
  "models.contextWindow": { "lab/a": 9_000 },
  "agentTeams.health.models": { "lab/a": 600 },
  "controlFiles.add": [{ pattern: "Makefile", kind: "hook" }],
  "controlFiles.remove": ["Jenkinsfile*"],
  "channels.telegram.apiUrl": "http://127.0.0.1:9",
  "notify.url": "http://127.0.0.1:9/hook",
  "notify.slackUrl": "http://127.0.0.1:9/slack",
  "escalations.quietHours": "22:00-08:00",
  "briefing.time": "08:00",
  "briefing.timezone": "Europe/Berlin",
  "orchestrator.hours": "08:00-20:00",
  "orchestrator.never": ["initiative"],
  hooks: [{ event: "PreToolUse", name: "no-push", command: ["./no-push.sh"], matcher: "exec" }],
  "web.allow": ["127.0.0.1:8080"],
  "web.search.url": "http://127.0.0.1:9",
};

function sampleOf({ key, form }: Setting): unknown {
  if (Object.hasOwn(SAMPLES, key)) return SAMPLES[key];
  if (key.endsWith("Env")) return "LAB_SECRET";
  if (/(?:^|\.)(?:default|model|[a-z]+Model)$/.test(key)) return "lab/a";
  switch (form.kind) {
    case "switch":
      return true;
    case "number":
      return (form.min ?? 0) + 2;
    case "choice":
      return form.choices?.[0];
    case "list":
      return form.numbers === true ? [7] : ["lab"];
    case "text":
    case "data":
      return "lab";
  }
}

let hall: Hall;
const later = afterAllTests();
beforeAll(async () => {
  const config = { providers: { lab: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9" } } };
  hall = await startHall(undefined, { config, env: { OLLAMA_HOST: "127.0.0.1:9" }, later });
});

const report = async () => wanted(200, hall.call("GET", "/api/settings"));
const put = (body: object) => hall.call("PUT", "/api/settings", body);
const written = (key: string) =>
  key.split(".").reduce((at, name) => at?.[name], parse(readFileSync(join(hall.workspace, "config.yml"), "utf8")));

it("lists every key of config.yml, and the page's table shows each with a way to edit it", async () => {
  const { settings } = await report();
  const keys = settings.filter(({ editable }) => editable).map(({ key }) => key);
  expect(keys.toSorted()).toEqual(all.toSorted());
  const shown = settingGroups(settings, { wanted: "", onlySet: false }).flatMap((group) => group.settings);
  expect(shown.map(({ key }) => key).toSorted()).toEqual(all.toSorted());
  expect(settings.filter(({ about }) => !/^\S.*\.$/.test(about))).toEqual([]);
});

it("changes every key over PUT /api/settings, those of one section together [S1-CFG-02]", async () => {
  const { settings } = await report();
  const units = Map.groupBy(
    settings.filter(({ editable }) => editable),
    ({ key, section }) => section ?? key,
  );
  for (const [unit, members] of units) {
    const set = Object.fromEntries(members.map((setting) => [setting.key, sampleOf(setting)]));
    await wanted(200, put({ set, confirmed: Object.keys(set) }));
    for (const [key, value] of Object.entries(set)) expect(written(key), `${unit}: ${key}`).toEqual(value);
  }
});

it("config set takes settings of a provider, and the settings of a section together", async () => {
  const config = (...words: string[]) => commandLine(["config", ...words], { workspace: hall.workspace });
  expect((await config("set", "providers.lab.concurrency", "7")).stdout).toContain("In effect now.");
  expect(written("providers.lab.concurrency")).toBe(7);
  await config("reset", "server.tls", "--yes");
  expect(written("server.tls")).toBeUndefined();
  const alone = await config("set", "server.tls.cert", "/a/cert.pem");
  expect(alone.code).not.toBe(0);
  expect(alone.stderr).toContain("server.tls.key: is required");
  expect(alone.stderr).toContain("must be set together");
  const both = await config("set", "server.tls", '{"cert": "/a/cert.pem", "key": "/a/key.pem"}');
  expect(both.stderr).toBe("");
  expect(both.stdout).toContain("Takes effect after a restart");
  expect(written("server.tls")).toEqual({ cert: "/a/cert.pem", key: "/a/key.pem" });
  expect((await config("get", "server.tls")).stdout).toContain("/a/key.pem");
});

it("adds a setting to a provider that was only detected, without changing its address", async () => {
  const env = { OLLAMA_HOST: "127.0.0.1:9", ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: "http://127.0.0.1:9/v1" };
  const own = await startHall(undefined, { env });
  await wanted(200, own.call("PUT", "/api/settings", { set: { "providers.anthropic.silenceSeconds": 30 } }));
  const { providers } = await wanted(200, own.call("GET", "/api/models"));
  expect(providers).toMatchObject([{ name: "anthropic", baseUrl: "http://127.0.0.1:9/v1", keySource: "environment" }]);
  const { settings } = await wanted(200, own.call("GET", "/api/settings"));
  const value = (key: string) => settings.find((each) => each.key === `providers.anthropic.${key}`)?.value;
  expect([value("silenceSeconds"), value("concurrency"), value("kind")]).toEqual([30, 3, "anthropic"]);
});

it("never sends a key to another address through the settings of its provider", async () => {
  const stored = {
    providers: { lab: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9", apiKeyEnv: "LAB_KEY" } },
  };
  const env = { OLLAMA_HOST: "127.0.0.1:9", ANTHROPIC_API_KEY: "test-anthropic", OWN_KEY: "test-own" };
  const own = await startHall(undefined, { config: stored, env });
  writeFileSync(join(own.workspace, ".guildhall/secrets"), "LAB_KEY=test-lab-key\n", { mode: 0o600 });
  const set = (fields: object) => {
    const named = Object.fromEntries(Object.entries(fields).map(([key, value]) => [`providers.${key}`, value]));
    return own.call("PUT", "/api/settings", { set: named, confirmed: Object.keys(named) });
  };
  const before = readFileSync(join(own.workspace, "config.yml"), "utf8");
  const elsewhere = "http://127.0.0.1:7/v1";
  await refused("key_required", set({ "lab.baseUrl": elsewhere }));
  await refused("key_required", set({ "lab.kind": "anthropic" }));
  await refused("key_required", set({ "lab.apiKeyEnv": "ANTHROPIC_API_KEY" }));
  await refused("key_required", set({ "anthropic.baseUrl": elsewhere }));
  await refused("key_required", set({ "evil.kind": "anthropic", "evil.baseUrl": elsewhere }));
  const open = { "evil.kind": "openai-compatible", "evil.baseUrl": elsewhere };
  await refused("key_required", set({ ...open, "evil.apiKeyEnv": "LAB_KEY" }));
  const unconfirmed = { set: { "providers.lab.apiKeyEnv": "OWN_KEY" } };
  await refused("confirmation_required", own.call("PUT", "/api/settings", unconfirmed));
  expect(readFileSync(join(own.workspace, "config.yml"), "utf8")).toBe(before);
  // Not in two steps either: without a key the address may change, and then the key does not come back.
  await wanted(200, set({ "lab.apiKeyEnv": "EMPTY_KEY" }));
  await wanted(200, set({ "lab.baseUrl": elsewhere }));
  await refused("key_required", set({ "lab.apiKeyEnv": "LAB_KEY" }));
  await wanted(200, set({ "lab.apiKeyEnv": "OWN_KEY" }));
});
