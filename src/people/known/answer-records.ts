import { createHash } from "node:crypto";
import type { AnswerRule } from "../../contract/documents/answer-rule.ts";
import type { AnswerSource } from "../../contract/documents/escalation.ts";
import type { AnswerScope } from "../../contract/documents/escalation-status.ts";
import type { Statement } from "../../contract/documents/knowledge.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { type Decision, decisionIn } from "../learning/lesson.ts";
import type { AskedQuestion } from "./known-answers.ts";
import { formOf } from "./matching/question-form.ts";
import type { Posed } from "./matching/same-question.ts";

/** An answer as it is looked up, whatever it is kept in. */
export interface AnswerRecord {
  /** Unique among all records. */
  key: string;
  kind: AnswerSource["kind"];
  id: string;
  scope: AnswerScope;
  projectId: string | undefined;
  /** With the scope `task`: those that it holds for. */
  taskIds: readonly string[];
  posed: Posed;
  /** Absent for a statement that is not the answer to a question: it is a fact, and never reused as an answer. */
  question: string | undefined;
  answer: string | null;
  resolution: string;
  text: string;
  fingerprint: string;
  /**
   * `final`: given by a person, for every such case. `unconfirmed`: by an agent, until a person accepts its statement.
   * `once`: an approval. `withheld`: something that was provided, perhaps a credential: no one else gets to see it.
   */
  standing: "final" | "once" | "unconfirmed" | "withheld";
  /** What it rests on, and the statement that it became. */
  sources: readonly AnswerSource[];
  statementId: string | undefined;
  /** Of a statement: the escalations that it comes from. */
  origins: readonly string[];
  replaces: readonly string[];
  at: string;
}

const LONGEST_TEXT = 1_000;
/** Between a question and its answer in a statement. */
const ARROW = " → ";

/** What of a context is compared. */
const LONGEST_CONTEXT = 4_000;

export function posedOf(
  text: string,
  { suggestedAnswers: options = [], context = "" }: Partial<Pick<AskedQuestion, "suggestedAnswers" | "context">> = {},
): Posed {
  return {
    form: formOf(text),
    options: options.filter(({ label }) => !isYesOrNo(label)).map(({ label }) => formOf(label)),
    context: formOf(context.slice(0, LONGEST_CONTEXT)).words,
  };
}

function isYesOrNo(label: string): boolean {
  return /^(?:yes|no)\b/i.test(label.trim());
}

export function recordKey(kind: AnswerSource["kind"], id: string, projectId: string | undefined): string {
  return kind === "knowledge" ? `knowledge ${projectId ?? ""} ${id}` : `${kind} ${id}`;
}

/** Undefined for an escalation without an answer. */
export function recordOfEscalation(escalation: StoredEscalation): AnswerRecord | undefined {
  const { id, projectId, question, resolution, answer, status, outcome } = escalation;
  if (status !== "resolved" || outcome !== "answered" || resolution === null) return undefined;
  // What was decided about a call is a grant, or nothing: it answers no question.
  if (escalation.permission !== undefined) return undefined;
  const { scope = projectId === undefined ? "hall" : "project", blocksTask, askers } = escalation;
  const taskIds = [...(blocksTask === null ? [] : [blocksTask]), ...askers.flatMap(({ taskId }) => taskId ?? [])];
  return {
    key: recordKey("escalation", id, projectId),
    kind: "escalation",
    id,
    scope,
    projectId,
    taskIds,
    posed: posedOf(question, escalation),
    question,
    answer,
    resolution,
    text: textOf(question, resolution),
    fingerprint: fingerprintOf([question, answer, resolution]),
    standing: standingOf(escalation),
    sources: escalation.sources,
    statementId: escalation.statementId,
    origins: [],
    replaces: escalation.replaces,
    at: escalation.resolvedAt ?? escalation.updatedAt,
  };
}

/** An approval is for one act, and a blocker that was removed can come back: neither says anything about the next time. */
function standingOf({ type, resolvedBy }: StoredEscalation): AnswerRecord["standing"] {
  if (type === "blocker") return "withheld";
  if (type === "approval") return "once";
  return resolvedBy === "person" ? "final" : "unconfirmed";
}

/** Only for accepted ones. */
export function recordOfStatement(statement: Statement): AnswerRecord {
  const { id, projectId, text, date = "", origins } = statement;
  const decision = decisionIn(text);
  // Of a shortened one, words are missing that may be decisive.
  const { question, outcome } = decision === undefined || isShortened(decision) ? { outcome: text } : decision;
  return {
    key: recordKey("knowledge", id, projectId),
    kind: "knowledge",
    id,
    scope: projectId === undefined ? "hall" : "project",
    projectId,
    taskIds: [],
    posed: posedOf(question ?? text),
    question,
    answer: null,
    resolution: outcome,
    text,
    fingerprint: fingerprintOf([text]),
    standing: decision === undefined && text.includes(ARROW) ? "once" : "final",
    sources: [],
    statementId: undefined,
    origins,
    replaces: [],
    at: date,
  };
}

function isShortened({ question, outcome }: Decision): boolean {
  return [question, outcome].some((part) => part.endsWith("…"));
}

export function recordOfRule(rule: AnswerRule): AnswerRecord {
  const { id, projectId, scope, question, answer, resolution, createdAt = "" } = rule;
  return {
    key: recordKey("rule", id, projectId),
    kind: "rule",
    id,
    scope,
    projectId,
    taskIds: [],
    posed: posedOf(question),
    question,
    answer,
    resolution,
    text: textOf(question, resolution),
    fingerprint: fingerprintOf([question, answer, resolution]),
    standing: "final",
    sources: [],
    statementId: undefined,
    origins: [],
    replaces: [],
    at: createdAt,
  };
}

export function citationOf({ kind, id, projectId, text, fingerprint }: AnswerRecord): AnswerSource {
  return { kind, id, ...(projectId === undefined ? {} : { projectId }), text, fingerprint };
}

function textOf(question: string, resolution: string): string {
  return `${cutText(question, LONGEST_TEXT / 2)}${ARROW}${cutText(resolution.replace(/\s+/g, " "), LONGEST_TEXT)}`;
}

function fingerprintOf(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}
