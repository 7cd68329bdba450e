import { z } from "zod";
import { fileText, line, Slug } from "../../contract/words/text.ts";
import { defineTool, type Tool, type ToolUse, toolOutcome } from "../tool.ts";

export const MOST_PLAN_CHARACTERS = 100_000;

const PlanSlug = Slug.describe("As shown by initiative_list.");

export const PLAN_QUESTIONS = {
  initiative_list: z.strictObject({}),
  initiative_create: z.strictObject({
    title: line(200),
    goals: z.array(line(2_000)).max(50).default([]).describe("Goals, one per entry."),
  }),
  plan_read: z.strictObject({ slug: PlanSlug }),
  plan_edit: z.strictObject({
    slug: PlanSlug,
    old: z
      .string()
      .min(1)
      .max(MOST_PLAN_CHARACTERS)
      .optional()
      .describe("Exact and unique text to replace. Without it, new is appended."),
    new: fileText(MOST_PLAN_CHARACTERS),
  }),
} as const;
export type PlanQuestion = keyof typeof PLAN_QUESTIONS;

const DESCRIPTIONS: Record<PlanQuestion, string> = {
  initiative_list: "List this project's initiatives and their progress.",
  initiative_create: "Create an initiative: several tasks with their own plan. A task joins through its plan field.",
  plan_read: "Read an initiative's plan.",
  plan_edit: "Edit an initiative's plan: replace or append text. Keep its state and next steps current.",
};

const CHANGING = new Set<PlanQuestion>(["initiative_create", "plan_edit"]);

export interface PlanPort {
  /** Answers in words. Asking twice with one call id changes a plan once. Rejects with HallError when it is refused. */
  ask(what: PlanQuestion, input: unknown, use: ToolUse): Promise<string>;
}

/** For the agent of a project: what it plans beyond single tasks. */
export function planTools(plans: PlanPort): Tool[] {
  return (Object.keys(PLAN_QUESTIONS) as PlanQuestion[]).map((name) => {
    const input: z.ZodObject = PLAN_QUESTIONS[name];
    const changes = CHANGING.has(name);
    return defineTool({
      name,
      description: DESCRIPTIONS[name],
      input,
      changes,
      repeatable: changes,
      run: (given, use) => toolOutcome(() => plans.ask(name, given, use)),
    });
  });
}
