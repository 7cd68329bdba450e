import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HallError } from "../../contract/errors.ts";

const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

export interface LockHolder {
  pid: number;
  startedAt: string;
  version: string;
  /** Known once the daemon listens. */
  url?: string;
  /** It takes no more requests and will be gone soon. */
  stopping?: true;
}

/**
 * One daemon per workspace. The lock itself is held by the operating system on `lock.db` and is gone the moment its
 * holder dies, so there is no stale lock to judge; the file `lock` only tells people and the CLI who holds it.
 */
export class WorkspaceLock {
  readonly #db: DatabaseSync;
  readonly #path: string;

  private constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#path = path;
  }

  static take(folder: string, holder: LockHolder): WorkspaceLock {
    const lock = new WorkspaceLock(lockDatabase(folder), join(folder, "lock"));
    lock.tell(holder);
    return lock;
  }

  tell(holder: LockHolder): void {
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }

  /** The same where nothing depends on it, as on a full disk. */
  tryTell(holder: LockHolder): void {
    try {
      this.tell(holder);
    } catch {
      // Whoever asks learns it from the closed port.
    }
  }

  release(): void {
    rmSync(this.#path, { force: true });
    this.#db.close();
  }
}

function lockDatabase(folder: string): DatabaseSync {
  const file = join(folder, "lock.db");
  try {
    return openExclusively(file);
  } catch (error) {
    if (hasCode(error, SQLITE_BUSY)) throw busy(readHolder(folder));
    if (!hasCode(error, SQLITE_NOTADB)) throw error;
    // Nobody holds it: a locked file is found locked before anyone can see that it is damaged.
    rmSync(file);
    return openExclusively(file);
  }
}

function openExclusively(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    chmodSync(file, 0o600);
    db.exec("BEGIN EXCLUSIVE");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === code;
}

function busy(other: LockHolder | undefined): HallError {
  const who = other === undefined ? "" : `: process ${other.pid}, since ${other.startedAt}`;
  return new HallError("workspace_busy", `Another daemon is using this workspace${who}.`);
}

function readHolder(folder: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "lock"), "utf8")) as LockHolder;
  } catch {
    return undefined;
  }
}
