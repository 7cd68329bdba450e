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
  derived: { all(): Promise<{ entry: Escalation; isHidden: boolean }[]> };
  shown(stored: StoredEscalation): Escalation;
}

type Page = RouteResponse<"listEscalations">;

/** In a cursor: which part of the list continues, open entries by rank and id or resolved ones by the cursor of their documents. */
const [OPEN, RESOLVED] = ["open", "resolved"];

/** Documents and derived entries as one list: open ones by urgency, then resolved ones, the newest first. */
export class QueueList {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Everything that waits for the person now, the most urgent first; also what is snoozed, where that is asked for. */
  async pending(more: { snoozed?: boolean } = {}): Promise<Escalation[]> {
    return this.#open({ status: "pending", limit: 0, ...more });
  }

  /** Open ones that have a document. */
  questions(): Escalation[] {
    return this.#parts.documents.open().map((stored) => this.#parts.shown(stored));
  }

  async list(query: EscalationQuery): Promise<Page> {
    const { documents } = this.#parts;
    const [part, rank, id] = decodeCursor(query.cursor, 3) ?? [OPEN, Number.NEGATIVE_INFINITY, ""];
    const invalid = documents.list({ limit: 1, status: "draft" }).invalid;
    const open = query.status === "resolved" ? [] : await this.#open(query);
    const resolved =
      query.status === undefined || query.status === "resolved" ? await this.#resolved(query) : undefined;
    const total = open.length + (resolved?.total ?? 0);
    const found = { invalid: query.cursor === undefined ? invalid : [], total };
    const rest = part === OPEN ? open.filter((entry) => isAfter(entry, { rank: Number(rank), id: String(id) })) : [];
    const first = rest.slice(0, query.limit);
    const last = first.at(-1);
    if (rest.length > query.limit && last !== undefined)
      return { ...found, escalations: first, nextCursor: encodeCursor([OPEN, urgencyRank(last), last.id]) };
    const room = query.limit - first.length;
    if (resolved === undefined) return { ...found, escalations: first };
    if (room === 0)
      return {
        ...found,
        escalations: first,
        ...(resolved.total === 0 ? {} : { nextCursor: encodeCursor([RESOLVED, 0, ""]) }),
      };
    const page = resolved.page(room, part === RESOLVED && id !== "" ? String(id) : undefined);
    const next = page.nextCursor === undefined ? {} : { nextCursor: encodeCursor([RESOLVED, 0, page.nextCursor]) };
    return { ...found, escalations: [...first, ...page.escalations], ...next };
  }

  async #open(query: EscalationQuery): Promise<Escalation[]> {
    const { clock, documents, derived, shown } = this.#parts;
    const now = clock();
    const questions = documents.open().map(shown);
    const others = (await derived.all()).filter(
      ({ entry, isHidden }) => entry.status === "pending" && (!isHidden || query.snoozed),
    );
    return [...questions, ...others.map(({ entry }) => entry)]
      .filter((entry) => matches(entry, query) && (query.snoozed || !isSnoozed(entry, now)))
      .sort(byUrgency);
  }

  /** On its first page also derived entries that stay hidden until their subject changes. */
  async #resolved(query: EscalationQuery) {
    const { documents, derived, shown } = this.#parts;
    const hidden = (await derived.all()).flatMap(({ entry }) =>
      entry.status === "resolved" && matches({ ...entry, status: "resolved" }, query) ? [entry] : [],
    );
    const of = (limit: number, cursor?: string) => documents.list({ ...query, status: "resolved", limit, cursor });
    return {
      total: of(1).total + hidden.length,
      page: (room: number, cursor: string | undefined) => {
        const found = of(room, cursor);
        const escalations = found.escalations.map(shown);
        return { ...found, escalations: cursor === undefined ? [...hidden, ...escalations] : escalations };
      },
    };
  }
}

function isAfter(entry: Escalation, place: { rank: number; id: string }): boolean {
  const rank = urgencyRank(entry);
  return rank > place.rank || (rank === place.rank && entry.id > place.id);
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
