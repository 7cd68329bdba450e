import { z } from "zod";
import { HookTrace } from "../documents/hook.ts";

/** Which calls of a run the hall is asked about: names of tools, `*` for all. Absent: none. */
export const Guards = z.object({
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
  /** Whether it is asked before the first turn. */
  starting: z.literal(true).optional(),
  /** Whether it is asked before the run ends as completed. */
  ending: z.literal(true).optional(),
});
export type Guards = z.infer<typeof Guards>;

const traces = { hooks: z.array(HookTrace).optional() };

/** What the hall says of a call before it is carried out. */
export const Permit = z.discriminatedUnion("allowed", [
  /** `remark`: what the person said when they allowed it; the agent reads it with the result. */
  z.object({ allowed: z.literal(true), remark: z.string().optional(), ...traces }),
  z.object({ allowed: z.literal(false), reason: z.string(), ...traces }),
]);
export type Permit = z.infer<typeof Permit>;

/** What the hall says after a call, or before a run ends: what the agent is told, if anything. */
export const Remark = z.object({ feedback: z.string().optional(), ...traces });
export type Remark = z.infer<typeof Remark>;

export function isGuarded(tools: readonly string[] | undefined, tool: string): boolean {
  return tools !== undefined && (tools.includes("*") || tools.includes(tool));
}
