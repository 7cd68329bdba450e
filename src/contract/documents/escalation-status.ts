/** Apart from the schemas, so that pages and commands can load it without them. */
export const ESCALATION_TYPES = ["decision", "blocker", "question", "approval"] as const;
export type EscalationType = (typeof ESCALATION_TYPES)[number];

/** Each status is also the folder that the document is in. */
export const ESCALATION_STATUSES = ["draft", "pending", "resolved"] as const;
export type EscalationStatus = (typeof ESCALATION_STATUSES)[number];

export const ESCALATION_ORIGINS = [
  "agent",
  "review",
  "consensus",
  "capability_gap",
  "health",
  "budget",
  "permission",
  "spec_change",
] as const;
export type EscalationOrigin = (typeof ESCALATION_ORIGINS)[number];

/**
 * How a resolved escalation ended. `answered`: by the person, or for them from a recorded source. `dismissed`: the person
 * declined to answer, with a reason. `withdrawn`: the run, task or plan behind it is gone. `expired`: its stated default took effect.
 */
export const ESCALATION_OUTCOMES = ["answered", "dismissed", "withdrawn", "expired"] as const;
export type EscalationOutcome = (typeof ESCALATION_OUTCOMES)[number];

/** What an escalation that is derived from the state of the workspace is about. Its id is `<kind>-<id of the subject>`. */
export const SUBJECT_KINDS = [
  "review",
  "failed",
  "budget",
  "provider",
  "suspended",
  "problem",
  "skill",
  "instructions",
  "folder",
  "damaged",
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/**
 * Why a review of the quality gates needs the person. `exhausted`: the findings remain after every try. `unable`: the gates could
 * not judge. `not-reworked`: the run that should have improved it changed nothing, or could not be started.
 */
export const REVIEW_ESCALATIONS = ["exhausted", "unable", "not-reworked", "moved"] as const;
export type ReviewEscalation = (typeof REVIEW_ESCALATIONS)[number];

/** For how much an answer holds. */
export const ANSWER_SCOPES = ["task", "project", "hall"] as const;
export type AnswerScope = (typeof ANSWER_SCOPES)[number];
