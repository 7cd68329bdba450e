import type { Escalation, EscalationStep } from "../../contract/documents/escalation.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";

const MOST_TOLD = 20;

/** The document after the person was notified; undefined: that is noted already, or it is no longer open. */
export function reminded(current: EscalationFields, at: string): EscalationFields | undefined {
  if (current.status !== "pending" || current.remindedAt === at) return undefined;
  const step: EscalationStep = { at, by: "hall", action: "reminded" };
  return { ...current, remindedAt: at, reminders: current.reminders + 1, history: [...kept(current.history), step] };
}

/** The first notification stays in the history; of those in a row after it, the last one. */
function kept(history: readonly EscalationStep[]): readonly EscalationStep[] {
  const isRepeated = [-1, -2].every((at) => history.at(at)?.action === "reminded");
  return isRepeated ? history.slice(0, -1) : history;
}

/** What an event says of a notification, for those who pass it on. */
export function toldOf(entries: readonly Escalation[], link: (id: string) => string) {
  return {
    total: entries.length,
    escalations: entries
      .slice(0, MOST_TOLD)
      .map(({ id, type, projectId, question, suggestedAnswers, priority, blocksTask }) => ({
        id,
        type,
        ...(projectId === undefined ? {} : { project: projectId }),
        question,
        suggestedAnswers,
        priority,
        ...(blocksTask === null ? {} : { blocksTask }),
        link: link(id),
      })),
  };
}
