/** Apart from the schemas, so that commands and pages can load them without. */

/** What the orchestrator may do in a project. `work`: start leads on what is there. `initiatives`: also create initiatives. */
export const AUTONOMY = ["off", "work", "initiatives"] as const;
export type Autonomy = (typeof AUTONOMY)[number];

/** Whether it looks for new work: not at all, or it proposes some. */
export const GENERATE = ["off", "propose"] as const;

/** What the person may forbid. */
export const ORCHESTRATOR_ACTIONS = ["lead", "initiative", "priority", "question"] as const;

/** How an initiative stands. `empty`: it has no tasks yet. `waiting`: none of its tasks can be started. */
export const INITIATIVE_STATES = ["empty", "ready", "waiting", "complete"] as const;

/** Off in the settings, paused by the person, or why it starts nothing more for now. */
export const ORCHESTRATOR_STATES = ["off", "paused", "closed-hours", "money-spent", "working", "idle"] as const;

/** What made a cycle run. `self`: the one before started something. */
export const CYCLE_CAUSES = [
  "asked",
  "trigger",
  "start",
  "self",
  "time",
  "settings",
  "project",
  "initiative",
  "task",
  "answer",
  "lead",
  "run",
  "team",
] as const;
export type CycleCause = (typeof CYCLE_CAUSES)[number];

/** Why work that is there was not started. */
export const HOLD_REASONS = [
  "lead-at-work",
  "lead-limit",
  "closed-hours",
  "money-spent",
  "forbidden",
  "stopped-by-person",
  "initiative-paused",
  "no-goals",
  "no-plan",
  "could-not-start",
  "waits-for-answer",
  "nothing-ready",
  "no-progress",
  "too-often",
] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export const HOLD_WORDS: Record<HoldReason, string> = {
  "lead-at-work": "an agent of the project is already working",
  "lead-limit": "orchestrator.maxLeads agents are already working",
  "closed-hours": "it is outside orchestrator.hours",
  "money-spent": "orchestrator.dailyUsd is spent",
  forbidden: "orchestrator.never forbids it",
  "stopped-by-person": "its last agent was stopped; start one yourself to continue",
  "initiative-paused": "the initiative is paused",
  "no-goals": "it has neither goals nor tasks",
  "no-plan": "its plan.md is missing",
  "could-not-start":
    "its agent could not be started, see the cycle before; it is tried again when its tasks change, or with 'orchestrator cycle'",
  "waits-for-answer": "it waits for an answer",
  "nothing-ready": "none of its tasks can be started",
  "no-progress": "its last agent changed nothing; it continues when something changes",
  "too-often": "it was started 10 times today",
};

/** What the orchestrator can propose. */
export const PROPOSAL_KINDS = ["goals", "stale", "knowledge", "conflict", "tests"] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

/** How a start or a proposal of a cycle went. `refused`: what the person set did not allow it any more. `failed`: it could not be started. */
export const START_OUTCOMES = ["pending", "started", "refused", "failed"] as const;
export const PROPOSAL_OUTCOMES = ["pending", "asked", "done", "declined", "refused"] as const;
