import { z } from "zod";
import {
  CYCLE_CAUSES,
  HOLD_REASONS,
  ORCHESTRATOR_STATES,
  PROPOSAL_KINDS,
  PROPOSAL_OUTCOMES,
  START_OUTCOMES,
} from "../../words/autonomy/orchestrator-words.ts";
import { Timestamp } from "../../words/text.ts";

const Cause = z.strictObject({
  kind: z.enum(CYCLE_CAUSES),
  /** What ended, was answered or changed; of `asked` and `trigger` the id of the request. */
  id: z.string().optional(),
  projectId: z.string().optional(),
});
export type Cause = z.infer<typeof Cause>;

const Start = z.strictObject({
  leadId: z.string(),
  projectId: z.string(),
  initiative: z.string(),
  why: z.string(),
  outcome: z.enum(START_OUTCOMES),
  problem: z.string().optional(),
  /** Changes with the state of the initiative: an agent that leaves it as it was is not started again. */
  mark: z.string(),
  /** Done tasks of the initiative then. */
  done: z.int().optional(),
});

const Proposed = z.strictObject({
  /** The same proposal has the same key. */
  key: z.string(),
  kind: z.enum(PROPOSAL_KINDS),
  projectId: z.string().optional(),
  title: z.string(),
  /** The records it rests on. */
  evidence: z.string(),
  outcome: z.enum(PROPOSAL_OUTCOMES),
  escalationId: z.string().optional(),
  initiative: z.string().optional(),
  problem: z.string().optional(),
});

/** One cycle: what it saw, decided and started, and why. */
export const Cycle = z.strictObject({
  id: z.string(),
  at: Timestamp,
  endedAt: Timestamp.optional(),
  causes: z.array(Cause),
  saw: z.strictObject({
    projects: z.int(),
    initiatives: z.int(),
    ready: z.int(),
    blocked: z.int(),
    drafts: z.int(),
    pending: z.int(),
    leads: z.int(),
    /** Of the workspace's MEMORY.md and statements. */
    knowledge: z.int(),
    spentUsd: z.number(),
  }),
  /** Leads that ended since the cycle before, with what they reported. */
  results: z.array(
    z.strictObject({
      leadId: z.string(),
      projectId: z.string(),
      initiative: z.string(),
      status: z.string(),
      summary: z.string().optional(),
      /** Of its initiative, as it left it. */
      mark: z.string().optional(),
      done: z.int().optional(),
    }),
  ),
  /** Drafts that were sent on for review. */
  reviewed: z.array(z.string()),
  starts: z.array(Start),
  held: z.array(
    z.strictObject({ projectId: z.string(), initiative: z.string().optional(), reason: z.enum(HOLD_REASONS) }),
  ),
  proposals: z.array(Proposed),
  order: z.strictObject({
    by: z.enum(["rule", "model"]),
    why: z.string().optional(),
    /** Why the answer of the model was not used. */
    fallback: z.string().optional(),
  }),
});
export type Cycle = z.infer<typeof Cycle>;

export const Orchestrator = z.strictObject({
  state: z.enum(ORCHESTRATOR_STATES),
  /** The same in words. */
  why: z.string(),
  paused: z.strictObject({ at: Timestamp, by: z.string() }).optional(),
  spentTodayUsd: z.number(),
  dailyUsd: z.number(),
  maxLeads: z.int(),
  /** Leads that it started and that work or wait. */
  leads: z.array(z.strictObject({ id: z.string(), projectId: z.string(), initiative: z.string(), status: z.string() })),
  last: Cycle.optional(),
});
export type Orchestrator = z.infer<typeof Orchestrator>;
