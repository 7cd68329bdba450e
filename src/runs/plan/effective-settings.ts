import { homedir } from "node:os";
import type { Budget } from "../../contract/documents/budget.ts";
import { Config } from "../../contract/documents/config.ts";
import type { Setting, SettingsReport } from "../../contract/routes/settings-routes.ts";
import { SETTING_WORDS } from "../../contract/words/setting-words.ts";
import type { Keys } from "../../models/providers.ts";
import { CONFIG_FILE, keysIn } from "../../workspace/config-file.ts";
import type { Core } from "../../workspace/core.ts";
import { SECRETS_FILE, STATE_FOLDER } from "../../workspace/layout.ts";

interface Parts {
  files: Core["files"];
  /** As the daemon was started with. */
  config: Config;
  /** As they are now. */
  budget: Budget;
  needsRestart: boolean;
  keys: Keys;
  /** Variables in which providers look for their keys. */
  keyNames: readonly string[];
}

export function effectiveSettings(parts: Parts): SettingsReport {
  const { files, config, budget, needsRestart } = parts;
  const current = { ...config, budget };
  const usual = Config.parse({});
  const written = keysIn(files, Object.keys(SETTING_WORDS));
  const settings = Object.entries(SETTING_WORDS).map(
    ([key, about]): Setting => ({
      key,
      value: shown(key, valueAt(current, key)),
      default: valueAt(usual, key),
      set: written.has(key),
      about,
    }),
  );
  return { settings, secrets: secretsOf(parts), paths: pathsOf(files.root), needsRestart };
}

function secretsOf({ config, keys, keyNames }: Parts): SettingsReport["secrets"] {
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

/** The address of a webhook may hold a secret of its receiver. */
function shown(key: string, value: unknown): unknown {
  return key === "notify.url" && typeof value === "string" ? `${new URL(value).origin}/…` : value;
}

function valueAt(config: object, key: string): unknown {
  let value: unknown = config;
  for (const name of key.split("."))
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return value ?? null;
}
