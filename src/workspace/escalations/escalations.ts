import type { EventType } from "../../contract/event.ts";
import type { Problem } from "../../contract/problem.ts";
import type { EscalationQuery } from "../../contract/routes/people/escalation-routes.ts";
import type { EscalationRecord } from "../../store/index/escalation-row.ts";
import type { Change } from "../change.ts";
import type { Together } from "../together.ts";

/** An escalation with a file: everything but what is computed when it is shown. Never changed in place. */
export type StoredEscalation = EscalationRecord;

/** What a change may set: everything but its id and its place. */
export type EscalationFields = Omit<StoredEscalation, "id" | "path" | "etag">;

/** What the event log says of a change. */
export interface EscalationChange {
  type: Extract<EventType, `escalation.${string}`>;
  /** Added to the fields that changed. */
  after?: Record<string, unknown>;
  /** Becomes durable in the same change, and is refused with it. */
  together?: Together;
}

/** The documents in `escalations/{draft,pending,resolved}`. Knows no rules beyond their form; the floor `people` has those. */
export interface Escalations {
  list(query: EscalationQuery): {
    escalations: StoredEscalation[];
    invalid: Problem[];
    total: number;
    nextCursor?: string;
  };
  /** Drafts and pending ones, oldest first, from memory. */
  open(): StoredEscalation[];
  /** Resolved ones whose answer has not reached every asker, from memory. */
  undelivered(): StoredEscalation[];
  /** Reads through to the file, so that an edit made by hand a moment ago is seen. Throws escalation_not_found. */
  get(id: string): Promise<StoredEscalation>;
  /** The one that asks for permission for this call of a run, open or not. */
  ofCall(call: { runId: string; callId: string }): Promise<StoredEscalation | undefined>;
  /** Gets the next id. Durable when it resolves. */
  create(fields: EscalationFields, change: Change, together?: Together): Promise<StoredEscalation>;
  /**
   * Replaces the document by what `edit` makes of the current one, alone under its lock, and moves its file when its status
   * changes. What `edit` throws is thrown, and nothing changes; undefined: nothing is to change.
   */
  change(
    id: string,
    edit: (current: StoredEscalation) => EscalationFields | undefined,
    what: EscalationChange,
    change: Change,
  ): Promise<StoredEscalation>;
}
