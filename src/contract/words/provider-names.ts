/** Providers that people know by name. Free of imports, so that pages can load it. */
export interface KnownProvider {
  name: string;
  title: string;
  kind: "anthropic" | "openai" | "google" | "openai-compatible";
  /** Absent: the vendor's own address. */
  baseUrl?: string;
  /** How its keys begin; the longest match over all providers wins. */
  prefixes: readonly string[];
  /** Environment variables its key is looked for in. */
  variables: readonly string[];
}

/** In the order in which a default model is chosen among those found in the environment. */
export const KNOWN_PROVIDERS = [
  {
    name: "anthropic",
    title: "Anthropic",
    kind: "anthropic",
    prefixes: ["sk-ant-"],
    variables: ["ANTHROPIC_API_KEY"],
  },
  {
    name: "openai",
    title: "OpenAI",
    kind: "openai",
    prefixes: ["sk-", "sk-proj-", "sk-svcacct-", "sk-admin-"],
    variables: ["OPENAI_API_KEY"],
  },
  {
    name: "google",
    title: "Google Gemini",
    kind: "google",
    prefixes: ["AIza"],
    variables: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  },
  {
    name: "openrouter",
    title: "OpenRouter",
    kind: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    prefixes: ["sk-or-"],
    variables: ["OPENROUTER_API_KEY"],
  },
  {
    name: "moonshot",
    title: "Moonshot",
    kind: "openai-compatible",
    baseUrl: "https://api.moonshot.ai/v1",
    prefixes: [],
    variables: ["MOONSHOT_API_KEY"],
  },
  {
    name: "kimi-coding",
    title: "Kimi Coding",
    kind: "anthropic",
    baseUrl: "https://api.kimi.com/coding/v1",
    prefixes: ["sk-kimi-"],
    variables: ["KIMI_API_KEY"],
  },
  {
    name: "groq",
    title: "Groq",
    kind: "openai-compatible",
    baseUrl: "https://api.groq.com/openai/v1",
    prefixes: ["gsk_"],
    variables: ["GROQ_API_KEY"],
  },
  {
    name: "xai",
    title: "xAI",
    kind: "openai-compatible",
    baseUrl: "https://api.x.ai/v1",
    prefixes: ["xai-"],
    variables: ["XAI_API_KEY"],
  },
  {
    name: "deepseek",
    title: "DeepSeek",
    kind: "openai-compatible",
    baseUrl: "https://api.deepseek.com/v1",
    prefixes: [],
    variables: ["DEEPSEEK_API_KEY"],
  },
  {
    name: "mistral",
    title: "Mistral",
    kind: "openai-compatible",
    baseUrl: "https://api.mistral.ai/v1",
    prefixes: [],
    variables: ["MISTRAL_API_KEY"],
  },
] as const satisfies readonly KnownProvider[];

export function knownProvider(name: string): KnownProvider | undefined {
  return KNOWN_PROVIDERS.find((provider) => provider.name === name);
}

/** A short name for a server of one's own, from its address: "local", or its host. */
export function nameOfServer(baseUrl: string): string {
  const host = URL.parse(withScheme(baseUrl))?.hostname ?? "";
  if (/^(?:localhost|127\..*|\[.*|0\.0\.0\.0)$/.test(host)) return "local";
  const name = host.replace(/^(?:api|www)\./, "").replace(/[^a-z0-9]+/g, "-");
  return name.replace(/^-+/, "").slice(0, 40).replace(/-+$/, "");
}

const PRIVATE_HOST = /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[|[^.:/]+(?:[:/]|$))/;

/** The address as people write it, which often lacks its scheme. */
export function withScheme(written: string): string {
  const address = written.trim();
  if (address === "" || /\s/.test(address) || /^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  return `${PRIVATE_HOST.test(address) ? "http" : "https"}://${address}`;
}

/** The provider whose keys begin like this one. */
export function providerOfKey(key: string): KnownProvider | undefined {
  const matches = (KNOWN_PROVIDERS as readonly KnownProvider[]).flatMap((provider) =>
    provider.prefixes.filter((prefix) => key.startsWith(prefix)).map((prefix) => ({ provider, prefix })),
  );
  return matches.sort((left, right) => right.prefix.length - left.prefix.length)[0]?.provider;
}

const INVISIBLE = /[\u200b-\u200d\u2060\ufeff\u00a0]/g;

/** The key in what people paste: with spaces, quotes, a line break, as `export NAME=…` or as `Bearer …`. */
export function cleanKey(pasted: string): string {
  const line = pasted
    .replace(INVISIBLE, " ")
    .trim()
    .replace(/^(?:export\s+|set\s+|\$env:)?[A-Za-z_][A-Za-z0-9_]*\s*=\s*(?=\S)/, "")
    .replace(/^(?:authorization:\s*)?bearer\s+/i, "")
    .replace(/[,;]+$/, "")
    .trim();
  return line.replace(/^(["'`\u2018\u201c])(.*)["'`\u2019\u201d]$/s, "$2").trim();
}

/** Vendors issue long keys; a server of one's own may want anything, such as "none". */
const SHORTEST_KEY = { vendor: 8, own: 1 } as const;

/** What keeps a cleaned text from being a key of a vendor, or of one's own server. */
export function keyFault(
  key: string,
  issuer: keyof typeof SHORTEST_KEY = "vendor",
): "empty" | "spaces" | "characters" | "length" | undefined {
  if (key === "") return "empty";
  if (/\s/.test(key)) return "spaces";
  // A leading quote would make the lines after it part of the value in the secrets file.
  if (!/^(?!["'])[\x21-\x7e]+$/.test(key)) return "characters";
  return key.length < SHORTEST_KEY[issuer] || key.length > 4_000 ? "length" : undefined;
}

export const KEY_FAULTS: Readonly<Record<NonNullable<ReturnType<typeof keyFault>>, string>> = {
  empty: "The key is empty. Paste the whole key.",
  spaces: "The key contains spaces or line breaks. Paste the key alone.",
  characters: "The key contains characters that no API key has. Copy it again from the provider's page.",
  length: "The key must have 8 to 4,000 characters. Paste the whole key.",
};
