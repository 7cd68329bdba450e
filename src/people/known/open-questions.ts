import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { questionKey } from "../rules/new-escalation.ts";
import { posedOf } from "./answer-records.ts";
import type { AskedQuestion } from "./known-answers.ts";
import { difference, type Posed } from "./matching/same-question.ts";

/** Finds the same question among the open ones. Stricter than a lookup of answers: both askers get what one of them is told. */
export class OpenQuestions {
  readonly #forms = new WeakMap<StoredEscalation, Posed>();

  same(question: AskedQuestion, open: readonly StoredEscalation[]): StoredEscalation | undefined {
    const posed = posedOf(question.text, question);
    return open.find((one) => {
      if (one.permission !== undefined) return false;
      if (one.projectId !== question.projectId || one.type !== question.type) return false;
      if (!hasSameLabels(question.suggestedAnswers ?? [], one.suggestedAnswers)) return false;
      if (isSameText(one, question)) return !posed.form.isDeictic || isOfTask(one, question.taskId);
      return difference(posed, this.#formOf(one), { strict: true }) === undefined;
    });
  }

  #formOf(open: StoredEscalation): Posed {
    const known = this.#forms.get(open) ?? posedOf(open.question, open);
    this.#forms.set(open, known);
    return known;
  }
}

/** Word by word, with the same context. */
function isSameText(open: StoredEscalation, { text, context = "" }: AskedQuestion): boolean {
  return questionKey(open.question) === questionKey(text) && open.context.trim() === context.trim();
}

function isOfTask({ askers }: StoredEscalation, taskId: string | undefined): boolean {
  return askers.some((asker) => asker.taskId === taskId);
}

/** An open one may have been given earlier answers beside those that were offered. */
function hasSameLabels(left: readonly { label: string }[], right: readonly { label: string }[]): boolean {
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  const labels = new Set(many.map(({ label }) => label.trim().toLowerCase()));
  return few.every(({ label }) => labels.has(label.trim().toLowerCase()));
}
