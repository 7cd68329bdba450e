import { z } from "zod";
import { HintData, hintFields } from "../words/hint-schema.ts";

const Usd = z.number().min(0).max(1_000_000);
const Tokens = z.int().min(0).max(1_000_000_000_000);

/** What a limit is about, in config.yml, in a project and in the API alike. */
const limits = {
  runUsd: Usd,
  dayUsd: Usd,
  totalUsd: Usd,
  runTokens: Tokens,
  dayTokens: Tokens,
  totalTokens: Tokens,
};

/** `budget` of config.yml. null is no limit; 0 lets nothing through that costs anything. A run is counted with all it starts. */
export const Budget = z.strictObject({
  runUsd: limits.runUsd.nullable().default(5),
  dayUsd: limits.dayUsd.nullable().default(25),
  totalUsd: limits.totalUsd.nullable().default(null),
  runTokens: limits.runTokens.nullable().default(null),
  dayTokens: limits.dayTokens.nullable().default(null),
  totalTokens: limits.totalTokens.nullable().default(null),
});
export type Budget = z.infer<typeof Budget>;

/** A project's word that its runs have no such limit, whatever the hall says. */
export const NO_LIMIT = "none";
const none = z.literal(NO_LIMIT);

/** `config.budget` of a project: its run limits take the place of the hall's, the others are the project's own beside them. */
export const ProjectBudget = z
  .strictObject({ ...limits, runUsd: limits.runUsd.or(none), runTokens: limits.runTokens.or(none) })
  .partial();
export type ProjectBudget = z.infer<typeof ProjectBudget>;

export const BudgetUpdate = z.strictObject({
  runUsd: limits.runUsd.nullable().optional(),
  dayUsd: limits.dayUsd.nullable().optional(),
  totalUsd: limits.totalUsd.nullable().optional(),
  runTokens: limits.runTokens.nullable().optional(),
  dayTokens: limits.dayTokens.nullable().optional(),
  totalTokens: limits.totalTokens.nullable().optional(),
});
export type BudgetUpdate = z.infer<typeof BudgetUpdate>;

/** null leaves the limit to the hall. */
export const ProjectBudgetUpdate = z.strictObject({
  ...BudgetUpdate.shape,
  runUsd: limits.runUsd.or(none).nullable().optional(),
  runTokens: limits.runTokens.or(none).nullable().optional(),
});

/** Why a model call is not sent for now, although nothing is wrong with it. */
const ModelWaitReason = z.enum(["budget", "quota", "network", "disk"]);

/** Why a run does not go on for now. `answer`: what its agent asked is not answered yet. */
export const WaitReason = z.enum([...ModelWaitReason.options, "answer"]);

/** What keeps a model call from being sent for now. */
export const ModelWait = z.strictObject({
  reason: ModelWaitReason,
  text: z.string(),
  /** What ends the wait, where a person can. */
  hintAction: HintData.optional(),
});
export type ModelWait = z.infer<typeof ModelWait>;

/** What keeps a run from going on for now. */
export const RunWait = ModelWait.extend({ reason: WaitReason });
export type RunWait = z.infer<typeof RunWait>;

export const SCOPES = ["run", "team", "project-day", "project", "orchestrator-day", "day", "total"] as const;
export type Scope = (typeof SCOPES)[number];

const Standing = z.strictObject({
  limit: z.number().nullable(),
  spent: z.number(),
  /** Held for calls under way. */
  reserved: z.number(),
  /** null: there is no limit. */
  left: z.number().nullable(),
});

export const BudgetReport = z.strictObject({
  /** Of the hall, as config.yml has them now. */
  limits: Budget,
  /** Limits that projects have of their own. */
  projects: z.array(z.strictObject({ projectId: z.string(), limits: ProjectBudget })),
  scopes: z.array(
    z.strictObject({
      scope: z.enum(SCOPES),
      /** The first run of a tree, a team, a project, or a day. */
      id: z.string().optional(),
      projectId: z.string().optional(),
      /** The part of `usd.spent` that is estimated: calls of models whose price is unknown, at an assumed price. */
      assumedUsd: z.number(),
      usd: Standing,
      tokens: Standing,
    }),
  ),
  waiting: z.array(
    z.strictObject({
      runId: z.string(),
      projectId: z.string(),
      reason: WaitReason,
      text: z.string(),
      ...hintFields,
      since: z.string(),
    }),
  ),
  /** Models of today's calls whose price is unknown: they count at an assumed price. */
  unpriced: z.array(z.strictObject({ model: z.string(), calls: z.int(), tokens: z.int() })),
  /** Providers whose quota is used up, and when they are asked again. */
  paused: z.array(z.strictObject({ provider: z.string(), until: z.string(), reason: z.string() })),
});
export type BudgetReport = z.infer<typeof BudgetReport>;
