import { z } from "zod";
import { RunContext } from "../../runs/run.ts";
import { HEALTH_ACTIONS, HEALTH_ISSUES, HEALTH_STATES, LIVENESS } from "../../words/teams/health-words.ts";
import { Timestamp } from "../../words/text.ts";
import { Rank } from "../rank.ts";

/** Something that was wrong with a member, and what was done about it. */
export const HealthIssue = z.strictObject({
  /** From 1, within the team. */
  number: z.int(),
  at: Timestamp,
  issue: z.enum(HEALTH_ISSUES),
  /** What was seen, for people. */
  reason: z.string(),
  /** The key of the member's task. */
  task: z.string().optional(),
  runId: z.string(),
  action: z.enum(HEALTH_ACTIONS),
  /** Why this action was chosen. */
  why: z.string(),
  /** The model that it was switched to. */
  model: z.string().optional(),
  /** `cleared`: the member recovered, or a person decided. */
  state: z.enum(HEALTH_STATES),
  actedAt: Timestamp.optional(),
  /** `too-late`: the run ended before. */
  outcome: z.enum(["done", "too-late"]).optional(),
  clearedAt: Timestamp.optional(),
});
export type HealthIssue = z.infer<typeof HealthIssue>;

export const MemberHealth = z.strictObject({
  name: z.string(),
  rank: Rank,
  task: z.string().optional(),
  runId: z.string().optional(),
  model: z.string().optional(),
  liveness: z.enum(LIVENESS),
  /** Seconds since the last sign of life, of a member at work. */
  inactiveSeconds: z.number().optional(),
  context: RunContext.optional(),
  /** The last 20, the newest last. */
  calls: z.array(z.strictObject({ tool: z.string(), failed: z.boolean() })),
  /** Issues that persist, the newest last. */
  open: z.array(HealthIssue),
  /** The last 20 issues, the newest last. */
  history: z.array(HealthIssue),
});
export type MemberHealth = z.infer<typeof MemberHealth>;
