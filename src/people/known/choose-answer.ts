import type { AnswerRecord } from "./answer-records.ts";
import { citationOf } from "./answer-records.ts";
import type { AskedQuestion, Lookup, RecordedAnswer, SuggestedBecause } from "./known-answers.ts";
import { formOf } from "./matching/question-form.ts";
import { difference, type Posed } from "./matching/same-question.ts";

/** Records that were given to a person's decision for the same question, as far as they can be seen from here. */
export interface Choice {
  question: AskedQuestion;
  posed: Posed;
  /** Records with the words of the question. */
  candidates: readonly AnswerRecord[];
  /** Why a record can't be used as it is: what it rests on changed, another one replaced it, or it never held for good. */
  limitOf: (record: AnswerRecord) => SuggestedBecause | undefined;
}

type Limited = { record: AnswerRecord; because: SuggestedBecause };

/** Rules before recorded answers; of those, the task's before the project's, and the project's before everyone's. */
const LEVELS: readonly ((record: AnswerRecord, question: AskedQuestion) => boolean)[] = [
  ({ kind, scope }) => kind === "rule" && scope === "project",
  ({ kind, scope }) => kind === "rule" && scope === "hall",
  ({ kind, scope }) => kind !== "rule" && scope === "task",
  ({ kind, scope }) => kind !== "rule" && scope === "project",
  ({ kind, scope }) => kind !== "rule" && scope === "hall",
];

/** Undefined when the question was not answered before. */
export function chooseAnswer(choice: Choice): Lookup | undefined {
  const same = withoutCopies(choice.candidates.filter((record) => isSame(record, choice)));
  const later: Limited[] = [];
  for (const isAt of LEVELS) {
    const here = same.filter((record) => isAt(record, choice.question));
    const limited = here.flatMap((record): Limited[] => {
      const because = limitOf(record, choice);
      return because === undefined ? [] : [{ record, because }];
    });
    const usable = here.filter((record) => !limited.some((one) => one.record === record)).sort(newestFirst);
    const [first] = usable;
    if (first !== undefined && new Set(usable.map(decided)).size > 1) return suggested("contradicting", usable);
    if (first !== undefined) return { kind: "known", ...answerOf(first) };
    const blocking = limited.filter(({ because }) => because === "changed" || because === "options");
    if (blocking[0] !== undefined)
      return suggested(
        blocking[0].because,
        blocking.map(({ record }) => record),
      );
    later.push(...limited);
  }
  return later[0] === undefined
    ? undefined
    : suggested(
        later[0].because,
        later.map(({ record }) => record),
      );
}

/** Whether a record may be used for this project and task at all. */
export function isInReach({ scope, projectId, taskIds, posed }: AnswerRecord, asked: AskedQuestion): boolean {
  if (scope === "hall") return !posed.form.isLocal;
  if (projectId === undefined || projectId !== asked.projectId) return false;
  return scope === "project" || (asked.taskId !== undefined && taskIds.includes(asked.taskId));
}

function isSame(record: AnswerRecord, { question, posed }: Choice): boolean {
  if (record.question === undefined || !isInReach(record, question)) return false;
  return difference(posed, record.posed) === undefined;
}

/** A statement that an escalation became is the same answer, unless a person reworded it. */
export function withoutCopies(records: readonly AnswerRecord[]): AnswerRecord[] {
  return records.filter(
    ({ kind, id, origins }) =>
      kind !== "knowledge" || !records.some((other) => origins.includes(other.id) && other.statementId === id),
  );
}

function limitOf(record: AnswerRecord, { question, posed, ...choice }: Choice): SuggestedBecause | undefined {
  const limit = choice.limitOf(record);
  if (limit !== undefined) return limit;
  if (question.type === "approval" && record.kind !== "rule") return "once";
  return isAmongOptions(record, posed) ? undefined : "options";
}

/** With options beside the question, the answer has to be one of them. */
function isAmongOptions({ answer, resolution }: AnswerRecord, { options }: Posed): boolean {
  if (options.length === 0) return true;
  const { words } = formOf(answer ?? resolution);
  return options.some((option) => option.words.size > 0 && [...option.words].every((word) => words.has(word)));
}

function newestFirst(left: AnswerRecord, right: AnswerRecord): number {
  return left.at === right.at ? 0 : left.at < right.at ? 1 : -1;
}

/** Two answers are the same when they say the same, whatever their case and punctuation. */
function decided({ answer, resolution }: AnswerRecord): string {
  return (answer ?? resolution)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function suggested(reason: SuggestedBecause, records: readonly AnswerRecord[]): Lookup {
  return { kind: "suggested", reason, answers: records.map(answerOf) };
}

export function answerOf(record: AnswerRecord): RecordedAnswer {
  const { kind, id, question, answer, resolution, statementId } = record;
  const fromEscalation = kind === "escalation" ? id : record.origins.find((origin) => origin.startsWith("esc-"));
  const statement = kind === "knowledge" ? id : statementId;
  return {
    question: question ?? "",
    answer,
    resolution,
    citation: citationOf(record),
    ...(fromEscalation === undefined ? {} : { escalationId: fromEscalation }),
    ...(statement === undefined ? {} : { statementId: statement }),
  };
}
