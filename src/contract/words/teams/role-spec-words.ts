/** What a member is responsible for; it decides the phases of its role-spec. */
export const RESPONSIBILITY_TYPES = [
  "orchestration",
  "code-gen-docs",
  "code-gen-code",
  "read-only",
  "validation",
] as const;
export type ResponsibilityType = (typeof RESPONSIBILITY_TYPES)[number];

/** Every member may call these; they read only. */
export const OPEN_SUBAGENTS = ["explore", "discuss"] as const;
/** Subagents that the hall knows. A member may call one of the others if its role-spec lists it. */
export const SUBAGENTS = [
  ...OPEN_SUBAGENTS,
  "general-purpose",
  "universal-executor",
  "code-developer",
  "test-fix-agent",
] as const;
export type Subagent = (typeof SUBAGENTS)[number];

export const CONSENSUS_VERDICTS = ["consensus_reached", "consensus_blocked"] as const;
/** The least first. */
export const CONSENSUS_SEVERITIES = ["none", "low", "medium", "high"] as const;
export type ConsensusSeverity = (typeof CONSENSUS_SEVERITIES)[number];

/** Rules that a role-spec is linted against, by code. */
export const ROLE_SPEC_RULES = [
  "encoding",
  "frontmatter",
  "no-rights",
  "structure",
  "phases-2-to-4",
  "no-bus-calls",
  "no-consensus",
  "no-inner-loop",
  "length",
  "no-pseudocode",
  "placeholders",
  "subagents-by-name",
] as const;
export type RoleSpecRule = (typeof ROLE_SPEC_RULES)[number];

export const RESPONSIBILITY_WORDS: Readonly<Record<ResponsibilityType, string>> = {
  orchestration: "Research and planning",
  "code-gen-docs": "Documents",
  "code-gen-code": "Code",
  "read-only": "Analysis",
  validation: "Tests",
};
