import type { BriefItem, Briefing } from "../../contract/documents/autonomy/briefing.ts";
import type { Escalation } from "../../contract/documents/escalation.ts";
import type { EscalationType } from "../../contract/documents/escalation-status.ts";
import type { BriefingSection } from "../../contract/words/autonomy/briefing-words.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { given } from "./facts.ts";

/** More than these of each are counted and not listed. */
const MOST_ITEMS = 100;
const LONGEST_QUESTION = 500;
const LONGEST_REASON = 300;

const SECTION_OF: Record<EscalationType, BriefingSection> = {
  decision: "decisions",
  blocker: "blockers",
  question: "questions",
  approval: "approvals",
};

/** What waits for the person, the most urgent first, as a briefing shows it. */
export function needsOf(
  open: readonly Escalation[],
  titleOf: (projectId: string, taskId: string) => string | undefined,
): Briefing["needs"] {
  const needs: Briefing["needs"] = {
    decisions: { count: 0, items: [] },
    blockers: { count: 0, items: [] },
    questions: { count: 0, items: [] },
    approvals: { count: 0, items: [] },
  };
  for (const escalation of open) {
    const section = needs[SECTION_OF[escalation.type]];
    section.count++;
    if (section.items.length < MOST_ITEMS) section.items.push(itemOf(escalation, titleOf));
  }
  return needs;
}

function itemOf(escalation: Escalation, titleOf: (projectId: string, taskId: string) => string | undefined): BriefItem {
  const { id, type, projectId, initiative, question, suggestedAnswers, blocksTask, blocksInitiative } = escalation;
  const [first] = suggestedAnswers;
  const place = [projectId ?? "workspace", ...(initiative === undefined ? [] : [initiative])].join(" / ");
  const suggested = first && { label: first.label, reason: cutText(first.description, LONGEST_REASON) };
  const title = blocksTask === null ? undefined : (titleOf(projectId ?? "", blocksTask) ?? blocksTask);
  const blocks = blocksInitiative
    ? { kind: "initiative" as const }
    : blocksTask === null || title === undefined
      ? undefined
      : { kind: "task" as const, taskId: blocksTask, title };
  return {
    id,
    type,
    ...given({ projectId, initiative }),
    link: `/inbox?id=${encodeURIComponent(id)}`,
    tag: `[${place}]`,
    question: cutText(question, LONGEST_QUESTION),
    ...given({ suggested }),
    answers: suggestedAnswers.map(({ label }) => label),
    ...given({ blocks, details: detailsOf(escalation) }),
    askedAt: escalation.createdAt,
  };
}

/** Where an approval can be looked at: the plan of a team or an initiative, the changes of a run, or the project. */
function detailsOf({ type, team, subject, review, projectId, initiative }: Escalation): string | undefined {
  if (team !== undefined) return `/teams/${team.id}${team.kind === "plan" ? "?view=plan" : ""}`;
  if (subject?.kind === "review") return `/runs/${subject.id}?view=changes`;
  if (review !== undefined) return `/runs/${review.runId}?view=changes`;
  if (subject?.kind === "failed" || subject?.kind === "budget" || subject?.kind === "provider")
    return `/runs/${subject.id}`;
  if (type !== "approval" || projectId === undefined) return undefined;
  return `/projects/${projectId}${initiative === undefined ? "" : `/initiatives/${initiative}`}`;
}
