import { z } from "zod";
import { ModelPreset, Rank, Resolved } from "../documents/rank.ts";
import { ModelFailureKind } from "../runs/model-call.ts";
import { line } from "../words/text.ts";

export const ModelsReport = z.strictObject({
  default: z.string(),
  offline: z.string(),
  providers: z.array(
    z.strictObject({
      name: z.string(),
      kind: z.string(),
      /** Where it was found: config, environment or local. */
      source: z.string(),
      key: z.boolean(),
      /** `stored`: in the workspace's secrets file. `environment`: set there, and not removable here. */
      keySource: z.enum(["stored", "environment", "missing", "not_needed"]),
      /** The variables its key is looked for in; absent when it needs none. */
      keyNames: z.array(z.string()).optional(),
      baseUrl: z.string().optional(),
      /** What a local server offers. */
      models: z.array(z.string()).optional(),
    }),
  ),
  /** What a rank of a team is given when nothing nearer names a model. */
  team: z.strictObject({
    /** Absent when agentTeams.enabled is false. */
    preset: Resolved(ModelPreset).optional(),
    ranks: z.record(
      Rank,
      z.strictObject({
        model: z.string(),
        because: z.string(),
        /** Why the model cannot be asked. */
        problem: z.string().optional(),
      }),
    ),
  }),
  playbooks: z.array(z.string()),
});
export type ModelsReport = z.infer<typeof ModelsReport>;

export const modelRoutes = {
  listModels: {
    summary: "Providers found, the default model and that of each rank. Keys are never shown.",
    group: "Models",
    response: ModelsReport,
  },
  testModel: {
    summary: "Ask a model for one word, to see whether it answers.",
    group: "Models",
    body: z.strictObject({ model: line(200).optional() }),
    response: z.strictObject({
      ok: z.boolean(),
      model: z.string(),
      ms: z.number(),
      text: z.string().optional(),
      /** null: the price is not known. */
      costUsd: z.number().nullable().optional(),
      error: z.string().optional(),
      /** Why it failed. */
      cause: ModelFailureKind.optional(),
    }),
  },
} as const;
