import { z } from "zod";
import { defineTool, type Tool, type ToolUse, toolOutcome } from "../tool.ts";

const TaskId = z.string().regex(/^TASK-\d{1,9}$/i, "must be a task id, such as TASK-001");

export const LEAD_QUESTIONS = {
  initiative_status: z.strictObject({}),
  start_task: z.strictObject({
    task: TaskId,
    by: z
      .enum(["run", "team"])
      .default("run")
      .describe("run: one agent, for a small task. team: a spec, a plan and several agents, for a large one."),
    role: z.string().min(1).max(100).optional().describe("Role id; required for a run."),
  }),
  report_initiative: z.strictObject({
    summary: z
      .string()
      .trim()
      .min(1)
      .max(8_000)
      .describe("What was achieved, decided and learned, and what is blocked."),
    complete: z.boolean().describe("true: all tasks are done and the goals are met."),
    nextSteps: z.string().trim().max(4_000).default("").describe("What should happen next."),
  }),
} as const;
export type LeadQuestion = keyof typeof LEAD_QUESTIONS;

const DESCRIPTIONS: Record<LeadQuestion, string> = {
  initiative_status: "Your initiative now: what is ready in order, running, blocked and done.",
  start_task:
    "Start the next ready task of your initiative: of the ready ones, one of the highest priority. You get a message when it ends.",
  report_initiative:
    "Report on your initiative, and end. Refused while tasks are ready or running, or blocked without a question.",
};

const CHANGING = new Set<LeadQuestion>(["start_task", "report_initiative"]);

export interface LeadPort {
  /** Answers in words. Asking twice with one call id changes something once. Rejects with HallError when it is refused. */
  ask(what: LeadQuestion, input: unknown, use: ToolUse): Promise<string>;
}

/** For the agent of a project while it leads an initiative. */
export function leadTools(lead: LeadPort): Tool[] {
  return (Object.keys(LEAD_QUESTIONS) as LeadQuestion[]).map((name) => {
    const input: z.ZodObject = LEAD_QUESTIONS[name];
    const changes = CHANGING.has(name);
    return defineTool({
      name,
      description: DESCRIPTIONS[name],
      input,
      changes,
      repeatable: changes,
      run: (given, use) => toolOutcome(() => lead.ask(name, given, use)),
    });
  });
}
