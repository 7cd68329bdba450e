import { ESCALATION_TYPES, type EscalationType } from "../../../../src/contract/documents/escalation-status.ts";
import type { RouteQueryInput } from "../../../../src/contract/routes/routes.ts";
import { oneOf, type Said } from "../../api/address.ts";

export const INBOX_VIEWS = [
  { view: "pending", name: "Pending" },
  { view: "draft", name: "Drafts" },
  { view: "snoozed", name: "Snoozed" },
  { view: "resolved", name: "Resolved" },
] as const;
export type InboxView = (typeof INBOX_VIEWS)[number]["view"];

export interface InboxFilter {
  view: InboxView;
  project: string | undefined;
  type: EscalationType | undefined;
  q: string | undefined;
}

/** What the address says; unknown values are ignored. */
export function filterIn({ view, project, type, q }: Said): InboxFilter {
  const views = INBOX_VIEWS.map((each) => each.view);
  return { view: oneOf(views, view) ?? "pending", project, type: oneOf(ESCALATION_TYPES, type), q };
}

/** The most that the list shows: everything that waits, and the newest of what is over. */
const MOST = { open: 1_000, resolved: 200 };

export function queryOf({ view, project, type, q }: InboxFilter): NonNullable<RouteQueryInput<"listEscalations">> {
  return {
    status: view === "snoozed" ? "pending" : view,
    ...(view === "snoozed" ? { snoozed: "true" as const } : {}),
    ...(project === undefined ? {} : { project }),
    ...(type === undefined ? {} : { type }),
    ...(q === undefined ? {} : { q }),
    limit: view === "resolved" ? MOST.resolved : MOST.open,
  };
}

export function isNarrowed({ project, type, q }: InboxFilter): boolean {
  return project !== undefined || type !== undefined || q !== undefined;
}
