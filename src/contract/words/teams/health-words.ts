/** What can be wrong with a member at work. Apart from the schemas, so that commands and pages can load them without. */
export const HEALTH_ISSUES = ["stall", "error-loop", "retry-storm", "context-exhaustion"] as const;
export type HealthIssueType = (typeof HEALTH_ISSUES)[number];

/** What Guildhall does about it. `none`: the run ended before anything was done. */
export const HEALTH_ACTIONS = ["nudge", "compact", "restart", "stronger-model", "escalate", "none"] as const;
export type HealthAction = (typeof HEALTH_ACTIONS)[number];

/** `waiting`: for a person, a budget, a permission or its turn. */
export const LIVENESS = ["active", "waiting", "stalled", "idle", "stopped"] as const;
export type Liveness = (typeof LIVENESS)[number];

/** `acting`: decided, and not carried out yet. `open`: carried out, and the issue persists. `ended`: its run ended before it recovered. */
export const HEALTH_STATES = ["acting", "open", "cleared", "ended"] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

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

const DONE: Readonly<Record<HealthAction, string>> = {
  nudge: "Nudged",
  compact: "Compacted its context",
  restart: "Restarted from its last checkpoint",
  "stronger-model": "Switched to a stronger model",
  escalate: "Asked you",
  none: "No action",
};

/** What is decided, and may not have been done yet. A question waits for the one before it. */
export const HEALTH_ACTING_WORDS: Readonly<Record<HealthAction, string>> = {
  nudge: "Nudging",
  compact: "Compacting its context",
  restart: "Restarting from its last checkpoint",
  "stronger-model": "Switching to a stronger model",
  escalate: "Waiting to ask you",
  none: "No action",
};

const NOT_DONE: Readonly<Record<HealthAction, string>> = {
  nudge: "Not nudged",
  compact: "Not compacted",
  restart: "Not restarted",
  "stronger-model": "Not switched to a stronger model",
  escalate: "Didn't ask you",
  none: "No action",
};

/** What became of an action: what was only decided is not told as done. */
export function healthActionWords(issue: {
  action: HealthAction;
  state: HealthState;
  outcome?: "done" | "too-late" | undefined;
}): string {
  const { action, state, outcome } = issue;
  if (outcome === "done") return DONE[action];
  return state === "acting" ? HEALTH_ACTING_WORDS[action] : NOT_DONE[action];
}

export const HEALTH_STATE_WORDS: Readonly<Record<HealthState, string>> = {
  acting: "Acting now",
  open: "Persists",
  cleared: "Resolved",
  ended: "Run ended",
};

export const LIVENESS_WORDS: Readonly<Record<Liveness, string>> = {
  active: "Active",
  waiting: "Waiting",
  stalled: "Stalled",
  idle: "Idle",
  stopped: "Stopped",
};
