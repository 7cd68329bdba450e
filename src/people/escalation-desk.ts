import {
  ESCALATION_ID,
  type Escalation,
  type EscalationCreate,
  type Resolve,
} from "../contract/documents/escalation.ts";
import type { Asked, EscalationQuery } from "../contract/routes/people/escalation-routes.ts";
import type { RouteResponse } from "../contract/routes/routes.ts";
import type { Change } from "../workspace/change.ts";
import { assertActorMay } from "../workspace/rights.ts";

/** What can be done with one escalation. Whether the caller may answer was checked before. */
interface Deciding {
  /** Throws escalation_not_found. */
  get(id: string): Promise<Escalation>;
  resolve(id: string, body: Resolve, change: Change): Promise<Escalation>;
  promote(id: string, reason: string | undefined, change: Change): Promise<Escalation>;
  dismiss(id: string, reason: string, change: Change): Promise<Escalation>;
  undo(id: string, change: Change): Promise<Escalation>;
  /** Null: it is shown again. */
  snooze(id: string, until: string | null, change: Change): Promise<Escalation>;
  hand(id: string, to: "main" | "project", change: Change): Promise<Escalation>;
}

/** Escalations with a file: what agents and people asked. */
export interface DocumentDesk extends Deciding {
  ask(body: EscalationCreate, change: Change): Promise<Omit<Asked, "success">>;
}

/** Entries that are derived from the state of the workspace. */
export type DerivedDesk = Deciding;

interface Parts {
  documents: DocumentDesk;
  derived: DerivedDesk;
  list(query: EscalationQuery): Promise<RouteResponse<"listEscalations">>;
}

/** The one place that decides whether an id names a document or a derived entry, and that checks who may answer. */
export function escalationDesk({ documents, derived, list }: Parts) {
  const of = (id: string): Deciding => (ESCALATION_ID.test(id) ? documents : derived);
  const toAnswer = (id: string, { actor }: Change): Deciding => {
    assertActorMay(actor, "answer");
    return of(id);
  };
  return {
    list,
    get: async (id: string) => of(id).get(id),
    ask: (body: EscalationCreate, change: Change) => documents.ask(body, change),
    resolve: async (id: string, body: Resolve, change: Change) => toAnswer(id, change).resolve(id, body, change),
    promote: async (id: string, reason: string | undefined, change: Change) =>
      toAnswer(id, change).promote(id, reason, change),
    dismiss: async (id: string, reason: string, change: Change) => toAnswer(id, change).dismiss(id, reason, change),
    undo: async (id: string, change: Change) => toAnswer(id, change).undo(id, change),
    snooze: async (id: string, until: string | null, change: Change) => toAnswer(id, change).snooze(id, until, change),
    hand: async (id: string, to: "main" | "project", change: Change) => toAnswer(id, change).hand(id, to, change),
  };
}
