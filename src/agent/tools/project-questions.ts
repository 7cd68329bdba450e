import { z } from "zod";
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
}

export const Spawn = Child.extend({
  role: z.string().min(1).max(100).describe("Role id."),
});

export const Note = z.strictObject({ text: z.string().min(1).max(10_000) });
