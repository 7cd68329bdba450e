import type { Escalation } from "./escalation.ts";
import { TASK_PRIORITIES } from "./task-status.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Work that can't continue is worth two days of waiting. */
const BLOCKING = 2;

type Waiting = Pick<Escalation, "priority" | "createdAt" | "blocksTask" | "blocksInitiative">;

/** Its priority from 1 (low) to 4 (urgent), more where it blocks work, and 1 more for each day that it waits. */
export function urgencyOf(entry: Waiting, now: Date): number {
  const days = Math.max(0, now.getTime() - Date.parse(entry.createdAt)) / DAY_MS;
  return Math.round((weightOf(entry) + days) * 1_000) / 1_000;
}

/**
 * A number that sorts as urgency does, at any time, because all grow at the same rate: whatever waits long enough comes before
 * anything new. Lower is more urgent.
 */
export function urgencyRank(entry: Waiting): number {
  return Date.parse(entry.createdAt) - weightOf(entry) * DAY_MS;
}

function weightOf({ priority, blocksTask, blocksInitiative }: Waiting): number {
  const blocks = (blocksTask === null ? 0 : 1) + (blocksInitiative ? 1 : 0);
  return TASK_PRIORITIES.indexOf(priority) + 1 + blocks * BLOCKING;
}

type Placed = Waiting & { id: string };

/** The most urgent first; of two alike, by id. */
export function byUrgency(one: Placed, other: Placed): number {
  return urgencyRank(one) - urgencyRank(other) || (one.id < other.id ? -1 : Number(one.id > other.id));
}

export function isSnoozed({ snoozedUntil }: Pick<Escalation, "snoozedUntil">, now: Date): boolean {
  return snoozedUntil !== undefined && Date.parse(snoozedUntil) > now.getTime();
}
