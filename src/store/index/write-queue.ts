import type { SQLInputValue } from "node:sqlite";

export interface Write {
  sql: string;
  values: SQLInputValue[];
  /** The key of the row that it writes as a whole: of several writes of one row, the last one is enough. */
  row?: string;
}

const UNKNOWN = "";
const TABLE = /\b(?:INTO|FROM|UPDATE) (\w+)/;
const tables = new Map<string, string>();

/** The table that a statement writes to. */
function tableOf(sql: string): string {
  const known = tables.get(sql);
  if (known !== undefined) return known;
  const table = TABLE.exec(sql)?.[1] ?? UNKNOWN;
  tables.set(sql, table);
  return table;
}

/** Writes that SQLite has not seen yet, and where those of the transaction that is under way begin. */
export class WriteQueue {
  #writes: Write[] = [];
  #begun = 0;
  /** By table, the rows that are written; undefined stands for any row. May name more than still wait. */
  readonly #rows = new Map<string, Set<string | undefined>>();

  get length(): number {
    return this.#writes.length;
  }

  add(write: Write): void {
    this.#writes.push(write);
    const table = tableOf(write.sql);
    const rows = this.#rows.get(table) ?? new Set();
    this.#rows.set(table, rows.add(write.row));
  }

  /** Whether a write that waits may change a row. */
  concerns(table: string, row: string): boolean {
    const rows = this.#rows.get(table);
    return rows?.has(row) === true || rows?.has(undefined) === true || this.#rows.has(UNKNOWN);
  }

  /** A transaction begins. */
  begin(): void {
    this.#begun = this.#writes.length;
  }

  /** The transaction is over: what it has written is like everything before it. */
  end(): void {
    this.#begun = this.#writes.length;
  }

  /** Drops what the transaction has written. */
  takeBack(): void {
    this.#writes.length = Math.min(this.#begun, this.#writes.length);
  }

  /** Empties the queue: what was written before the transaction that is under way, and what it has written itself. */
  take(): { earlier: Write[]; own: Write[] } {
    const writes = this.#writes;
    const begun = Math.min(this.#begun, writes.length);
    this.clear();
    return { earlier: lastOfEachRow(writes.slice(0, begun)), own: lastOfEachRow(writes.slice(begun)) };
  }

  clear(): void {
    this.#writes = [];
    this.#begun = 0;
    this.#rows.clear();
  }
}

function lastOfEachRow(writes: Write[]): Write[] {
  const last = new Map<string, Map<string | undefined, Write>>();
  for (const write of writes) {
    const rows = last.get(write.sql) ?? new Map();
    last.set(write.sql, rows.set(write.row, write));
  }
  return writes.filter((write) => write.row === undefined || last.get(write.sql)?.get(write.row) === write);
}
