/** Apart from the schemas, so that commands can load it without them. */
export const RANKS = ["lead", "head", "worker", "reviewer", "escalation"] as const;

/** Those of agents that a member of a team starts for itself. */
export const HELPER_RANKS = ["worker", "reviewer"] as const;

/** A rank that is given comes first, then what the name begins with: `head-lisbon` is a head. Else a worker. */
export function rankFrom({ rank, name }: { rank?: string | undefined; name?: string | undefined }) {
  return rankNamed(rank) ?? rankNamed(name?.split("-", 1)[0]) ?? "worker";
}

function rankNamed(word: string | undefined) {
  return RANKS.find((rank) => rank === word?.trim().toLowerCase());
}

export const MODEL_PRESETS = [
  "max-quality",
  "balanced",
  "cost-optimized",
  "budget",
  "custom",
  "codex-balanced",
  "codex-full",
] as const;
