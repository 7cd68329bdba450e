import { rmSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { HallError } from "../../contract/errors.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { fillAtOnce } from "./bulk-fill.ts";
import { createDatabase, isFileFailure, markFilled, openWhole, roomFor, sizeOf } from "./index-file.ts";
import { RedoLog } from "./redo-log.ts";
import { Seal } from "./seal.ts";
import { type Write, WriteQueue } from "./write-queue.ts";

const COMMIT_DELAY_MS = 200;
const RETRY_DELAY_MS = 500;
/** What is written to disk at once has to fit in this; SQLite throws a transaction away that finds no room. */
const ROOM = 1024 * 1024;
/** So many writes wait at most. */
const LONGEST_QUEUE = 500;
const LARGEST_WAL = 16 * 1024 * 1024;
/** With less room than this the write-ahead log is not left to grow. */
const PLENTY = 2 * LARGEST_WAL;

export type Row = Record<string, unknown>;

/**
 * How the tables are. `unwritten`: they are complete, but the file cannot take the newest changes at the moment.
 * `lost`: they cannot be trusted; every question and change is refused until they are filled again.
 */
export type IndexCondition = { state: "sound" } | { state: "unwritten" | "lost"; reason: string };

const SOUND: IndexCondition = { state: "sound" };

/**
 * The SQLite file of the index: opened if it is whole and of our version, made anew otherwise. Changes go to the
 * write-ahead log, whose frames SQLite checks; the file itself is written at checkpoints only and sealed in between, so
 * that it shows whether someone else touched it, after a crash as well as while it is in use.
 *
 * Writes within a transaction wait in memory until somebody reads, or until they are written to disk together: most
 * changes then need no savepoint, and a row that is written again and again is written once.
 *
 * When SQLite loses a transaction because its file fails, its statements are repeated from memory: a reader never sees a
 * change disappear. Where that fails too, the tables are lost.
 */
export class Database {
  readonly #path: string;
  readonly #seal: Seal;
  readonly #statements = new Map<string, StatementSync>();
  readonly #redo = new RedoLog();
  readonly #queue = new WriteQueue();
  #db: DatabaseSync;
  #isFile: boolean;
  #depth = 0;
  /** Whether SQLite was told to begin a transaction that it has not committed. */
  #isOpen = false;
  /** Whether SQLite knows of the change that is being made, because it had to be asked in the middle of it. */
  #hasSavepoint = false;
  /** Writes then neither wait nor are kept to be repeated. */
  #isFilling = false;
  #committing: NodeJS.Timeout | undefined;
  /** Whether the file was looked at a moment ago. */
  #isChecked = false;
  #condition: IndexCondition = SOUND;
  /** Why the tables are empty and must be filled from the files; undefined when they are as they were left. */
  readonly emptyBecause: string | undefined;
  /** Called once when the tables are lost, in the middle of whatever failed: it must not use them. */
  onLoss: (reason: string) => void = () => undefined;
  /** Called while a transaction can still be added to. */
  beforeCommit: () => void = () => undefined;
  readonly #memories: { forget(): void }[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#seal = new Seal(path);
    const opened = openWhole(path, this.#seal);
    this.emptyBecause = opened.reason;
    this.#isFile = true;
    this.#db = opened.db ?? this.#create("file");
    this.#seal.watch();
  }

  get condition(): IndexCondition {
    return this.#condition;
  }

  /** Whether empty tables are being filled: of thousands of rows, none is worth keeping in memory. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  /** For what is kept of rows in memory: it is forgotten when rows change otherwise than by a statement of its owner. */
  onForget(memory: { forget(): void }): void {
    this.#memories.push(memory);
  }

  /** What is kept in memory is not handed out either while the tables are lost. */
  assertAvailable(): void {
    if (this.#condition.state === "lost") throw unavailable();
  }

  #forget(): void {
    for (const memory of this.#memories) memory.forget();
  }

  all<Result = Row>(sql: string, ...values: SQLInputValue[]): Result[] {
    this.#flush();
    return this.#attempt(() => this.#statement(sql).all(...values) as Result[]);
  }

  get<Result = Row>(sql: string, ...values: SQLInputValue[]): Result | undefined {
    this.#flush();
    return this.#attempt(() => this.#statement(sql).get(...values) as Result | undefined);
  }

  /** The row with a key, as `replace` names it. Writes of other rows go on waiting. */
  find<Result = Row>(
    table: string,
    key: string,
    { sql, values }: { sql: string; values: SQLInputValue[] },
  ): Result | undefined {
    if (this.#queue.concerns(table, key)) this.#flush();
    return this.#attempt(() => this.#statement(sql).get(...values) as Result | undefined);
  }

  *iterate<Result = Row>(sql: string, ...values: SQLInputValue[]): Generator<Result> {
    this.#flush();
    const rows = this.#attempt(() => this.#statement(sql).iterate(...values)) as Iterable<Result>;
    try {
      yield* rows;
    } catch (error) {
      // Rows were handed out already, so that it cannot be repeated.
      throw isFileFailure(error) ? this.#lose(error) : error;
    }
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#take({ sql, values });
  }

  /** As run, for a statement that replaces the row whose key is the first value, whatever it held. */
  replace(sql: string, key: string, ...values: SQLInputValue[]): void {
    this.#take({ sql, values: [key, ...values], row: key });
  }

  /** As replace, for a row whose key is more than its first value. */
  replaceRow(sql: string, key: string, values: SQLInputValue[]): void {
    this.#take({ sql, values, row: key });
  }

  /** A statement that makes no sense is refused at once, also where it is carried out later. */
  #take(write: Write): void {
    this.#attempt(() => this.#statement(write.sql));
    if (write.values.includes(undefined as never)) throw new TypeError(`A value is missing for: ${write.sql}`);
    if (this.#isFilling) {
      this.#write(write);
      return;
    }
    if (this.#depth > 0 && this.#queue.length < LONGEST_QUEUE) {
      this.#queue.add(write);
      return;
    }
    this.#flush();
    if (this.#depth > 0) this.#queue.add(write);
    else this.#write(write);
  }

  #write({ sql, values }: Write): void {
    this.#attempt(() => this.#statement(sql).run(...values));
    if (this.#db.isTransaction && !this.#isFilling) this.#redo.add(sql, values);
  }

  /** Has SQLite carry out what waits. What it refuses, long after it was answered for, makes the tables incomplete. */
  #flush(): void {
    if (this.#queue.length === 0) return;
    this.assertAvailable();
    const { earlier, own } = this.#queue.take();
    try {
      if (!this.#db.isTransaction) this.#begin();
      for (const write of earlier) this.#write(write);
      if (this.#depth > 0 && !this.#hasSavepoint) this.#save();
      for (const write of own) this.#write(write);
    } catch (error) {
      throw this.#lose(error);
    }
  }

  #save(): void {
    this.#attempt(() => this.#statement("SAVEPOINT change").run());
    this.#redo.mark();
    this.#hasSavepoint = true;
  }

  /**
   * All or nothing; may be nested, the outermost decides. What succeeded is seen by every read at once, and written to
   * disk together with what else happens within a few milliseconds: the index is a cache, and a start after a crash
   * brings it up to date from the log and the files.
   */
  transaction<Result>(work: () => Result): Result {
    if (this.#depth > 0) return work();
    this.assertAvailable();
    this.#depth++;
    this.#queue.begin();
    try {
      const result = work();
      if (this.#hasSavepoint) this.#attempt(() => this.#statement("RELEASE change").run());
      return result;
    } catch (error) {
      if (this.#condition.state !== "lost") this.#takeBack();
      throw error;
    } finally {
      this.#redo.release();
      this.#queue.end();
      this.#hasSavepoint = false;
      this.#depth--;
      if (this.#queue.length > 0 && this.#committing === undefined) this.#commitIn(COMMIT_DELAY_MS);
    }
  }

  /** Fills empty tables from the files. When it throws, they are to be given up. */
  fill(work: () => void): void {
    this.transaction(() => {
      if (!this.#db.isTransaction) this.#begin();
      this.#redo.forgo();
      this.#isFilling = true;
      try {
        fillAtOnce(this.#db, work);
        markFilled(this.#db);
      } finally {
        this.#isFilling = false;
      }
    });
    // A start that is killed a moment later would have to fill them again.
    this.#commit();
  }

  /**
   * Marks the tables as lost when another program wrote to their file. Costs one look at the file's state, for all that happens
   * until the program waits for something outside.
   */
  checkFile(): void {
    if (this.#isChecked || !this.#isFile || this.#condition.state === "lost") return;
    this.#isChecked = true;
    setImmediate(() => {
      this.#isChecked = false;
    });
    if (this.#seal.isBroken()) this.#lose(new Error("another program changed it"));
  }

  #begin(): void {
    this.#attempt(() => this.#statement("BEGIN IMMEDIATE").run());
    this.#isOpen = true;
    this.#commitIn(COMMIT_DELAY_MS);
  }

  #takeBack(): void {
    this.#forget();
    this.#queue.takeBack();
    if (!this.#hasSavepoint) return;
    try {
      this.#db.exec("ROLLBACK TO change; RELEASE change");
      this.#redo.forgetMarked();
    } catch (error) {
      this.#redo.forgetMarked();
      // Whether the savepoint is still there cannot be known of a transaction that survived this.
      if (this.#db.isTransaction || !this.#repeat()) this.#lose(error);
    }
  }

  /** A failure of the file is met with a second attempt, after what the first one cost was repeated. */
  #attempt<Result>(work: () => Result): Result {
    this.assertAvailable();
    try {
      return work();
    } catch (error) {
      if (!isFileFailure(error)) throw error;
      if (!this.#repeat()) throw this.#lose(error);
    }
    try {
      return work();
    } catch (error) {
      throw isFileFailure(error) ? this.#lose(error) : error;
    }
  }

  /** Brings back an open transaction that SQLite threw away. False when that cannot be done. */
  #repeat(): boolean {
    if (this.#db.isTransaction || !this.#isOpen) return true;
    try {
      this.#db.exec("BEGIN IMMEDIATE");
      return this.#redo.repeat({
        run: (sql, values) => this.#statement(sql).run(...values),
        mark: () => this.#db.exec("SAVEPOINT change"),
      });
    } catch {
      return false;
    }
  }

  /** The tables hold less than they should. */
  giveUp(error: unknown): void {
    this.#lose(error);
  }

  #lose(error: unknown): HallError {
    if (this.#condition.state !== "lost") {
      const reason = errorText(error);
      this.#condition = { state: "lost", reason };
      clearTimeout(this.#committing);
      this.#committing = undefined;
      this.onLoss(reason);
    }
    return unavailable();
  }

  #commitIn(delay: number): void {
    clearTimeout(this.#committing);
    this.#committing = setTimeout(() => {
      this.#committing = undefined;
      this.#commit();
    }, delay);
    this.#committing.unref();
  }

  /** While the disk is full the transaction stays open and reads go on from memory; a crash then costs nothing but time. */
  #commit(): void {
    if (this.#condition.state === "lost") return;
    try {
      this.#flush();
    } catch {
      // They are lost by now, and whoever is to fill them again knows.
      return;
    }
    if (!this.#db.isTransaction) return;
    this.checkFile();
    if (roomFor(this.#path) > ROOM) this.#commitNow();
    else this.#commitIn(RETRY_DELAY_MS);
  }

  #commitNow(): void {
    try {
      this.beforeCommit();
      this.#flush();
      this.#statement("COMMIT").run();
    } catch (error) {
      this.#keepOpen(error);
      return;
    }
    clearTimeout(this.#committing);
    this.#committing = undefined;
    this.#isOpen = false;
    this.#condition = SOUND;
    this.#redo.clear();
    const largest = roomFor(this.#path) > PLENTY ? LARGEST_WAL : 0;
    if (sizeOf(`${this.#path}-wal`) > largest) this.#checkpoint(this.#db);
  }

  /** What could not be written stays in the open transaction, where every read sees it, and is tried again. */
  #keepOpen(error: unknown): void {
    if (this.#condition.state === "lost") return;
    if (!this.#repeat()) {
      this.#lose(error);
      return;
    }
    this.#condition = { state: "unwritten", reason: errorText(error) };
    this.#commitIn(RETRY_DELAY_MS);
  }

  /** One that fails leaves the file without a seal and everything in the log, to be tried again. */
  #checkpoint(db: DatabaseSync): void {
    try {
      this.#seal.lift();
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      this.#seal.set();
    } catch {}
  }

  /** Where no file can be made the index lives in memory, and is made again at the next start. */
  #create(where: "file" | "memory"): DatabaseSync {
    this.#isFile = false;
    try {
      this.#remove();
      if (where === "memory") return createDatabase(":memory:");
      const db = createDatabase(this.#path);
      this.#checkpoint(db);
      this.#isFile = true;
      return db;
    } catch {
      return createDatabase(":memory:");
    }
  }

  /**
   * Throws everything away and starts with empty tables. On a full disk it refuses to, and everything stays, unless there
   * is nothing left to keep.
   */
  reset(where: "file" | "memory" = "file"): void {
    const isLost = this.#condition.state === "lost";
    const hasRoom = roomFor(this.#path) >= ROOM;
    if (!hasRoom && !isLost)
      throw Object.assign(new Error("There is not enough disk space for a new index."), { code: "ENOSPC" });
    this.#disconnect();
    this.#redo.clear();
    this.#queue.clear();
    this.#isOpen = false;
    this.#forget();
    this.#db = this.#create(hasRoom ? where : "memory");
    this.#condition = SOUND;
    this.#seal.watch();
  }

  /** What could not be written is made good from the log and the files at the next start. */
  close(): void {
    this.#commit();
    try {
      this.#db.exec("PRAGMA optimize");
    } catch {
      // Only makes later queries faster.
    }
    const { state } = this.#condition;
    this.#disconnect();
    if (state === "lost") this.#remove();
    else if (this.#isFile && state === "sound") this.#seal.set();
  }

  #remove(): void {
    this.#seal.lift();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.#path + suffix, { force: true });
  }

  #disconnect(): void {
    this.#commit();
    clearTimeout(this.#committing);
    this.#committing = undefined;
    this.#statements.clear();
    try {
      this.#seal.lift();
      this.#db.close();
    } catch {
      // A file that fails cannot be left in order; without its seal it is checked, or built anew, at the next start.
    }
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

export function unavailable(): HallError {
  return new HallError("storage_failed", "The index failed and is being rebuilt from the files.", {
    retryable: true,
    hint: "Try again in a moment.",
  });
}
