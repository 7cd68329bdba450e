import { z } from "zod";
import { ModelName, ProviderName, ProviderSettings } from "../documents/config.ts";
import { ModelPreset, Rank, Resolved } from "../documents/rank.ts";
import { ModelFailureKind } from "../runs/model-call.ts";
import { line } from "../words/text.ts";
import { success } from "./route-parts.ts";

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

/** What became of asking a provider. With `works`, `no_credit`, `busy` and `over_budget` the key itself is good. */
export const ProviderTestState = z.enum([
  "works",
  "rejected",
  "no_credit",
  "busy",
  "over_budget",
  "model_missing",
  "no_model",
  "refused",
  "unreachable",
]);
export type ProviderTestState = z.infer<typeof ProviderTestState>;

export const ProviderTest = z.strictObject({
  state: ProviderTestState,
  /** The model that was asked for one word, without the provider's name. */
  model: z.string().optional(),
  ms: z.number().optional(),
  /** What the provider said, without the key. */
  detail: z.string().optional(),
  /** What the provider lists, newest first. */
  models: z.array(z.string()),
});
export type ProviderTest = z.infer<typeof ProviderTest>;

const KEY_TEXT = 8_000;

export const KeyUpdate = z.strictObject({
  /** As pasted: spaces, quotes and `export NAME=` around it are removed. Absent for a server that needs none. */
  key: z.string().max(KEY_TEXT).meta({ writeOnly: true }).optional(),
  /** Recognized by the name or the key unless given. */
  kind: ProviderSettings.shape.kind.optional(),
  baseUrl: ProviderSettings.shape.baseUrl,
  /** The model to ask and to make the default, without the provider's name. */
  model: z.string().min(1).max(160).regex(/^\S+$/, "must not contain spaces").optional(),
  /** Whether its model becomes the default; unless given, if a model is named or no other provider works. */
  makeDefault: z.boolean().optional(),
  /** Save it although it could not be tested. */
  untested: z.boolean().optional(),
});
export type KeyUpdate = z.infer<typeof KeyUpdate>;

export const ProviderModels = z.strictObject({
  provider: z.string(),
  models: z.array(ModelName),
  /** Why there are none; `no_model`: there is no such provider. */
  problem: ProviderTestState.optional(),
});
export type ProviderModels = z.infer<typeof ProviderModels>;

const byName = z.strictObject({ name: ProviderName });

export const KeyAnswer = z.strictObject({
  ...success,
  provider: z.string(),
  test: ProviderTest,
  defaultModel: z.string(),
  /** GUILDHALL_OFFLINE or models.offline is set: the offline model answers all the same. */
  offline: z.boolean(),
});
export type KeyAnswer = z.infer<typeof KeyAnswer>;

export const modelRoutes = {
  listModels: {
    summary: "Detected providers, the default model and the model of each rank. Keys are never shown.",
    group: "Models",
    response: ModelsReport,
  },
  testModel: {
    summary: "Test a model with a one-word prompt.",
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
  setProviderKey: {
    summary:
      "Add or replace the API key of a provider. The key is tested first, stored with mode 0600, never shown again, and used immediately. Requires a person's token.",
    group: "Models",
    params: byName,
    body: KeyUpdate,
    response: KeyAnswer,
  },
  removeProviderKey: {
    summary: "Remove the stored key of a provider. A key from the environment stays. Requires a person's token.",
    group: "Models",
    params: byName,
    response: z.strictObject({ ...success, provider: z.string(), defaultModel: z.string() }),
  },
  testProvider: {
    summary: "Test a provider: its key, the models it lists, and whether one answers.",
    group: "Models",
    params: byName,
    body: z.strictObject({ model: KeyUpdate.shape.model }),
    bodyOptional: true,
    response: z.strictObject({ provider: z.string(), test: ProviderTest }),
  },
  listProviderModels: {
    summary: "Models that a provider lists, newest first. Cached for five minutes.",
    group: "Models",
    params: byName,
    response: ProviderModels,
  },
} as const;
