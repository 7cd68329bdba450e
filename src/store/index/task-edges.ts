import type { Task } from "../../contract/documents/task.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Database } from "./database.ts";
import type { HeldPlans } from "./task-filter.ts";
import type { TaskRecord } from "./task-row.ts";

/** Which tasks wait for which others. */
export class TaskEdges {
  readonly #db: Database;
  readonly #held: HeldPlans;
  /** Projects of which it is known whether any of their tasks ever waited for another. Most have none. */
  readonly #known = new Map<string, boolean>();

  constructor(db: Database, held: HeldPlans) {
    this.#db = db;
    this.#held = held;
    db.onForget({ forget: () => this.#known.clear() });
  }

  /** Those that this task declares. */
  add(task: TaskRecord): void {
    for (const blocker of task.blockedBy) this.#put(task, { blocked: task.id, blocker });
    for (const blocked of task.blocks) this.#put(task, { blocked, blocker: task.id });
  }

  /** Those that this task declares. */
  remove(projectId: string, id: string): void {
    if (this.#known.get(projectId) !== false)
      this.#db.run("DELETE FROM task_edges WHERE project_id = ? AND declared_by = ?", projectId, id);
  }

  /** What all tasks of the project together tell of this one. */
  of({ projectId, id, status, plan }: TaskRecord): Pick<Task, "blocks" | "blockedBy" | "ready" | "waitingOn"> {
    const isFree = !this.#held().some((one) => one.projectId === projectId && one.plan === plan);
    const alone = { blocks: [], blockedBy: [], ready: isFree && isReady(status, []), waitingOn: [] };
    if (!this.#hasAny(projectId)) return alone;
    const blockers = this.#db.all<{ id: string; status: TaskStatus | null }>(
      `SELECT DISTINCT edge.blocker AS id, other.status AS status FROM task_edges edge
       LEFT JOIN tasks other ON other.project_id = edge.project_id AND other.id = edge.blocker
       WHERE edge.project_id = ? AND edge.blocked = ? ORDER BY edge.blocker`,
      projectId,
      id,
    );
    const blocked = this.#db.all<{ id: string }>(
      "SELECT DISTINCT blocked AS id FROM task_edges WHERE project_id = ? AND blocker = ? ORDER BY blocked",
      projectId,
      id,
    );
    const waitingOn = blockers
      .filter((blocker) => blocker.status !== "done" && blocker.status !== "cancelled")
      .map((blocker) => blocker.id);
    return {
      blocks: blocked.map((edge) => edge.id),
      blockedBy: blockers.map((edge) => edge.id),
      ready: isFree && isReady(status, waitingOn),
      waitingOn,
    };
  }

  /** What the task waits for, done or not. */
  blockersOf(projectId: string, id: string): string[] {
    return this.#db
      .all<{ blocker: string }>(
        "SELECT DISTINCT blocker FROM task_edges WHERE project_id = ? AND blocked = ?",
        projectId,
        id,
      )
      .map((row) => row.blocker);
  }

  /** Tasks whose own files declare an edge to `id`, in either direction. */
  declarersOf(projectId: string, id: string): string[] {
    return this.#db
      .all<{ declared_by: string }>(
        "SELECT DISTINCT declared_by FROM task_edges WHERE project_id = ? AND (blocked = ? OR blocker = ?) AND declared_by <> ? ORDER BY declared_by",
        projectId,
        id,
        id,
        id,
      )
      .map((row) => row.declared_by);
  }

  /** Tasks that wait for one that is not there, usually because a person wrote its id by hand or removed its file. */
  missingBlockers(limit: number): { projectId: string; id: string; blocker: string; path: string }[] {
    return this.#db.all(
      `SELECT DISTINCT edge.project_id AS projectId, edge.blocked AS id, edge.blocker AS blocker, waiting.path AS path FROM task_edges edge
       JOIN tasks waiting ON waiting.project_id = edge.project_id AND waiting.id = edge.blocked
       LEFT JOIN tasks other ON other.project_id = edge.project_id AND other.id = edge.blocker
       WHERE other.id IS NULL ORDER BY edge.project_id, edge.blocked LIMIT ?`,
      limit,
    );
  }

  #hasAny(projectId: string): boolean {
    this.#db.assertAvailable();
    const known = this.#known.get(projectId);
    if (known !== undefined) return known;
    const hasAny = this.#db.get("SELECT 1 FROM task_edges WHERE project_id = ? LIMIT 1", projectId) !== undefined;
    this.#known.set(projectId, hasAny);
    return hasAny;
  }

  #put(task: TaskRecord, edge: { blocked: string; blocker: string }): void {
    this.#known.set(task.projectId, true);
    this.#db.run(
      "INSERT OR IGNORE INTO task_edges VALUES (?, ?, ?, ?)",
      task.projectId,
      edge.blocked,
      edge.blocker,
      task.id,
    );
  }
}

export function isReady(status: TaskStatus, waitingOn: readonly string[]): boolean {
  return waitingOn.length === 0 && (status === "pending" || status === "assigned");
}
