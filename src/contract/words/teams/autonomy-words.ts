/**
 * How a team works without a person. `smart`: it may propose changes of its spec. `fixed`: it keeps to the first spec and plan.
 * Apart from the schemas, so that commands and pages can load them without.
 */
export const AUTONOMY_MODES = ["off", "smart", "fixed"] as const;
export type AutonomyMode = (typeof AUTONOMY_MODES)[number];

/** Where an autonomous team is. It follows from the team's status and its tasks. */
export const AUTONOMY_PHASES = [
  "idle",
  "spec-generation",
  "task-decomposition",
  "executing",
  "reviewing",
  "integration-check",
  "remediating",
  "synthesizing",
  "completed",
  "paused",
  "aborted",
] as const;
export type AutonomyPhase = (typeof AUTONOMY_PHASES)[number];

/** Why an autonomous team is paused. */
export const PAUSE_REASONS = [
  "cost-cap",
  "timeout",
  "approval-required",
  "all-teammates-error",
  "max-remediation",
  "user-requested",
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** What showed that a spec has a gap. */
export const GAP_SOURCES = ["spec_compliance", "traceability", "integration", "remediation"] as const;
export type GapSource = (typeof GAP_SOURCES)[number];

/** `superseded`: the spec was changed by hand before anyone decided. */
export const PROPOSAL_STATES = ["pending", "applied", "rejected", "superseded"] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export const AUTONOMY_MODE_WORDS: Readonly<Record<AutonomyMode, { label: string; about: string }>> = {
  off: { label: "Off", about: "The team asks you to approve its plan." },
  smart: {
    label: "Smart",
    about: "No plan approval: work starts without asking you. The team may propose changes to its spec.",
  },
  fixed: {
    label: "Fixed",
    about: "No plan approval: work starts without asking you. The spec stays as first written.",
  },
};

export const AUTONOMY_PHASE_WORDS: Readonly<Record<AutonomyPhase, string>> = {
  idle: "Idle",
  "spec-generation": "Writing the spec",
  "task-decomposition": "Planning tasks",
  executing: "Executing",
  reviewing: "Reviewing",
  "integration-check": "Integration check",
  remediating: "Remediating",
  synthesizing: "Synthesizing",
  completed: "Completed",
  paused: "Paused",
  aborted: "Aborted",
};

/** As the end of a sentence: "Paused: the cost cap is reached." */
export const PAUSE_REASON_WORDS: Readonly<Record<PauseReason, string>> = {
  "cost-cap": "the cost cap is reached",
  timeout: "the time limit is reached",
  "approval-required": "it needs your approval",
  "all-teammates-error": "every member failed",
  "max-remediation": "all rounds of fixes are used",
  "user-requested": "paused by you",
};

export const GAP_SOURCE_WORDS: Readonly<Record<GapSource, string>> = {
  spec_compliance: "Spec compliance",
  traceability: "Traceability",
  integration: "Integration check",
  remediation: "Remediation",
};

export const PROPOSAL_STATE_WORDS: Readonly<Record<ProposalState, string>> = {
  pending: "Waiting for you",
  applied: "Applied",
  rejected: "Rejected",
  superseded: "Superseded",
};
