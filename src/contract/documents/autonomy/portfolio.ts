import { z } from "zod";
import { INITIATIVE_STATUSES } from "../../words/autonomy/lead-words.ts";
import { AUTONOMY, INITIATIVE_STATES } from "../../words/autonomy/orchestrator-words.ts";
import { ProjectStatus } from "../project.ts";
import { TASK_PRIORITIES } from "../task-status.ts";

/** How the tasks of a project, or of an initiative, stand. */
const Counts = z.strictObject({
  total: z.int(),
  done: z.int(),
  /** Can be started now. */
  ready: z.int(),
  /** An open escalation blocks them. */
  blocked: z.int(),
  underWay: z.int(),
  failed: z.int(),
});

const PortfolioInitiative = z.strictObject({
  slug: z.string(),
  title: z.string(),
  /** Of its tasks. */
  state: z.enum(INITIATIVE_STATES),
  /** As its plan says; missing: it has no plan. */
  status: z.enum(INITIATIVE_STATUSES).optional(),
  tasks: Counts,
  /** Of the most urgent task that can be started. */
  priority: z.enum(TASK_PRIORITIES).optional(),
  /** Open escalations that name it, or block one of its tasks. */
  escalations: z.array(z.string()),
  /** The agent that works on it. */
  lead: z.strictObject({ id: z.string(), status: z.string() }).optional(),
});
export type PortfolioInitiative = z.infer<typeof PortfolioInitiative>;

export const PortfolioProject = z.strictObject({
  id: z.string(),
  name: z.string(),
  status: ProjectStatus.or(z.literal("invalid")),
  autonomy: z.enum(AUTONOMY),
  goals: z.array(z.string()),
  initiatives: z.array(PortfolioInitiative),
  tasks: Counts,
  escalations: z.strictObject({ draft: z.int(), pending: z.int() }),
  running: z.strictObject({ leads: z.int(), runs: z.int(), teams: z.int() }),
  spent: z.strictObject({ todayUsd: z.number(), totalUsd: z.number() }),
  activeAt: z.string(),
});
export type PortfolioProject = z.infer<typeof PortfolioProject>;
