import { z } from "zod";
import { Budget, BudgetReport, BudgetUpdate } from "../documents/budget.ts";
import { Price } from "../documents/config.ts";
import { line, Slug } from "../words/text.ts";
import { success } from "./route-parts.ts";

const MODEL_ID = /^[^/\s]+\/\S+$/;

export const CostRow = z.strictObject({
  key: z.string(),
  runs: z.int(),
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  /** With estimates. */
  costUsd: z.number(),
  /** Runs, and calls outside of runs, whose price is unknown; if there are any, the cost is an estimate. */
  unpriced: z.int(),
});
export type CostRow = z.infer<typeof CostRow>;

export const costRoutes = {
  getCosts: {
    summary: "Cost of model calls by run, role, project, model or day.",
    group: "Models",
    query: z.strictObject({
      by: z.enum(["run", "role", "project", "model", "day"]).default("day"),
      project: Slug.optional(),
      since: z
        .string()
        .max(40)
        .refine((text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)), "must be a day or a time")
        .meta({ pattern: "^\\d{4}-\\d\\d-\\d\\d" })
        .optional(),
    }),
    response: z.strictObject({ by: z.string(), rows: z.array(CostRow), total: CostRow }),
  },
  getBudget: {
    summary: "Limits, with amounts spent, reserved and left, and the runs that wait.",
    group: "Models",
    response: BudgetReport,
  },
  updateBudget: {
    summary: "Change workspace limits in config.yml; waiting runs continue. null removes a limit.",
    group: "Models",
    body: BudgetUpdate,
    response: z.strictObject({ ...success, limits: Budget }),
  },
  setModelPrice: {
    summary: "Set the price of a model in config.yml, in US dollars per million tokens. It applies to the next call.",
    group: "Models",
    body: z.strictObject({ model: line(200).regex(MODEL_ID, "must be PROVIDER/MODEL"), ...Price.shape }),
    response: z.strictObject({ ...success, model: z.string(), price: Price }),
  },
} as const;
