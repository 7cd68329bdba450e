import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnswerRule } from "../../contract/documents/answer-rule.ts";
import { type AnswerSource, ESCALATION_ID } from "../../contract/documents/escalation.ts";
import { HallError } from "../../contract/errors.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { AcceptedStatements, type StatementParts } from "./accepted-statements.ts";
import {
  type AnswerRecord,
  citationOf,
  posedOf,
  recordKey,
  recordOfEscalation,
  recordOfRule,
} from "./answer-records.ts";
import { answerOf, chooseAnswer, isInReach, withoutCopies } from "./choose-answer.ts";
import type { AskedQuestion, KnownAnswers, Lookup, RecordedAnswer, SuggestedBecause } from "./known-answers.ts";
import { AnswerIndex } from "./matching/answer-index.ts";
import { isAbout } from "./matching/relevance.ts";
import { isShorter, type Posed } from "./matching/same-question.ts";
import { OpenQuestions } from "./open-questions.ts";

interface Parts extends StatementParts {
  escalations: Pick<Hall["escalations"], "list" | "get" | "open">;
  rules: () => readonly AnswerRule[];
  events: Pick<Hall["events"], "subscribe">;
}

const PAGE = 500;
/** How much two questions have to share for an answer to be suggested. */
const SIMILAR = 0.7;
const MOST_SIMILAR = 2;

/** Answers in memory, kept current by events and, where people edit files, by looking at them before each lookup. */
export class RecordedAnswers implements KnownAnswers {
  readonly #parts: Parts;
  readonly #index = new AnswerIndex<AnswerRecord>();
  readonly #statements: AcceptedStatements;
  /** Which answers replaced one, by its id. */
  readonly #replaced = new Map<string, Set<string>>();
  readonly #stale = new Set<string>();
  readonly #open = new OpenQuestions();
  readonly #loaded: Promise<void>;
  readonly #stop: () => void;
  #rules: readonly AnswerRule[] = [];
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#statements = new AcceptedStatements(parts);
    this.#stop = parts.events.subscribe((event) => this.#hear(event));
    this.#loaded = this.#load();
    // Whoever asks waits for it, and gets its failure.
    this.#loaded.catch(() => undefined);
  }

  async lookup(question: AskedQuestion): Promise<Lookup | undefined> {
    await this.#refresh(question.projectId);
    const posed = posedOf(question.text, question);
    const candidates = this.#index.candidates(posed).filter((record) => !this.#isWithheld(record));
    const limitOf = (record: AnswerRecord) => this.#limitOf(record);
    const found = chooseAnswer({ question, posed, candidates, limitOf }) ?? this.#similar(question, posed);
    if (found?.kind !== "suggested") return found;
    return { ...found, answers: eachOnce(found.answers.flatMap((old) => [...this.#replacements(old), old])) };
  }

  async facts(question: AskedQuestion, limit: number): Promise<AnswerSource[]> {
    await this.#refresh(question.projectId);
    const posed = posedOf(question.text, question);
    const isWanted = (record: AnswerRecord) => this.#isFact(record, question);
    const near = this.#index.ranked(posed, { isWanted, limit });
    return near.filter(({ text }) => isAbout(text, posed)).map(citationOf);
  }

  sameOpen(question: AskedQuestion): ReturnType<KnownAnswers["sameOpen"]> {
    return this.#open.same(question, this.#parts.escalations.open());
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #isFact(record: AnswerRecord, question: AskedQuestion): boolean {
    return isInReach(record, question) && this.#limitOf(record) === undefined;
  }

  /** A question that only says more, or less, than one that was answered. */
  #similar(question: AskedQuestion, posed: Posed): Lookup | undefined {
    if (posed.form.isDeictic) return undefined;
    const isWanted = (record: AnswerRecord) =>
      record.question !== undefined && isShorter(posed.form, record.posed.form) && this.#isFact(record, question);
    const near = this.#index.ranked(posed, { isWanted, limit: 2 * MOST_SIMILAR, least: SIMILAR });
    const answers = withoutCopies(near).slice(0, MOST_SIMILAR).map(answerOf);
    return answers.length === 0 ? undefined : { kind: "suggested", reason: "similar", answers };
  }

  #replacements({ citation: { kind, id } }: RecordedAnswer): RecordedAnswer[] {
    const ids = kind === "escalation" ? [...(this.#replaced.get(id) ?? [])] : [];
    return ids.flatMap((by) => {
      const record = this.#index.get(recordKey("escalation", by, undefined));
      return record === undefined ? [] : [answerOf(record)];
    });
  }

  #limitOf(record: AnswerRecord): SuggestedBecause | undefined {
    if (record.standing === "once" || this.#isWithheld(record)) return "once";
    if (record.standing === "unconfirmed" && !this.#isAccepted(record)) return "unconfirmed";
    return this.#isChanged(record) ? "changed" : this.#limitOfOrigin(record);
  }

  /** The statement of an answer that may be a credential does not repeat it. */
  #isWithheld(record: AnswerRecord): boolean {
    if (record.standing === "once") return false;
    return record.standing === "withheld" || this.#statementOf(record)?.standing === "once";
  }

  /** A statement that an escalation became is worth what its answer is worth. */
  #limitOfOrigin({ kind, id, origins }: AnswerRecord): SuggestedBecause | undefined {
    const origin = kind === "knowledge" ? origins.find((one) => ESCALATION_ID.test(one)) : undefined;
    if (origin === undefined) return undefined;
    const source = this.#index.get(recordKey("escalation", origin, undefined));
    // Its words are in its id, after the topic.
    const isReworded = source?.statementId === undefined || wordsIn(source.statementId) !== wordsIn(id);
    if (source === undefined || isReworded || this.#replaced.has(origin)) return "changed";
    return source.standing === "once" || this.#isWithheld(source) ? "once" : undefined;
  }

  /** Whether something that an answer rests on is not what it was. */
  #isChanged(record: AnswerRecord): boolean {
    const { kind, id, projectId, statementId, sources, at } = record;
    if (kind === "escalation" && this.#replaced.has(id)) return true;
    if (statementId !== undefined && !this.#isAccepted(record)) return true;
    const since = projectId === undefined ? undefined : this.#parts.core.projects.get(projectId)?.createdAt;
    // A project of the same name that was created later is another project.
    if (kind === "escalation" && since !== undefined && at < since) return true;
    return sources.some((source) => !this.#isCurrent(source));
  }

  /** Whether the statement that an answer became is there, in its own words and accepted. */
  #isAccepted(record: AnswerRecord): boolean {
    return this.#statementOf(record) !== undefined;
  }

  #statementOf({ statementId, scope, projectId }: AnswerRecord): AnswerRecord | undefined {
    if (statementId === undefined) return undefined;
    const own = scope === "hall" ? undefined : this.#index.get(recordKey("knowledge", statementId, projectId));
    return own ?? this.#index.get(recordKey("knowledge", statementId, undefined));
  }

  #isCurrent({ kind, id, projectId, fingerprint }: AnswerSource): boolean {
    const record = this.#index.get(recordKey(kind, id, projectId));
    return record?.fingerprint === fingerprint && !(kind === "escalation" && this.#replaced.has(id));
  }

  #hear({ subject: { kind, id } }: HallEvent): void {
    if (kind === "escalation") this.#stale.add(id);
  }

  async #load(): Promise<void> {
    let cursor: string | undefined;
    do {
      // The daemon has just started, and others want to be served too.
      await nextTurn();
      if (this.#isClosed) return;
      const page = this.#parts.escalations.list({ status: "resolved", limit: PAGE, ...(cursor && { cursor }) });
      for (const escalation of page.escalations) this.#put(escalation.id, recordOfEscalation(escalation));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /** One after the other: a lookup must not pass by a document that another one is reading. */
  #readStale(): Promise<void> {
    const reading = this.#reading.then(async () => {
      for (const id of this.#stale) {
        this.#stale.delete(id);
        this.#put(id, await this.#read(id));
      }
    });
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #refresh(projectId: string | undefined): Promise<void> {
    await this.#loaded;
    await this.#readStale();
    for (const place of projectId === undefined ? [undefined] : [undefined, projectId]) {
      const { put, gone } = this.#statements.refresh(place);
      for (const key of gone) this.#index.remove(key);
      for (const record of put) this.#index.put(record);
    }
    const rules = this.#parts.rules();
    if (rules === this.#rules) return;
    for (const { id, projectId: own } of this.#rules) this.#index.remove(recordKey("rule", id, own));
    for (const rule of rules) this.#index.put(recordOfRule(rule));
    this.#rules = rules;
  }

  async #read(id: string): Promise<AnswerRecord | undefined> {
    try {
      return recordOfEscalation(await this.#parts.escalations.get(id));
    } catch (error) {
      // Removed, or made unreadable by hand: what it said is not an answer any more.
      if (error instanceof HallError && (error.status === 404 || error.code === "file_invalid")) return undefined;
      this.#stale.add(id);
      throw error;
    }
  }

  #put(id: string, record: AnswerRecord | undefined): void {
    const key = recordKey("escalation", id, undefined);
    for (const replaced of this.#index.get(key)?.replaces ?? []) {
      this.#replaced.get(replaced)?.delete(id);
      if (this.#replaced.get(replaced)?.size === 0) this.#replaced.delete(replaced);
    }
    this.#index.remove(key);
    if (record === undefined) return;
    this.#index.put(record);
    for (const replaced of record.replaces)
      this.#replaced.set(replaced, (this.#replaced.get(replaced) ?? new Set()).add(id));
  }
}

function wordsIn(statementId: string): string {
  return statementId.slice(statementId.indexOf("-"));
}

/** An escalation and the statement that it became are one answer. */
function eachOnce(answers: readonly RecordedAnswer[]): RecordedAnswer[] {
  const byOrigin = new Map<string, RecordedAnswer>();
  for (const answer of answers) {
    const key = answer.statementId ?? answer.citation.id;
    if (!byOrigin.has(key)) byOrigin.set(key, answer);
  }
  return [...byOrigin.values()];
}
