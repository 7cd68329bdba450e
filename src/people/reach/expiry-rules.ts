import type { Escalation } from "../../contract/documents/escalation.ts";
import { mayExpire } from "../rules/escalation-resolving.ts";

/** The person has at least this long after they were notified. */
const NOTICE_MS = 3_600_000;

type Expiring = Pick<Escalation, "type" | "status" | "expires" | "snoozedUntil" | "history" | "createdAt">;

/**
 * When the stated default takes effect, in milliseconds since 1970; undefined: not before something changes. `notifies`: the
 * person has a channel on which they are notified; without one, the dashboard shows it from the beginning.
 */
export function expiresAt(escalation: Expiring, { notifies }: { notifies: boolean }): number | undefined {
  const { type, status, expires, snoozedUntil, history, createdAt } = escalation;
  if (expires === undefined || status !== "pending" || !mayExpire(type)) return undefined;
  const told = history.find(({ action }) => action === "reminded")?.at ?? (notifies ? undefined : createdAt);
  if (told === undefined) return undefined;
  const awake = snoozedUntil === undefined ? 0 : Date.parse(snoozedUntil);
  return Math.max(Date.parse(expires.at), Date.parse(told) + NOTICE_MS, awake);
}
