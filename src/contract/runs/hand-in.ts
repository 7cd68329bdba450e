import { z } from "zod";
import { LeadReport } from "../documents/teams/team.ts";
import { TeamPlan } from "../documents/teams/team-plan.ts";
import { AcceptanceCriterion, TeamSpec } from "../documents/teams/team-spec.ts";
import { SDD_MODES } from "../words/teams/team-words.ts";
import { line } from "../words/text.ts";

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
]);
export type HandInOrder = z.infer<typeof HandInOrder>;

/** What a checker saw. */
export const CheckedCriterion = z.strictObject({ id: z.string(), met: z.boolean(), evidence: line(4_000) });
export type CheckedCriterion = z.infer<typeof CheckedCriterion>;

/** What was handed in, checked and complete. */
export const HandedIn = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("spec"), spec: TeamSpec }),
  z.strictObject({ kind: z.literal("plan"), plan: TeamPlan }),
  z.strictObject({ kind: z.literal("report"), report: LeadReport }),
  z.strictObject({ kind: z.literal("check"), results: z.array(CheckedCriterion) }),
]);
export type HandedIn = z.infer<typeof HandedIn>;
