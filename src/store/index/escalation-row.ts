import type { Escalation } from "../../contract/documents/escalation.ts";
import { urgencyRank } from "../../contract/documents/escalation-urgency.ts";

/** An escalation as its file has it. */
export type EscalationRecord = Omit<Escalation, "urgency" | "undoUntil" | "subject" | "path" | "etag"> & {
  path: string;
  etag: string;
};

/** Lower comes first: of open ones the most urgent, of resolved ones the newest. */
export function rankOf(record: EscalationRecord): number {
  return record.status === "resolved" ? -Date.parse(record.resolvedAt ?? record.updatedAt) : urgencyRank(record);
}

/** Whether its answer has not reached every asker. */
export function isUndelivered({ status, askers }: EscalationRecord): boolean {
  return status === "resolved" && askers.some(({ deliveredAt }) => deliveredAt === undefined);
}

export function escalationNumber(id: string): number {
  return Number(id.slice("esc-".length));
}
