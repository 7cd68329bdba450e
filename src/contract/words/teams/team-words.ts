/** Apart from the schemas, so that commands and pages can load them without. */
export const TEAM_STATUSES = [
  "forming",
  "specifying",
  "planning",
  "awaiting-approval",
  "working",
  "integrating",
  "synthesizing",
  "delivering",
  "completed",
  "failed",
  "stopped",
  "paused",
] as const;
export type TeamStatus = (typeof TEAM_STATUSES)[number];

/** A team in one of these does nothing any more. */
const ENDED: readonly TeamStatus[] = ["completed", "failed", "stopped"];

export function hasEnded(status: TeamStatus): boolean {
  return ENDED.includes(status);
}

/** `single`: one worker takes all tasks in turn. `flat`: heads work by themselves. `managed`: heads start workers and reviewers. */
export const STRATEGIES = ["single", "flat", "managed"] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const SDD_MODES = ["auto", "quick", "bugfix", "full"] as const;
export type SddMode = (typeof SDD_MODES)[number];

/** What a person sees before work begins. */
export const TEAM_APPROVALS = ["none", "plan", "spec-and-plan"] as const;
export type TeamApproval = (typeof TEAM_APPROVALS)[number];

export const PHASE_STATUSES = ["pending", "in-progress", "completed", "blocked"] as const;
export type PhaseStatus = (typeof PHASE_STATUSES)[number];

/**
 * `waiting`: for its phase, for other tasks, for files or for its turn. `working`: a run is at it. `review`: its result is judged or
 * waits for a decision. `merged`: it is in the team's branch. `blocked`: a person has to decide. `left-out`: a person decided that
 * the team goes on without it.
 */
export const TEAM_TASK_STATES = ["waiting", "working", "review", "merged", "failed", "blocked", "left-out"] as const;
export type TeamTaskState = (typeof TEAM_TASK_STATES)[number];

/** How a criterion is checked: by a test that names its requirement, by a command, or by somebody who looks. */
export const CHECK_KINDS = ["test", "command", "look"] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export const DOMAINS = ["ux_design", "frontend", "backend", "research", "search", "review", "other"] as const;
export type Domain = (typeof DOMAINS)[number];

/** What a lead hands in, one step after the other, a checker, and those whom a member asks. */
export const HAND_INS = ["spec", "plan", "report", "check", "explore", "discuss", "spec-change"] as const;
export type HandIn = (typeof HAND_INS)[number];

export const HAND_IN_WORDS: Record<HandIn, string> = {
  spec: "Spec",
  plan: "Plan",
  report: "Report",
  check: "Acceptance check",
  explore: "Exploration",
  discuss: "Discussion",
  "spec-change": "Change of the spec",
};

export const ACTIVITY_TYPES = [
  "teammate-spawned",
  "teammate-shutdown",
  "task-claimed",
  "task-completed",
  "task-failed",
  "task-in-review",
  "checks-passed",
  "checks-failed",
  "quality-gate-passed",
  "quality-gate-failed",
  "review-feedback-sent",
  "message-sent",
  "plan-submitted",
  "plan-approved",
  "plan-rejected",
  "model-swapped",
  "escalation",
  "integration-check-started",
  "integration-check-passed",
  "integration-check-failed",
  "stall-detected",
  "file-conflict",
  "checkpoint-created",
  "checkpoint-rollback",
  "cost-warning",
  "phase-advanced",
  "phase-blocked",
  "yolo-started",
  "yolo-phase-changed",
  "yolo-paused",
  "yolo-completed",
  "yolo-aborted",
  "yolo-remediation-created",
  "yolo-spec-evolution-proposed",
  "error",
  "health:stall",
  "health:error-loop",
  "health:retry-storm",
  "health:context-exhaustion",
  "health:cleared",
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export const TEAM_LIMITS = {
  activity: 1_500,
  messages: 2_000,
  tasks: 3_000,
  phases: 100,
  requirements: 200,
  /** Writers at once. */
  writers: 3,
  /** Pages of a spec, as characters. */
  specCharacters: 24_000,
} as const;

/** What teams ask a person. */
export const TEAM_QUESTIONS = [
  "spec",
  "plan",
  "task-failed",
  "integration-failed",
  "lead-failed",
  "setup-failed",
  "member-stuck",
  "spec-change",
] as const;
export type TeamQuestion = (typeof TEAM_QUESTIONS)[number];
