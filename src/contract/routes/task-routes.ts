import { z } from "zod";
import {
  NEEDS_TITLE,
  Task,
  TaskCreate,
  TaskMove,
  TaskPriorityInput,
  TaskTypeInput,
  TaskUpdate,
} from "../documents/task.ts";
import { TASK_FOLDERS, TASK_STATUSES } from "../documents/task-status.ts";
import { Problem } from "../problem.ts";
import { line, Slug } from "../words/text.ts";
import { byId, flag, page, paged, success } from "./route-parts.ts";

export const TaskQuery = z.strictObject({
  ...page,
  /** A status, or a folder of the board: `todo` is pending, assigned and blocked together. */
  status: z.enum([...TASK_STATUSES, ...TASK_FOLDERS, "in_progress", "in_review", "completed"]).optional(),
  priority: TaskPriorityInput.optional(),
  type: TaskTypeInput.optional(),
  role: Slug.optional(),
  label: line(60).optional(),
  plan: Slug.optional(),
  ready: flag.optional(),
  q: line(500).optional(),
  sort: z.enum(["id", "updated", "priority"]).default("id"),
  order: z.enum(["asc", "desc"]).optional(),
});
export type TaskQuery = z.infer<typeof TaskQuery>;

const taskParams = z.strictObject({ id: z.string(), taskId: z.string() });
const TaskList = z.strictObject({ tasks: z.array(Task), invalid: z.array(Problem), ...paged });

export const taskRoutes = {
  listTasks: {
    summary: "Tasks of a project, with files that could not be read.",
    group: "Tasks",
    params: byId,
    query: TaskQuery,
    response: TaskList,
  },
  createTask: {
    summary: "Create a task.",
    group: "Tasks",
    params: byId,
    body: TaskCreate,
    response: z.strictObject({ ...success, task: Task }),
    status: 201,
  },
  getTask: { summary: "A task.", group: "Tasks", params: taskParams, response: z.strictObject({ task: Task }) },
  updateTask: {
    summary: "Change a task; the status must be a legal move.",
    group: "Tasks",
    params: taskParams,
    body: TaskUpdate,
    document: Task,
    response: z.strictObject({ ...success, task: Task }),
  },
  moveTask: {
    summary: "Move a task to another status.",
    group: "Tasks",
    params: taskParams,
    body: TaskMove,
    response: z.strictObject({ ...success, task: Task }),
  },
  listAllTasks: {
    summary: "Tasks of all projects.",
    group: "Tasks",
    query: TaskQuery,
    response: TaskList,
  },
  createTaskAnywhere: {
    summary: "Create a task, naming its project in the body.",
    group: "Tasks",
    body: TaskCreate.safeExtend({ projectId: Slug }).meta(NEEDS_TITLE),
    response: z.strictObject({ ...success, task: Task }),
    status: 201,
  },
} as const;
