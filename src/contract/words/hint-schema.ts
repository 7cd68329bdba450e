import { z } from "zod";
import type { HintAction } from "./hint.ts";
import { HINT_ACTIONS, HINT_ARGS } from "./hint-actions.ts";

/** `args` has the names that the action's commands and page take. */
export const HintData = z.strictObject({
  action: z.enum(Object.keys(HINT_ACTIONS) as [HintAction, ...HintAction[]]),
  args: z.partialRecord(z.enum(HINT_ARGS), z.string()),
});

/** What would help, in words; and as data where it names a command or a page. */
export const hintFields = { hint: z.string().optional(), hintAction: HintData.optional() };
