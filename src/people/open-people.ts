import type { Escalation } from "../contract/documents/escalation.ts";
import { HallError } from "../contract/errors.ts";
import { type DerivedDesk, type DocumentDesk, escalationDesk } from "./escalation-desk.ts";

/** The queue of decisions. */
export function openPeople() {
  return {
    desk: escalationDesk({
      documents: noDocuments,
      derived: nothing,
      list: async () => ({ escalations: [], invalid: [], total: 0 }),
    }),
  };
}

const none = async (): Promise<Escalation> => {
  throw new HallError("escalation_not_found", "There is no such escalation.");
};

const nothing: DerivedDesk = {
  get: none,
  resolve: none,
  promote: none,
  dismiss: none,
  undo: none,
  snooze: none,
  hand: none,
};

const noDocuments: DocumentDesk = {
  ...nothing,
  ask: async () => ({ escalation: await none(), outcome: "asked" }),
};
