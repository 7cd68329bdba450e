import type { Config, Price } from "../../contract/documents/config.ts";
import type { Usage } from "../../contract/runs/model-call.ts";
import { lookUp, vendorId } from "../model-table.ts";

const FREE: Price = { input: 0, output: 0 };
const OPUS: Price = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const OLDER_OPUS: Price = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75 };
const SONNET: Price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

/**
 * US dollars for a million tokens, as published. A model that is not here has no known price: a guess from its name
 * would be worse. config.yml adds and overrides.
 */
const PRICES: Record<string, Price> = {
  "offline/*": FREE,
  "ollama/*": FREE,
  "anthropic/claude-opus-4-5": OPUS,
  "anthropic/claude-opus-4-6": OPUS,
  "anthropic/claude-opus-4-1": OLDER_OPUS,
  "anthropic/claude-opus-4-0": OLDER_OPUS,
  "anthropic/claude-opus-4": OLDER_OPUS,
  "anthropic/claude-sonnet-4-6": SONNET,
  "anthropic/claude-sonnet-4-5": SONNET,
  "anthropic/claude-sonnet-4-0": SONNET,
  "anthropic/claude-sonnet-4": SONNET,
  "anthropic/claude-haiku-4-5": { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  "anthropic/claude-3-5-haiku": { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite: 1 },
  "openai/gpt-5": { input: 1.25, output: 10, cacheRead: 0.125 },
  "openai/gpt-5-mini": { input: 0.25, output: 2, cacheRead: 0.025 },
  "openai/gpt-5-nano": { input: 0.05, output: 0.4, cacheRead: 0.005 },
  "openai/gpt-5-pro": { input: 15, output: 120 },
  "openai/gpt-5-codex": { input: 1.25, output: 10, cacheRead: 0.125 },
  "openai/gpt-5.1": { input: 1.25, output: 10, cacheRead: 0.125 },
  "openai/gpt-5.1-codex": { input: 1.25, output: 10, cacheRead: 0.125 },
  "openai/gpt-4.1": { input: 2, output: 8, cacheRead: 0.5 },
  "openai/gpt-4.1-mini": { input: 0.4, output: 1.6, cacheRead: 0.1 },
  "openai/gpt-4.1-nano": { input: 0.1, output: 0.4, cacheRead: 0.025 },
  "openai/gpt-4o": { input: 2.5, output: 10, cacheRead: 1.25 },
  "openai/gpt-4o-mini": { input: 0.15, output: 0.6, cacheRead: 0.075 },
  "openai/o3": { input: 2, output: 8, cacheRead: 0.5 },
  "openai/o4-mini": { input: 1.1, output: 4.4, cacheRead: 0.275 },
  "google/gemini-2.5-pro": { input: 1.25, output: 10, cacheRead: 0.125 },
  "google/gemini-2.5-flash": { input: 0.3, output: 2.5, cacheRead: 0.03 },
  "google/gemini-2.5-flash-lite": { input: 0.1, output: 0.4, cacheRead: 0.01 },
};

const MILLION = 1_000_000;

export function priceOf(model: string, config: Pick<Config, "models" | "providers">): Price | undefined {
  return lookUp(config.models.prices, model) ?? lookUp(PRICES, vendorId(model, config));
}

/** What a call cost; null when the price is not known. Cached tokens are part of the input and priced as what they are. */
export function costOf(usage: Usage, price: Price | undefined): number | null {
  if (price === undefined) return null;
  const plain = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const input =
    plain * price.input +
    usage.cacheRead * (price.cacheRead ?? price.input) +
    usage.cacheWrite * (price.cacheWrite ?? price.input);
  return (input + usage.output * price.output) / MILLION;
}
