import { homedir } from "node:os";
import { Config } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { Setting, SettingsReport, SettingsUpdate } from "../../contract/routes/settings-routes.ts";
import { isLive, SETTING_WORDS } from "../../contract/words/setting-words.ts";
import type { Keys } from "../../models/providers.ts";
import type { Change } from "../../workspace/change.ts";
import { CONFIG_FILE, keysIn } from "../../workspace/config-file.ts";
import type { Core } from "../../workspace/core.ts";
import { SECRETS_FILE, STATE_FOLDER } from "../../workspace/layout.ts";
import type { LiveSettings } from "../../workspace/live-settings.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import { settingForms } from "./setting-forms.ts";

interface Parts {
  files: Core["files"];
  settings: LiveSettings;
  keys: Keys;
  /** Variables in which providers look for their keys. */
  keyNames: readonly string[];
}

/** A webhook's address may contain a secret: it is shown without its path, so what is shown must not be sent back. */
const HIDDEN = "notify.url";
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
]);
/** Keys of providers are set in their own way, which tests them and never sends one to another address. */
const ELSEWHERE: ReadonlySet<string> = new Set(["providers", "version"]);

export function settingsReport(parts: Parts): SettingsReport {
  const { files, settings } = parts;
  const current = settings.written();
  const usual = Config.parse({});
  const written = keysIn(files, Object.keys(SETTING_WORDS));
  const forms = settingForms();
  const all = Object.entries(SETTING_WORDS).map(([key, about]): Setting => {
    const value = valueAt(current, key);
    return {
      key,
      value: shown(key, value),
      default: valueAt(usual, key),
      set: written.has(key),
      about,
      form: forms[key] ?? { kind: "data" },
      restart: !isLive(key),
      editable: !ELSEWHERE.has(key),
      sensitive: SENSITIVE.has(key),
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

/** Writes settings into config.yml. */
export async function updateSettings(settings: LiveSettings, update: SettingsUpdate, change: Change): Promise<void> {
  assertActorMay(change.actor, "manageKeys");
  const { set = {}, reset = [], confirmed = [] } = update;
  const keys = [...Object.keys(set), ...reset];
  const unknown = keys.find((key) => !Object.hasOwn(SETTING_WORDS, key));
  if (unknown !== undefined) throw new HallError("invalid", `There is no setting '${unknown}'.`);
  const elsewhere = keys.find((key) => ELSEWHERE.has(key));
  if (elsewhere !== undefined)
    throw new HallError("invalid", `'${elsewhere}' cannot be changed here.`, {
      hint: "Change providers with PUT /api/providers/:name/key.",
    });
  const open = keys.filter((key) => SENSITIVE.has(key) && !confirmed.includes(key));
  if (open.length > 0)
    throw new HallError(
      "confirmation_required",
      `Confirm the change of ${open.join(", ")}: it affects where secrets are sent or what agents can reach.`,
    );
  await settings.edit({
    edit: { set, reset },
    change,
    event: (before, after) => ({
      type: "settings.changed",
      subject: { kind: "workspace", id: "settings" },
      before: valuesOf(before, keys),
      after: valuesOf(after, keys),
    }),
  });
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
  return key === HIDDEN && typeof value === "string" ? `${new URL(value).origin}/…` : value;
}

function valueAt(config: object, key: string): unknown {
  let value: unknown = config;
  for (const name of key.split("."))
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value ?? null;
}
