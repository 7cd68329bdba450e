import { z } from "zod";
import type { Guards } from "../../contract/runs/guarding.ts";
import type { ModelSettings } from "../../contract/runs/model-call.ts";
import { Child } from "./hall-tools.ts";

/** What a project's process is told before its agent answers a message. */
export interface ProjectBrief {
  name: string;
  settings: ModelSettings;
  contextWindow: number;
  turns: number;
  board: string;
  knowledge: string;
  /** The roles of its team, a line each. */
  roles: string;
  /** Who decides what. */
  tiers: string;
  /** What hooks said when its session began. */
  context: string;
  /** What it leads, where the message is about that. */
  lead?: string | undefined;
  /** Which of its calls the hall is asked about. */
  guards?: Guards | undefined;
}

/** Before and after a call that the hall is asked about. */
export const CallAsked = z.strictObject({ tool: z.string(), input: z.string() });
export const CallMade = CallAsked.extend({ output: z.string(), failed: z.boolean() });

/** Asked when the agent is about to end a turn in which it did something. */
export const IDLE_QUESTION = "idle";
export const EndedTurn = z.strictObject({ output: z.string(), round: z.int().min(1), since: z.string() });

export const Spawn = Child.extend({
  role: z.string().min(1).max(100).describe("Role id."),
});

export const Note = z.strictObject({ text: z.string().min(1).max(10_000) });
