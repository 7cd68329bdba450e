import type { Escalation } from "../../contract/documents/escalation.ts";
import { byUrgency, isSnoozed, urgencyRank } from "../../contract/documents/escalation-urgency.ts";
import type { EscalationQuery } from "../../contract/routes/people/escalation-routes.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Clock } from "../../store/ids.ts";
import { decodeCursor, encodeCursor } from "../../workspace/cursor.ts";
import type { Escalations, StoredEscalation } from "../../workspace/escalations/escalations.ts";

interface Parts {
  clock: Clock;
  documents: Pick<Escalations, "list" | "open">;
  derived: { all(): Promise<Entry[]> };
  shown(stored: StoredEscalation): Escalation;
}

type Page = RouteResponse<"listEscalations">;

type Entry = { entry: Escalation; isHidden: boolean };

/** In a cursor: `open` with rank and id, or `resolved` with how many derived entries came and the cursor of the documents. */
const [OPEN, RESOLVED] = ["open", "resolved"];
/** A cursor has no room for the longest ids; they are made of paths. */
const LONGEST_ID = 200;
const START = [OPEN, Number.MIN_SAFE_INTEGER, ""];

/** Documents and derived entries as one list: open ones by urgency, then resolved ones, the newest first. */
export class QueueList {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Everything that waits for the person now, the most urgent first; also what is snoozed, where that is asked for. */
  async pending(more: { snoozed?: boolean } = {}): Promise<Escalation[]> {
    return this.#open({ status: "pending", limit: 0, ...more }, await this.#parts.derived.all());
  }

  /** Open ones that have a document. */
  questions(): Escalation[] {
    return this.#parts.documents.open().map((stored) => this.#parts.shown(stored));
  }

  async list(query: EscalationQuery): Promise<Page> {
    const { derived, documents } = this.#parts;
    const [part, number, text] = decodeCursor(query.cursor, 3) ?? START;
    const place = { number: Number(number), text: String(text) };
    const all = await derived.all();
    const open = query.status === "resolved" ? [] : this.#open(query, all);
    const resolved = query.status === undefined || query.status === "resolved" ? this.#resolved(query, all) : undefined;
    const invalid = query.cursor === undefined ? documents.list({ limit: 1, status: "draft" }).invalid : [];
    const found = { invalid, total: open.length + (resolved?.total ?? 0) };
    const rest = part === OPEN ? open.filter((entry) => isAfter(entry, place)) : [];
    const first = rest.slice(0, query.limit);
    const last = first.at(-1);
    if (rest.length > query.limit && last !== undefined)
      return { ...found, escalations: first, nextCursor: encodeCursor([OPEN, urgencyRank(last), shortId(last)]) };
    const page = resolved?.page(query.limit - first.length, part === RESOLVED ? place : { number: 0, text: "" });
    const next = page?.next === undefined ? {} : { nextCursor: encodeCursor([RESOLVED, ...page.next]) };
    return { ...found, escalations: [...first, ...(page?.escalations ?? [])], ...next };
  }

  #open(query: EscalationQuery, all: readonly Entry[]): Escalation[] {
    const { clock, documents, shown } = this.#parts;
    const now = clock();
    const others = all.filter(({ entry, isHidden }) => entry.status === "pending" && (!isHidden || query.snoozed));
    return [...documents.open().map(shown), ...others.map(({ entry }) => entry)]
      .filter((entry) => matches(entry, query) && (query.snoozed || !isSnoozed(entry, now)))
      .sort(byUrgency);
  }

  /** Derived entries that stay hidden until their subject changes come before the documents. */
  #resolved(query: EscalationQuery, all: readonly Entry[]) {
    const { documents, shown } = this.#parts;
    const hidden = all
      .map(({ entry }) => entry)
      .filter((entry) => entry.status === "resolved" && matches(entry, query));
    const of = (limit: number, cursor?: string) => documents.list({ ...query, status: "resolved", limit, cursor });
    const total = of(1).total + hidden.length;
    return {
      total,
      page: (room: number, { number, text }: Place): { escalations: Escalation[]; next?: [number, string] } => {
        const first = hidden.slice(number, number + room);
        const count = number + first.length;
        if (first.length === room)
          return count < total ? { escalations: first, next: [count, text] } : { escalations: first };
        const { escalations, nextCursor } = of(room - first.length, text === "" ? undefined : text);
        const page = { escalations: [...first, ...escalations.map(shown)] };
        return nextCursor === undefined ? page : { ...page, next: [count, nextCursor] };
      },
    };
  }
}

interface Place {
  number: number;
  text: string;
}

function isAfter(entry: Escalation, { number, text }: Place): boolean {
  const rank = urgencyRank(entry);
  return rank > number || (rank === number && shortId(entry) > text);
}

function shortId({ id }: Escalation): string {
  return id.slice(0, LONGEST_ID);
}

function matches(entry: Escalation, { status, type, project, q }: EscalationQuery): boolean {
  const isAsked = (status === undefined || entry.status === status) && (type === undefined || entry.type === type);
  return isAsked && (project === undefined || entry.projectId === project) && (q === undefined || hasWords(entry, q));
}

/** All of the words, wherever they are. */
function hasWords({ id, question, context, projectId = "" }: Escalation, q: string): boolean {
  const text = `${id}\n${projectId}\n${question}\n${context}`.toLocaleLowerCase();
  return q
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
