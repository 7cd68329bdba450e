import type { Config } from "../contract/documents/config.ts";
import type { ModelsReport } from "../contract/routes/model-routes.ts";
import { askOllama, LocalModels, ollamaAddress } from "./ollama.ts";
import {
  defaultModel,
  findProviders,
  type Keys,
  localOllama,
  type ModelsFound,
  OFFLINE_MODEL,
  type Provider,
} from "./providers.ts";
import { createTransport, realAlarm } from "./wires/transport.ts";

const PROBE_SILENCE_MS = 1_000;

export interface DiscoveryOptions {
  config: Config;
  /** The secrets and, before them, the environment. */
  keys: Keys;
  clock: () => Date;
}

/** Which models are at hand, found out without asking any. */
export interface ModelDiscovery {
  isOffline: boolean;
  found: readonly Provider[];
  ollama: Provider | undefined;
  local: LocalModels | undefined;
  /** As far as is known now. */
  defaultModel(): string;
  /** Looks for local models too. */
  report(): Promise<ModelsFound>;
}

export function discoverModels(options: DiscoveryOptions): ModelDiscovery {
  const { config, keys } = options;
  const isOffline = config.models.offline || isSwitchedOn(keys.GUILDHALL_OFFLINE);
  const found = isOffline ? [] : findProviders(config, keys);
  const ollama = isOffline || "ollama" in config.providers ? undefined : localOllama(keys);
  const local = ollama === undefined ? undefined : localModels(options);
  const theDefault = () => (isOffline ? OFFLINE_MODEL : defaultModel(config, found, local?.known ?? []));
  return {
    isOffline,
    found,
    ollama,
    local,
    defaultModel: theDefault,
    report: async () => {
      await local?.look();
      const models = local?.known ?? [];
      const providers = ollama === undefined || models.length === 0 ? [] : [{ ...shown(ollama), models: [...models] }];
      return { default: theDefault(), offline: OFFLINE_MODEL, providers: [...found.map(shown), ...providers] };
    },
  };
}

function localModels({ keys, clock }: DiscoveryOptions): LocalModels {
  const get = createTransport({ silenceMs: PROBE_SILENCE_MS, setAlarm: realAlarm });
  return new LocalModels(
    () => askOllama(ollamaAddress(keys.OLLAMA_HOST), get),
    () => clock().getTime(),
  );
}

function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no", "off"].includes(value.trim().toLowerCase());
}

function shown({ name, kind, source, apiKey, keyNames, baseUrl }: Provider): ModelsReport["providers"][number] {
  return {
    name,
    kind,
    source,
    key: apiKey !== undefined,
    ...(keyNames.length === 0 ? {} : { keyNames: [...keyNames] }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}
