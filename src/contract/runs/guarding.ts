import { z } from "zod";
import { HookTrace } from "../documents/hook.ts";

/** Which calls of a run the hall is asked about: names of tools, `*` for all. Absent: none. */
export const Guards = z.object({
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
  /** Whether it is asked before the first turn. */
  starting: z.literal(true).optional(),
  /** It is asked before the run ends as completed. `reminds`: what it says is a reminder; `decides`: it may refuse the end. */
  ending: z.enum(["reminds", "decides"]).optional(),
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
export const Remark = z.object({
  feedback: z.string().optional(),
  /** The end of the run is refused: it can't complete until whoever refused it, a hook or a check, allows it. */
  refused: z.literal(true).optional(),
  /** Of a refusal: how often the run may still try. At 0 it fails. Absent: as often as any run may be refused. */
  retriesLeft: z.int().min(0).optional(),
  ...traces,
});
export type Remark = z.infer<typeof Remark>;

/** Tools that need consent are asked about, whatever hooks there are. */
export function withConsent(guards: Guards | undefined, ask: readonly string[] = []): Guards | undefined {
  return ask.length === 0 ? guards : { ...guards, before: [...(guards?.before ?? []), ...ask] };
}

export function isGuarded(tools: readonly string[] | undefined, tool: string): boolean {
  return tools !== undefined && (tools.includes("*") || tools.includes(tool));
}
