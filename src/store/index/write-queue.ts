import type { SQLInputValue } from "node:sqlite";

export interface Write {
  sql: string;
  values: SQLInputValue[];
  /** The row that it writes as a whole: of several in a row, the last one is enough. */
  row?: string;
}

/** Writes that SQLite has not seen yet, and where those of the transaction that is under way begin. */
export class WriteQueue {
  #writes: Write[] = [];
  #begun = 0;

  get length(): number {
    return this.#writes.length;
  }

  add(write: Write): void {
    this.#writes.push(write);
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
  }
}

function lastOfEachRow(writes: Write[]): Write[] {
  const last = new Map(writes.map((write) => [write.row, write]));
  return writes.filter((write) => write.row === undefined || last.get(write.row) === write);
}
