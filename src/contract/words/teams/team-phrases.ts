import type { ActivityType, TeamQuestion, TeamStatus, TeamTaskState } from "./team-words.ts";

export const TEAM_STATUS_WORDS: Readonly<Record<TeamStatus, string>> = {
  forming: "Forming",
  specifying: "Writing the spec",
  planning: "Planning",
  "awaiting-approval": "Waiting for approval",
  working: "Working",
  integrating: "Checking the whole",
  synthesizing: "Writing the report",
  delivering: "Delivering",
  completed: "Completed",
  failed: "Failed",
  stopped: "Stopped",
  paused: "Paused",
};

export const TEAM_TASK_WORDS: Readonly<Record<TeamTaskState, string>> = {
  waiting: "Waiting",
  working: "Working",
  review: "In review",
  merged: "Merged",
  failed: "Failed",
  blocked: "Blocked",
  "left-out": "Left out",
};

/** What a team asks a person, as a noun phrase. */
export const TEAM_QUESTION_WORDS: Readonly<Record<TeamQuestion, string>> = {
  spec: "approval of the spec",
  plan: "approval of the plan",
  "task-failed": "a decision about a failed task",
  "integration-failed": "a decision about the integration check",
  "lead-failed": "a decision about the lead",
  "setup-failed": "a decision about the worktree setup",
  "member-stuck": "a decision about a member that is stuck",
};

export const ACTIVITY_WORDS: Readonly<Record<ActivityType, string>> = {
  "teammate-spawned": "joined the team",
  "teammate-shutdown": "left the team",
  "task-claimed": "started",
  "task-completed": "completed",
  "task-failed": "failed",
  "task-in-review": "finished; in review",
  "checks-passed": "passed its checks",
  "checks-failed": "failed its checks",
  "quality-gate-passed": "passed the gate",
  "quality-gate-failed": "failed the gate",
  "review-feedback-sent": "was returned with findings",
  "message-sent": "sent a message",
  "plan-submitted": "submitted the plan",
  "plan-approved": "plan approved",
  "plan-rejected": "plan rejected",
  "model-swapped": "changed models",
  escalation: "asked you",
  "integration-check-started": "integration check started",
  "integration-check-passed": "integration check passed",
  "integration-check-failed": "integration check failed",
  "stall-detected": "stalled",
  "file-conflict": "merge conflict",
  "checkpoint-created": "checkpoint created",
  "checkpoint-rollback": "rolled back to a checkpoint",
  "cost-warning": "close to the budget",
  "phase-advanced": "phase started",
  "phase-blocked": "phase blocked",
  error: "error",
  "health:stall": "stalled",
  "health:error-loop": "is in an error loop",
  "health:retry-storm": "repeats alike calls",
  "health:context-exhaustion": "has nearly filled its context",
  "health:cleared": "recovered",
};
