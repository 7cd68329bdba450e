import { existsSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { INDEX_SCHEMA, INDEX_VERSION } from "./index-schema.ts";
import { Seal } from "./seal.ts";

const COMMIT_DELAY_MS = 50;
const NO_ROOM_DELAY_MS = 500;
/** What is written to disk at once has to fit in this; SQLite throws a transaction away that finds no room. */
const ROOM = 1024 * 1024;
const LARGEST_WAL = 16 * 1024 * 1024;
/** With less room than this the write-ahead log is not left to grow. */
const PLENTY = 2 * LARGEST_WAL;

export type Row = Record<string, unknown>;

/**
 * The SQLite file of the index: opened if it is whole and of our version, made anew otherwise. Changes go to the
 * write-ahead log, whose frames SQLite checks; the file itself is written at checkpoints only and sealed in between, so
 * that after a crash, too, it shows whether someone else touched it.
 */
export class Database {
  readonly #path: string;
  readonly #seal: Seal;
  readonly #statements = new Map<string, StatementSync>();
  #db: DatabaseSync;
  #depth = 0;
  #committing: NodeJS.Timeout | undefined;
  /** Why the tables are empty and must be filled from the files; undefined when they are as they were left. */
  readonly emptyBecause: string | undefined;
  /** Called when changes that reads had already seen are gone: the index has to be compared with the files. */
  onLoss: () => void = () => undefined;
  /** Called while a transaction can still be added to. */
  beforeCommit: () => void = () => undefined;

  constructor(path: string) {
    this.#path = path;
    this.#seal = new Seal(path);
    const opened = openWhole(path, this.#seal);
    this.emptyBecause = opened.reason;
    this.#db = opened.db ?? this.#create();
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
      else this.onLoss();
      throw error;
    } finally {
      this.#depth--;
    }
  }

  #begin(): void {
    this.#statement("BEGIN IMMEDIATE").run();
    this.#commitIn(COMMIT_DELAY_MS);
  }

  #commitIn(delay: number): void {
    this.#committing = setTimeout(() => this.#commit(), delay);
    this.#committing.unref();
  }

  /** While the disk is full the transaction stays open and reads go on from memory; a crash then costs nothing but time. */
  #commit(): void {
    clearTimeout(this.#committing);
    if (!this.#db.isTransaction) return;
    if (roomFor(this.#path) > ROOM) this.#commitNow();
    else this.#commitIn(NO_ROOM_DELAY_MS);
  }

  #commitNow(): void {
    try {
      this.beforeCommit();
      this.#statement("COMMIT").run();
    } catch {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      this.onLoss();
    }
    const largest = roomFor(this.#path) > PLENTY ? LARGEST_WAL : 0;
    if ((statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > largest) this.#checkpoint(this.#db);
  }

  /** One that fails leaves the file without a seal and everything in the log, to be tried again. */
  #checkpoint(db: DatabaseSync): void {
    this.#seal.lift();
    try {
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      this.#seal.set();
    } catch {}
  }

  /** Where no file can be made the index lives in memory, and is made again at the next start. */
  #create(): DatabaseSync {
    this.#seal.lift();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#path + suffix, { force: true });
    try {
      const db = createDatabase(this.#path);
      this.#checkpoint(db);
      return db;
    } catch {
      return createDatabase(":memory:");
    }
  }

  /** Throws everything away and starts with empty tables; on a full disk it refuses to, and everything stays. */
  reset(): void {
    if (roomFor(this.#path) < ROOM)
      throw Object.assign(new Error("There is no room for a new index."), { code: "ENOSPC" });
    this.#disconnect();
    this.#db = this.#create();
  }

  /** What could not be written is made good from the log and the files at the next start. */
  close(): void {
    this.#commit();
    try {
      this.#db.exec("PRAGMA optimize");
    } catch {
      // Only makes later queries faster.
    }
    this.#disconnect();
    this.#seal.set();
  }

  #disconnect(): void {
    this.#commit();
    clearTimeout(this.#committing);
    this.#statements.clear();
    this.#seal.lift();
    this.#db.close();
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

function openWhole(path: string, seal: Seal): { db?: DatabaseSync; reason: string | undefined } {
  if (!existsSync(path)) return { reason: "it was missing" };
  const state = seal.state();
  if (state === "broken") return { reason: "it was changed from outside" };
  let db: DatabaseSync | undefined;
  try {
    db = connect(path);
    const version = (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
    if (version !== INDEX_VERSION) throw new Error(`it has version ${version}, not ${INDEX_VERSION}`);
    if (state === "none") checkPages(db);
    // A damaged header may let a file be read and not written.
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return { db, reason: undefined };
  } catch (error) {
    db?.close();
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Only needed after a crash within a checkpoint: a sealed file is known to be whole. It goes table by table,
 * because a check of everything also weighs the full-text index against every text, which takes five times as long.
 */
function checkPages(db: DatabaseSync): void {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
  for (const { name } of tables) {
    const verdict = db.prepare(`PRAGMA quick_check("${name}")`).get() as { quick_check: string };
    if (verdict.quick_check !== "ok") throw new Error(`it was damaged: ${verdict.quick_check}`);
  }
}

function roomFor(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function createDatabase(path: string): DatabaseSync {
  const db = connect(path);
  db.exec(`BEGIN; ${INDEX_SCHEMA} PRAGMA user_version = ${INDEX_VERSION}; COMMIT;`);
  return db;
}

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY;",
  );
  db.function("fold", { deterministic: true }, (text) => fold(String(text)));
  return db;
}

/** Text without regard to case, in every script; also an SQL function, because SQLite's own `lower` knows ASCII only. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
