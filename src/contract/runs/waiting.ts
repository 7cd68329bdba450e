import { z } from "zod";
import { RunWait } from "../documents/budget.ts";

/** What a run waits for, for as long as it takes: no process has it meanwhile, and a restart changes nothing. */
export const Parked = RunWait.extend({
  /** The call whose answer it waits for; without one, it goes on where its journal ends. */
  callId: z.string().optional(),
  /** The question whose answer that call gets. */
  escalationId: z.string().optional(),
  /** What the model call needs that has no room in the budget. */
  needs: z.strictObject({ usd: z.number().nullable(), input: z.number(), output: z.number() }).optional(),
});
export type Parked = z.infer<typeof Parked>;

/** What comes of a call that was answered later. */
export const LaterAnswer = z.strictObject({ output: z.string(), failed: z.boolean().optional() });
export type LaterAnswer = z.infer<typeof LaterAnswer>;
