import type { Problem } from "../../contract/problem.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Database } from "./database.ts";
import { indexedOf, type RunRow } from "./run-table.ts";

/**
 * A task whose last run failed, as long as nobody has taken it up, in a project in which work goes on. Teams deal with their failed
 * runs and ask themselves: a run that the person retried beside them would be nobody's.
 */
const FAILED = `FROM tasks task INDEXED BY idx_tasks_status
  JOIN spawn_sessions run ON run.session_id = task.assigned_sub_agent_id
  JOIN projects project ON project.id = task.project_id
  WHERE task.status = 'failed' AND run.status = 'failed' AND run.doc ->> '$.run.team' IS NULL AND project.status IN ('active', 'suspended')`;
const SUSPENDED = `FROM projects project JOIN meta ON meta.key = 'suspended ' || project.id WHERE project.status = 'suspended'`;

export interface SuspendedProject {
  id: string;
  name: string;
  at: string | null;
  why: string;
}

/** What the whole hall comes to. Lists are cut, and their runs come without what they wrote. */
export class GlanceTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those that run first, then those that wait to; the newest first. */
  working(limit: number): Run[] {
    const of = (status: string, most: number) =>
      this.#runs(
        "SELECT doc FROM spawn_sessions WHERE status = ? ORDER BY session_id DESC LIMIT ?",
        status,
        Math.max(0, most),
      );
    const running = of("running", limit);
    return [...running, ...of("pending", limit - running.length)];
  }

  review(limit: number): Run[] {
    return this.#runs(
      "SELECT doc FROM spawn_sessions WHERE standing = 'review' ORDER BY session_id DESC LIMIT ?",
      limit,
    );
  }

  /**
   * Over, and nobody has to do anything about it; without those that another run started, or goes on with. A review that
   * failed is among them: its task does not tell of it.
   */
  done(limit: number): Run[] {
    return this.#runs(
      `SELECT doc FROM spawn_sessions INDEXED BY idx_sessions_ended WHERE completed_at IS NOT NULL AND parent_id IS NULL
       AND (status IN ('completed', 'cancelled') OR doc ->> '$.run.purpose' <> 'work') AND standing IS NOT 'review' AND standing IS NOT 'rejected' ORDER BY completed_at DESC LIMIT ?`,
      limit,
    );
  }

  /** The last run of each such task. */
  failed(limit: number): Run[] {
    return this.#runs(
      `SELECT doc FROM spawn_sessions WHERE session_id IN (
         SELECT run.session_id ${FAILED} ORDER BY run.completed_at DESC LIMIT ?
       ) ORDER BY completed_at DESC`,
      limit,
    );
  }

  suspended(limit: number): SuspendedProject[] {
    return this.#db.all<SuspendedProject>(
      `SELECT project.id, project.name, project.suspended_at AS at, CAST(meta.value AS TEXT) AS why ${SUSPENDED} ORDER BY at DESC LIMIT ?`,
      limit,
    );
  }

  counts() {
    const count = (sql: string) => this.#db.get<{ total: number }>(`SELECT COUNT(*) AS total ${sql}`)?.total ?? 0;
    return {
      running: count("FROM spawn_sessions WHERE status = 'running'"),
      pending: count("FROM spawn_sessions WHERE status = 'pending'"),
      review: count("FROM spawn_sessions WHERE standing = 'review'"),
      failed: count(FAILED),
      suspended: count(SUSPENDED),
      projects: count("FROM projects WHERE status = 'active'"),
    };
  }

  /** Runs that were asked for since a time, and that ended since then. */
  since(time: string): { runs: number; completed: number; failed: number; stopped: number } {
    const asked = this.#db.get<{ total: number }>(
      "SELECT COUNT(*) AS total FROM spawn_sessions WHERE created_at >= ?",
      time,
    );
    const ended = this.#db.get<Record<"completed" | "failed" | "stopped", number | null>>(
      `SELECT SUM(status = 'completed') AS completed, SUM(status = 'failed') AS failed, SUM(status = 'cancelled') AS stopped
       FROM spawn_sessions INDEXED BY idx_sessions_ended WHERE completed_at >= ?`,
      time,
    );
    const { completed, failed, stopped } = ended ?? {};
    return { runs: asked?.total ?? 0, completed: completed ?? 0, failed: failed ?? 0, stopped: stopped ?? 0 };
  }

  /** How many files cannot be read. */
  invalid(): number {
    const severity: Problem["severity"] = "invalid";
    return (
      this.#db.get<{ total: number }>("SELECT COUNT(*) AS total FROM problems WHERE severity = ?", severity)?.total ?? 0
    );
  }

  #runs(sql: string, ...values: (string | number)[]): Run[] {
    return this.#db.all<RunRow>(sql, ...values).map((row) => indexedOf(row).run);
  }
}
