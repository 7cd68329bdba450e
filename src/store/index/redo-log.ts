import type { SQLInputValue } from "node:sqlite";

interface Write {
  sql: string;
  values: SQLInputValue[];
}

/** More than this happens only while everything is read from the files, and can be read from there again. */
const MOST_WRITES = 20_000;

/** The statements of an open transaction, to repeat them when the database has lost it. */
export class RedoLog {
  #writes: Write[] = [];
  /** How many there were when the savepoint was set. */
  #marked: number | undefined;
  #isComplete = true;

  add(sql: string, values: SQLInputValue[]): void {
    if (!this.#isComplete) return;
    if (this.#writes.length < MOST_WRITES) this.#writes.push({ sql, values });
    else this.#drop();
  }

  /** Of the transaction that is open, nothing is kept from here on: it cannot be repeated. */
  forgo(): void {
    this.#drop();
  }

  /** A savepoint was set. */
  mark(): void {
    this.#marked = this.#writes.length;
  }

  /** The savepoint is gone; what was written since is part of the transaction. */
  release(): void {
    this.#marked = undefined;
  }

  /** What was written since the savepoint was taken back, and the savepoint with it. */
  forgetMarked(): void {
    if (this.#marked !== undefined) this.#writes.length = Math.min(this.#marked, this.#writes.length);
    this.#marked = undefined;
  }

  /** The transaction was written, or given up. */
  clear(): void {
    this.#writes = [];
    this.#marked = undefined;
    this.#isComplete = true;
  }

  /** False when there were too many to keep. */
  repeat(on: { run: (sql: string, values: SQLInputValue[]) => void; mark: () => void }): boolean {
    if (!this.#isComplete) return false;
    for (const [at, { sql, values }] of this.#writes.entries()) {
      if (at === this.#marked) on.mark();
      on.run(sql, values);
    }
    if (this.#marked === this.#writes.length) on.mark();
    return true;
  }

  #drop(): void {
    this.#writes = [];
    this.#isComplete = false;
  }
}
