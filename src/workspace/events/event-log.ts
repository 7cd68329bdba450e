import { hash } from "node:crypto";
import type { EventDraft, HallEvent } from "../../contract/event.ts";
import type { AuditReport } from "../../contract/routes/event-routes.ts";
import type { Append, Committed, Write } from "../../store/changes/change.ts";
import type { ChangeLog } from "../../store/changes/change-log.ts";
import type { Gathered } from "../../store/changes/gathering.ts";
import type { Files } from "../../store/files/files.ts";
import type { Clock, NextId } from "../../store/ids.ts";
import { Redactor } from "../../store/secrets/redaction.ts";
import { auditDays } from "./audit.ts";
import { type EventsBefore, eventsBefore } from "./events-backwards.ts";
import { type EventQuery, isEvent, matches, parseEvent } from "./logged-event.ts";

const FOLDER = "events";
const GENESIS = "0".repeat(64);
const RECENT = 1_000;
/** Newest events held in memory. A start after a crash asks for about a thousand and for those the index missed. */
const KEPT = 2 * RECENT;
const MARK_EVERY = 500;
/** How every line begins that was written here. */
const LINE_START = /^\{"seq":\d+,"id":"[^"]*","at":"([^"]*)","type":"([^"]*)"/;

interface Signed {
  text: string;
  hash: string;
  day: string;
}

interface Mark {
  seq: number;
  offset: number;
}

export interface EventLogOptions {
  files: Files;
  /** Makes events durable, together with the changes that they tell of. */
  changes: Pick<ChangeLog, "commit" | "failures">;
  clock: Clock;
  nextId: NextId;
  /** The newest number seen elsewhere: numbers are never given twice, even if the log lost its end. */
  knownSeq: number;
  /** Hides what events of a project, or of none, must not tell. */
  redactorOf?: ((projectId: string) => Redactor) | undefined;
}

/** Events that were told, and the change that they tell of. */
export interface Told {
  events: HallEvent[];
  change: Committed;
}

/** The audit trail: one JSONL file a day, each line chained to the one before by its hash. Sole writer of `events/`. */
export class EventLog {
  readonly #files: Files;
  readonly #changes: EventLogOptions["changes"];
  readonly #clock: Clock;
  readonly #nextId: NextId;
  readonly #knownSeq: number;
  readonly #redactorOf: (projectId: string) => Redactor;
  readonly #listeners = new Set<(event: HallEvent) => void>();
  readonly #marks = new Map<string, Mark[]>();
  #recent: HallEvent[] = [];
  /** The day that is written to. */
  #day = "";
  #seq = 0;
  #hash = GENESIS;
  /** The newest event that listeners were told of. */
  #told = 0;
  /** The newest event that is known to be in its file. */
  #filed = { seq: 0, hash: GENESIS };
  /** How often the change log had failed when the file was last asked. */
  #failures = 0;

  private constructor(options: EventLogOptions) {
    this.#files = options.files;
    this.#changes = options.changes;
    this.#clock = options.clock;
    this.#nextId = options.nextId;
    this.#knownSeq = options.knownSeq;
    const shapes = new Redactor([]);
    this.#redactorOf = options.redactorOf ?? (() => shapes);
  }

  static async open(options: EventLogOptions): Promise<EventLog> {
    const events = new EventLog(options);
    await options.files.ensureFolder(FOLDER);
    events.#recent = events.#restoreHead();
    events.#told = events.#seq;
    return events;
  }

  /** The newest event that is durable. Numbers above it may be on their way, and may be given again if they fail. */
  head(): number {
    return this.#told;
  }

  /** Resolves when the event is durable. Order of calls is order in the log. */
  async append(draft: EventDraft): Promise<HallEvent> {
    const { events } = await this.commit([draft], []);
    return events[0] as HallEvent;
  }

  /** Makes a change and what the log tells of it durable together. Rejects with nothing changed. */
  async commit(drafts: readonly EventDraft[], writes: readonly Write[], gathered?: Gathered): Promise<Told> {
    let signed: Signed[] = [];
    const lines = () => {
      signed = this.#sign(drafts);
      return signed.map(({ text, hash, day }): Append => {
        return { kind: "append", path: pathOf(day), line: `${text.slice(0, -1)},"hash":"${hash}"}` };
      });
    };
    const change = await this.#changes.commit({ writes, lines, gathered });
    // Read back from its text, it does not keep in memory the long text that a value was cut from.
    const events = signed.map(({ text, hash }): HallEvent => ({ ...JSON.parse(text), hash }));
    for (const event of events) this.#remember(event);
    const last = signed.at(-1);
    // On a full disk lines are in the change log, and reach their file later.
    if (last !== undefined && change.ends.has(pathOf(last.day))) this.#filed = { seq: this.#told, hash: last.hash };
    return { events, change };
  }

  /** Gives each event its place in the chain. Nothing is awaited from here until the change log has the lines. */
  #sign(drafts: readonly EventDraft[]): Signed[] {
    if (this.#failures !== this.#changes.failures) this.#restoreHead();
    const at = this.#clock().toISOString();
    const shown = drafts.map((draft) => this.#shown(draft));
    return shown.map(({ type, actor, projectId, subject, ...rest }) => {
      const seq = this.#seq + 1;
      const about = { seq, id: this.#nextId(), at, type, actor, projectId, subject };
      const text = JSON.stringify({ ...about, ...rest, prev: this.#hash });
      const hash = hashOf(text);
      this.#seq = seq;
      this.#hash = hash;
      return { text, hash, day: this.#openDay(at.slice(0, 10)) };
    });
  }

  #shown(draft: EventDraft): EventDraft {
    const { before, after, why } = draft;
    return { ...draft, ...this.#redactorOf(draft.projectId ?? "").deep({ before, after, why }) };
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

  /** Events of some types in a period, oldest first. Lines of other types are not parsed. */
  during({ from, until, types }: { from: Date; until: Date; types: ReadonlySet<string> }): HallEvent[] {
    const [first, last] = [from.toISOString(), until.toISOString()];
    const found: HallEvent[] = [];
    for (const day of this.#days()) {
      // A clock that was set back writes into the newest file.
      if (day < first.slice(0, 10) || (day > last.slice(0, 10) && day !== this.#day)) continue;
      this.#files.scanLog(pathOf(day), 0, (text) => {
        const [, at = "", type = ""] = LINE_START.exec(text) ?? [];
        if (types.has(type) && at >= first && at < last) push(found, parseEvent(text));
        return true;
      });
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
  verify(): Promise<AuditReport> {
    const heads = { genesis: GENESIS, filed: this.#filed, newest: () => ({ seq: this.#seq, hash: this.#hash }) };
    return auditDays(this.#files, this.#days().map(pathOf), heads);
  }

  #remember(event: HallEvent): void {
    this.#told = event.seq;
    this.#recent.push(event);
    if (this.#recent.length > KEPT) this.#recent = this.#recent.slice(-RECENT);
    for (const listener of this.#listeners) listener(event);
  }

  #openDay(name: string): string {
    // A clock that goes back over midnight must not write into a day that is closed.
    if (name > this.#day) this.#day = name;
    return this.#day;
  }

  /**
   * After a failed write the files, not memory, say where the chain stands: the newest day that holds an event is the one
   * written to, unless a newer one has begun. The change log lets nobody ask while lines are on their way to them.
   * Answers the newest events.
   */
  #restoreHead(): HallEvent[] {
    const failures = this.#changes.failures;
    let recent: HallEvent[] = [];
    let newest = "";
    for (const day of this.#days().reverse()) {
      const { log, tail } = this.#files.openLog(pathOf(day), KEPT);
      void log.close();
      if (newest === "") newest = day;
      recent = tail.values.filter(isEvent).slice(-KEPT);
      if (recent.length > 0) break;
    }
    const last = recent.at(-1);
    this.#day = newest;
    this.#seq = Math.max(last?.seq ?? 0, this.#knownSeq);
    this.#hash = last?.hash ?? GENESIS;
    this.#filed = { seq: this.#seq, hash: this.#hash };
    this.#failures = failures;
    return recent;
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

function push(found: HallEvent[], event: HallEvent | undefined): void {
  if (event !== undefined) found.push(event);
}

function pathOf(day: string): string {
  return `${FOLDER}/${day}.jsonl`;
}

function hashOf(text: string): string {
  return hash("sha256", text, "hex");
}
