const PORT = 11_434;
/** A server on this machine answers at once or is not there. */
const PATIENCE_MS = 400;
/** How long an answer, or its absence, is believed. */
const FRESH_MS = 15_000;

/** Where Ollama listens, from its own variable: an address, a host, or a host and a port. */
export function ollamaAddress(host: string | undefined): string {
  const written = host?.trim() || "127.0.0.1";
  const isWhole = /^https?:\/\//.test(written);
  const url = URL.parse(isWhole ? written : `http://${written}`);
  if (url === null) return `http://127.0.0.1:${PORT}`;
  if (url.hostname === "0.0.0.0" || url.hostname === "[::]") url.hostname = "127.0.0.1";
  if (!isWhole && url.port === "") url.port = String(PORT);
  return url.origin;
}

/** The names of the models a server offers, newest first; none when it does not answer. Never rejects. */
export async function askOllama(address: string, get: typeof fetch): Promise<string[]> {
  try {
    const answer = await get(`${address}/api/tags`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) return [];
    const { models } = (await answer.json()) as { models?: unknown };
    if (!Array.isArray(models)) return [];
    return models.flatMap((model: unknown) => nameOf(model) ?? []);
  } catch {
    return [];
  }
}

/** Models that only embed text cannot hold a conversation. */
function nameOf(model: unknown): string | undefined {
  const { name, details } = (model ?? {}) as { name?: unknown; details?: { family?: unknown } };
  if (typeof name !== "string" || /\s/.test(name) || /embed/i.test(name)) return undefined;
  return String(details?.family ?? "").includes("bert") ? undefined : name;
}

/** Looks for local models when somebody needs to know, and remembers for a while. */
export class LocalModels {
  readonly #ask: () => Promise<string[]>;
  readonly #now: () => number;
  #known: readonly string[] = [];
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(ask: () => Promise<string[]>, now: () => number) {
    this.#ask = ask;
    this.#now = now;
  }

  /** As found last; none before the first look. */
  get known(): readonly string[] {
    return this.#known;
  }

  look(): Promise<void> {
    if (this.#now() - this.#lookedAt < FRESH_MS) return Promise.resolve();
    this.#looking ??= this.#ask().then((names) => {
      this.#known = names;
      this.#lookedAt = this.#now();
      this.#looking = undefined;
    });
    return this.#looking;
  }
}
