import type { Config, ProviderConfig, WELL_KNOWN_PROVIDERS } from "../contract/documents/config.ts";
import type { ModelsReport } from "../contract/routes/model-routes.ts";
import { completeBaseUrl } from "./base-url.ts";
import { ollamaAddress } from "./ollama.ts";

export interface Provider extends ProviderConfig {
  name: string;
  /** Where it was found; `local` is a server on this machine that needs no key. */
  source: "config" | "environment" | "local";
  apiKey: string | undefined;
  /** The variables its key is looked for in. */
  keyNames: readonly string[];
}

interface WellKnown {
  keys: readonly string[];
  config: ProviderConfig;
  /** Where people tell the vendor's own tools to go instead. */
  baseUrlEnv?: string;
  /** What is used when nobody names a model. */
  model: string;
}

/** In the order in which a default is chosen. */
const WELL_KNOWN: Record<Exclude<(typeof WELL_KNOWN_PROVIDERS)[number], "ollama">, WellKnown> = {
  anthropic: {
    keys: ["ANTHROPIC_API_KEY"],
    config: { kind: "anthropic" },
    baseUrlEnv: "ANTHROPIC_BASE_URL",
    model: "claude-sonnet-4-5",
  },
  openai: { keys: ["OPENAI_API_KEY"], config: { kind: "openai" }, baseUrlEnv: "OPENAI_BASE_URL", model: "gpt-5" },
  google: {
    keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    config: { kind: "google" },
    model: "gemini-2.5-pro",
  },
  openrouter: {
    keys: ["OPENROUTER_API_KEY"],
    config: { kind: "openai-compatible", baseUrl: "https://openrouter.ai/api/v1" },
    model: "anthropic/claude-sonnet-4.5",
  },
  moonshot: {
    keys: ["MOONSHOT_API_KEY"],
    config: { kind: "openai-compatible", baseUrl: "https://api.moonshot.ai/v1" },
    model: "kimi-k2-0905-preview",
  },
  "kimi-coding": {
    keys: ["KIMI_API_KEY"],
    config: { kind: "anthropic", baseUrl: "https://api.kimi.com/coding/v1" },
    model: "k2p5",
  },
};

export const OFFLINE_MODEL = "offline/rehearsal";
const OLLAMA = "ollama";
const LOCAL_PROPOSED = 3;

/** What a look around found, of which a person may choose. */
export type ModelsFound = Pick<ModelsReport, "default" | "offline" | "providers">;

/** The environment and the secrets: where keys come from. */
export type Keys = Record<string, string | undefined>;

/** The providers of config.yml and those whose well-known keys are at hand. A name in config.yml wins. */
export function findProviders(config: Pick<Config, "providers">, keys: Keys): Provider[] {
  const configured = Object.entries(config.providers).map(([name, provider]) =>
    configuredProvider(name, provider, keys),
  );
  const found = Object.entries(WELL_KNOWN).flatMap(([name, wellKnown]): Provider[] => {
    const apiKey = firstKey(wellKnown.keys, keys);
    if (apiKey === undefined || name in config.providers) return [];
    const elsewhere = wellKnown.baseUrlEnv === undefined ? undefined : addressIn(keys[wellKnown.baseUrlEnv]);
    const settings = elsewhere === undefined ? wellKnown.config : { ...wellKnown.config, baseUrl: elsewhere };
    return [completed({ ...settings, name, source: "environment", apiKey, keyNames: wellKnown.keys })];
  });
  return [...configured, ...found];
}

/** A local Ollama, at the address its own tools use. It can be asked without having been looked for. */
export function localOllama(keys: Keys): Provider {
  const baseUrl = `${ollamaAddress(keys.OLLAMA_HOST)}/v1`;
  return { kind: "openai-compatible", baseUrl, name: OLLAMA, source: "local", apiKey: undefined, keyNames: [] };
}

/** The model to use when nobody names one: the configured one, the first provider's usual one, a local one, or offline. */
export function defaultModel(
  config: Pick<Config, "models">,
  providers: readonly Provider[],
  local: readonly string[],
): string {
  if (config.models.default !== undefined) return config.models.default;
  const [name, wellKnown] =
    Object.entries(WELL_KNOWN).find(([known]) =>
      providers.some((provider) => provider.name === known && hasKey(provider)),
    ) ?? [];
  if (wellKnown !== undefined) return `${name}/${wellKnown.model}`;
  return local[0] === undefined ? OFFLINE_MODEL : `${OLLAMA}/${local[0]}`;
}

/** Models to choose from: the default, what each provider with a key is usually asked for, local ones, and offline. */
export function proposedModels({ default: first, offline, providers }: ModelsFound): string[] {
  const usual = providers.flatMap(({ name, key, models }) => {
    if (models !== undefined) return models.slice(0, LOCAL_PROPOSED).map((model) => `${name}/${model}`);
    const model = (WELL_KNOWN as Record<string, WellKnown | undefined>)[name]?.model;
    return key && model !== undefined ? [`${name}/${model}`] : [];
  });
  return [...new Set([first, ...usual, offline])];
}

/** What to do so that this provider's models can be asked; undefined when they can. */
export function whatIsMissing(name: string, providers: readonly Provider[]): string | undefined {
  const provider = providers.find((candidate) => candidate.name === name);
  if (provider !== undefined)
    return hasKey(provider) ? undefined : `its key; put it into ${keyPlaces(provider.keyNames)}`;
  const wellKnown = (WELL_KNOWN as Record<string, WellKnown | undefined>)[name];
  if (wellKnown !== undefined) return `its key; put it into ${keyPlaces(wellKnown.keys)}`;
  const known = new Set(["offline", ...Object.keys(WELL_KNOWN), ...providers.map((candidate) => candidate.name)]);
  return `a provider '${name}' (one that was added to config.yml counts after a restart); known are ${[...known].join(", ")}`;
}

function configuredProvider(name: string, provider: ProviderConfig, keys: Keys): Provider {
  const same = (WELL_KNOWN as Record<string, WellKnown | undefined>)[name];
  const ofKind = Object.values(WELL_KNOWN).find((wellKnown) => wellKnown.config.kind === provider.kind);
  const usual = same ?? (provider.kind === "openai-compatible" ? undefined : ofKind);
  const keyNames = provider.apiKeyEnv === undefined ? (usual?.keys ?? []) : [provider.apiKeyEnv];
  return completed({ ...provider, name, source: "config", apiKey: firstKey(keyNames, keys), keyNames });
}

/** OpenAI's own service is best spoken to by its newer format; whoever stands in for it usually speaks the older one. */
function completed(provider: Provider): Provider {
  const { kind, baseUrl, api } = provider;
  return {
    ...provider,
    ...(baseUrl === undefined ? {} : { baseUrl: completeBaseUrl(kind, baseUrl) }),
    ...(kind === "openai" ? { api: api ?? (baseUrl === undefined ? "responses" : "chat") } : {}),
  };
}

/** A server of one's own may need none. */
function hasKey(provider: Provider): boolean {
  return provider.apiKey !== undefined || (provider.kind === "openai-compatible" && provider.apiKeyEnv === undefined);
}

function keyPlaces(names: readonly string[]): string {
  return `${names.join(" or ")}, in the environment or in .guildhall/secrets of the workspace`;
}

function firstKey(names: readonly string[], keys: Keys): string | undefined {
  return names.map((name) => keys[name]?.trim()).find((value) => value !== undefined && value !== "");
}

function addressIn(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}
