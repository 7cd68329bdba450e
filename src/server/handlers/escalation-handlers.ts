import type { Escalation, EscalationCreate, Resolve } from "../../contract/documents/escalation.ts";
import type { Asked, EscalationQuery } from "../../contract/routes/people/escalation-routes.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Change } from "../../workspace/change.ts";
import type { HandlersOf } from "../handler.ts";

/** What the server needs of the queue of decisions. */
export interface EscalationDesk {
  list(query: EscalationQuery): Promise<RouteResponse<"listEscalations">>;
  get(id: string): Promise<Escalation>;
  ask(body: EscalationCreate, change: Change): Promise<Omit<Asked, "success">>;
  resolve(id: string, body: Resolve, change: Change): Promise<Escalation>;
  promote(id: string, reason: string | undefined, change: Change): Promise<Escalation>;
  dismiss(id: string, reason: string, change: Change): Promise<Escalation>;
  undo(id: string, change: Change): Promise<Escalation>;
  /** Null: it is shown again. */
  snooze(id: string, until: string | null, change: Change): Promise<Escalation>;
  hand(id: string, to: "main" | "project", change: Change): Promise<Escalation>;
}

type EscalationEndpoint =
  | "listEscalations"
  | "createEscalation"
  | "getEscalation"
  | "resolveEscalation"
  | "promoteEscalation"
  | "dismissEscalation"
  | "undoEscalation"
  | "snoozeEscalation"
  | "handEscalation";

const success = true as const;

export function escalationHandlers(desk: EscalationDesk): HandlersOf<EscalationEndpoint> {
  return {
    listEscalations: ({ query }) => desk.list(query),
    createEscalation: async ({ body, change }) => ({ success, ...(await desk.ask(body, change)) }),
    getEscalation: async ({ params: { id } }) => ({ escalation: await desk.get(id) }),
    resolveEscalation: async ({ params: { id }, body, change }) => ({
      success,
      escalation: await desk.resolve(id, body, change),
    }),
    promoteEscalation: async ({ params: { id }, body: { reason }, change }) => ({
      success,
      escalation: await desk.promote(id, reason, change),
    }),
    dismissEscalation: async ({ params: { id }, body: { reason }, change }) => ({
      success,
      escalation: await desk.dismiss(id, reason, change),
    }),
    undoEscalation: async ({ params: { id }, change }) => ({ success, escalation: await desk.undo(id, change) }),
    snoozeEscalation: async ({ params: { id }, body: { until }, change }) => ({
      success,
      escalation: await desk.snooze(id, until, change),
    }),
    handEscalation: async ({ params: { id }, body: { to }, change }) => ({
      success,
      escalation: await desk.hand(id, to, change),
    }),
  };
}
