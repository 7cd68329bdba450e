import { homedir } from "node:os";
import { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { Setting, SettingsReport, SettingsUpdate } from "../../contract/routes/settings-routes.ts";
import { isLive, SETTING_WORDS, sectionOf, settingName } from "../../contract/words/setting-words.ts";
import type { Known } from "../../models/keys/key-plan.ts";
import { assertKeysStay, entryToStartWith, providerDefaults } from "../../models/keys/provider-settings.ts";
import type { Keys } from "../../models/providers.ts";
import type { Change } from "../../workspace/change.ts";
import { CONFIG_FILE, keysIn } from "../../workspace/config-file.ts";
import type { Core } from "../../workspace/core.ts";
import { SECRETS_FILE, STATE_FOLDER } from "../../workspace/layout.ts";
import type { LiveSettings } from "../../workspace/live-settings.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import { schemaDefault, settingForms } from "./setting-forms.ts";

interface Parts {
  files: Core["files"];
  settings: LiveSettings;
  keys: Keys;
  /** Those of config.yml and those that were found. */
  providers: readonly string[];
  /** Variables in which providers look for their keys. */
  keyNames: readonly string[];
}

/** A webhook's address may contain a secret: it is shown without its path, so what is shown must not be sent back. */
const HIDDEN: ReadonlySet<string> = new Set(["notify.url", "notify.slackUrl"]);
/** Where a secret or a sign-in link is sent, or which one, and who can reach the daemon: a change must be confirmed by name. */
const SENSITIVE: ReadonlySet<string> = new Set([
  "web.search.url",
  "web.search.kind",
  "web.search.apiKeyEnv",
  "channels.telegram.apiUrl",
  "channels.telegram.botTokenEnv",
  "notify.secretEnv",
  "server.allowNetwork",
  "server.allowPlainHttp",
  "server.allowedHosts",
  "server.publicUrl",
  "server.tls.host",
  "web.allow",
  "controlFiles.remove",
  "hooks",
  "providers.NAME.kind",
  "providers.NAME.baseUrl",
  "providers.NAME.apiKeyEnv",
]);
/** Belongs to the format of the workspace. */
const FIXED: ReadonlySet<string> = new Set(["version"]);

export function settingsReport(parts: Parts): SettingsReport {
  const { files, settings } = parts;
  const current = settings.written();
  const usual = Config.parse({});
  const keys = keysFor(parts.providers);
  const written = keysIn(files, keys);
  const forms = settingForms();
  const defaults = { providers: defaultsOf(parts, current) };
  const all = keys.map((key): Setting => {
    const name = settingName(key);
    const section = sectionOf(key);
    const value = valueAt(current, key);
    const ofProvider = valueAt(defaults, key);
    return {
      key,
      value: shown(key, value ?? ofProvider),
      default: valueAt(usual, key) ?? ofProvider ?? schemaDefault(name),
      set: written.has(key),
      about: SETTING_WORDS[name] ?? "",
      ...(section === undefined ? {} : { section }),
      form: forms[name] ?? { kind: "data" },
      restart: !isLive(key),
      editable: !FIXED.has(key),
      sensitive: SENSITIVE.has(name),
    };
  });
  return {
    settings: all,
    secrets: secretsOf(parts, current),
    paths: pathsOf(files.root),
    needsRestart: settings.needsRestart(),
    etag: settings.etag(),
  };
}

/** Writes settings into config.yml. `known`: the providers and their keys, which stay at their addresses. */
export async function updateSettings(
  { settings, known }: { settings: LiveSettings; known: () => Known },
  update: SettingsUpdate,
  change: Change,
): Promise<void> {
  assertActorMay(change.actor, "manageKeys");
  const { set = {}, reset = [], confirmed = [] } = update;
  const keys = [...Object.keys(set), ...reset];
  assertChangeable(keys);
  const open = keys.filter((key) => SENSITIVE.has(settingName(key)) && !confirmed.includes(key));
  if (open.length > 0)
    throw new HallError(
      "confirmation_required",
      `Confirm the change of ${open.join(", ")}: it affects where secrets are sent or what agents can reach.`,
    );
  const providers = providersIn(keys);
  const started = startedEntries(providersIn(Object.keys(set)), known());
  await settings.edit({
    edit: { set: { ...started, ...set }, reset },
    change,
    check: (_, after) => assertKeysStay(providers, after, known()),
    event: (before, after) => ({
      type: "settings.changed",
      subject: { kind: "workspace", id: "settings" },
      before: valuesOf(before, keys),
      after: valuesOf(after, keys),
    }),
  });
}

/** Every key, with those of each provider in place of NAME's. */
function keysFor(providers: readonly string[]): string[] {
  const [ofProvider, others] = [true, false].map((isWanted) =>
    Object.keys(SETTING_WORDS).filter((key) => key.startsWith("providers.") === isWanted),
  );
  const each = providers.flatMap((name) => (ofProvider ?? []).map((key) => key.replace("NAME", name)));
  return [...(others ?? []), ...each];
}

function defaultsOf({ providers, keys }: Parts, config: Config): Record<string, object> {
  const { modelCalls } = config.limits;
  return Object.fromEntries(providers.map((name) => [name, providerDefaults(name, { config, keys }, modelCalls)]));
}

function assertChangeable(keys: readonly string[]): void {
  const unknown = keys.find(
    (key) => key.startsWith("providers.NAME.") || !Object.hasOwn(SETTING_WORDS, settingName(key)),
  );
  if (unknown !== undefined) throw new HallError("invalid", `There is no setting '${unknown}'.`);
  const fixed = keys.find((key) => FIXED.has(key));
  if (fixed !== undefined)
    throw new HallError("invalid", `'${fixed}' can't be changed: it belongs to the format of the workspace.`);
}

function providersIn(keys: readonly string[]): string[] {
  const names = keys.flatMap((key) => (key.startsWith("providers.") ? [key.split(".")[1] ?? ""] : []));
  return [...new Set(names)];
}

/** A provider that was only detected gets an entry with the API and address that it has. */
function startedEntries(names: readonly string[], known: Known): Record<string, unknown> {
  const fields = names.flatMap((name) =>
    Object.entries(entryToStartWith(name, known) ?? {}).map(([field, value]) => [`providers.${name}.${field}`, value]),
  );
  return Object.fromEntries(fields);
}

function valuesOf(config: Config, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.map((key) => [key, shown(key, valueAt(config, key))]));
}

function secretsOf({ keys, keyNames }: Parts, config: Config): SettingsReport["secrets"] {
  const named = [
    config.channels.telegram?.botTokenEnv,
    config.notify.secretEnv,
    config.web.search?.apiKeyEnv,
    ...Object.values(config.providers).map(({ apiKeyEnv }) => apiKeyEnv),
    ...keyNames,
  ].filter((name) => name !== undefined);
  return [...new Set(named)].sort().map((name) => ({ name, set: (keys[name] ?? "") !== "" }));
}

function pathsOf(workspace: string): SettingsReport["paths"] {
  const state = `${workspace}/${STATE_FOLDER}`;
  return {
    workspace,
    config: `${workspace}/${CONFIG_FILE}`,
    token: `${state}/token`,
    secrets: `${workspace}/${SECRETS_FILE}`,
    index: `${state}/index.db`,
    events: `${workspace}/events`,
    costs: `${workspace}/costs`,
    home: homedir(),
  };
}

function shown(key: string, value: unknown): unknown {
  return HIDDEN.has(key) && typeof value === "string" ? `${new URL(value).origin}/…` : value;
}

function valueAt(config: object, key: string): unknown {
  let value: unknown = config;
  for (const name of key.split("."))
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value ?? null;
}
