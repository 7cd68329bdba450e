/** Apart from the schemas, so that commands and pages can load them without. */

/** What a firing came to. `quiet`: there was nothing to do. */
export const FIRING_OUTCOMES = ["quiet", "report", "changed", "needs-person"] as const;
export type FiringOutcome = (typeof FIRING_OUTCOMES)[number];

/** What happens in the hall or in a repository that a trigger can wait for. */
export const TRIGGER_EVENTS = [
  "run.ended",
  "team.ended",
  "gate.failed",
  "escalations.cleared",
  "commit.created",
] as const;
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number];

export const WEBHOOK_FORMS = ["github", "gitlab", "stripe", "plain"] as const;
export type WebhookForm = (typeof WEBHOOK_FORMS)[number];

/** What happens with slots that passed while nobody could fire. */
export const LATE_POLICIES = ["skip", "once", "all"] as const;
export type LatePolicy = (typeof LATE_POLICIES)[number];

/** Why something did not fire. */
export const SKIP_REASONS = [
  "missed",
  "too-late",
  "too-many",
  "in-flight",
  "paused",
  "broken",
  "project-inactive",
  "queue-full",
  "caused-by-trigger",
  "caused-by-guildhall",
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export const SKIP_WORDS: Record<SkipReason, string> = {
  missed: "passed while Guildhall was not running or asleep",
  "too-late": "passed longer ago than late.within allows",
  "too-many": "is beyond the five slots that are caught up",
  "in-flight": "came while the firing before was not over",
  paused: "came while the trigger was paused",
  broken: "came while the file of the trigger could not be read",
  "project-inactive": "came while the project was not active",
  "queue-full": "came while too many were waiting",
  "caused-by-trigger": "was caused by a trigger",
  "caused-by-guildhall": "was caused by Guildhall",
};

export const OUTCOME_WORDS: Record<FiringOutcome, string> = {
  quiet: "Nothing to do",
  report: "Report",
  changed: "Changed something",
  "needs-person": "Needs you",
};

/** What an agent answers when there was nothing to do. */
export const NOTHING_NEW = "NOTHING_NEW";

/** What starts a trigger, in a few words. */
export function sourceWords(on: {
  cron?: string | undefined;
  timezone?: string | undefined;
  interval?: string | undefined;
  webhook?: { form: WebhookForm } | undefined;
  files?: readonly string[] | undefined;
  event?: TriggerEvent | undefined;
}): string {
  if (on.cron !== undefined) return `cron ${on.cron}${on.timezone === undefined ? "" : ` (${on.timezone})`}`;
  if (on.interval !== undefined) return `every ${on.interval}`;
  if (on.webhook !== undefined) return `webhook (${on.webhook.form})`;
  if (on.files !== undefined) return `files ${on.files.join(", ")}`;
  return on.event === undefined ? "unknown" : EVENT_WORDS[on.event];
}

export const EVENT_WORDS: Record<TriggerEvent, string> = {
  "run.ended": "a run ended",
  "team.ended": "a team ended",
  "gate.failed": "a gate failed",
  "escalations.cleared": "all escalations answered",
  "commit.created": "a new commit",
};

/** What a trigger starts, in a few words. */
export function actionWords(action: {
  message?: string | true | undefined;
  spawn?: { roleId: string; title: string } | undefined;
  team?: { goal: string } | undefined;
  orchestrate?: true | undefined;
}): string {
  if (action.message !== undefined) return "message";
  if (action.spawn !== undefined) return `run of ${action.spawn.roleId}: ${action.spawn.title}`;
  return action.team === undefined ? "orchestrator" : `team: ${action.team.goal.split("\n", 1)[0]}`;
}
