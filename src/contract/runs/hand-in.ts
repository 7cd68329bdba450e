import { z } from "zod";
import { LeadReport } from "../documents/teams/team.ts";
import { TeamPlan } from "../documents/teams/team-plan.ts";
import { AcceptanceCriterion, TeamSpec } from "../documents/teams/team-spec.ts";
import { CONSENSUS_SEVERITIES } from "../words/teams/role-spec-words.ts";
import { SDD_MODES } from "../words/teams/team-words.ts";
import { line, prose } from "../words/text.ts";

/** The team that a run belongs to, and who it is there. */
export const RunTeam = z.strictObject({ id: z.string(), member: z.string() });
export type RunTeam = z.infer<typeof RunTeam>;

/** What a run has to hand in, with what the hall compares it with. */
export const HandInOrder = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("spec"), mode: z.enum(SDD_MODES) }),
  /** `roles`: those that a task may name. */
  z.strictObject({ kind: z.literal("plan"), spec: TeamSpec, roles: z.array(z.string()) }),
  z.strictObject({ kind: z.literal("report") }),
  z.strictObject({ kind: z.literal("check"), criteria: z.array(AcceptanceCriterion) }),
  /** A member asks; nothing is compared. */
  z.strictObject({ kind: z.literal("explore") }),
  z.strictObject({ kind: z.literal("discuss") }),
  /** `mode`: how detailed the spec is that it changes. */
  z.strictObject({ kind: z.literal("spec-change"), mode: z.enum(SDD_MODES) }),
]);
export type HandInOrder = z.infer<typeof HandInOrder>;

/** What a checker saw. */
export const CheckedCriterion = z.strictObject({ id: z.string(), met: z.boolean(), evidence: line(4_000) });
export type CheckedCriterion = z.infer<typeof CheckedCriterion>;

/** What was found in the code, for the member that asked. */
export const Exploration = z.strictObject({
  summary: prose(20_000).refine((text) => text.trim() !== "", "must not be empty"),
  findings: z
    .array(z.strictObject({ file: line(1_000), line: z.int().min(1).optional(), note: line(2_000) }))
    .max(200)
    .default([]),
});

/** How a proposal looks from one side. */
export const Perspective = z.strictObject({
  name: line(100),
  rating: z.int().min(1).max(5),
  /** Of the worst objection. */
  severity: z.enum(CONSENSUS_SEVERITIES).default("none"),
  note: line(2_000),
});
export type Perspective = z.infer<typeof Perspective>;
export const Discussion = z.strictObject({ perspectives: z.array(Perspective).min(1).max(20) });

/** Whether a spec has to change, and into what; without a spec, it stays. */
export const SpecChange = z.strictObject({
  reason: line(2_000).min(1, "must not be empty"),
  spec: TeamSpec.optional(),
});

/** What was handed in, checked and complete. */
export const HandedIn = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("spec"), spec: TeamSpec }),
  z.strictObject({ kind: z.literal("plan"), plan: TeamPlan }),
  z.strictObject({ kind: z.literal("report"), report: LeadReport }),
  z.strictObject({ kind: z.literal("check"), results: z.array(CheckedCriterion) }),
  z.strictObject({ kind: z.literal("explore"), ...Exploration.shape }),
  z.strictObject({ kind: z.literal("discuss"), ...Discussion.shape }),
  z.strictObject({ kind: z.literal("spec-change"), ...SpecChange.shape }),
]);
export type HandedIn = z.infer<typeof HandedIn>;
