import type { MemberReturn } from "../contract/documents/teams/member-return.ts";
import { COMPACT_MESSAGE } from "../contract/runs/hall-message.ts";
import type { HandedIn, HandInOrder } from "../contract/runs/hand-in.ts";
import type { JournalEntry } from "../contract/runs/journal.ts";
import type { Message, ToolCall, ToolResult } from "../contract/runs/model-call.ts";
import type { ResponsibilityType } from "../contract/words/teams/role-spec-words.ts";
import { charactersIn, tokensIn } from "../contract/words/tokens.ts";
import { SUBMIT_REVIEW, SUBMIT_TOOLS } from "../contract/words/tool-names.ts";
import { mergedReports } from "../workspace/tasks/criteria.ts";
import { readHandIn } from "./hand-ins/hand-in.ts";
import { readMemberReport } from "./hand-ins/member-report.ts";
import { Repeats } from "./repeats.ts";
import { Report } from "./tools/hall-tools.ts";
import { asRunReview, isUsable, jsonIn, readAll } from "./tools/review-tool.ts";

/** Before the number of a message that had a run continue instead of ending. */
export const HELD_BACK = "held-back-";
/** The same, where a hook refused its end. */
export const END_REFUSED = `${HELD_BACK}by-hook-`;
/** Of the message with what hooks said when the session began. */
export const SESSION_START = "session-start";

export type Answer = Extract<JournalEntry, { type: "answer" }>;

/** Entries that neither side of the conversation said. */
const ASIDE = new Set<JournalEntry["type"]>(["started", "failure", "waiting", "resumed", "permit", "hook"]);
const LOST = "The result of this call was lost: its journal entry is damaged. Verify before you repeat it.";

/**
 * What the journal of a run says: what the model is told next, and what the run has used and done so far. It is kept up
 * entry by entry, so that a turn costs the same however many came before it.
 */
export class Transcript {
  readonly #entries: JournalEntry[] = [];
  readonly #answersAt: number[] = [];
  readonly #changed = new Set<string>();
  #messages: Message[] = [];
  #open = new Map<string, ToolCall>();
  #last: JournalEntry | undefined;
  readonly #from: number;
  /** Answers that do not count as turns; less than none, when some that count are not in the journal. */
  #uncounted = 0;
  #said = "";
  #tokens = 0;
  #lastUsed: number | undefined;
  #decided = new Repeats();
  #cutInARow = 0;
  #heldBack = 0;
  #endsRefused = 0;
  /** Tokens of the conversation, as the last answer told. */
  #measured = 0;
  /** Characters that came since. */
  #since = 0;
  #lastSummaryAt = -1;
  #reported: Report | undefined;
  /** Reviews for a gate, as they were sent, and the findings that they had to answer. */
  readonly #reviews: unknown[] = [];
  #earlier: readonly string[] = [];
  #order: HandInOrder | undefined;
  #handedIn: HandedIn | undefined;
  #returns: ResponsibilityType | undefined;
  #returned: MemberReturn | undefined;
  /** Calls that the hall was asked about and that were not carried out. */
  readonly #askedAbout = new Set<string>();
  /** Those of them that a hook did not allow. */
  readonly #stoppedByHook = new Set<string>();
  #refusals = { inARow: 0, isAll: false };
  #isGreeted = false;
  #isCompactionWanted = false;
  #results = 0;
  /** Of calls, by id: the place of each among all that were decided. */
  readonly #callNumbers = new Map<string, number>();
  readonly #allowed = new Set<string>();

  /**
   * Turns and words are counted from where the turn under way begins, for a journal that has others before it: its messages
   * are told again after a summary. `isMixed`: earlier answers were given to less of it, and their usage does not tell its size.
   */
  constructor(
    entries: readonly JournalEntry[],
    turn: { from: number; answersBefore: number; isMixed?: boolean } = { from: 0, answersBefore: 0 },
  ) {
    this.#from = turn.from;
    for (const [at, entry] of entries.entries()) {
      if (at === turn.from) this.#beginTurn(turn.answersBefore);
      this.add(entry);
    }
    if (turn.isMixed === true) this.#since = Math.max(this.#since, this.#charactersBeyond());
  }

  /** Characters that the last answer's usage does not cover, as far as all of them together tell. */
  #charactersBeyond(): number {
    return JSON.stringify(this.#messages).length - charactersIn(this.#measured);
  }

  add(entry: JournalEntry): void {
    const at = this.#entries.push(entry) - 1;
    if (entry.type === "summary") this.#forgetUntil(entry, at);
    else this.#tell(entry);
    if (entry.type === "plan") this.#earlier = entry.plan.gateReview?.earlier ?? [];
    if (entry.type === "answer") this.#addAnswer(entry, at);
    if (entry.type === "result") this.#addResult(entry);
    if (entry.type === "message" && entry.from === "hall") this.#addReminder(nameOf(entry.id));
    if (entry.type === "message" && entry.id === SESSION_START) this.#isGreeted = true;
    if (entry.type === "permit") this.#addPermit(entry);
    if (entry.type === "hook" && entry.outcome !== "allowed") this.#stoppedByHook.add(entry.callId ?? "");
    if (!ASIDE.has(entry.type)) this.#last = entry;
  }

  #addPermit({ id, state }: Extract<JournalEntry, { type: "permit" }>): void {
    this.#askedAbout[state === "asked" ? "add" : "delete"](id);
    if (state === "allowed") this.#allowed.add(id);
  }

  /** Whether the hall was asked about a call and allowed it: it may have begun. */
  isAllowed(callId: string): boolean {
    return this.#allowed.has(callId);
  }

  /** The conversation as the model is given it. It grows in place, and is another one after a summary. */
  get messages(): Message[] {
    return this.#messages;
  }

  /** From 1. It stays the same over a restart, because decisions are in the journal. */
  callNumber(callId: string): number {
    return this.#callNumbers.get(callId) ?? 0;
  }

  get turns(): number {
    return this.#answersAt.length - this.#uncounted;
  }

  /** All that was paid for so far. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Tokens of the last request and its answer; undefined before the first answer. */
  get lastUsed(): number | undefined {
    return this.#lastUsed;
  }

  /** About how many tokens the conversation has. */
  get size(): number {
    return this.#measured + tokensIn(this.#since);
  }

  /** How often in a row the model has decided on the very same calls, or on the same two or three in turn. */
  get repeats(): number {
    return this.#decided.times;
  }

  /** How often in a row an answer was cut off at the limit of its length. */
  get cutInARow(): number {
    return this.#cutInARow;
  }

  /** How often the hall had it continue instead of ending. */
  get heldBack(): number {
    return this.#heldBack;
  }

  /** How often a hook refused its end. */
  get endsRefused(): number {
    return this.#endsRefused;
  }

  /**
   * Calls that hooks refused, and that were not carried out, since one was. `isAll`: none ever was. What the person refuses does not
   * count: an agent may well do without it.
   */
  get refusals(): { inARow: number; isAll: boolean } {
    return this.#refusals;
  }

  /** Whether it was told what it should know from the start. */
  get isGreeted(): boolean {
    return this.#isGreeted;
  }

  /** Whether older turns are to be summarized, whatever room there is. */
  get isCompactionWanted(): boolean {
    return this.#isCompactionWanted;
  }

  /** The answer with which the model ended its turn; undefined while something is still to be done or said. */
  get lastWord(): Answer | undefined {
    return this.#last?.type === "answer" && (this.#last.calls ?? []).length === 0 ? this.#last : undefined;
  }

  /** The last words the model said to anyone. */
  get said(): string {
    return this.#said;
  }

  get filesChanged(): string[] {
    return [...this.#changed].sort();
  }

  /** What was handed in last. */
  get report(): Report | undefined {
    return this.#reported;
  }

  /** What it was started to hand in for its team; undefined of every other run. */
  get order(): HandInOrder | undefined {
    return this.#order;
  }

  /** What it handed in for its team. */
  get handedIn(): HandedIn | undefined {
    return this.#handedIn;
  }

  /** What a member of a team returned last, with its report. */
  get returned(): MemberReturn | undefined {
    return this.#returned;
  }

  /** Calls that were decided and have no result: what a crash interrupted. */
  get openCalls(): ToolCall[] {
    return [...this.#open.values()];
  }

  /**
   * Those of them that were not begun: one that the hall was asked about and did not allow yet, and all behind it, which wait for it.
   */
  get untouchedCalls(): ToolCall[] {
    const open = this.openCalls;
    const first = open.findIndex(({ id }) => this.#askedAbout.has(id));
    return first === -1 ? [] : open.slice(first);
  }

  /** The position in the journal before which turns can be summarised so that the last `kept` stay; undefined: none can. */
  positionBefore(kept: number): number | undefined {
    const at = this.#answersAt.at(-kept);
    const isWorthIt = at !== undefined && at > (this.#answersAt[0] ?? 0) && at > this.#lastSummaryAt;
    return isWorthIt ? at - 1 : undefined;
  }

  /** The position through which everything can be summarised; undefined when nothing has happened since the last time. */
  get lastPosition(): number | undefined {
    return this.#answersAt.length > 0 && this.#entries.length - 1 > this.#lastSummaryAt
      ? this.#entries.length - 1
      : undefined;
  }

  /** The position before the turn under way, when what comes before it is worth a summary; undefined when it is not. */
  get positionBeforeTurn(): number | undefined {
    return (this.#answersAt[0] ?? this.#from) < this.#from && this.#from - 1 > this.#lastSummaryAt
      ? this.#from - 1
      : undefined;
  }

  /** About how many tokens the turn under way has. */
  get turnSize(): number {
    return tokensIn(JSON.stringify(this.#entries.slice(this.#from)).length);
  }

  /** How many entries the journal has. */
  get length(): number {
    return this.#entries.length;
  }

  /** The conversation as it would be after a summary. */
  messagesWith(summary: Extract<JournalEntry, { type: "summary" }>): Message[] {
    return new Transcript([...this.#entries, summary], { from: this.#from, answersBefore: 0 }).messages;
  }

  /** The conversation up to a position in the journal. */
  messagesThrough(position: number): Message[] {
    return new Transcript(this.#entries.slice(0, position + 1)).messages;
  }

  #beginTurn(answersBefore: number): void {
    this.#uncounted = this.#answersAt.length - answersBefore;
    this.#said = "";
    this.#heldBack = 0;
    this.#endsRefused = 0;
    // What ended a turn must not end every turn after it.
    this.#decided = new Repeats();
    this.#cutInARow = 0;
    this.#refusals = { inARow: 0, isAll: false };
    this.#results = 0;
  }

  #addReminder(name: string): void {
    if (name.startsWith(HELD_BACK)) this.#heldBack += 1;
    if (name.startsWith(END_REFUSED)) this.#endsRefused += 1;
    if (name === SESSION_START) this.#isGreeted = true;
    if (name.startsWith(COMPACT_MESSAGE)) this.#isCompactionWanted = true;
  }

  #addAnswer(answer: Answer, at: number): void {
    const calls = answer.calls ?? [];
    const { input, output } = answer.usage;
    this.#answersAt.push(at);
    this.#tokens += input + output;
    this.#measured = input + output;
    this.#lastUsed = input + output;
    this.#since = 0;
    this.#open = new Map(calls.map((call) => [call.id, call]));
    for (const { id } of calls) this.#callNumbers.set(id, this.#callNumbers.size + 1);
    if (answer.text.trim() !== "") this.#said = answer.text;
    this.#cutInARow = answer.finish === "length" ? this.#cutInARow + 1 : 0;
    this.#decided.add(calls.length === 0 ? undefined : JSON.stringify(calls.map((call) => [call.name, call.input])));
  }

  #addResult(result: Extract<JournalEntry, { type: "result" }>): void {
    const call = this.#open.get(result.id);
    this.#open.delete(result.id);
    const isRefused = this.#askedAbout.has(result.id) && this.#stoppedByHook.has(result.id);
    this.#refusals.isAll = isRefused && this.#refusals.inARow === this.#results;
    this.#refusals.inARow = isRefused ? this.#refusals.inARow + 1 : 0;
    this.#results++;
    for (const path of result.files ?? []) this.#changed.add(path);
    if (result.name === SUBMIT_REVIEW && call !== undefined) this.#addReview(call.input);
    if (result.failed === true || call === undefined) return;
    if (result.name === "report") this.#addReport(call.input);
    if (this.#order !== undefined && result.name === SUBMIT_TOOLS[this.#order.kind]) this.#hand(call, this.#order);
  }

  #addReport(input: string): void {
    if (this.#returns === undefined) {
      this.#reported = withEarlier(Report.parse(JSON.parse(input)), this.#reported);
      return;
    }
    const read = readMemberReport(jsonIn(input), this.#returns);
    if (!read.ok) return;
    this.#reported = withEarlier(read.value.report, this.#reported);
    this.#returned = read.value.returned;
  }

  /** What the gate can use of it counts, also where the tool asked for the rest. */
  #addReview(input: string): void {
    this.#reviews.push(jsonIn(input));
    const answer = readAll(this.#reviews, this.#earlier);
    if (!isUsable(answer)) return;
    const { summary, review } = asRunReview(answer, this.#earlier);
    this.#reported = { summary, ...review };
  }

  #hand({ input }: ToolCall, order: HandInOrder): void {
    const read = readHandIn(jsonIn(input), order);
    if (read.ok) this.#handedIn = read.value;
  }

  #tell(entry: JournalEntry): void {
    switch (entry.type) {
      case "plan":
        this.#order = entry.plan.handIn;
        this.#returns = entry.plan.returns;
        this.#since += entry.plan.system.length;
        this.#push({ role: "user", text: entry.plan.prompt }, entry.plan.prompt.length);
        break;
      case "answer":
        this.#push(
          { role: "assistant", text: entry.text, thinking: entry.thinking ?? [], calls: entry.calls ?? [] },
          0,
        );
        break;
      case "message":
        this.#push({ role: "user", text: entry.text }, entry.text.length);
        break;
      case "result":
        // Without its call, or twice, providers would refuse the whole conversation for it.
        if (this.#unanswered().some((call) => call.id === entry.id))
          this.#addToResults({ id: entry.id, name: entry.name, output: entry.output, failed: entry.failed ?? false });
        break;
    }
  }

  #push(message: Message, characters: number): void {
    for (const { id, name } of this.#unanswered()) this.#addToResults({ id, name, output: LOST, failed: true });
    this.#messages.push(message);
    this.#since += characters;
  }

  #addToResults(result: ToolResult): void {
    this.#since += result.output.length;
    const last = this.#messages.at(-1);
    if (last?.role === "tool") last.results.push(result);
    else this.#messages.push({ role: "tool", results: [result] });
  }

  /** The calls of the newest answer whose results have not been told. */
  #unanswered(): ToolCall[] {
    const last = this.#messages.at(-1);
    const told = last?.role === "tool" ? last.results : [];
    const spoken = last?.role === "tool" ? this.#messages.at(-2) : last;
    if (spoken?.role !== "assistant") return [];
    return spoken.calls.filter((call) => !told.some((result) => result.id === call.id));
  }

  #forgetUntil(summary: Extract<JournalEntry, { type: "summary" }>, at: number): void {
    this.#lastSummaryAt = at;
    this.#isCompactionWanted = false;
    this.#tokens += summary.usage.input + summary.usage.output;
    this.#messages = [];
    this.#measured = 0;
    this.#since = 0;
    for (const entry of this.#entries.filter(({ type }) => type === "plan")) this.#tell(entry);
    const text = `Summary so far:\n\n${summary.text}`;
    this.#push({ role: "user", text }, text.length);
    const isOfTurn = (entry: JournalEntry, position: number) => entry.type === "message" && position >= this.#from;
    if (this.#from > 0 || this.#entries[0]?.type !== "plan")
      for (const entry of this.#entries.slice(0, summary.through + 1).filter(isOfTurn)) this.#tell(entry);
    for (const entry of this.#entries.slice(summary.through + 1, at)) if (entry.type !== "plan") this.#tell(entry);
    this.#since = JSON.stringify(this.#messages).length;
  }
}

/** In a session, the id of the turn's message comes first. */
function nameOf(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** A second report need not repeat what the first one said of the criteria. */
function withEarlier(report: Report, earlier: Report | undefined): Report {
  if (earlier === undefined || "verdict" in earlier || "verdict" in report) return report;
  return { ...report, criteria: mergedReports(earlier.criteria, report.criteria) };
}
