import { z } from "zod";
import { DOMAINS, TEAM_LIMITS } from "../../words/teams/team-words.ts";
import { line, prose, Slug } from "../../words/text.ts";
import { TASK_TYPES } from "../task-status.ts";

const PlanPhase = z.strictObject({ id: Slug, name: line(200) });

/** One piece of work, as the lead planned it. */
export const PlannedTask = z.strictObject({
  /** Names it in the plan. */
  key: Slug,
  title: line(500),
  description: prose(100_000),
  type: z.enum(TASK_TYPES),
  domain: z.enum(DOMAINS),
  requirements: z.array(z.string()).max(TEAM_LIMITS.requirements),
  /** Ids of the acceptance criteria that it has to meet; each belongs to one task. */
  criteria: z.array(z.string()).max(500),
  phase: Slug,
  dependsOn: z.array(Slug).max(500),
  /** A role of the hall; without one, the built-in of its domain. */
  role: Slug.optional(),
  /** Files it expects to change, as globs relative to the root of the repository. Tasks whose files overlap never run at once. */
  files: z.array(line(1_000)).max(500),
  /** Headings that the document it writes must have. */
  sections: z.array(line(200)).max(50).optional(),
  /** What an analysis looks at, one heading of its report each. */
  dimensions: z.array(line(200)).max(20).optional(),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

/** Checked: phases exist, nothing waits for itself, every requirement has a task and every criterion has one. */
export const TeamPlan = z.strictObject({
  phases: z.array(PlanPhase).min(1).max(TEAM_LIMITS.phases),
  tasks: z.array(PlannedTask).min(1).max(TEAM_LIMITS.tasks),
});
export type TeamPlan = z.infer<typeof TeamPlan>;
