import type { Escalation } from "../../contract/documents/escalation.ts";
import type { TaskPriority } from "../../contract/documents/task-status.ts";

/** In days: how much older a low-priority entry must be to come first. */
const DAYS_AHEAD: Record<TaskPriority, number> = { low: 0, medium: 1, high: 3, urgent: 7 };
const BLOCKS_TASK = 2;
const BLOCKS_INITIATIVE = 2;
const DAY_MS = 86_400_000;

type Weighed = Pick<Escalation, "priority" | "blocksTask" | "blocksInitiative" | "createdAt">;

/**
 * Grows by 1 a day, for all alike: whatever waits long enough comes before anything new, and two entries never change places
 * while nothing else about them does.
 */
export function urgencyOf(entry: Weighed, now: Date): number {
  const age = Math.max(0, now.getTime() - Date.parse(entry.createdAt)) / DAY_MS;
  return Math.round((weightOf(entry) + age) * 1_000) / 1_000;
}

/** The place in the queue, which does not change with time: the smallest is the most urgent. */
export function queuePlace(entry: Weighed): number {
  return Date.parse(entry.createdAt) - weightOf(entry) * DAY_MS;
}

function weightOf({ priority, blocksTask, blocksInitiative }: Weighed): number {
  return DAYS_AHEAD[priority] + (blocksTask === null ? 0 : BLOCKS_TASK) + (blocksInitiative ? BLOCKS_INITIATIVE : 0);
}

/** The most urgent first. */
export function byUrgency(one: Weighed & { id: string }, other: Weighed & { id: string }): number {
  return queuePlace(one) - queuePlace(other) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}

export function isSnoozed({ snoozedUntil }: Pick<Escalation, "snoozedUntil">, now: Date): boolean {
  return snoozedUntil !== undefined && Date.parse(snoozedUntil) > now.getTime();
}
