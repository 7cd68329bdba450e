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
