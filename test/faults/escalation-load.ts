import type { EscalationFields } from "../../src/workspace/escalations/escalations.ts";

const NOON = "2026-11-16T12:00:00.000Z";
const RESOLVED = { outcome: "answered" as const, resolution: "Yes", resolvedBy: "person", resolvedAt: NOON };
const OPEN = { resolution: null, resolvedBy: null, resolvedAt: null };

/** An escalation after so many changes; with every one it gets another status, and with that another folder. */
export function fieldsAt(version: number): EscalationFields {
  const status = (["draft", "pending", "resolved"] as const)[version % 3] ?? "draft";
  return {
    type: "question",
    origin: "agent",
    question: "Is it whole?",
    context: `version ${version} ${"x".repeat((version * 700) % 3_000)}`,
    suggestedAnswers: [],
    escalatedBy: "person",
    escalationPath: [],
    history: [],
    askers: [],
    priority: "medium",
    blocksTask: null,
    blocksInitiative: false,
    createdAt: NOON,
    updatedAt: NOON,
    status,
    answer: null,
    sources: [],
    replaces: [],
    reminders: 0,
    ...(status === "resolved" ? RESOLVED : OPEN),
  };
}

/** The number of changes that an escalation of this load has seen. */
export function versionOf({ context }: Pick<EscalationFields, "context">): number {
  return Number(context.split(" ")[1]);
}
