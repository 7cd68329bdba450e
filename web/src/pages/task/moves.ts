import { LEGAL_MOVES, TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";
import { taskWords } from "../../ui/run/status.tsx";

export function isLegal(from: TaskStatus, to: TaskStatus): boolean {
  return LEGAL_MOVES[from].includes(to);
}

/** Why a task of a status cannot become just anything: what it can become. */
export function legalText(from: TaskStatus): string {
  const words = LEGAL_MOVES[from].map((status) => taskWords[status].toLowerCase());
  const last = words.pop();
  const list = words.length === 0 ? last : `${words.join(", ")} or ${last}`;
  return `From ${taskWords[from].toLowerCase()}, a task can move to ${list}.`;
}

/** The next column to the left or right that the task may go to. Only questions block tasks; by hand that takes a menu. */
export function nextLegal(from: TaskStatus, by: 1 | -1): TaskStatus | undefined {
  for (let at = TASK_STATUSES.indexOf(from) + by; at >= 0 && at < TASK_STATUSES.length; at += by) {
    const to = TASK_STATUSES[at];
    if (to !== undefined && to !== "blocked" && isLegal(from, to)) return to;
  }
  return undefined;
}
