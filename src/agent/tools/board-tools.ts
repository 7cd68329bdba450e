import { z } from "zod";
import { TaskPriorityInput, TaskTypeInput } from "../../contract/documents/task.ts";
import { TASK_FOLDERS, TASK_STATUSES } from "../../contract/documents/task-status.ts";
import { CriterionReport } from "../../contract/runs/criterion-report.ts";
import { Slug } from "../../contract/words/text.ts";
import { defineTool, type Tool, type ToolUse, toolOutcome } from "../tool.ts";

const TaskId = z.string().regex(/^TASK-\d{1,9}$/i, "must be a task id, such as TASK-001");

const BoardList = z.strictObject({
  status: z
    .enum([...TASK_STATUSES, ...TASK_FOLDERS])
    .optional()
    .describe("A status, or 'todo'."),
  query: z.string().max(500).optional().describe("Search text."),
  ready: z.boolean().optional().describe("Only unblocked tasks."),
  limit: z.int().min(1).max(100).default(30),
});
const BoardGet = z.strictObject({ id: TaskId });
const BoardCreate = z.strictObject({
  title: z.string().min(1).max(500),
  description: z.string().max(100_000).default(""),
  type: TaskTypeInput.optional(),
  priority: TaskPriorityInput.optional(),
  acceptanceCriteria: z.array(z.string().min(1).max(2_000)).max(50).default([]),
  blockedBy: z.array(TaskId).max(50).default([]),
  plan: Slug.optional().describe("Its initiative."),
});
const BoardUpdate = z.strictObject({
  id: TaskId,
  title: z.string().min(1).max(500).optional(),
  description: z.string().max(100_000).optional(),
  priority: TaskPriorityInput.optional(),
  plan: Slug.nullable().optional().describe("Its initiative; null for none."),
  status: z.enum(TASK_STATUSES).optional().describe("New status. To finish a task use task_complete."),
  note: z.string().max(2_000).optional().describe("Reason, for the log."),
});
const BoardComplete = z.strictObject({
  id: TaskId,
  summary: z.string().min(1).max(20_000).describe("What was done and how it was verified."),
  criteria: z
    .array(CriterionReport)
    .max(200)
    .default([])
    .describe("One for each acceptance criterion, if there are any."),
});

export const BOARD_QUESTIONS = {
  task_list: BoardList,
  task_get: BoardGet,
  task_create: BoardCreate,
  task_update: BoardUpdate,
  task_complete: BoardComplete,
} as const;
export type BoardQuestion = keyof typeof BOARD_QUESTIONS;

const DESCRIPTIONS: Record<BoardQuestion, string> = {
  task_list: "List tasks, one per line.",
  task_get: "Read a task.",
  task_create: "Create a task.",
  task_update: "Edit a task or change its status.",
  task_complete: "Mark a task as done. If the project requires review, it moves to review.",
};

const CHANGING = new Set<BoardQuestion>(["task_create", "task_update", "task_complete"]);

export interface BoardPort {
  /** Answers in words. Asking twice with one call id changes the board once. Rejects with HallError when it is refused. */
  ask(what: BoardQuestion, input: unknown, use: ToolUse): Promise<string>;
}

/** `ofMany`: whoever calls them has to say which project. */
export function boardTools(board: BoardPort, { ofMany }: { ofMany: boolean }): Tool[] {
  return (Object.keys(BOARD_QUESTIONS) as BoardQuestion[]).map((name) => {
    const schema: z.ZodObject = BOARD_QUESTIONS[name];
    const input = ofMany ? schema.extend({ project: z.string().describe("Project id.") }) : schema;
    return defineTool({
      name,
      description: DESCRIPTIONS[name],
      input,
      changes: CHANGING.has(name),
      repeatable: CHANGING.has(name),
      run: (given, use) => toolOutcome(() => board.ask(name, given, use)),
    });
  });
}
