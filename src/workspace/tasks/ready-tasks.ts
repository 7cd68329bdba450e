import type { Task } from "../../contract/documents/task.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import { URGENCY } from "../../store/index/task-filter.ts";

const MOST_READY = 500;

type Ready = Pick<Task, "id" | "title" | "priority">;

/** Ready tasks of an initiative, the most urgent first; of equal ones, the oldest. */
export function readyInOrder({ tasks }: HallIndex, projectId: string, plan: string): Ready[] {
  const order = { sort: "priority" as const, descending: true, limit: MOST_READY, after: undefined };
  return tasks
    .list({ projectId, plan, ready: true }, order)
    .map(({ id, title, priority }) => ({ id, title, priority }))
    .sort((left, right) => URGENCY[right.priority] - URGENCY[left.priority] || numberOf(left) - numberOf(right));
}

function numberOf({ id }: Ready): number {
  return Number(id.slice(id.indexOf("-") + 1));
}
