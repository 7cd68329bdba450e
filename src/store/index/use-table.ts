import type { Run } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import type { Database } from "./database.ts";

export interface UseQuery {
  by: "run" | "role" | "project" | "model" | "day";
  projectId?: string | undefined;
  /** Only runs created then or later, as an ISO time; empty: all. */
  since: string;
}

/** What the runs of one key have used together. */
export interface UseSum {
  key: string;
  runs: number;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costUsd: number;
  /** Runs of which the price is not wholly known. */
  unpriced: number;
}

const KEYS: Record<UseQuery["by"], string> = {
  run: "session_id",
  role: "role_id",
  project: "project_id",
  model: "model",
  day: "substr(created_at, 1, 10)",
};

/** The table `run_use`: what runs that are over have used, narrow enough to be summed for every look at the costs. */
export class UseTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** A run that goes on has no line: what it has used is in its journal. */
  put({ id, projectId, roleId, model, createdAt, usage, reflection, ...run }: Run): void {
    if (!isOver(run)) {
      this.#db.run("DELETE FROM run_use WHERE session_id = ?", id);
      return;
    }
    this.#db.run(
      "INSERT OR REPLACE INTO run_use VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      projectId,
      roleId,
      model,
      createdAt,
      usage.turns + (reflection?.rounds ?? 0),
      usage.inputTokens,
      usage.outputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.costUsd,
      usage.costKnown ? 0 : 1,
    );
  }

  sums({ by, projectId, since }: UseQuery): UseSum[] {
    return this.#db.all<UseSum>(
      `SELECT ${KEYS[by]} AS key, count(*) AS runs, sum(calls) AS calls, sum(input) AS inputTokens,
         sum(output) AS outputTokens, sum(cache_read) AS cacheReadTokens, sum(cache_write) AS cacheWriteTokens,
         sum(cost_usd) AS costUsd, sum(unpriced) AS unpriced
       FROM run_use WHERE (?1 IS NULL OR project_id = ?1) AND created_at >= ?2 GROUP BY 1`,
      projectId ?? null,
      since,
    );
  }

  /** What runs that were created then or later used, by project and by the Monday of their week. */
  weekly(since: string): { projectId: string; week: string; usd: number; isKnown: boolean }[] {
    return this.#db
      .all<{ projectId: string; week: string; usd: number; unpriced: number }>(
        `SELECT project_id AS projectId, date(substr(created_at, 1, 10), '-6 days', 'weekday 1') AS week,
           sum(cost_usd) AS usd, sum(unpriced) AS unpriced
         FROM run_use WHERE created_at >= ? GROUP BY 1, 2`,
        since,
      )
      .map(({ unpriced, ...sum }) => ({ ...sum, isKnown: unpriced === 0 }));
  }

  removeProject(projectId: string): void {
    this.#db.run("DELETE FROM run_use WHERE project_id = ?", projectId);
  }
}
