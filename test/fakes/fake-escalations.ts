import type { Escalation } from "../../src/contract/documents/escalation.ts";
import type { EscalationDesk } from "../../src/server/handlers/escalation-handlers.ts";
import { NOON } from "./fake-hall.ts";

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
  id: "esc-001",
  type: "decision",
  origin: "agent",
  projectId: "shop",
  question: "Redis or Memcached?",
  context: "",
  suggestedAnswers: [{ label: "Redis", description: "" }],
  escalatedBy: "run:one",
  escalationPath: ["run:one", "person"],
  history: [],
  askers: [],
  priority: "high",
  blocksTask: null,
  blocksInitiative: false,
  createdAt: NOON,
  updatedAt: NOON,
  status: "pending",
  resolution: null,
  answer: null,
  resolvedBy: null,
  resolvedAt: null,
  sources: [],
  replaces: [],
  reminders: 0,
  urgency: 3,
};
