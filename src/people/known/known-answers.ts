import type { AnswerSource, EscalationCreate, SuggestedAnswer } from "../../contract/documents/escalation.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";

/** What is asked, as far as an earlier answer may depend on it. */
export interface AskedQuestion extends Partial<Pick<EscalationCreate, "type" | "projectId">> {
  text: string;
  context?: string | undefined;
  taskId?: string | undefined;
  suggestedAnswers?: readonly SuggestedAnswer[] | undefined;
}

/** An answer that was recorded for a question. */
export interface RecordedAnswer {
  /** The question that it was given to, in its own words. */
  question: string;
  /** The label that was chosen, if one was. */
  answer: string | null;
  /** What was decided, in words. */
  resolution: string;
  citation: AnswerSource;
  /** The escalation that it was given to, where there was one. */
  escalationId?: string | undefined;
  statementId?: string | undefined;
}

/**
 * `known`: the same question was answered, and nothing that the answer rests on has changed. The asker gets it instead of asking;
 * its task and AGENTS.md take precedence over it. `suggested`: answers that a person should confirm, the best first, with the reason.
 */
export type Lookup =
  | ({ kind: "known" } & RecordedAnswer)
  | { kind: "suggested"; reason: SuggestedBecause; answers: readonly RecordedAnswer[] };

/**
 * `changed`: what the answer rests on changed since, or was replaced. `contradicting`: there are two different answers.
 * `unconfirmed`: an agent gave the answer. `once`: it was an approval, which holds for its own case only.
 * `options`: other options are offered now. `similar`: a question that is close but not the same.
 */
export type SuggestedBecause = "changed" | "contradicting" | "unconfirmed" | "once" | "options" | "similar";

/** Answers that were recorded earlier: rules, then those for the task, for the project, and for all projects. */
export interface KnownAnswers {
  lookup(question: AskedQuestion): Promise<Lookup | undefined>;
  /** What is recorded about this, and nothing that has no more than a word in common, the most relevant first, with the fingerprints by which a change is noticed. */
  facts(question: AskedQuestion, limit: number): Promise<AnswerSource[]>;
  /** The open escalation that asks exactly this, so that it gets one more asker. */
  sameOpen(question: AskedQuestion): StoredEscalation | undefined;
}
