import type { ModelPreset, Rank } from "../contract/documents/rank.ts";

/** Used when nobody names a preset. */
export const DEFAULT_PRESET: ModelPreset = "cost-optimized";

const OPUS = "anthropic/claude-opus-4-6";
const SONNET = "anthropic/claude-sonnet-4-6";
const HAIKU = "anthropic/claude-haiku-4-5";
const GPT = "openai/gpt-5.1";
const CODEX = "openai/gpt-5.1-codex";
const GPT_MINI = "openai/gpt-5-mini";

/** What Anthropic's families of models are called for short. */
export const FAMILIES: Record<string, string> = { opus: OPUS, sonnet: SONNET, haiku: HAIKU };

/** Each keeps to one vendor, so that one key is enough for it. `default` leaves a rank to the role and the hall. */
export const PRESETS: Record<ModelPreset, Record<Rank, string>> = {
  "max-quality": { lead: OPUS, head: OPUS, worker: OPUS, reviewer: SONNET, escalation: OPUS },
  balanced: { lead: OPUS, head: SONNET, worker: SONNET, reviewer: HAIKU, escalation: OPUS },
  "cost-optimized": { lead: OPUS, head: SONNET, worker: HAIKU, reviewer: HAIKU, escalation: SONNET },
  budget: { lead: SONNET, head: HAIKU, worker: HAIKU, reviewer: HAIKU, escalation: SONNET },
  custom: { lead: "default", head: "default", worker: "default", reviewer: "default", escalation: "default" },
  "codex-balanced": { lead: GPT, head: CODEX, worker: CODEX, reviewer: GPT_MINI, escalation: GPT },
  "codex-full": { lead: CODEX, head: CODEX, worker: CODEX, reviewer: CODEX, escalation: CODEX },
};
