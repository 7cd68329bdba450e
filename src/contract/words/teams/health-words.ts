/** What can be wrong with a member at work. Apart from the schemas, so that commands and pages can load them without. */
export const HEALTH_ISSUES = ["stall", "error-loop", "retry-storm", "context-exhaustion"] as const;
export type HealthIssueType = (typeof HEALTH_ISSUES)[number];

/** What Guildhall does about it. `none`: the run ended before anything was done. */
export const HEALTH_ACTIONS = ["nudge", "compact", "restart", "stronger-model", "escalate", "none"] as const;
export type HealthAction = (typeof HEALTH_ACTIONS)[number];

/** `waiting`: for a person, a budget, a permission or its turn. */
export const LIVENESS = ["active", "waiting", "stalled", "idle", "stopped"] as const;
export type Liveness = (typeof LIVENESS)[number];

export const HEALTH_LIMITS = {
  /** Tool calls that are remembered per member. */
  calls: 20,
  /** Issues that are kept per member. */
  issues: 20,
} as const;

export const HEALTH_ISSUE_WORDS: Readonly<Record<HealthIssueType, string>> = {
  stall: "Stalled",
  "error-loop": "Error loop",
  "retry-storm": "Retry storm",
  "context-exhaustion": "Context nearly full",
};

/** What a member did, as a verb phrase of the feed. */
export const HEALTH_ISSUE_VERBS: Readonly<Record<HealthIssueType, string>> = {
  stall: "stalled",
  "error-loop": "is in an error loop",
  "retry-storm": "repeats alike calls",
  "context-exhaustion": "has nearly filled its context",
};

export const HEALTH_ACTION_WORDS: Readonly<Record<HealthAction, string>> = {
  nudge: "Nudged",
  compact: "Compacted its context",
  restart: "Restarted from its last checkpoint",
  "stronger-model": "Switched to a stronger model",
  escalate: "Asked you",
  none: "No action",
};

export const LIVENESS_WORDS: Readonly<Record<Liveness, string>> = {
  active: "Active",
  waiting: "Waiting",
  stalled: "Stalled",
  idle: "Idle",
  stopped: "Stopped",
};
