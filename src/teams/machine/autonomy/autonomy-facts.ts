import { z } from "zod";
import { AutonomyLimits, SpecGap } from "../../../contract/documents/teams/team-autonomy.ts";
import { TeamSpec } from "../../../contract/documents/teams/team-spec.ts";
import { AUTONOMY_MODES, AUTONOMY_PHASES, PROPOSAL_STATES } from "../../../contract/words/teams/autonomy-words.ts";

const ids = z.array(z.string());

/** What happens in a team only because it works without a person. */
export const autonomyFacts = [
  z.strictObject({
    type: z.literal("autonomy-set"),
    mode: z.enum(AUTONOMY_MODES),
    limits: AutonomyLimits,
    by: z.string(),
  }),
  /** Always together with the fact that it follows from. */
  z.strictObject({ type: z.literal("autonomy-phase"), phase: z.enum(AUTONOMY_PHASES) }),
  /** The daemon was away: what counts toward the time limit is what was used before. */
  z.strictObject({ type: z.literal("autonomy-continued"), usedMs: z.number() }),
  /** `key`: the same gap is looked at once. */
  z.strictObject({ type: z.literal("spec-gap"), key: z.string(), gap: SpecGap }),
  /** The lead looked at the gaps known so far, and the spec stays; or it could not look. */
  z.strictObject({ type: z.literal("evolution-declined"), runId: z.string(), reason: z.string() }),
  z.strictObject({
    type: z.literal("evolution-proposed"),
    number: z.int(),
    runId: z.string(),
    reason: z.string(),
    spec: TeamSpec,
    diff: z.string(),
    added: ids,
    changed: ids,
    removed: ids,
  }),
  z.strictObject({
    type: z.literal("evolution-decided"),
    number: z.int(),
    outcome: z.enum(PROPOSAL_STATES).exclude(["pending"]),
    by: z.string(),
    remarks: z.string().optional(),
  }),
] as const;
