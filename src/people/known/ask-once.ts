import type { AnswerSource, EscalationCreate, SuggestedAnswer } from "../../contract/documents/escalation.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { KnownAnswers, RecordedAnswer, SuggestedBecause } from "./known-answers.ts";

/**
 * What comes of a question before anyone is asked. `known`: it was answered; nothing is recorded. `joined`: it is open, and
 * gets one more asker. `asked`: it becomes an escalation, with earlier answers first among the suggested ones.
 */
export type AskOnce =
  | { outcome: "known"; answer: RecordedAnswer }
  | { outcome: "joined"; escalation: StoredEscalation }
  | { outcome: "asked"; suggestedAnswers: SuggestedAnswer[] };

const MOST_SUGGESTED = 10;
const LONGEST_LABEL = 200;
const LONGEST_DESCRIPTION = 2_000;

/** Looks in open escalations, then in recorded answers. `taskId`: of the run that asks. */
export async function askOnce(
  known: KnownAnswers,
  { question: text, context, type, projectId, suggestedAnswers }: EscalationCreate,
  taskId?: string,
): Promise<AskOnce> {
  const question = { text, context, type, projectId, taskId, suggestedAnswers };
  const found = await known.lookup(question);
  if (found?.kind === "known") return { outcome: "known", answer: found };
  const open = known.sameOpen(question);
  if (open !== undefined) return { outcome: "joined", escalation: open };
  if (found === undefined) return { outcome: "asked", suggestedAnswers };
  const earlier = found.answers.map((answer) => asSuggestion(answer, found.reason));
  return { outcome: "asked", suggestedAnswers: merged(earlier, suggestedAnswers) };
}

/** For the agent that asked: the answer with its citation, and what comes before it. */
export function knownText({ question, resolution, citation }: RecordedAnswer): string {
  return [
    `Answered before ${cited(citation)}: ${resolution}`,
    `It was recorded for the question: ${question}`,
    "Your task and AGENTS.md take precedence over recorded answers. If your question is a different one, ask again and say what differs.",
  ].join("\n");
}

/** As agents and people see a source: `[esc-001]`. */
export function cited({ id }: Pick<AnswerSource, "id">): string {
  return `[${id}]`;
}

const BECAUSE: Record<SuggestedBecause, string> = {
  changed: "What it was based on has changed since",
  contradicting: "Another answer contradicts it",
  unconfirmed: "Given by an agent",
  once: "Given for one case only",
  options: "Other options were offered then",
  similar: "For a similar question",
};

function asSuggestion(
  { question, answer, resolution, citation }: RecordedAnswer,
  why: SuggestedBecause,
): SuggestedAnswer {
  const label = oneLine(answer ?? resolution);
  const recorded = `${BECAUSE[why]}. Recorded ${cited(citation)} for: ${question}`;
  const more = oneLine(resolution) === label ? [] : [resolution];
  return {
    label: cutText(label, LONGEST_LABEL - 1),
    description: cutText([recorded, ...more].join("\n"), LONGEST_DESCRIPTION - 1),
  };
}

/** The same label is offered once, with what is said about it in both. */
function merged(earlier: readonly SuggestedAnswer[], own: readonly SuggestedAnswer[]): SuggestedAnswer[] {
  const byLabel = new Map<string, SuggestedAnswer>();
  for (const one of [...earlier, ...own]) {
    const key = one.label.trim().toLowerCase();
    const before = byLabel.get(key);
    byLabel.set(key, before === undefined ? one : { ...before, description: described(before, one) });
  }
  return [...byLabel.values()].slice(0, MOST_SUGGESTED);
}

function described(earlier: SuggestedAnswer, own: SuggestedAnswer): string {
  const parts = [earlier.description, own.description].filter((text) => text !== "");
  return cutText(parts.join("\n"), LONGEST_DESCRIPTION - 1);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
