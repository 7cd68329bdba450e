/** Apart from the schemas, so that pages and commands can load it without them. */
export const TASK_STATUSES = [
  "pending",
  "assigned",
  "in-progress",
  "review",
  "blocked",
  "done",
  "failed",
  "cancelled",
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TASK_FOLDERS = ["todo", "in-progress", "review", "done", "failed", "cancelled"] as const;
export type TaskFolder = (typeof TASK_FOLDERS)[number];

export const TASK_PRIORITIES = ["low", "medium", "high", "urgent"] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

export const TASK_TYPES = [
  "feature",
  "bug",
  "refactor",
  "test",
  "docs",
  "research",
  "review",
  "planning",
  "search",
  "explore",
  "other",
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** What agents and people can say of a task. */
export const TASK_OUTCOMES = ["full", "partial", "escalated", "skipped"] as const;

/** The offline model rehearsed the task and did nothing: it is still to do. */
export const REHEARSED = "rehearsed";

/** What a task of a status can become. */
export const LEGAL_MOVES: Record<TaskStatus, readonly TaskStatus[]> = {
  pending: ["assigned", "in-progress", "blocked", "cancelled", "failed"],
  assigned: ["pending", "in-progress", "blocked", "cancelled", "failed"],
  "in-progress": ["review", "done", "blocked", "failed", "cancelled", "pending"],
  review: ["done", "in-progress", "blocked", "pending", "failed", "cancelled"],
  blocked: ["pending", "in-progress", "review", "done", "failed", "cancelled"],
  done: ["in-progress"],
  failed: ["pending", "in-progress", "cancelled"],
  cancelled: ["pending"],
};
