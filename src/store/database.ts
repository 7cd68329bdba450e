import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { INDEX_SCHEMA, INDEX_VERSION } from "./index-schema.ts";

const COMMIT_DELAY_MS = 20;

export type Row = Record<string, unknown>;

/**
 * The SQLite file of the index: opened if it is whole and of our version, made anew otherwise. A clean close leaves a
 * seal (size and time of the file) beside it; a file that no longer fits its seal was touched by someone else.
 */
export class Database {
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  #db: DatabaseSync;
  #depth = 0;
  #committing: NodeJS.Timeout | undefined;
  /** Why the tables are empty and must be filled from the files; undefined when they are as they were left. */
  readonly emptyBecause: string | undefined;

  constructor(path: string) {
    this.#path = path;
    const opened = openWhole(path);
    this.emptyBecause = opened.reason;
    this.#db = opened.db ?? createDatabase(path);
  }

  all<Result = Row>(sql: string, ...values: SQLInputValue[]): Result[] {
    return this.#statement(sql).all(...values) as Result[];
  }

  get<Result = Row>(sql: string, ...values: SQLInputValue[]): Result | undefined {
    return this.#statement(sql).get(...values) as Result | undefined;
  }

  iterate<Result = Row>(sql: string, ...values: SQLInputValue[]): Iterable<Result> {
    return this.#statement(sql).iterate(...values) as Iterable<Result>;
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  /**
   * All or nothing; may be nested, the outermost decides. What succeeded is seen by every read at once, and written to
   * disk together with what else happens within a few milliseconds: the index is a cache, and a start after a crash
   * brings it up to date from the log and the files.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#depth > 0) return work();
    if (!this.#db.isTransaction) this.#begin();
    this.#statement("SAVEPOINT change").run();
    this.#depth++;
    try {
      const result = work();
      this.#statement("RELEASE change").run();
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK TO change; RELEASE change");
      throw error;
    } finally {
      this.#depth--;
    }
  }

  #begin(): void {
    this.#statement("BEGIN IMMEDIATE").run();
    this.#committing = setTimeout(() => this.#commit(), COMMIT_DELAY_MS);
    this.#committing.unref();
  }

  #commit(): void {
    clearTimeout(this.#committing);
    if (this.#db.isTransaction) this.#statement("COMMIT").run();
  }

  /** Throws everything away and starts with empty tables. */
  reset(): void {
    this.#commit();
    this.#statements.clear();
    this.#db.close();
    this.#db = createDatabase(this.#path);
  }

  close(): void {
    this.#commit();
    this.#statements.clear();
    this.#db.exec("PRAGMA optimize");
    this.#db.close();
    writeFileSync(sealPath(this.#path), sealOf(this.#path), { mode: 0o600 });
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function openWhole(path: string): { db?: DatabaseSync; reason: string | undefined } {
  const seal = takeSeal(path);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { reason: "it was missing" };
  if (seal !== undefined && seal !== sealOf(path)) return { reason: "it was changed from outside" };
  let db: DatabaseSync | undefined;
  try {
    db = connect(path);
    const version = (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
    if (version !== INDEX_VERSION) throw new Error(`it has version ${version}, not ${INDEX_VERSION}`);
    if (seal === undefined) checkPages(db);
    return { db, reason: undefined };
  } catch (error) {
    db?.close();
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Only needed after a crash: a sealed file is known to be whole, and the check reads every page. */
function checkPages(db: DatabaseSync): void {
  const verdict = db.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
  if (verdict.quick_check !== "ok") throw new Error(`it was damaged: ${verdict.quick_check}`);
}

function createDatabase(path: string): DatabaseSync {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const db = connect(path);
  db.exec(`BEGIN; ${INDEX_SCHEMA} PRAGMA user_version = ${INDEX_VERSION}; COMMIT;`);
  return db;
}

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = MEMORY;",
  );
  return db;
}

function sealPath(path: string): string {
  return `${path}.seal`;
}

function sealOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs} ${stats.ino}`;
}

function takeSeal(path: string): string | undefined {
  try {
    return readFileSync(sealPath(path), "utf8");
  } catch {
    return undefined;
  } finally {
    rmSync(sealPath(path), { force: true });
  }
}
