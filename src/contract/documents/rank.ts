import { z } from "zod";
import { MODEL_PRESETS, RANKS } from "../words/rank-names.ts";

/** An agent's place in a team. */
export const Rank = z.enum(RANKS);
export type Rank = z.infer<typeof Rank>;

/** A choice of one model for each rank. */
export const ModelPreset = z.enum(MODEL_PRESETS);
export type ModelPreset = z.infer<typeof ModelPreset>;

/** A decision and what decided it. */
export interface Resolved<Value> {
  value: Value;
  because: string;
}
export const Resolved = <Value extends z.ZodType>(value: Value) => z.strictObject({ value, because: z.string() });
