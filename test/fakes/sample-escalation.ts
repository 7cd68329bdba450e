import type { EscalationFields } from "../../src/workspace/escalations/escalations.ts";

/** A pending decision with nothing special about it; tests change what they are about. */
export function sampleEscalation(at: string, more: Partial<EscalationFields> = {}): EscalationFields {
  return {
    type: "decision",
    origin: "agent",
    projectId: "shop",
    question: "Which cache?",
    context: "",
    suggestedAnswers: [],
    escalatedBy: "run:one",
    escalationPath: ["run:one"],
    history: [],
    askers: [],
    priority: "high",
    blocksTask: null,
    blocksInitiative: false,
    createdAt: at,
    updatedAt: at,
    status: "pending",
    resolution: null,
    answer: null,
    resolvedBy: null,
    resolvedAt: null,
    sources: [],
    replaces: [],
    reminders: 0,
    ...more,
  };
}
