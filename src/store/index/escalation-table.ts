import type { EscalationStatus, EscalationType } from "../../contract/documents/escalation-status.ts";
import type { Database, Row } from "./database.ts";
import type { DocumentTable } from "./document-table.ts";
import { type EscalationRecord, escalationNumber, isUndelivered, rankOf } from "./escalation-row.ts";
import { fold } from "./index-file.ts";
import { frozen, RowMemory } from "./row-memory.ts";
import { documentMatch } from "./search-table.ts";

/** So many resolved ones that were written or asked for last are kept in memory. */
const MOST_KEPT = 500;

interface EscalationFilter {
  status?: EscalationStatus | undefined;
  type?: EscalationType | undefined;
  projectId?: string | undefined;
  text?: string | undefined;
  /** Leaves out open ones that are snoozed beyond then, in milliseconds. */
  awakeAt?: number | undefined;
}

/** Whether it is resolved, its rank and its number. */
type Place = readonly [resolved: number, rank: number, number: number];
const FIRST: Place = [-1, 0, 0];

interface EscalationPage {
  limit: number;
  after?: Place | undefined;
}

/** Escalations. Those that are open or still to be delivered are kept in memory. */
export class EscalationTable {
  readonly #db: Database;
  readonly #documents: DocumentTable;
  readonly #known = new RowMemory<EscalationRecord>(MOST_KEPT);
  /** Undefined until they are asked for. */
  #due: Map<string, EscalationRecord> | undefined;

  constructor(db: Database, documents: DocumentTable) {
    this.#db = db;
    this.#documents = documents;
    db.onForget({
      forget: () => {
        this.#known.clear();
        this.#due = undefined;
      },
    });
  }

  put(record: EscalationRecord): void {
    this.#remember(record);
    this.#db.replace(
      "INSERT OR REPLACE INTO escalations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      record.id,
      escalationNumber(record.id),
      record.status,
      record.type,
      record.projectId ?? null,
      record.status === "resolved" ? 1 : 0,
      rankOf(record),
      isUndelivered(record) ? 1 : 0,
      snoozedUntil(record),
      JSON.stringify(record),
      record.permission === undefined ? null : callKey(record.permission),
    );
    this.#documents.put({
      path: documentPath(record.id),
      kind: "escalation",
      projectId: record.projectId,
      id: record.id,
      title: record.question,
      body: wordsOf(record),
      size: 0,
      updatedAt: record.updatedAt,
    });
  }

  remove(id: string): void {
    this.#known.drop(id);
    this.#due?.delete(id);
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM escalations WHERE id = ?", id);
      this.#documents.remove(documentPath(id));
    });
  }

  record(id: string): EscalationRecord | undefined {
    this.#db.assertAvailable();
    const known = this.#due?.get(id) ?? this.#known.get(id);
    if (known !== undefined) return known;
    const row = this.#db.get("SELECT doc FROM escalations WHERE id = ?", id);
    return row === undefined ? undefined : this.#known.keep(id, recordOf(row));
  }

  /** The one that asks for permission for this call. */
  ofCall(call: { runId: string; callId: string }): string | undefined {
    return this.#db.get<{ id: string }>("SELECT id FROM escalations WHERE call = ? ORDER BY number", callKey(call))?.id;
  }

  /** Those that are open, or whose answer is still to be delivered. */
  due(): Iterable<EscalationRecord> {
    this.#db.assertAvailable();
    this.#due ??= this.#loadDue();
    return this.#due.values();
  }

  /** Initiatives that can't continue while an open escalation blocks them. */
  heldPlans(): { projectId: string; plan: string }[] {
    return [...this.due()].flatMap(({ status, blocksInitiative, projectId, initiative: plan }) =>
      status !== "resolved" && blocksInitiative && projectId !== undefined && plan !== undefined
        ? [{ projectId, plan }]
        : [],
    );
  }

  /** Open ones first, most urgent first; then resolved ones, the newest first. */
  list(filter: EscalationFilter, page: EscalationPage): { records: EscalationRecord[]; total: number } {
    const { status, text } = filter;
    if (text !== undefined) return this.#worded(filter, text, page);
    return status === undefined || status === "resolved" ? this.#stored(filter, page) : this.#open(filter, page);
  }

  #stored(filter: EscalationFilter, { limit, after = FIRST }: EscalationPage) {
    const { conditions, values } = conditionsOf(filter);
    const from = `FROM escalations WHERE ${conditions}`;
    const total = this.#db.get<{ total: number }>(`SELECT COUNT(*) AS total ${from}`, ...values)?.total ?? 0;
    const rows = this.#db.all(
      `SELECT doc ${from} AND (resolved, rank, number) > (?, ?, ?) ORDER BY resolved, rank, number LIMIT ?`,
      ...values,
      ...after,
      limit,
    );
    return { records: rows.map(recordOf), total };
  }

  /** From memory. */
  #open({ status, type, projectId, awakeAt }: EscalationFilter, page: EscalationPage) {
    const isWanted = (record: EscalationRecord) =>
      record.status === status &&
      (type === undefined || record.type === type) &&
      (projectId === undefined || record.projectId === projectId) &&
      (awakeAt === undefined || snoozedUntil(record) <= awakeAt);
    const places = [...this.due()]
      .filter(isWanted)
      .map((record) => ({ record, place: EscalationTable.position(record) }));
    return { total: places.length, records: pageOf(places, page).map(({ record }) => record) };
  }

  /** Every match is looked at once, without its document. */
  #worded(filter: EscalationFilter, text: string, page: EscalationPage) {
    const { conditions, values } = conditionsOf(filter);
    const match = documentMatch(text);
    const rows = this.#db.all<{ id: string; resolved: number; rank: number; number: number }>(
      match === undefined
        ? `SELECT id, resolved, rank, number FROM escalations WHERE instr(fold(doc), ?) > 0 AND ${conditions}`
        : `SELECT escalations.id AS id, resolved, escalations.rank AS rank, number FROM documents_fts JOIN documents d ON d.key = documents_fts.rowid
             JOIN escalations ON escalations.id = d.id WHERE documents_fts MATCH ? AND d.kind = 'escalation' AND ${conditions}`,
      match ?? fold(text),
      ...values,
    );
    const places = rows.map(({ id, resolved, rank, number }) => ({ id, place: [resolved, rank, number] as const }));
    return { total: places.length, records: pageOf(places, page).flatMap(({ id }) => this.record(id) ?? []) };
  }

  /** Where it is in a list, to continue after it. */
  static position(record: EscalationRecord): Place {
    return [record.status === "resolved" ? 1 : 0, rankOf(record), escalationNumber(record.id)];
  }

  idsOf(projectId: string): string[] {
    return this.#db
      .all<{ id: string }>("SELECT id FROM escalations WHERE project_id = ?", projectId)
      .map(({ id }) => id);
  }

  highestNumber(): number {
    return this.#db.get<{ highest: number | null }>("SELECT MAX(number) AS highest FROM escalations")?.highest ?? 0;
  }

  #remember(record: EscalationRecord): void {
    if (this.#db.isFilling) return;
    this.#known.keep(record.id, record);
    if (isDue(record)) this.#due?.set(record.id, record);
    else this.#due?.delete(record.id);
  }

  #loadDue(): Map<string, EscalationRecord> {
    const rows = this.#db.all(
      `SELECT doc FROM escalations WHERE resolved = 0
       UNION ALL SELECT doc FROM escalations WHERE undelivered = 1`,
    );
    return new Map(rows.map(recordOf).map((record) => [record.id, record]));
  }
}

function pageOf<Entry extends { place: Place }>(entries: Entry[], { limit, after = FIRST }: EscalationPage): Entry[] {
  const later = entries.filter(({ place }) => compare(place, after) > 0);
  return later.sort((left, right) => compare(left.place, right.place)).slice(0, limit);
}

function compare(left: Place, right: Place): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

function snoozedUntil({ snoozedUntil: until }: EscalationRecord): number {
  return until === undefined ? 0 : Date.parse(until);
}

/** Not its file's path, which changes with its status. */
function documentPath(id: string): string {
  return `escalations#${id}`;
}

function isDue(record: EscalationRecord): boolean {
  return record.status !== "resolved" || isUndelivered(record);
}

function recordOf(row: Row): EscalationRecord {
  return frozen(JSON.parse(row.doc as string) as EscalationRecord);
}

function wordsOf({ id, context, suggestedAnswers, answer, resolution }: EscalationRecord): string {
  const answers = suggestedAnswers.flatMap(({ label, description }) => [label, description]);
  return [id, resolution, answer, context, ...answers].filter((text) => text).join("\n");
}

function conditionsOf(filter: EscalationFilter): { conditions: string; values: (string | number)[] } {
  const { status, type, projectId, awakeAt } = filter;
  const parts: [string, string | number | undefined][] = [
    ["escalations.status = ?", status],
    ["escalations.type = ?", type],
    ["escalations.project_id = ?", projectId],
    ["(resolved = 1 OR snoozed_until <= ?)", awakeAt],
  ];
  const given = parts.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  return {
    conditions: given.map(({ condition }) => condition).join(" AND ") || "TRUE",
    values: given.map(({ value }) => value),
  };
}

function callKey({ runId, callId }: { runId: string; callId: string }): string {
  return `${runId}/${callId}`;
}
