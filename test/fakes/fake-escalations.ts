import type { Escalation } from "../../src/contract/documents/escalation.ts";
import type { EscalationDesk } from "../../src/server/handlers/escalation-handlers.ts";
import { NOON } from "./fake-hall.ts";
import { sampleEscalation } from "./sample-escalation.ts";

/** Has one escalation, which stays as it is. */
export function fakeEscalations(): EscalationDesk {
  const same = async () => ONE;
  return {
    list: async () => ({ escalations: [ONE], invalid: [], total: 1 }),
    get: same,
    ask: async () => ({ escalation: ONE, outcome: "asked" }),
    resolve: same,
    promote: same,
    dismiss: same,
    undo: same,
    snooze: same,
    hand: same,
  };
}

const ONE: Escalation = {
  ...sampleEscalation(NOON, { suggestedAnswers: [{ label: "Redis", description: "" }] }),
  id: "esc-001",
  urgency: 3,
};
