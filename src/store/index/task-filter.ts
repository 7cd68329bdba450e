import type { TaskPriority, TaskStatus } from "../../contract/documents/task-status.ts";
import { textMatch } from "./search-table.ts";

/** Initiatives that an open escalation blocks: none of their tasks is ready. */
export type HeldPlans = () => readonly HeldPlan[];

interface HeldPlan {
  projectId: string;
  plan: string;
}

export interface TaskFilter {
  projectId?: string | undefined;
  statuses?: readonly TaskStatus[] | undefined;
  priority?: TaskPriority | undefined;
  type?: string | undefined;
  role?: string | undefined;
  label?: string | undefined;
  plan?: string | undefined;
  ready?: boolean | undefined;
  text?: string | undefined;
  held?: readonly HeldPlan[] | undefined;
}

export interface Sql {
  text: string;
  values: (string | number)[];
}

/** A condition on tasks, and where it may leave only few of them, a query for the keys of those. */
export interface Condition extends Sql {
  keys?: Sql | undefined;
}

export const URGENCY: Record<TaskPriority, number> = { low: 1, medium: 2, high: 3, urgent: 4 };
const READY: readonly TaskStatus[] = ["pending", "assigned"];
/** A dependency that is done or cancelled no longer holds anything up. */
export const UNSETTLED_BLOCKER = `EXISTS (
  SELECT 1 FROM task_edges edge LEFT JOIN tasks other ON other.project_id = edge.project_id AND other.id = edge.blocker
  WHERE edge.project_id = tasks.project_id AND edge.blocked = tasks.id
    AND (other.status IS NULL OR other.status NOT IN ('done', 'cancelled')))`;

/** Undefined when tasks of every status are wanted. */
export function wantedStatuses({ statuses, ready }: TaskFilter): readonly TaskStatus[] | undefined {
  if (ready !== true) return statuses;
  return statuses === undefined ? READY : statuses.filter((status) => READY.includes(status));
}

export function hasStatus(statuses: readonly TaskStatus[]): Condition {
  const condition = { text: `status IN (${statuses.map(() => "?").join(", ")})`, values: [...statuses] };
  return { ...condition, keys: { ...condition, text: `SELECT key FROM tasks WHERE ${condition.text}` } };
}

/** Everything a filter asks for but the status. */
export function conditionsOf(filter: TaskFilter): Condition[] {
  const { projectId, priority, type, role, label, plan, ready, text, held = [] } = filter;
  const ofHeld = held.map(() => "(tasks.project_id = ? AND tasks.plan IS ?)").join(" OR ") || "FALSE";
  const heldValues = held.flatMap((one) => [one.projectId, one.plan]);
  const conditions: Condition[] = [];
  if (projectId !== undefined) conditions.push({ text: "project_id = ?", values: [projectId] });
  if (priority !== undefined) conditions.push({ text: "urgency = ?", values: [URGENCY[priority]] });
  if (type !== undefined) conditions.push({ text: "type = ?", values: [type] });
  if (role !== undefined) conditions.push(named("assigned_role_id", role, projectId));
  if (plan !== undefined) conditions.push(named("plan", plan, projectId));
  if (label !== undefined) conditions.push(labelled(label, projectId));
  if (text !== undefined) conditions.push(worded(text, projectId));
  if (ready === true) conditions.push({ text: `NOT ${UNSETTLED_BLOCKER} AND NOT (${ofHeld})`, values: heldValues });
  if (ready === false) {
    const text = `(status NOT IN ('pending', 'assigned') OR ${UNSETTLED_BLOCKER} OR ${ofHeld})`;
    conditions.push({ text, values: heldValues });
  }
  return conditions;
}

function named(column: "assigned_role_id" | "plan", value: string, projectId: string | undefined): Condition {
  const condition = { text: `${column} = ?`, values: [value] };
  return { ...condition, keys: inProject(`SELECT key FROM tasks WHERE ${column} = ?`, value, projectId) };
}

function labelled(label: string, projectId: string | undefined): Condition {
  const isIts = "task_labels.project_id = tasks.project_id AND task_id = tasks.id";
  const keys = `SELECT key FROM task_labels CROSS JOIN tasks ON ${isIts} WHERE label = ?`;
  return {
    text: `EXISTS (SELECT 1 FROM task_labels WHERE label = ? AND ${isIts})`,
    values: [label],
    keys: inProject(keys, label, projectId),
  };
}

function worded(text: string, projectId: string | undefined): Condition {
  const match = textMatch(text, projectId);
  if (match === undefined) return { text: "instr(title, ?) > 0", values: [text] };
  const keys = { text: "SELECT rowid FROM tasks_fts WHERE tasks_fts MATCH ?", values: [match] };
  return { text: `key IN (${keys.text})`, values: [match], keys };
}

function inProject(keys: string, value: string, projectId: string | undefined): Sql {
  if (projectId === undefined) return { text: keys, values: [value] };
  return { text: `${keys} AND tasks.project_id = ?`, values: [value, projectId] };
}
