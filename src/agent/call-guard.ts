import type { Guards, Permit, Remark } from "../contract/runs/guarding.ts";
import type { ToolCall } from "../contract/runs/model-call.ts";
import type { ToolOutcome } from "./tool.ts";

/** Where an agent asks whether it may do what it decided. */
export interface CallGuard {
  /** As they are now: they can change while an agent works. */
  guards(): Guards | undefined;
  /** Before the first turn. */
  starting(): Promise<Remark>;
  /** Before a call. Asking again under the call's id is answered the same. */
  permit(call: ToolCall): Promise<Permit>;
  /** After a call. */
  called(call: ToolCall, outcome: ToolOutcome): Promise<Remark>;
  /** Before the run ends as completed. What it answers, the agent is told, and it continues. `round`: how often it was asked. */
  ending(end: { output: string; report: unknown; round: number }): Promise<Remark>;
}
