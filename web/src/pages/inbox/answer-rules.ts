import type { Escalation } from "../../../../src/contract/documents/escalation.ts";
import type { AnswerText, QueueAction } from "../../../../src/contract/words/queue-words.ts";

export type ShownAnswer = Escalation["suggestedAnswers"][number];

/** What merges, spends, ends or trusts something is confirmed: a digit that was meant for another entry must not do it. */
const CONFIRMED: ReadonlySet<QueueAction> = new Set([
  "approve",
  "raise-limit",
  "stop-run",
  "cancel-task",
  "accept",
  "confirm-folder",
]);

export function asksFirst({ action }: ShownAnswer): boolean {
  return action !== undefined && CONFIRMED.has(action);
}

/** The answer that goes with the text field; undefined where the text is an answer by itself. */
export function answerWithText({ suggestedAnswers, subject }: Escalation): ShownAnswer | undefined {
  return subject === undefined ? undefined : suggestedAnswers.find(({ needs }) => needs !== undefined);
}

const TEXTS: Record<AnswerText | "answer", { label: string; missing: string }> = {
  answer: { label: "Answer in your own words", missing: "Write an answer, or choose one above." },
  feedback: { label: "Requested changes", missing: "Describe the changes for the next run." },
  amount: { label: "New limit", missing: "Enter the new limit as a number." },
};

/** What the text field is called, and what it says when it is empty. */
export function textWords(needs: AnswerText | undefined): { label: string; missing: string } {
  return TEXTS[needs ?? "answer"];
}
