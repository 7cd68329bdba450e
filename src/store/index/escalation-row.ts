import type { Escalation } from "../../contract/documents/escalation.ts";
import { queuePlace } from "../../contract/words/urgency.ts";

/** An escalation as its file has it. */
export type EscalationRecord = Omit<Escalation, "urgency" | "undoUntil" | "subject" | "path" | "etag"> & {
  path: string;
  etag: string;
};

/** Lower comes first. Of open ones: as urgencyOf sorts them, at any time; of resolved ones: the newest. */
export function rankOf(record: EscalationRecord): number {
  const { status, resolvedAt, updatedAt } = record;
  return status === "resolved" ? -Date.parse(resolvedAt ?? updatedAt) : queuePlace(record);
}

/** Whether its answer has not reached every asker. */
export function isUndelivered({ status, askers }: EscalationRecord): boolean {
  return status === "resolved" && askers.some(({ deliveredAt }) => deliveredAt === undefined);
}

export function escalationNumber(id: string): number {
  return Number(id.slice("esc-".length));
}
