import type { Config } from "../contract/documents/config.ts";
import type { ModelsReport } from "../contract/routes/model-routes.ts";
import { askOllama, LocalModels, ollamaAddress } from "./ollama.ts";
import {
  defaultModel,
  findProviders,
  hasKey,
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
  /** Whether a variable is set in the environment; unless given, none is. */
  isInEnvironment?: ((variable: string) => boolean) | undefined;
  /** From an earlier look; made unless given. */
  local?: LocalModels | undefined;
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
  const { config, keys, isInEnvironment = () => false } = options;
  const isOffline = config.models.offline || isSwitchedOn(keys.GUILDHALL_OFFLINE);
  const found = isOffline ? [] : findProviders(config, keys);
  const detected = localOllama(keys);
  const configured = found.find(({ name }) => name === detected.name);
  const ollama = isOffline || configured !== undefined ? undefined : detected;
  // An entry in config.yml for the same server only adds settings: its models are still detected.
  const isSearched = ollama !== undefined || configured?.baseUrl === detected.baseUrl;
  const local = isSearched ? (options.local ?? localModels(options)) : undefined;
  const theDefault = () => (isOffline ? OFFLINE_MODEL : defaultModel(config, found, local?.known ?? []));
  const shownHere = (provider: Provider) => shown(provider, isInEnvironment);
  return {
    isOffline,
    found,
    ollama,
    local,
    defaultModel: theDefault,
    report: async () => {
      await local?.look();
      const models = local?.known ?? [];
      const offered = (provider: Provider) =>
        provider.name === detected.name && local !== undefined && models.length > 0 ? { models: [...models] } : {};
      const all = ollama === undefined || models.length === 0 ? found : [...found, ollama];
      const providers = all.map((provider) => ({ ...shownHere(provider), ...offered(provider) }));
      return { default: theDefault(), offline: OFFLINE_MODEL, providers };
    },
  };
}

/** Discovers again when keys or settings have changed. */
export function liveDiscovery(options: DiscoveryOptions & { look: () => number }): () => ModelDiscovery {
  const { config, look } = options;
  let seen: readonly unknown[] = [];
  let current: ModelDiscovery | undefined;
  return () => {
    const now = [look(), config.providers, config.models];
    if (current !== undefined && now.every((each, at) => each === seen[at])) return current;
    seen = now;
    current = discoverModels({ ...options, local: current?.local });
    return current;
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

function shown(provider: Provider, isInEnvironment: (variable: string) => boolean): ModelsReport["providers"][number] {
  const { name, kind, source, apiKey, keyNames, baseUrl } = provider;
  const isFromEnvironment = provider.keyName !== undefined && isInEnvironment(provider.keyName);
  const held = isFromEnvironment ? ("environment" as const) : ("stored" as const);
  return {
    name,
    kind,
    source,
    key: apiKey !== undefined,
    keySource: apiKey !== undefined ? held : hasKey(provider) ? "not_needed" : "missing",
    ...(keyNames.length === 0 ? {} : { keyNames: [...keyNames] }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}
