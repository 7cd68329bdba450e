import type { Config } from "../contract/documents/config.ts";
import { lookUp, vendorId } from "./model-table.ts";

/** For a model nobody knows. Too large a guess is told by the provider, and the run then makes do with less. */
const USUAL = 128_000;

/** How many tokens fit into one request and its answer, as published. config.yml adds and overrides. */
const WINDOWS: Record<string, number> = {
  // It reads nothing but the newest words, so it never has to forget.
  "offline/*": 100_000_000,
  // Ollama cuts off silently what is more than it was started with, which is little.
  "ollama/*": 32_000,
  "anthropic/*": 200_000,
  "openai/gpt-4o*": 128_000,
  "openai/gpt-4.1*": 1_047_576,
  "openai/gpt-5*": 400_000,
  "openai/o*": 200_000,
  "google/gemini-*": 1_048_576,
  "moonshot/kimi-k2*": 262_144,
  "kimi-coding/*": 262_144,
  "openrouter/anthropic/*": 200_000,
  "openrouter/openai/gpt-5*": 400_000,
  "openrouter/google/gemini-*": 1_048_576,
};

export function contextWindowOf(model: string, config: Pick<Config, "models" | "providers">): number {
  return lookUp(config.models.contextWindow, model) ?? lookUp(WINDOWS, vendorId(model, config)) ?? USUAL;
}
