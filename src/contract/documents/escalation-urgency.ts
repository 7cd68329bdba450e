import type { Escalation } from "./escalation.ts";
import { TASK_PRIORITIES } from "./task-status.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

type Waiting = Pick<Escalation, "priority" | "createdAt">;

/** Its priority from 1 (low) to 4 (urgent), and 1 more for each day that it waits. */
export function urgencyOf({ priority, createdAt }: Waiting, now: Date): number {
  const days = Math.max(0, now.getTime() - Date.parse(createdAt)) / DAY_MS;
  return Math.round((weightOf(priority) + days) * 1_000) / 1_000;
}

/** A number that sorts as urgency does, at any time, because all grow at the same rate. Lower is more urgent. */
export function urgencyRank({ priority, createdAt }: Waiting): number {
  return Date.parse(createdAt) - weightOf(priority) * DAY_MS;
}

function weightOf(priority: Waiting["priority"]): number {
  return TASK_PRIORITIES.indexOf(priority) + 1;
}
