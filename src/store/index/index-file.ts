import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorText } from "../../contract/words/error-text.ts";
import { INDEX_SCHEMA, INDEX_VERSION } from "./index-schema.ts";
import type { Seal } from "./seal.ts";

/** The index as it was left, or why it cannot be used. */
export function openWhole(path: string, seal: Seal): { db?: DatabaseSync; reason: string | undefined } {
  if (!existsSync(path)) return { reason: "it was missing" };
  const state = seal.state();
  if (state === "broken") return { reason: "another program changed it" };
  let db: DatabaseSync | undefined;
  try {
    db = connect(path);
    const version = (db.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
    if (version === 0) throw new Error("it was never filled");
    if (version !== INDEX_VERSION) throw new Error(`it has version ${version}, not ${INDEX_VERSION}`);
    if (state === "none") checkPages(db);
    // A damaged header may let a file be read and not written.
    db.exec("BEGIN IMMEDIATE; ROLLBACK");
    return { db, reason: undefined };
  } catch (error) {
    db?.close();
    return { reason: errorText(error) };
  }
}

/** With the tables of the index, empty. Without a version: a start that finds them before they were filled fills them again. */
export function createDatabase(path: string): DatabaseSync {
  const db = connect(path);
  db.exec(`BEGIN; ${INDEX_SCHEMA} COMMIT;`);
  return db;
}

/** Part of the transaction that fills the tables, so that a crash never leaves tables that pass for filled. */
export function markFilled(db: DatabaseSync): void {
  db.exec(`PRAGMA user_version = ${INDEX_VERSION}`);
}

/** Free bytes where a file is; any number where that cannot be found out. */
export function roomFor(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** 0 where that cannot be found out. */
export function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

// SQLITE_ABORT, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
const FAILURES: ReadonlySet<number> = new Set([4, 8, 10, 11, 13, 14, 15, 26]);

/** Whether SQLite could not use its file, as opposed to refusing a statement. */
export function isFileFailure(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return typeof errcode === "number" && FAILURES.has(errcode & 0xff);
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
