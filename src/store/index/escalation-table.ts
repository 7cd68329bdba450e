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
      "INSERT OR REPLACE INTO escalations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      record.id,
      escalationNumber(record.id),
      record.status,
      record.type,
      record.projectId ?? null,
      record.status === "resolved" ? 1 : 0,
      rankOf(record),
      isUndelivered(record) ? 1 : 0,
      record.snoozedUntil === undefined ? 0 : Date.parse(record.snoozedUntil),
      JSON.stringify(record),
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
  list(filter: EscalationFilter, page: { limit: number; after?: readonly (string | number)[] | undefined }) {
    const { conditions, values } = conditionsOf(filter);
    const total = this.#db.get<{ total: number }>(
      `SELECT COUNT(*) AS total FROM escalations WHERE ${conditions}`,
      ...values,
    );
    const [resolved = -1, rank = 0, number = 0] = page.after ?? [];
    const rows = this.#db.all(
      `SELECT doc FROM escalations WHERE ${conditions} AND (resolved, rank, number) > (?, ?, ?)
       ORDER BY resolved, rank, number LIMIT ?`,
      ...values,
      resolved,
      rank,
      number,
      page.limit,
    );
    return { records: rows.map(recordOf), total: total?.total ?? 0 };
  }

  /** Where it is in a list, to continue after it. */
  static position(record: EscalationRecord): [number, number, number] {
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
  const { status, type, projectId, text, awakeAt } = filter;
  const parts: [string, string | number | undefined][] = [
    ["status = ?", status],
    ["type = ?", type],
    ["project_id = ?", projectId],
    ["(resolved = 1 OR snoozed_until <= ?)", awakeAt],
    ...(text === undefined ? [] : [worded(text)]),
  ];
  const given = parts.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  return {
    conditions: given.map(({ condition }) => condition).join(" AND ") || "TRUE",
    values: given.map(({ value }) => value),
  };
}

function worded(text: string): [string, string] {
  const match = documentMatch(text);
  if (match === undefined) return ["instr(fold(doc), ?) > 0", fold(text)];
  return [
    `id IN (SELECT d.id FROM documents_fts JOIN documents d ON d.key = documents_fts.rowid
       WHERE documents_fts MATCH ? AND d.kind = 'escalation')`,
    match,
  ];
}
