import { hash } from "node:crypto";
import type { EventDraft, HallEvent } from "../contract/event.ts";
import type { AuditReport } from "../contract/event-routes.ts";
import type { Files } from "../store/files.ts";
import type { Clock, NextId } from "../store/ids.ts";
import type { Log } from "../store/log.ts";
import { Redactor } from "../store/redaction.ts";
import { auditDays } from "./audit.ts";
import { type EventsBefore, eventsBefore } from "./events-backwards.ts";
import { type EventQuery, isEvent, matches, parseEvent } from "./logged-event.ts";

const FOLDER = "events";
const GENESIS = "0".repeat(64);
const RECENT = 1_000;
/** Newest events held in memory. A start after a crash asks for about a thousand and for those the index missed. */
const KEPT = 2 * RECENT;
const MARK_EVERY = 500;
const MOST_AUDITS = 3;

interface Mark {
  seq: number;
  offset: number;
}

interface Day {
  name: string;
  log: Log;
  /** Resolves when the file itself cannot be lost. */
  durable: Promise<void>;
}

export interface EventLogOptions {
  files: Files;
  clock: Clock;
  nextId: NextId;
  /** The newest number seen elsewhere: numbers are never given twice, even if the log lost its end. */
  knownSeq: number;
  /** Hides secrets in what events tell. */
  /** Hides what events of a project, or of none, must not tell. */
  redactorOf?: ((projectId: string) => Redactor) | undefined;
}

/** The audit trail: one JSONL file a day, each line chained to the one before by its hash. Sole writer of `events/`. */
export class EventLog {
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #nextId: NextId;
  readonly #knownSeq: number;
  readonly #redactorOf: (projectId: string) => Redactor;
  readonly #listeners = new Set<(event: HallEvent) => void>();
  readonly #marks = new Map<string, Mark[]>();
  #recent: HallEvent[] = [];
  #day: Day | undefined;
  #seq = 0;
  #hash = GENESIS;
  /** The newest event that is known to be on the disk. */
  #durable = { seq: 0, hash: GENESIS };
  /** How often the file was asked where the chain stands. */
  #restored = 0;
  /** Whether a write failed and the file has not yet been asked where the chain stands. */
  #isUnsure = false;

  private constructor(options: EventLogOptions) {
    this.#files = options.files;
    this.#clock = options.clock;
    this.#nextId = options.nextId;
    this.#knownSeq = options.knownSeq;
    const shapes = new Redactor([]);
    this.#redactorOf = options.redactorOf ?? (() => shapes);
  }

  static async open(options: EventLogOptions): Promise<EventLog> {
    const events = new EventLog(options);
    await options.files.ensureFolder(FOLDER);
    events.#restoreHead();
    return events;
  }

  head(): number {
    return this.#seq;
  }

  /** Resolves when the event is durable. Order of calls is order in the log. */
  async append(draft: EventDraft): Promise<HallEvent> {
    if (this.#isUnsure) this.#restoreHead();
    const at = this.#clock().toISOString();
    const { log, durable } = this.#openDay(at.slice(0, 10));
    const { type, actor, projectId, subject, ...told } = draft;
    const redactor = this.#redactorOf(projectId ?? "");
    const rest = { ...told, ...redactor.deep({ before: told.before, after: told.after, why: told.why }) };
    const unsigned = {
      seq: this.#seq + 1,
      id: this.#nextId(),
      at,
      type,
      actor,
      projectId,
      subject,
      ...rest,
      prev: this.#hash,
    };
    const text = JSON.stringify(unsigned);
    const hash = hashOf(text);
    this.#seq = unsigned.seq;
    this.#hash = hash;
    try {
      await Promise.all([log.append(`${text.slice(0, -1)},"hash":"${hash}"}`), durable]);
    } catch (error) {
      this.#reopenAfter(log);
      throw error;
    }
    // Read back from its text, it does not keep in memory the long text that a value was cut from.
    const event: HallEvent = { ...JSON.parse(text), hash };
    if (event.seq > this.#durable.seq) this.#durable = { seq: event.seq, hash };
    this.#remember(event);
    return event;
  }

  /** The listener must not throw. */
  subscribe(listener: (event: HallEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Events with a number above `after`, oldest first. */
  read(query: EventQuery & { after: number; limit: number }): HallEvent[] {
    const first = this.#recent[0];
    if (first !== undefined && query.after >= first.seq - 1) {
      return this.#recent.filter((event) => event.seq > query.after && matches(event, query)).slice(0, query.limit);
    }
    const found: HallEvent[] = [];
    for (const day of this.#daysFrom(query.after)) {
      this.#scanDay(day, query.after, (event) => {
        if (event.seq > query.after && matches(event, query)) found.push(event);
        return found.length < query.limit;
      });
      if (found.length >= query.limit) break;
    }
    return found;
  }

  /** The newest events, oldest first. */
  tail(query: EventQuery & { count: number }): HallEvent[] {
    const recent = this.#recent.filter((event) => matches(event, query));
    if (recent.length >= query.count || (this.#recent[0]?.seq ?? 1) === 1) return recent.slice(-query.count);
    let found: HallEvent[] = [];
    for (const day of this.#days().reverse()) {
      found = [...this.#tailOf(day, { ...query, count: query.count - found.length }), ...found];
      if (found.length >= query.count) break;
    }
    return found;
  }

  /** The newest before a number. Costs the same however long the log is, but for what a filter passes over. */
  before(query: EventQuery & { before: number; count: number }): EventsBefore {
    const open = (day: string) => () => this.#files.openContained(pathOf(day), FOLDER);
    const days = this.#days().filter((day) => (this.#marksOf(day)[0]?.seq ?? 0) < query.before);
    return eventsBefore(days.reverse().map(open), query);
  }

  /** Does not block others, however long the log is, and is not misled by what is written meanwhile. */
  async verify(): Promise<AuditReport> {
    for (let attempt = 1; ; attempt++) {
      const restored = this.#restored;
      const heads = { genesis: GENESIS, durable: this.#durable, newest: () => ({ seq: this.#seq, hash: this.#hash }) };
      const report = await auditDays(this.#files, this.#days().map(pathOf), heads);
      // After a failed write, lines that were read may have been taken back.
      if (report.ok || restored === this.#restored || attempt === MOST_AUDITS) return report;
    }
  }

  async close(): Promise<void> {
    await this.#day?.log.close();
    this.#day = undefined;
  }

  #remember(event: HallEvent): void {
    this.#recent.push(event);
    if (this.#recent.length > KEPT) this.#recent = this.#recent.slice(-RECENT);
    for (const listener of this.#listeners) listener(event);
  }

  #openDay(name: string): Day {
    // A clock that goes back over midnight must not write into a day that is closed.
    const newest = this.#day?.name ?? "";
    const day = name > newest ? name : newest;
    if (this.#day?.name === day) return this.#day;
    const previous = this.#day?.log;
    const { log } = this.#files.openLog(pathOf(day), 1);
    this.#day = { name: day, log, durable: this.#files.syncFolder(FOLDER) };
    void previous?.close();
    return this.#day;
  }

  /** After a failed write the file, not memory, says where the chain stands. Every append of the batch ends here once. */
  #reopenAfter(failed: Log): void {
    if (this.#day?.log !== failed) return;
    this.#day = undefined;
    this.#isUnsure = true;
    void failed.close();
    this.#restoreHead();
  }

  /** Goes back to the newest day that holds an event; that day is the one written to, unless a newer one has begun. */
  #restoreHead(): void {
    this.#recent = [];
    for (const day of this.#days().reverse()) {
      const { log, tail } = this.#files.openLog(pathOf(day), KEPT);
      if (this.#day === undefined) this.#day = { name: day, log, durable: Promise.resolve() };
      else void log.close();
      this.#recent = tail.values.filter(isEvent).slice(-KEPT);
      if (this.#recent.length > 0) break;
    }
    const last = this.#recent.at(-1);
    this.#seq = Math.max(last?.seq ?? 0, this.#knownSeq);
    this.#hash = last?.hash ?? GENESIS;
    this.#durable = { seq: this.#seq, hash: this.#hash };
    this.#restored++;
    this.#isUnsure = false;
  }

  #days(): string[] {
    return this.#files
      .names(FOLDER)
      .filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name))
      .map((name) => name.slice(0, 10));
  }

  /** The days that may hold events after a number: the last one that starts at or below it, and all later ones. */
  #daysFrom(after: number): string[] {
    const days = this.#days();
    let start = 0;
    days.forEach((day, position) => {
      const first = this.#marksOf(day)[0];
      if (first !== undefined && first.seq <= after) start = position;
    });
    return days.slice(start);
  }

  /** Looks further back until enough events match or the day is over. */
  #tailOf(day: string, query: EventQuery & { count: number }): HallEvent[] {
    for (let lines = query.count; ; lines *= 4) {
      const { values, isWhole } = this.#files.logTail(pathOf(day), lines);
      const found = values.filter(isEvent).filter((event) => matches(event, query));
      if (isWhole || found.length >= query.count) return found.slice(-query.count);
    }
  }

  #marksOf(day: string): Mark[] {
    const known = this.#marks.get(day);
    if (known !== undefined) return known;
    const marks: Mark[] = [];
    this.#files.scanLog(pathOf(day), 0, (text, offset) => {
      const event = parseEvent(text);
      if (event !== undefined) marks.push({ seq: event.seq, offset });
      return marks.length === 0;
    });
    this.#marks.set(day, marks);
    return marks;
  }

  /** Reads a day from the nearest known place before `after`, and remembers places on the way. */
  #scanDay(day: string, after: number, visit: (event: HallEvent) => boolean): void {
    const marks = this.#marksOf(day);
    const from = marks.findLast((mark) => mark.seq <= after)?.offset ?? 0;
    this.#files.scanLog(pathOf(day), from, (text, offset) => {
      const event = parseEvent(text);
      if (event === undefined) return true;
      const last = marks.at(-1);
      if (last !== undefined && event.seq >= last.seq + MARK_EVERY) marks.push({ seq: event.seq, offset });
      return visit(event);
    });
  }
}

function pathOf(day: string): string {
  return `${FOLDER}/${day}.jsonl`;
}

function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}
