import type { Config, ProviderConfig, WELL_KNOWN_PROVIDERS } from "../contract/documents/config.ts";
import type { ModelsReport } from "../contract/routes/model-routes.ts";
import { KNOWN_PROVIDERS } from "../contract/words/provider-names.ts";
import { completeBaseUrl } from "./base-url.ts";
import { ollamaAddress } from "./ollama.ts";

export interface Provider extends ProviderConfig {
  name: string;
  /** Where it was found; `local` is a server on this machine that needs no key. */
  source: "config" | "environment" | "local";
  apiKey: string | undefined;
  /** The variable its key was found in. */
  keyName?: string;
  /** The variables its key is looked for in. */
  keyNames: readonly string[];
}

interface WellKnown {
  keys: readonly string[];
  config: ProviderConfig;
  /** Where people tell the vendor's own tools to go instead. */
  baseUrlEnv?: string | undefined;
  /** Used when no model is named and the provider's own list is not known. */
  model: string;
}

const USUAL_MODELS: Record<Exclude<(typeof WELL_KNOWN_PROVIDERS)[number], "ollama">, string> = {
  anthropic: "claude-sonnet-4-6",
  openai: "gpt-5.1",
  google: "gemini-2.5-pro",
  openrouter: "anthropic/claude-sonnet-4.5",
  moonshot: "kimi-k2-0905-preview",
  "kimi-coding": "k2p5",
};

const BASE_URL_VARIABLES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  openai: "OPENAI_BASE_URL",
};

/** In the order in which a default is chosen. */
const WELL_KNOWN: Readonly<Record<string, WellKnown>> = Object.fromEntries(
  KNOWN_PROVIDERS.flatMap(({ name, kind, variables, ...known }) => {
    const model = (USUAL_MODELS as Record<string, string | undefined>)[name];
    if (model === undefined) return [];
    const config: ProviderConfig = "baseUrl" in known ? { kind, baseUrl: known.baseUrl } : { kind };
    return [[name, { keys: variables, config, model, baseUrlEnv: BASE_URL_VARIABLES[name] } satisfies WellKnown]];
  }),
);

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
  const found = Object.entries(WELL_KNOWN).flatMap(([name, known]): Provider[] => {
    const key = firstKey(known.keys, keys);
    if (key.apiKey === undefined || name in config.providers) return [];
    const elsewhere = known.baseUrlEnv === undefined ? undefined : addressIn(keys[known.baseUrlEnv]);
    const settings = elsewhere === undefined ? known.config : { ...known.config, baseUrl: elsewhere };
    return [completed({ ...settings, ...key, name, source: "environment", keyNames: known.keys })];
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
  const [name, first] =
    Object.entries(WELL_KNOWN).find(([known]) =>
      providers.some((provider) => provider.name === known && hasKey(provider)),
    ) ?? [];
  if (first !== undefined) return `${name}/${first.model}`;
  return local[0] === undefined ? OFFLINE_MODEL : `${OLLAMA}/${local[0]}`;
}

/** Models to choose from: the default, what each provider with a key is usually asked for, local ones, and offline. */
export function proposedModels({ default: first, offline, providers }: ModelsFound): string[] {
  const usual = providers.flatMap(({ name, key, models }) => {
    if (models !== undefined) return models.slice(0, LOCAL_PROPOSED).map((model) => `${name}/${model}`);
    const model = wellKnown(name)?.model;
    return key && model !== undefined ? [`${name}/${model}`] : [];
  });
  return [...new Set([first, ...usual, offline])];
}

/** What to do so that this provider's models can be asked; undefined when they can. */
export function whatIsMissing(name: string, providers: readonly Provider[]): string | undefined {
  const provider = providers.find((candidate) => candidate.name === name);
  if (provider !== undefined) return hasKey(provider) ? undefined : noKey(name, provider.keyNames);
  const known = wellKnown(name);
  if (known !== undefined) return noKey(name, known.keys);
  const all = new Set(["offline", ...Object.keys(WELL_KNOWN), ...providers.map((candidate) => candidate.name)]);
  return `there is no provider '${name}'; known providers: ${[...all].join(", ")}`;
}

function configuredProvider(name: string, provider: ProviderConfig, keys: Keys): Provider {
  const same = wellKnown(name);
  const ofKind = Object.values(WELL_KNOWN).find(({ config }) => config.kind === provider.kind);
  const usual = same ?? (provider.kind === "openai-compatible" ? undefined : ofKind);
  const keyNames = provider.apiKeyEnv === undefined ? (usual?.keys ?? []) : [provider.apiKeyEnv];
  return completed({ ...provider, ...firstKey(keyNames, keys), name, source: "config", keyNames });
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
export function hasKey(provider: Provider): boolean {
  return provider.apiKey !== undefined || (provider.kind === "openai-compatible" && provider.apiKeyEnv === undefined);
}

function noKey(name: string, variables: readonly string[]): string {
  return `provider '${name}' has no API key (${variables.join(" or ")}); add one in Settings or with 'guildhall key set ${name}'`;
}

/** What is known of a provider of this name. */
export function wellKnown(name: string): WellKnown | undefined {
  return Object.hasOwn(WELL_KNOWN, name) ? WELL_KNOWN[name] : undefined;
}

function firstKey(names: readonly string[], keys: Keys): Pick<Provider, "apiKey" | "keyName"> {
  for (const name of names) {
    const value = keys[name]?.trim() ?? "";
    if (value !== "") return { apiKey: value, keyName: name };
  }
  return { apiKey: undefined };
}

function addressIn(text: string | undefined): string | undefined {
  return text !== undefined && /^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}
