import { z } from "zod";
import { fileText, line, Slug } from "../../contract/words/text.ts";
import { defineTool, type Tool, type ToolUse, told } from "../tool.ts";

export const MOST_PLAN_CHARACTERS = 100_000;

const PlanSlug = Slug.describe("As initiative_list shows it.");

export const PLAN_QUESTIONS = {
  initiative_list: z.strictObject({}),
  initiative_create: z.strictObject({
    title: line(200),
    goals: z.array(line(2_000)).max(50).default([]).describe("What is to be achieved, one thing each."),
  }),
  plan_read: z.strictObject({ slug: PlanSlug }),
  plan_edit: z.strictObject({
    slug: PlanSlug,
    old: z
      .string()
      .min(1)
      .max(MOST_PLAN_CHARACTERS)
      .optional()
      .describe("Character for character, and unique. Without it, new is added at the end."),
    new: fileText(MOST_PLAN_CHARACTERS),
  }),
} as const;
export type PlanQuestion = keyof typeof PLAN_QUESTIONS;

const DESCRIPTIONS: Record<PlanQuestion, string> = {
  initiative_list: "List the initiatives of this project, with how many of their tasks are done.",
  initiative_create:
    "Start an initiative: work of several tasks with a plan of its own. Tasks belong to it by their field plan.",
  plan_read: "Read the plan of an initiative.",
  plan_edit: "Change the plan of an initiative: replace text in it, or add to it. Keep its state and next steps true.",
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
      run: (given, use) => told(() => plans.ask(name, given, use)),
    });
  });
}
