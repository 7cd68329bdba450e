import { z } from "zod";
import { DeliveryState } from "../../runs/delivery.ts";
import { STRATEGIES, TEAM_STATUSES } from "../../words/teams/team-words.ts";
import { Timestamp } from "../../words/text.ts";
import { Resolved } from "../rank.ts";
import { CriterionState, LeadReport, TeamTask } from "./team.ts";

/** What only a person can judge, and what it is about. */
const ForPerson = z.strictObject({
  kind: z.enum([
    "waiver",
    "dispute",
    "unproven",
    "changed-test",
    "changed-settings",
    "changed-interface",
    "unwired",
    "left-out",
    "unmet",
    "approved-anyway",
  ]),
  text: z.string(),
  file: z.string().optional(),
  gateId: z.string().optional(),
  by: z.string().optional(),
  reason: z.string().optional(),
});
export type ForPerson = z.infer<typeof ForPerson>;

/** Written when the team has delivered: first what only the person can judge, then the proof, then the figures. */
export const TeamReport = z.strictObject({
  teamId: z.string(),
  goal: z.string(),
  status: z.enum(TEAM_STATUSES),
  /** Why it stopped or failed, or what it waits for. */
  reason: z.string().optional(),
  strategy: Resolved(z.enum(STRATEGIES)).optional(),
  /** Absent where no plan was approved yet, or none had to be. */
  planApprovedBy: z.string().optional(),
  forPerson: z.array(ForPerson),
  requirements: z.array(
    z.strictObject({ id: z.string(), text: z.string(), met: z.boolean(), criteria: z.array(CriterionState) }),
  ),
  tasks: z.array(TeamTask),
  gates: z.strictObject({ judged: z.int(), passed: z.int(), failed: z.int(), unable: z.int(), cycles: z.int() }),
  integration: z.strictObject({ checkId: z.string(), verdict: z.string(), rounds: z.int() }).optional(),
  cost: z.strictObject({
    usd: z.number(),
    known: z.boolean(),
    budgetUsd: z.number().nullable(),
    byRank: z.record(z.string(), z.number()),
  }),
  /** By the lead; absent where it handed none in. */
  lead: LeadReport.optional(),
  delivery: z
    .strictObject({ runId: z.string(), state: DeliveryState, branch: z.string(), target: z.string() })
    .optional(),
  startedAt: Timestamp,
  endedAt: Timestamp.optional(),
});
export type TeamReport = z.infer<typeof TeamReport>;
