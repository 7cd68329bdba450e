import { z } from "zod";
import { ModelName, ProviderName, ProviderSettings } from "../documents/config.ts";
import { success } from "./route-parts.ts";

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

export const providerRoutes = {
  setProviderKey: {
    summary:
      "Add or replace the key of a provider. It is tested first, stored readable by you only, never shown again, and used at once. A person's token only.",
    group: "Models",
    params: byName,
    body: KeyUpdate,
    response: KeyAnswer,
  },
  removeProviderKey: {
    summary: "Remove the stored key of a provider. A key from the environment stays. A person's token only.",
    group: "Models",
    params: byName,
    response: z.strictObject({ ...success, provider: z.string(), defaultModel: z.string() }),
  },
  testProvider: {
    summary: "Test a provider: whether it accepts the key, which models it lists, and whether one answers.",
    group: "Models",
    params: byName,
    body: z.strictObject({ model: KeyUpdate.shape.model }),
    bodyOptional: true,
    response: z.strictObject({ provider: z.string(), test: ProviderTest }),
  },
  listProviderModels: {
    summary: "The models that a provider lists, newest first; remembered for five minutes.",
    group: "Models",
    params: byName,
    response: ProviderModels,
  },
} as const;
