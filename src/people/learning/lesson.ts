import { LONGEST_STATEMENT, type StatementStatus, withoutUnseen } from "../../contract/documents/knowledge.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { BY_PERSON } from "../../contract/words/party-words.ts";
import { markIn } from "../../store/secrets/redaction.ts";
import { isRandom } from "../../store/secrets/secret-shapes.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import { answerer } from "../../workspace/knowledge/statement-rules.ts";

/** What an answer leaves in knowledge/decisions.md. */
export interface Lesson {
  /** Undefined: it applies to all projects. */
  projectId: string | undefined;
  text: string;
  /** A day. */
  date: string;
  origins: string[];
  status: StatementStatus;
}

type Hide = (text: string) => string;

const ARROW = " → ";
/** Of the question; the rest is the answer's. */
const LONGEST_QUESTION = 240;
const LONGEST_NAME = 60;
const WITHHELD = "provided; the text is kept in the escalation only";
const ONCE = " (this time only)";
const BREAKS = /[\s\p{Cc}\u2028\u2029]+/gu;
const NAMES_A_SECRET = /pass(?:word|phrase|code|wd)|secret|credential|token|api[ _-]?key|private key|\bpin\b/i;
const SHORT_REPLY_WORDS = 2;
const SHORTEST_KEY = 12;

/**
 * An answer as a statement, without a model: the same escalation gives the same words. Undefined for what was not answered,
 * and for an answer that applies to its task alone. An answer by an agent is an agent's conclusion, and stays pending.
 */
export function lessonOf(escalation: StoredEscalation, hide: Hide): Lesson | undefined {
  const { id, status, outcome, scope, projectId, resolvedBy, resolvedAt, updatedAt } = escalation;
  if (status !== "resolved" || outcome !== "answered" || scope === "task") return undefined;
  if (escalation.permission !== undefined) return undefined;
  return {
    projectId: scope === "hall" ? undefined : projectId,
    text: textOf(escalation, hide),
    date: (resolvedAt ?? updatedAt).slice(0, 10),
    origins: [id, answeredBy(resolvedBy)],
    status: isByPerson(resolvedBy) ? "accepted" : "pending",
  };
}

/** A decision as it is on its line. */
export interface Decision {
  question: string;
  outcome: string;
}

/** Undefined for statements of another form, and for answers that say nothing about the next case. */
export function decisionIn(text: string): Decision | undefined {
  const at = text.indexOf(ARROW);
  if (at === -1 || text.endsWith(ONCE) || text.endsWith(WITHHELD)) return undefined;
  return { question: text.slice(0, at), outcome: text.slice(at + ARROW.length) };
}

function isByPerson(resolvedBy: string | null): boolean {
  return resolvedBy === null || resolvedBy === "person";
}

function answeredBy(resolvedBy: string | null): string {
  if (isByPerson(resolvedBy)) return BY_PERSON;
  const name = cutText(oneLine((resolvedBy ?? "").replace(/[,()]/g, " ")), LONGEST_NAME);
  return answerer(name === "main" ? "main agent" : name);
}

function textOf(escalation: StoredEscalation, hide: Hide): string {
  const { type, ruleId } = escalation;
  const question = cutText(oneLine(hide(escalation.question)), LONGEST_QUESTION - 1);
  const said = oneLine(escalation.resolution ?? escalation.answer ?? "");
  const mark = type === "approval" && ruleId === undefined ? ONCE : "";
  const shown = isWithheld(escalation, said, hide) ? WITHHELD : said;
  const room = LONGEST_STATEMENT - question.length - ARROW.length - mark.length - 1;
  return `${question}${ARROW}${cutText(shown, room)}${mark}`;
}

/**
 * Knowledge goes into the prompts of later runs, and an answer may hold a credential. What was provided for a blocker is never
 * repeated there, nor anything that is, or looks like, a secret. Labels were suggested by the asker, which knew them before.
 */
function isWithheld(escalation: StoredEscalation, said: string, hide: Hide): boolean {
  const { type, question, resolution, answer } = escalation;
  const whole = [answer, resolution].join("\n");
  if (type === "blocker" || hide(whole) !== whole || markIn(whole) !== undefined) return true;
  const words = said.split(" ");
  if (words.flatMap(partsOf).some(isRandom)) return true;
  if (answer !== null || !NAMES_A_SECRET.test(`${question} ${said}`)) return false;
  return words.length <= SHORT_REPLY_WORDS || words.some((word) => /\d/.test(word) && /\p{L}/u.test(word));
}

/** Without names such as node:24-alpine or eu-central-1, whose parts are short. */
function partsOf(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+/u).filter(({ length }) => length >= SHORTEST_KEY);
}

function oneLine(text: string): string {
  return withoutUnseen(text.replace(BREAKS, " ")).toWellFormed().trim();
}
