/** Apart from the schemas, so that pages and commands can load them without. */
export const BRIEFING_SECTIONS = ["decisions", "blockers", "questions", "approvals"] as const;
export type BriefingSection = (typeof BRIEFING_SECTIONS)[number];

/**
 * `failed`: a run that failed. `gate`: a change that failed its gate. `budget`: spending near or over a limit. `provider`: a provider was paused.
 * `file`: a file that can't be read. `crash`: a project's process crashed.
 */
export const RISK_KINDS = ["failed", "gate", "budget", "provider", "file", "crash"] as const;
export type RiskKind = (typeof RISK_KINDS)[number];

export const RISK_WORDS: Readonly<Record<RiskKind, string>> = {
  failed: "Failed run",
  gate: "Failed gate",
  budget: "Budget",
  provider: "Provider",
  file: "Unreadable file",
  crash: "Crash",
};
