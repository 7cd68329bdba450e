/** Apart from the schemas, so that commands and pages can load them without. */
export const INITIATIVE_STATUSES = ["active", "paused", "complete"] as const;
export type InitiativeStatus = (typeof INITIATIVE_STATUSES)[number];

/**
 * `working`: its agent has a message to deal with. `waiting`: for runs or teams that it started. `idle`: it reported, and has ended.
 * `failed`: it ended without a report. `stopped`: someone ended it, or its project or initiative is not active any more.
 */
export const LEAD_STATUSES = ["working", "waiting", "idle", "failed", "stopped"] as const;
export type LeadStatus = (typeof LEAD_STATUSES)[number];

/** Why a lead ended without a report. */
export const LEAD_CAUSES = [
  "not_reported",
  "no_progress",
  "too_many_rounds",
  "turn_failed",
  "stopped",
  "project_inactive",
  "initiative_paused",
  "initiative_complete",
  "initiative_removed",
] as const;
export type LeadCause = (typeof LEAD_CAUSES)[number];

export const LEAD_STATUS_WORDS: Record<LeadStatus, string> = {
  working: "Working",
  waiting: "Waiting for its runs",
  idle: "Reported",
  failed: "Failed",
  stopped: "Stopped",
};

export const LEAD_CAUSE_WORDS: Record<LeadCause, string> = {
  not_reported: "It ended its turns without a report.",
  no_progress: "It left ready tasks and made no progress.",
  too_many_rounds: "It used all of its rounds.",
  turn_failed: "Its turns failed.",
  stopped: "It was stopped.",
  project_inactive: "The project is not active.",
  initiative_paused: "The initiative was paused.",
  initiative_complete: "The initiative was marked complete.",
  initiative_removed: "The initiative was removed.",
};

export function isLeading(status: LeadStatus): boolean {
  return status === "working" || status === "waiting";
}
