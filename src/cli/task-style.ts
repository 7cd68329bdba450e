import type { TaskPriority, TaskStatus } from "../contract/task-status.ts";
import type { Style } from "./paint.ts";

const statusStyles: Partial<Record<TaskStatus, Style>> = {
  "in-progress": "cyan",
  review: "blue",
  blocked: "red",
  done: "green",
  failed: "red",
  cancelled: "dim",
};

export function statusStyle(status: TaskStatus): Style | undefined {
  return statusStyles[status];
}

export function priorityStyle(priority: TaskPriority): Style | undefined {
  if (priority === "urgent") return "red";
  return priority === "high" ? "yellow" : undefined;
}
