import { DatabaseSync, StatementSync } from "node:sqlite";
import { onTestFinished } from "vitest";

/** SQLITE_IOERR_WRITE, SQLITE_FULL, SQLITE_CORRUPT: what a disk, a quota and a damaged page look like. */
export const FAILURES = { EIO: 778, ENOSPC: 13, corrupt: 11 } as const;

export interface Fault {
  kind: keyof typeof FAILURES;
  /** Which statements on the index fail: from the n-th on, or those that a look at their text chooses. */
  at: number | ((sql: string) => boolean);
  /** How many of them fail, retries included; one unless given. */
  times?: number;
  /** Whether an index that is kept in memory fails as well. */
  inMemory?: boolean;
}

export interface FailingIndex {
  arm(fault: Fault): void;
  /** How many statements failed since it was armed. */
  disarm(): number;
  /** How many statements the index was given since it was armed. */
  seen(): number;
}

const METHODS = ["run", "get", "all"] as const;

/** The index of a workspace, in this process, can be made to fail as SQLite does when its file does: the transaction is gone. */
export function failingIndex(workspace: string): FailingIndex {
  const owners = new WeakMap<StatementSync, { db: DatabaseSync; inMemory: boolean }>();
  let fault: Fault | undefined;
  let [seen, failed] = [0, 0];
  const strikes = (sql: string): boolean => {
    seen++;
    if (fault === undefined || failed >= (fault.times ?? 1)) return false;
    return typeof fault.at === "number" ? seen >= fault.at : fault.at(sql);
  };
  const check = (statement: StatementSync): void => {
    const { db, inMemory } = owners.get(statement) ?? {};
    if (db === undefined || fault === undefined || (inMemory === true && fault.inMemory !== true)) return;
    if (!strikes(statement.sourceSQL)) return;
    failed++;
    if (db.isTransaction) db.exec("ROLLBACK");
    throw Object.assign(new Error(`injected ${fault.kind}`), {
      code: "ERR_SQLITE_ERROR",
      errcode: FAILURES[fault.kind],
    });
  };
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given: Parameters<typeof prepare>) {
    const statement = prepare.apply(this, given);
    const place = this.location();
    if (place === null || place.startsWith(`${workspace}/`))
      owners.set(statement, { db: this, inMemory: place === null });
    return statement;
  };
  const originals = METHODS.map((name) => [name, StatementSync.prototype[name]] as const);
  for (const [name, original] of originals) {
    const wrapped = function (this: StatementSync, ...values: never[]) {
      check(this);
      return Reflect.apply(original, this, values);
    };
    Object.assign(StatementSync.prototype, { [name]: wrapped });
  }
  onTestFinished(() => {
    DatabaseSync.prototype.prepare = prepare;
    for (const [name, original] of originals) Object.assign(StatementSync.prototype, { [name]: original });
  });
  return {
    arm: (next) => {
      [fault, seen, failed] = [next, 0, 0];
    },
    disarm: () => {
      fault = undefined;
      return failed;
    },
    seen: () => seen,
  };
}
