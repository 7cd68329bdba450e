/** Apart from the schemas, so that commands can load it without them. */
export const RANKS = ["lead", "head", "worker", "reviewer", "escalation"] as const;

export const MODEL_PRESETS = [
  "max-quality",
  "balanced",
  "cost-optimized",
  "budget",
  "custom",
  "codex-balanced",
  "codex-full",
] as const;
