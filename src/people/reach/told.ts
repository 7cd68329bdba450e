import type { Escalation, EscalationStep } from "../../contract/documents/escalation.ts";
import type { SubjectKind } from "../../contract/documents/escalation-status.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";

const MOST_TOLD = 20;
/** A notification of its own says it when it begins: that a run ended, or waits for budget, or that a provider is paused. */
const TOLD_OTHERWISE: readonly SubjectKind[] = ["review", "failed", "budget", "provider"];

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

/** What an event says of a notification, for those who pass it on; undefined: it is no news to them. */
export function toldOf(entries: readonly Escalation[], link: (id: string) => string) {
  const news = entries.filter(({ subject, reminders }) => reminders > 0 || !isToldOtherwise(subject?.kind));
  if (news.length === 0) return undefined;
  return {
    total: news.length,
    escalations: news
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

function isToldOtherwise(kind: SubjectKind | undefined): boolean {
  return kind !== undefined && TOLD_OTHERWISE.includes(kind);
}
