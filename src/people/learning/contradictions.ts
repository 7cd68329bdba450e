import type { Statement } from "../../contract/documents/knowledge.ts";
import { keyOf } from "../../workspace/knowledge/knowledge-text.ts";
import { formOf, type QuestionForm } from "../known/matching/question-form.ts";
import { difference, type Posed } from "../known/matching/same-question.ts";
import { type Decision, decisionIn } from "./lesson.ts";

/** One question with different answers that all count. */
export interface Contradiction {
  question: string;
  statements: Statement[];
}

interface Answered extends Decision {
  statement: Statement;
  form: QuestionForm;
}

/**
 * Decisions that answer the same question differently, as far as they meet: those of one project, and those of all projects
 * with any. Only questions with the same words are compared, so that many decisions take no longer than few.
 */
export function contradictionsIn(statements: readonly Statement[]): Contradiction[] {
  const groups = new Map<string, Answered[]>();
  for (const statement of statements.filter(({ status, promoted }) => status === "accepted" && promoted !== true)) {
    const decision = decisionIn(statement.text);
    if (decision === undefined) continue;
    const form = formOf(decision.question);
    const key = [...form.words].sort().join(" ");
    groups.set(key, [...(groups.get(key) ?? []), { ...decision, statement, form }]);
  }
  return [...groups.values()].flatMap(contradictionsAmong);
}

function contradictionsAmong(answers: readonly Answered[]): Contradiction[] {
  const left = new Set(answers);
  const found: Contradiction[] = [];
  for (const first of answers) {
    if (!left.delete(first)) continue;
    const others = [...left].filter((other) => contradicts(first, other));
    for (const other of others) left.delete(other);
    const statements = [first, ...others].map(({ statement }) => statement);
    if (others.length > 0) found.push({ question: first.question, statements });
  }
  return found;
}

function contradicts(one: Answered, other: Answered): boolean {
  const [left, right] = [one.statement.projectId, other.statement.projectId];
  if (left !== undefined && right !== undefined && left !== right) return false;
  if (keyOf(one.outcome) === keyOf(other.outcome)) return false;
  return difference(posed(one), posed(other)) === undefined;
}

/** Its line has neither the options that were offered nor the context. */
function posed({ form }: Answered): Posed {
  return { form, options: [], context: NOTHING };
}

const NOTHING: ReadonlySet<string> = new Set();
