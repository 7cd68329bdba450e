import type { Config, ProviderConfig } from "../../contract/documents/config.ts";
import { HallError } from "../../contract/errors.ts";
import { SILENCE_SECONDS } from "../language-models.ts";
import { findProviders, localOllama, type Provider, wellKnown } from "../providers.ts";
import type { Known } from "./key-plan.ts";

/** What config.yml must say of a provider that it does not name yet, so that a setting added to it changes nothing else. */
export function entryToStartWith(
  name: string,
  { config, keys }: Pick<Known, "config" | "keys">,
): Pick<ProviderConfig, "kind" | "baseUrl"> | undefined {
  if (Object.hasOwn(config.providers, name)) return undefined;
  const found = findProviders(config, keys).find((provider) => provider.name === name);
  const usual = found ?? (name === "ollama" ? localOllama(keys) : wellKnown(name)?.config);
  if (usual === undefined) return undefined;
  return { kind: usual.kind, ...(usual.baseUrl === undefined ? {} : { baseUrl: usual.baseUrl }) };
}

/** What applies where config.yml says nothing about a provider. */
export function providerDefaults(
  name: string,
  { config, keys }: Pick<Known, "config" | "keys">,
  modelCalls: number,
): { [Field in keyof ProviderConfig]-?: unknown } {
  const found = findProviders(config, keys).find((provider) => provider.name === name);
  const usual = entryToStartWith(name, { config: { providers: {} }, keys });
  return {
    kind: usual?.kind ?? null,
    baseUrl: usual?.baseUrl ?? null,
    api: found?.kind === "openai" ? (found.baseUrl === undefined ? "responses" : "chat") : null,
    apiKeyEnv: wellKnown(name)?.keys[0] ?? null,
    concurrency: modelCalls,
    silenceSeconds: SILENCE_SECONDS,
  };
}

/**
 * Refuses settings with which a key would be sent to another address than before. A provider may be told to use a variable
 * of the environment, unless that belongs to a vendor at another address; a stored key has to be pasted again.
 */
export function assertKeysStay(names: readonly string[], after: Pick<Config, "providers">, known: Known): void {
  const { config, keys, isInEnvironment } = known;
  const [before, later] = [findProviders(config, keys), findProviders(after, keys)];
  const vendors = findProviders({ providers: {} }, keys);
  for (const name of names) {
    const [old, now] = [before, later].map((all) => all.find((provider) => provider.name === name));
    if (now?.apiKey === undefined) continue;
    if (now.apiKey === old?.apiKey) {
      if (!isSamePlace(old, now)) throw keyRequired(name, "its address or API changes");
      continue;
    }
    const owner = vendors.find((vendor) => vendor.keyName === now.keyName || vendor.apiKey === now.apiKey);
    if (owner !== undefined && !isSamePlace(owner, now))
      throw keyRequired(name, `${now.keyName} is a key of '${owner.name}'`);
    if (now.keyName !== undefined && !isInEnvironment(now.keyName) && owner === undefined)
      throw keyRequired(name, `${now.keyName} is a stored key`);
  }
}

function isSamePlace(one: Provider, other: Provider): boolean {
  return one.kind === other.kind && one.baseUrl === other.baseUrl;
}

function keyRequired(name: string, why: string): HallError {
  return new HallError(
    "key_required",
    `Nothing was changed: ${why}, and Guildhall never sends a key to another address unless you paste it again.`,
    { hint: `Set the address and the key of '${name}' together, with Replace key under Models and keys.` },
  );
}
