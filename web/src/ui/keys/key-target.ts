import {
  cleanKey,
  KEY_FAULTS,
  KNOWN_PROVIDERS,
  keyFault,
  nameOfServer,
  providerOfKey,
  withScheme,
} from "../../../../src/contract/words/provider-names.ts";

/** Choices of the form that are no provider by themselves. */
export const RECOGNIZE = "";
export const COMPATIBLE = "compatible";

export const PROVIDER_CHOICES = KNOWN_PROVIDERS.map(({ name, title }) => ({ name, title }));

export interface KeyDraft {
  key: string;
  /** A provider's name, or one of the two above. */
  chosen: string;
  /** Of a compatible server. */
  name: string;
  baseUrl: string;
  model: string;
}

export const EMPTY_DRAFT: KeyDraft = { key: "", chosen: RECOGNIZE, name: "", baseUrl: "", model: "" };

/** A provider that is there already. */
export interface ExistingProvider {
  name: string;
  baseUrl?: string | undefined;
  /** It works without a key. */
  isKeyless: boolean;
}

export interface KeyTarget {
  name: string;
  body: { key?: string; baseUrl?: string; kind?: "openai-compatible"; model?: string };
}

export function recognizedTitle(key: string): string | undefined {
  return providerOfKey(cleanKey(key))?.title;
}

/** What to send for a provider that is there: its key, and its address where that changes. */
export function changeOf(existing: ExistingProvider, { key, baseUrl }: KeyDraft): KeyTarget | { missing: string } {
  const cleaned = cleanKey(key);
  const fault = keyFault(cleaned, existing.isKeyless || existing.baseUrl !== undefined ? "own" : "vendor");
  if (fault !== undefined && !(fault === "empty" && existing.isKeyless)) return { missing: KEY_FAULTS[fault] };
  const address = withScheme(baseUrl);
  const isMoved = address !== "" && address !== existing.baseUrl;
  const body = { ...(cleaned === "" ? {} : { key }), ...(isMoved ? { baseUrl: address } : {}) };
  return { name: existing.name, body };
}

/** What to send for a new provider, or what is still missing. */
export function targetOf({ key, chosen, name, baseUrl, model }: KeyDraft): KeyTarget | { missing: string } {
  const cleaned = cleanKey(key);
  const fault = keyFault(cleaned, chosen === COMPATIBLE ? "own" : "vendor");
  const more = model.trim() === "" ? {} : { model: model.trim() };
  if (chosen === COMPATIBLE) {
    if (baseUrl.trim() === "") return { missing: "Enter the server's base URL." };
    const given = name.trim() === "" ? nameOfServer(baseUrl) : name.trim();
    if (given === "") return { missing: "Enter a name for the server." };
    if (fault !== undefined && fault !== "empty") return { missing: KEY_FAULTS[fault] };
    const withKey = cleaned === "" ? {} : { key };
    return { name: given, body: { ...withKey, baseUrl: withScheme(baseUrl), kind: "openai-compatible", ...more } };
  }
  if (fault !== undefined) return { missing: KEY_FAULTS[fault] };
  const provider = chosen === RECOGNIZE ? providerOfKey(cleaned)?.name : chosen;
  if (provider === undefined) return { missing: "Choose the key's provider." };
  return { name: provider, body: { key, ...more } };
}
