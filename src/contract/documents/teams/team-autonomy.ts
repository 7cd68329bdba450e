import { z } from "zod";
import {
  AUTONOMY_MODES,
  AUTONOMY_PHASES,
  GAP_SOURCES,
  PAUSE_REASONS,
  PROPOSAL_STATES,
} from "../../words/teams/autonomy-words.ts";
import { line, Timestamp } from "../../words/text.ts";

/** Limits of work without a person, beside its budget. */
export const autonomyLimits = {
  /** Of the time that the team is not paused. */
  timeoutMinutes: z.number().gt(0, "must be more than 0").max(100_000),
  /** Tasks at once. */
  maxConcurrency: z.int().min(1).max(100),
  maxRemediationRounds: z.int().min(0).max(100),
  /** False: a proposed change of the spec is applied at once, unless it takes something out. */
  requireApprovalForSpecChanges: z.boolean(),
};
export const AutonomyLimits = z.strictObject(autonomyLimits);
export type AutonomyLimits = z.infer<typeof AutonomyLimits>;

/** What a person asks for; what is left out comes from `agentTeams.yolo`. */
export const AutonomyRequest = z.strictObject({
  mode: z.enum(AUTONOMY_MODES),
  costCapUsd: z.number().gt(0, "must be more than 0").max(1_000_000).optional(),
  ...z.strictObject(autonomyLimits).partial().shape,
});
export type AutonomyRequest = z.infer<typeof AutonomyRequest>;

/** How a team works without a person now. */
export const TeamAutonomy = z.strictObject({
  mode: z.enum(AUTONOMY_MODES),
  phase: z.enum(AUTONOMY_PHASES),
  /** Why it is paused. */
  pauseReason: z.enum(PAUSE_REASONS).optional(),
  /** The team's budget. */
  costCapUsd: z.number().nullable(),
  ...autonomyLimits,
  /** Counted toward the time limit so far. */
  usedMinutes: z.number(),
  /** The proposal that waits for a decision. */
  proposal: z.string().optional(),
});
export type TeamAutonomy = z.infer<typeof TeamAutonomy>;

/** What showed a gap in the spec. */
export const SpecGap = z.strictObject({
  source: z.enum(GAP_SOURCES),
  text: line(4_000),
  requirements: z.array(z.string()),
  /** The key of the task it came up with. */
  task: z.string().optional(),
  gateId: z.string().optional(),
  checkId: z.string().optional(),
});
export type SpecGap = z.infer<typeof SpecGap>;

/** A change of the spec that an autonomous team wants. */
export const SpecEvolutionProposal = z.strictObject({
  id: z.string(),
  reason: z.string(),
  evidence: z.array(SpecGap),
  /** What changes in spec.md, as a unified diff. */
  diff: z.string(),
  added: z.array(z.string()),
  changed: z.array(z.string()),
  removed: z.array(z.string()),
  state: z.enum(PROPOSAL_STATES),
  /** The run of the lead that wrote it. */
  runId: z.string(),
  proposedAt: Timestamp,
  decidedAt: Timestamp.optional(),
  decidedBy: z.string().optional(),
  remarks: z.string().optional(),
});
export type SpecEvolutionProposal = z.infer<typeof SpecEvolutionProposal>;
