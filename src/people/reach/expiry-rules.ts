import type { Escalation } from "../../contract/documents/escalation.ts";
import type { EscalationType } from "../../contract/documents/escalation-status.ts";

/** The person has at least this long after they were notified. */
const NOTICE_MS = 3_600_000;

/**
 * A default may take effect for a question only. A decision and an approval are the person's, and silence is neither; a
 * blocker names something that is missing, and stays so.
 */
const MAY_EXPIRE: Record<EscalationType, boolean> = {
  question: true,
  decision: false,
  blocker: false,
  approval: false,
};

type Expiring = Pick<Escalation, "type" | "status" | "expires" | "snoozedUntil" | "history">;

/** When the stated default takes effect, in milliseconds since 1970; undefined: not before something changes. */
export function expiresAt({ type, status, expires, snoozedUntil, history }: Expiring): number | undefined {
  if (expires === undefined || status !== "pending" || !MAY_EXPIRE[type]) return undefined;
  const told = history.find(({ action }) => action === "reminded");
  if (told === undefined) return undefined;
  const awake = snoozedUntil === undefined ? 0 : Date.parse(snoozedUntil);
  return Math.max(Date.parse(expires.at), Date.parse(told.at) + NOTICE_MS, awake);
}
