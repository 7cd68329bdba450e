import type { TaskPriority } from "../../contract/documents/task-status.ts";
import { UNSETTLED_BLOCKER } from "./task-filter.ts";

/** How the tasks of one initiative stand. */
export interface PlanSum {
  projectId: string;
  /** null: of no initiative. */
  plan: string | null;
  total: number;
  done: number;
  cancelled: number;
  failed: number;
  blocked: number;
  underWay: number;
  ready: number;
  /** Of the most urgent task that can be started; 0: there is none. */
  urgency: number;
  /** When one of them was last changed. */
  changedAt: string;
}

export interface UntouchedTask {
  projectId: string;
  id: string;
  title: string;
  priority: TaskPriority;
  updatedAt: string;
}

const CAN_START = `status IN ('pending', 'assigned') AND NOT ${UNSETTLED_BLOCKER}`;

export const PLAN_SUMS = `SELECT projectId, plan, COUNT(*) AS total, SUM(status = 'done') AS done,
  SUM(status = 'cancelled') AS cancelled, SUM(status = 'failed') AS failed, SUM(status = 'blocked') AS blocked,
  SUM(status IN ('in-progress', 'review')) AS underWay, SUM(ready) AS ready, MAX(ready * urgency) AS urgency,
  MAX(updated_at) AS changedAt
FROM (SELECT project_id AS projectId, plan, status, urgency, updated_at, (${CAN_START}) AS ready FROM tasks) GROUP BY projectId, plan`;

export const UNTOUCHED = `SELECT project_id AS projectId, id, title, priority, updated_at AS updatedAt, plan FROM tasks
WHERE updated_at < ? AND ${CAN_START} ORDER BY updated_at LIMIT ?`;
