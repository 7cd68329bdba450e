import type { Escalation } from "../../contract/documents/escalation.ts";
import { URGENCY } from "./task-filter.ts";

/** An escalation as its file has it. */
export type EscalationRecord = Omit<Escalation, "urgency" | "undoUntil" | "subject" | "path" | "etag"> & {
  path: string;
  etag: string;
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Its priority from 1 to 4, and 1 more for each day that it waits. */
export function urgencyOf({ priority, createdAt }: Pick<Escalation, "priority" | "createdAt">, now: Date): number {
  const days = Math.max(0, now.getTime() - Date.parse(createdAt)) / DAY_MS;
  return Math.round((URGENCY[priority] + days) * 1_000) / 1_000;
}

/** Lower comes first. Of open ones: as urgencyOf sorts them, at any time; of resolved ones: the newest. */
export function rankOf({ status, priority, createdAt, resolvedAt, updatedAt }: EscalationRecord): number {
  if (status === "resolved") return -Date.parse(resolvedAt ?? updatedAt);
  return Date.parse(createdAt) - URGENCY[priority] * DAY_MS;
}

/** Whether its answer has not reached every asker. */
export function isUndelivered({ status, askers }: EscalationRecord): boolean {
  return status === "resolved" && askers.some(({ deliveredAt }) => deliveredAt === undefined);
}

export function escalationNumber(id: string): number {
  return Number(id.slice("esc-".length));
}
