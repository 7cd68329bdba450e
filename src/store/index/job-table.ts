import { DatabaseSync, type StatementSync } from "node:sqlite";

export interface JobRow {
  runId: string;
  projectId: string;
  priority: number;
  epoch: number;
}

/** A job that needs a place for itself and those it started. */
export interface TurnRow {
  /** The place. */
  turn: string;
  /** The ids of those who started it, the first one first, and its own, with a slash behind each. */
  line: string;
}

interface LeaseKey {
  runId: string;
  epoch: number;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS jobs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, project_id TEXT NOT NULL, priority INTEGER NOT NULL,
  epoch INTEGER NOT NULL, worker TEXT, lease_until INTEGER NOT NULL DEFAULT 0, waiting INTEGER NOT NULL DEFAULT 0,
  parked INTEGER NOT NULL DEFAULT 0,
  turn TEXT, line TEXT
);
CREATE INDEX IF NOT EXISTS idx_jobs_next ON jobs(priority DESC, seq);
CREATE INDEX IF NOT EXISTS idx_jobs_turn ON jobs(turn) WHERE epoch > 0;
CREATE TABLE IF NOT EXISTS settled (turn INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE);
`;

/** How many of the last jobs are remembered, so that someone who comes late does not bring one of them again. */
const SETTLED_KEPT = 10_000;

/**
 * Whether another job has the turn that a job needs. Who has begun keeps it until it is settled, even between two leases;
 * of several that have begun the first goes on, so that they never wait for each other. Those who started a job share theirs.
 */
const TURN_TAKEN = `EXISTS (
  SELECT 1 FROM jobs AS other WHERE other.turn = jobs.turn AND other.epoch > 0 AND other.seq <> jobs.seq
  AND substr(jobs.line, 1, length(other.line)) <> other.line AND substr(other.line, 1, length(jobs.line)) <> jobs.line
  AND (other.lease_until > $now OR jobs.epoch = 0 OR other.seq < jobs.seq))`;

/** Age is the order of arrival, not a time: a clock that goes back must not let a newer job overtake. */
const CLAIM = `
WITH busy AS (SELECT project_id, COUNT(*) AS runs FROM jobs WHERE lease_until > $now AND waiting = 0 GROUP BY project_id)
UPDATE jobs SET epoch = epoch + 1, worker = $worker, lease_until = $until, waiting = 0 WHERE seq = (
  SELECT seq FROM jobs LEFT JOIN busy USING (project_id)
  WHERE lease_until <= $now AND parked = 0 AND COALESCE(busy.runs, 0) < $perProject AND (SELECT COALESCE(SUM(runs), 0) FROM busy) < $total
  AND (turn IS NULL OR NOT ${TURN_TAKEN})
  ORDER BY priority DESC, seq LIMIT 1)
RETURNING run_id AS runId, project_id AS projectId, priority, epoch`;

/**
 * Jobs and their leases, in a file that several processes may share, or in memory for one (`:memory:`). Every claim is one
 * transaction.
 */
export class JobTable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { timeout: 5_000 });
    // Nothing here has to survive a power cut: what must be done is in the run books.
    this.#db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${SCHEMA}`);
  }

  add(job: JobRow & { parked: boolean }, { turn, line }: Partial<TurnRow> = {}): boolean {
    const { runId, projectId, priority, epoch } = job;
    const parked = job.parked ? 1 : 0;
    const sql = `INSERT OR IGNORE INTO jobs (run_id, project_id, priority, epoch, parked, turn, line)
      SELECT $runId, $projectId, $priority, $epoch, $parked, $turn, $line WHERE NOT EXISTS (SELECT 1 FROM settled WHERE run_id = $runId)`;
    return this.#run(sql, { runId, projectId, priority, epoch, parked, turn: turn ?? null, line: line ?? null });
  }

  claim(by: { worker: string; now: number; until: number; perProject: number; total: number }): JobRow | undefined {
    return this.#statement(CLAIM).get(by) as JobRow | undefined;
  }

  /** No lease ends later than this, as it would when the clock went back. */
  shorten(until: number): void {
    this.#run("UPDATE jobs SET lease_until = $until WHERE lease_until > $until", { until });
  }

  renew({ runId, epoch }: LeaseKey, until: number): boolean {
    return this.#run(
      "UPDATE jobs SET lease_until = $until WHERE run_id = $runId AND epoch = $epoch AND worker IS NOT NULL",
      { runId, epoch, until },
    );
  }

  setWaiting({ runId, epoch }: LeaseKey, isWaiting: boolean): boolean {
    const sql = "UPDATE jobs SET waiting = $waiting WHERE run_id = $runId AND epoch = $epoch AND worker IS NOT NULL";
    return this.#run(sql, { runId, epoch, waiting: isWaiting ? 1 : 0 });
  }

  /** Ends a job for good. */
  settle({ runId, epoch }: LeaseKey): boolean {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const sql = "DELETE FROM jobs WHERE run_id = $runId AND epoch = $epoch AND worker IS NOT NULL";
      const isHeld = this.#run(sql, { runId, epoch });
      if (isHeld) {
        this.#run("INSERT OR IGNORE INTO settled (run_id) VALUES ($runId)", { runId });
        this.#run("DELETE FROM settled WHERE turn <= (SELECT MAX(turn) FROM settled) - $kept", { kept: SETTLED_KEPT });
      }
      this.#db.exec("COMMIT");
      return isHeld;
    } catch (error) {
      this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  release({ runId, epoch }: LeaseKey): boolean {
    const sql =
      "UPDATE jobs SET worker = NULL, lease_until = 0, waiting = 0 WHERE run_id = $runId AND epoch = $epoch AND worker IS NOT NULL";
    return this.#run(sql, { runId, epoch });
  }

  /** Gives the lease back; nobody claims the job before it is woken. */
  park({ runId, epoch }: LeaseKey): boolean {
    const sql =
      "UPDATE jobs SET worker = NULL, lease_until = 0, waiting = 0, parked = 1 WHERE run_id = $runId AND epoch = $epoch AND worker IS NOT NULL";
    return this.#run(sql, { runId, epoch });
  }

  wake(runId: string): void {
    this.#run("UPDATE jobs SET parked = 0 WHERE run_id = $runId", { runId });
  }

  drop(runId: string): void {
    this.#run("DELETE FROM jobs WHERE run_id = $runId", { runId });
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /** Whether it changed anything. */
  #run(sql: string, values: Record<string, string | number | null>): boolean {
    return Number(this.#statement(sql).run(values).changes) > 0;
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
