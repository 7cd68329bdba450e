import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HallError } from "../contract/errors.ts";

export interface LockHolder {
  pid: number;
  startedAt: string;
  version: string;
  /** Known once the daemon listens. */
  url?: string;
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
    const file = join(folder, "lock.db");
    const db = new DatabaseSync(file, { timeout: 0 });
    try {
      chmodSync(file, 0o600);
      db.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      db.close();
      const other = readHolder(folder);
      if (!(error instanceof Error && /locked|busy/i.test(error.message))) throw error;
      throw new HallError(
        "workspace_busy",
        `Another daemon works on this workspace${other === undefined ? "" : `: process ${other.pid}, since ${other.startedAt}`}.`,
      );
    }
    const lock = new WorkspaceLock(db, join(folder, "lock"));
    lock.tell(holder);
    return lock;
  }

  tell(holder: LockHolder): void {
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
  }

  release(): void {
    rmSync(this.#path, { force: true });
    this.#db.close();
  }
}

function readHolder(folder: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "lock"), "utf8")) as LockHolder;
  } catch {
    return undefined;
  }
}
