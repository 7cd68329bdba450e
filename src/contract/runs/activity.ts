import { z } from "zod";
import { WaitReason } from "../documents/budget.ts";
import { HintData } from "../words/hint-schema.ts";

/** What a run can wait for: what keeps its model call or its journal back, or the turn of another run in its folder. */
export const WaitCode = z.enum([...WaitReason.options, "turn"]);
export type WaitCode = z.infer<typeof WaitCode>;

/** What an agent is doing now. `activity-words.ts` has the words for it. */
export const Activity = z.discriminatedUnion("kind", [
  /** The model was asked and has not answered yet. */
  z.strictObject({ kind: z.literal("thinking") }),
  /** The conversation no longer fits into the context window, and the model summarizes its older part. */
  z.strictObject({ kind: z.literal("summarizing") }),
  z.strictObject({
    kind: z.literal("tool"),
    name: z.string(),
    /** What the call is about: a path, a command, a query, a project. Without secrets, and shortened. */
    subject: z.string().optional(),
  }),
  /** The model call failed with `detail`, and is sent again after so many seconds. */
  z.strictObject({ kind: z.literal("retrying"), seconds: z.int(), detail: z.string() }),
  z.strictObject({
    kind: z.literal("waiting"),
    for: WaitCode,
    /** Why, for people. */
    detail: z.string().optional(),
    /** Of `turn`: the run that works in the folder. */
    run: z.string().optional(),
    folder: z.string().optional(),
    /** What ends the wait, where a person can. */
    hintAction: HintData.optional(),
  }),
]);
export type Activity = z.infer<typeof Activity>;
