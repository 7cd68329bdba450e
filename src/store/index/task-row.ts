import type { Task } from "../../contract/documents/task.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Row } from "./database.ts";
import { URGENCY } from "./task-filter.ts";

/** A task as its own file tells it: `blocks` and `blockedBy` are only what this file declares. */
export type TaskRecord = Omit<Task, "ready" | "waitingOn">;

export const PUT_TASK = `INSERT INTO tasks (id, project_id, number, title, description, type, priority, urgency, assigned_role_id, assigned_sub_agent_id,
  context, status, created_at, updated_at, started_at, completed_at, result, plan, path, etag, extra)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (project_id, id) DO UPDATE SET title = excluded.title, description = excluded.description, type = excluded.type,
  priority = excluded.priority, urgency = excluded.urgency, assigned_role_id = excluded.assigned_role_id,
  assigned_sub_agent_id = excluded.assigned_sub_agent_id, context = excluded.context, status = excluded.status,
  created_at = excluded.created_at, updated_at = excluded.updated_at, started_at = excluded.started_at,
  completed_at = excluded.completed_at, result = excluded.result, plan = excluded.plan, path = excluded.path,
  etag = excluded.etag, extra = excluded.extra`;

/** The columns in the order of PUT_TASK. */
export function rowOf(task: TaskRecord) {
  const { acceptanceCriteria, labels, domain, responsibilityType, blocks, blockedBy } = task;
  const { notes, completionNotes, outcome, history } = task;
  const declared = {
    ...{ acceptanceCriteria, labels, domain, responsibilityType, blocks, blockedBy },
    escalations: task.escalations,
  };
  return {
    id: task.id,
    project_id: task.projectId,
    number: numberOf(task.id),
    title: task.title,
    description: task.description,
    type: task.type,
    priority: task.priority,
    urgency: URGENCY[task.priority],
    assigned_role_id: task.assignedRoleId ?? null,
    assigned_sub_agent_id: task.assignedSubAgentId ?? null,
    context: JSON.stringify(task.context),
    status: task.status,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    started_at: task.startedAt ?? null,
    completed_at: task.completedAt ?? null,
    result: task.result === undefined ? null : JSON.stringify(task.result),
    plan: task.plan ?? null,
    path: task.path,
    etag: task.etag,
    extra: JSON.stringify({ ...declared, notes, completionNotes, outcome, history }),
  };
}

export function recordOf(row: Row): TaskRecord {
  const text = (column: string) => row[column] as string;
  const optional = (name: string, column: string) => (row[column] === null ? {} : { [name]: row[column] });
  return {
    id: text("id"),
    projectId: text("project_id"),
    title: text("title"),
    description: text("description"),
    type: row.type as TaskRecord["type"],
    priority: row.priority as TaskRecord["priority"],
    status: row.status as TaskStatus,
    ...optional("assignedRoleId", "assigned_role_id"),
    ...optional("assignedSubAgentId", "assigned_sub_agent_id"),
    context: JSON.parse(text("context")) as TaskRecord["context"],
    ...optional("plan", "plan"),
    ...(row.result === null ? {} : { result: JSON.parse(text("result")) as NonNullable<TaskRecord["result"]> }),
    createdAt: text("created_at"),
    updatedAt: text("updated_at"),
    ...optional("startedAt", "started_at"),
    ...optional("completedAt", "completed_at"),
    path: text("path"),
    etag: text("etag"),
    ...(JSON.parse(text("extra")) as Pick<
      TaskRecord,
      "acceptanceCriteria" | "labels" | "blocks" | "blockedBy" | "notes" | "history"
    >),
  };
}

export function numberOf(taskId: string): number {
  return Number(taskId.slice("TASK-".length));
}
