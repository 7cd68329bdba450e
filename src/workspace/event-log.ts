import { createHash } from "node:crypto";
import type { EventDraft, HallEvent } from "../contract/event.ts";
import type { AuditReport } from "../contract/routes.ts";
import type { Files } from "../store/files.ts";
import type { Clock, NextId } from "../store/ids.ts";
import type { Log } from "../store/log.ts";
import { auditDays } from "./audit.ts";

const FOLDER = "events";
const GENESIS = "0".repeat(64);
const RECENT = 1_000;
const MARK_EVERY = 500;

export interface EventQuery {
  project?: string | undefined;
  type?: string | undefined;
}

interface Mark {
  seq: number;
  offset: number;
}

/** The audit trail: one JSONL file a day, each line chained to the one before by its hash. Sole writer of `events/`. */
export class EventLog {
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #nextId: NextId;
  readonly #listeners = new Set<(event: HallEvent) => void>();
  readonly #marks = new Map<string, Mark[]>();
  #recent: HallEvent[] = [];
  #day: { name: string; log: Log } | undefined;
  #seq = 0;
  #hash = GENESIS;

  private constructor(files: Files, clock: Clock, nextId: NextId) {
    this.#files = files;
    this.#clock = clock;
    this.#nextId = nextId;
  }

  /** `knownSeq` is the newest number seen elsewhere: numbers are never given twice, even if the log lost its end. */
  static async open(options: { files: Files; clock: Clock; nextId: NextId; knownSeq: number }): Promise<EventLog> {
    const events = new EventLog(options.files, options.clock, options.nextId);
    await options.files.ensureFolder(FOLDER);
    events.#restoreHead();
    events.#seq = Math.max(events.#seq, options.knownSeq);
    return events;
  }

  head(): number {
    return this.#seq;
  }

  /** Resolves when the event is durable. Order of calls is order in the log. */
  async append(draft: EventDraft): Promise<HallEvent> {
    const at = this.#clock().toISOString();
    const log = this.#openDay(at.slice(0, 10));
    const { type, actor, projectId, subject, ...rest } = draft;
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
      await log.append(`${text.slice(0, -1)},"hash":"${hash}"}`);
    } catch (error) {
      this.#reopenAfter(log);
      throw error;
    }
    const event: HallEvent = { ...unsigned, hash };
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
      const ofDay: HallEvent[] = [];
      this.#scanDay(day, 0, (event) => {
        if (matches(event, query)) ofDay.push(event);
        if (ofDay.length > query.count) ofDay.shift();
        return true;
      });
      found = [...ofDay, ...found].slice(-query.count);
      if (found.length >= query.count) break;
    }
    return found;
  }

  verify(): AuditReport {
    return auditDays(this.#files, this.#days().map(pathOf), { seq: this.#seq, hash: this.#hash, genesis: GENESIS });
  }

  async close(): Promise<void> {
    await this.#day?.log.close();
    this.#day = undefined;
  }

  #remember(event: HallEvent): void {
    this.#recent.push(event);
    if (this.#recent.length > 2 * RECENT) this.#recent = this.#recent.slice(-RECENT);
    for (const listener of this.#listeners) listener(event);
  }

  #openDay(name: string): Log {
    // A clock that goes back over midnight must not write into a day that is closed.
    const newest = this.#day?.name ?? "";
    const day = name > newest ? name : newest;
    if (this.#day?.name === day) return this.#day.log;
    const previous = this.#day?.log;
    const { log } = this.#files.openLog(pathOf(day));
    this.#day = { name: day, log };
    void previous?.close();
    return log;
  }

  /** After a failed write the file, not memory, says where the chain stands. Every append of the batch ends here once. */
  #reopenAfter(failed: Log): void {
    if (this.#day?.log !== failed) return;
    this.#day = undefined;
    void failed.close();
    this.#seq = 0;
    this.#hash = GENESIS;
    this.#restoreHead();
  }

  #restoreHead(): void {
    for (const day of this.#days().reverse()) {
      const { log, content } = this.#files.openLog(pathOf(day));
      this.#day ??= { name: day, log };
      if (this.#day.log !== log) void log.close();
      const last = content.lines.at(-1)?.value as HallEvent | undefined;
      if (last === undefined || typeof last.seq !== "number") continue;
      this.#seq = last.seq;
      this.#hash = last.hash;
      this.#recent = content.lines.slice(-RECENT).map((line) => line.value as unknown as HallEvent);
      return;
    }
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

function matches(event: HallEvent, query: EventQuery): boolean {
  if (query.project !== undefined && event.projectId !== query.project) return false;
  return query.type === undefined || event.type === query.type || event.type.startsWith(`${query.type}.`);
}

function parseEvent(text: string): HallEvent | undefined {
  try {
    const value = JSON.parse(text) as HallEvent;
    return typeof value?.seq === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
