import type { Config, ProviderConfig } from "../../contract/documents/config.ts";
import { OFFLINE_PROVIDER, ProviderName } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import type { KeyUpdate } from "../../contract/routes/model-routes.ts";
import { cleanKey, KEY_FAULTS, keyFault, knownProvider, providerOfKey } from "../../contract/words/provider-names.ts";
import { completeBaseUrl } from "../base-url.ts";
import { findProviders, type Keys, localOllama, type Provider, wellKnown } from "../providers.ts";

/** Shared by several vendors, so it says nothing for certain. */
const AMBIGUOUS_PREFIX = /^sk-(?!ant-|or-|proj-|svcacct-|admin-|kimi-)/;

export interface KeyPlan {
  provider: Provider;
  /** What to store under which name; undefined: the key that is there stays. */
  key: { variable: string; value: string } | undefined;
  /** What config.yml has to say about the provider; undefined when it is known without. */
  entry: ProviderConfig | undefined;
}

/** The settings and keys that a change starts from. */
export interface Known {
  config: Pick<Config, "providers">;
  keys: Keys;
  isInEnvironment: (variable: string) => boolean;
}

/** What setting a key comes down to. Throws what the person has to correct. */
export function planKey(name: string, body: KeyUpdate, known: Known): KeyPlan {
  if (name === OFFLINE_PROVIDER)
    throw new HallError("invalid", `'${name}' is the built-in offline model. Choose another name.`);
  if (!ProviderName.safeParse(name).success)
    throw new HallError("invalid", `'${name}' can't be the name of a provider.`, {
      hint: "Use up to 40 lower-case letters, digits and hyphens, such as my-server.",
    });
  const value = body.key === undefined ? undefined : cleanKey(body.key);
  assertKey(value, "own");
  const settings = settingsFor(name, body, { existing: known.config.providers[name], value, keys: known.keys });
  assertKey(value, isOwnServer(name, settings) ? "own" : "vendor");
  assertSameVendor(name, value, settings);
  const before = findProviders(known.config, known.keys).find((provider) => provider.name === name);
  if (value === undefined) return planWithoutKey(name, settings, { ...known, before });
  const variable = variableFor(name, { ...known, before });
  const entry = entryFor(name, { ...settings, apiKeyEnv: variable }, known.config.providers[name]);
  return { provider: providerWith(name, entry, { ...known.keys, [variable]: value }), key: { variable, value }, entry };
}

function assertKey(value: string | undefined, issuer: "vendor" | "own"): void {
  const fault = value === undefined ? undefined : keyFault(value, issuer);
  if (fault !== undefined) throw new HallError("invalid", KEY_FAULTS[fault]);
}

/** A server that is no vendor's: what it takes for a key is its own affair. */
function isOwnServer(name: string, { kind, baseUrl }: ProviderConfig): boolean {
  return kind === "openai-compatible" && baseUrl !== knownProvider(name)?.baseUrl;
}

interface Given {
  existing: ProviderConfig | undefined;
  value: string | undefined;
  keys: Keys;
}

function settingsFor(name: string, body: KeyUpdate, { existing, value, keys }: Given): ProviderConfig {
  const named: Pick<ProviderConfig, "kind" | "baseUrl"> | undefined =
    name === "ollama" ? localOllama(keys) : knownProvider(name);
  const byKey =
    value === undefined || body.baseUrl !== undefined || body.kind !== undefined ? undefined : providerOfKey(value);
  const usual = existing ?? named ?? byKey;
  const kind = body.kind ?? usual?.kind ?? (body.baseUrl === undefined ? undefined : "openai-compatible");
  if (kind === undefined)
    throw new HallError("invalid", `The API of provider '${name}' is unknown.`, {
      hint: "Set its kind (anthropic, openai, google or openai-compatible) and, for a compatible server, its base URL.",
    });
  const written = body.baseUrl ?? (kind === usual?.kind ? usual.baseUrl : undefined);
  if (written === undefined && kind === "openai-compatible")
    throw new HallError(
      "invalid",
      `The provider '${name}' needs the base URL of its server, such as http://127.0.0.1:8000/v1.`,
    );
  return { ...existing, kind, ...(written === undefined ? {} : { baseUrl: completeBaseUrl(kind, written) }) };
}

/** A key is not sent to a vendor that it obviously does not belong to. */
function assertSameVendor(name: string, value: string | undefined, { kind, baseUrl }: ProviderConfig): void {
  const owner = value === undefined || AMBIGUOUS_PREFIX.test(value) ? undefined : providerOfKey(value);
  if (owner === undefined || owner.name === name) return;
  const address = knownProvider(name)?.baseUrl;
  const isOtherVendor = knownProvider(name) !== undefined && (baseUrl === undefined || baseUrl === address);
  const isVendorKind = baseUrl === undefined && kind !== owner.kind;
  if (!isOtherVendor && !isVendorKind) return;
  throw new HallError(
    "key_mismatch",
    `This looks like a key for ${owner.title}, not for '${name}'. It was not sent anywhere.`,
    {
      hint: `Use the provider '${owner.name}', or paste another key.`,
    },
  );
}

type Found = Known & { before: Provider | undefined };

/** A key goes only where it was meant to go: another address needs it again. */
function planWithoutKey(name: string, settings: ProviderConfig, { config, keys, before }: Found): KeyPlan {
  const entry = entryFor(name, settings, config.providers[name]);
  const provider = providerWith(name, entry, keys);
  const isSamePlace = before?.baseUrl === provider.baseUrl && before?.kind === provider.kind;
  if (before?.apiKey !== undefined && !isSamePlace)
    throw new HallError(
      "key_required",
      `Paste the key of '${name}' again: its address changed, and a stored key is never sent to another address.`,
    );
  // A provider of a vendor's kind would use that vendor's key.
  if (provider.apiKey !== undefined && provider.apiKey !== before?.apiKey)
    throw new HallError(
      "key_required",
      `Paste the key of '${name}': the key of another provider is never sent to its address.`,
    );
  if (provider.apiKey === undefined && provider.kind !== "openai-compatible")
    throw new HallError("key_required", `The provider '${name}' needs a key.`);
  if (
    provider.apiKey === undefined &&
    before === undefined &&
    provider.keyNames.length > 0 &&
    name !== "ollama" &&
    wellKnown(name) !== undefined
  )
    throw new HallError("key_required", `The provider '${name}' needs a key.`);
  return { provider, key: undefined, entry };
}

/** Undefined for a provider that is found by its variable alone. */
function entryFor(
  name: string,
  settings: ProviderConfig,
  existing: ProviderConfig | undefined,
): ProviderConfig | undefined {
  const known = wellKnown(name);
  const { apiKeyEnv } = settings;
  const isUsualVariable = apiKeyEnv === undefined || known?.keys.includes(apiKeyEnv) === true;
  const isUsual =
    (known !== undefined && known.config.kind === settings.kind && known.config.baseUrl === settings.baseUrl) ||
    (name === "ollama" && apiKeyEnv === undefined);
  if (existing === undefined && isUsual && isUsualVariable) return undefined;
  const { apiKeyEnv: _, ...rest } = settings;
  return isUsualVariable && existing?.apiKeyEnv === undefined && known !== undefined ? rest : settings;
}

function providerWith(name: string, entry: ProviderConfig | undefined, keys: Keys): Provider {
  const providers = entry === undefined ? {} : { [name]: entry };
  const found = findProviders({ providers }, keys).find((provider) => provider.name === name);
  return found ?? localOllama(keys);
}

/** Where the key is stored. A variable of the environment would take precedence, and one of another purpose stays as it is. */
function variableFor(name: string, { config, keys, isInEnvironment, before }: Found): string {
  const own = config.providers[name]?.apiKeyEnv ?? wellKnown(name)?.keys[0];
  if (own !== undefined && !isInEnvironment(own)) return own;
  const stem = `${name.toUpperCase().replaceAll("-", "_")}_API_KEY`;
  const candidates = [/^\d/.test(stem) ? `KEY_${stem}` : stem, `GUILDHALL_${stem}`, `GUILDHALL_${stem}_2`];
  const isFree = (variable: string) =>
    (keys[variable] ?? "") === "" || (variable === before?.keyName && !isInEnvironment(variable));
  return candidates.find((variable) => variable !== own && isFree(variable)) ?? `GUILDHALL_${stem}_3`;
}
