import type { Task } from "../../contract/documents/task.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Database } from "./database.ts";
import { PLAN_SUMS, type PlanSum, UNTOUCHED, type UntouchedTask } from "./plan-sums.ts";
import { RowMemory } from "./row-memory.ts";
import { takeInWords } from "./search-table.ts";
import { TaskEdges } from "./task-edges.ts";
import { type HeldPlans, type Sql, type TaskFilter, URGENCY } from "./task-filter.ts";
import { listQuery, type TaskOrder } from "./task-query.ts";
import { numberOf, PUT_TASK, recordOf, rowOf, type TaskRecord } from "./task-row.ts";

/** So many tasks are looked up and sorted rather than looked for among all. */
const FEW = 500;

/** So many of the tasks that were written or asked for last are kept in memory. */
const MOST_KEPT = 500;

/** The tables that answer questions about tasks. */
export class TaskTable {
  readonly #db: Database;
  readonly #held: HeldPlans;
  readonly edges: TaskEdges;
  readonly #known = new RowMemory<TaskRecord>(MOST_KEPT);
  /** By project, until one of its tasks changes. */
  readonly #counts = new Map<string, ReadonlyMap<TaskStatus, number>>();

  constructor(db: Database, held: HeldPlans) {
    this.#db = db;
    this.#held = held;
    this.edges = new TaskEdges(db, held);
    db.onForget({ forget: () => this.#forget() });
  }

  put(task: TaskRecord): void {
    const { projectId, id } = task;
    const before = this.#known.get(keyOf(projectId, id));
    this.#db.transaction(() => {
      if (before === undefined || before.labels.length > 0)
        this.#db.run("DELETE FROM task_labels WHERE project_id = ? AND task_id = ?", projectId, id);
      this.edges.remove(projectId, id);
      if (before === undefined) this.#counts.delete(projectId);
      this.add(task);
    });
  }

  /** As put, for a task that is not there yet. */
  add(task: TaskRecord): void {
    this.#db.transaction(() => {
      this.#putRow(task);
      for (const label of task.labels)
        this.#db.run("INSERT OR IGNORE INTO task_labels VALUES (?, ?, ?)", label, task.projectId, task.id);
      this.edges.add(task);
    });
  }

  remove(projectId: string, id: string): void {
    this.#known.drop(keyOf(projectId, id));
    this.#counts.delete(projectId);
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM tasks WHERE project_id = ? AND id = ?", projectId, id);
      this.#db.run("DELETE FROM task_labels WHERE project_id = ? AND task_id = ?", projectId, id);
      this.edges.remove(projectId, id);
    });
  }

  removeProject(projectId: string): void {
    this.#known.clear();
    this.#counts.delete(projectId);
    this.#db.transaction(() => {
      for (const table of ["tasks", "task_labels", "task_edges", "task_counts"])
        this.#db.run(`DELETE FROM ${table} WHERE project_id = ?`, projectId);
    });
  }

  /** As the file tells it. */
  record(projectId: string, id: string): TaskRecord | undefined {
    this.#db.assertAvailable();
    const key = keyOf(projectId, id);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const sql = "SELECT * FROM tasks WHERE project_id = ? AND id = ?";
    const row = this.#db.find("tasks", key, { sql, values: [projectId, id] });
    return row === undefined ? undefined : this.#known.keep(key, recordOf(row));
  }

  /** Finished ones that were completed then or later, as an ISO time. */
  finishedSince(time: string): TaskRecord[] {
    return this.#db
      .all("SELECT * FROM tasks INDEXED BY idx_tasks_status WHERE status = 'done' AND completed_at >= ?", time)
      .map(recordOf);
  }

  /** Of every initiative, and of the tasks outside of any. */
  byPlan(): PlanSum[] {
    return this.#db.all<PlanSum>(PLAN_SUMS).map((sum) => (this.#isHeld(sum) ? { ...sum, ready: 0, urgency: 0 } : sum));
  }

  /** Tasks that can be started and were not touched since, as an ISO time; the oldest first. */
  untouchedSince(time: string, limit: number): UntouchedTask[] {
    return this.#db
      .all<UntouchedTask & { plan: string | null }>(UNTOUCHED, time, limit)
      .filter((task) => !this.#isHeld(task))
      .map(({ plan: _, ...task }) => task);
  }

  title(projectId: string, id: string): string | undefined {
    return this.#db.get<{ title: string }>("SELECT title FROM tasks WHERE project_id = ? AND id = ?", projectId, id)
      ?.title;
  }

  /** With what follows from the other tasks. */
  task(projectId: string, id: string): Task | undefined {
    const record = this.record(projectId, id);
    return record === undefined ? undefined : this.view(record);
  }

  view(record: TaskRecord): Task {
    return { ...record, ...this.edges.of(record) };
  }

  list(filter: TaskFilter, order: TaskOrder): Task[] {
    if (filter.text !== undefined) takeInWords(this.#db);
    const asked = { ...filter, held: this.#held() };
    const { text, values } = listQuery({ filter: asked, order }, (keys) => this.#isFew(keys));
    return this.#db.all(text, ...values).map((row) => this.view(recordOf(row)));
  }

  /** The sort values of a task, to continue a list after it. */
  static position(task: Task, sort: TaskOrder["sort"], acrossProjects: boolean): (string | number)[] {
    const tail = acrossProjects ? [task.projectId, numberOf(task.id)] : [numberOf(task.id)];
    if (sort === "updated") return [task.updatedAt, ...tail];
    return sort === "priority" ? [URGENCY[task.priority], ...tail] : tail;
  }

  counts(projectId: string): ReadonlyMap<TaskStatus, number> {
    this.#db.assertAvailable();
    const known = this.#counts.get(projectId);
    if (known !== undefined) return known;
    const rows = this.#db.all<{ status: TaskStatus; count: number }>(
      "SELECT status, count FROM task_counts WHERE project_id = ?",
      projectId,
    );
    const counts = new Map(rows.map((row) => [row.status, row.count]));
    if (rows.length > 0) this.#counts.set(projectId, counts);
    return counts;
  }

  total(): number {
    return this.#db.get<{ total: number }>("SELECT COALESCE(SUM(count), 0) AS total FROM task_counts")?.total ?? 0;
  }

  highestNumber(projectId: string): number {
    return (
      this.#db.get<{ highest: number | null }>(
        "SELECT MAX(number) AS highest FROM tasks WHERE project_id = ?",
        projectId,
      )?.highest ?? 0
    );
  }

  /** Of the tasks of an initiative, by status. */
  planCounts(projectId: string, plan: string): Partial<Record<TaskStatus, number>> {
    const rows = this.#db.all<{ status: TaskStatus; count: number }>(
      "SELECT status, COUNT(*) AS count FROM tasks WHERE project_id = ? AND plan = ? GROUP BY status",
      projectId,
      plan,
    );
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** Cancelled tasks don't count. */
  planProgress(projectId: string, plan: string): { done: number; total: number } {
    const row = this.#db.get<{ done: number | null; total: number | null }>(
      "SELECT SUM(status = 'done') AS done, SUM(status <> 'cancelled') AS total FROM tasks WHERE project_id = ? AND plan = ?",
      projectId,
      plan,
    );
    return { done: row?.done ?? 0, total: row?.total ?? 0 };
  }

  #isFew(keys: Sql): boolean {
    const counted = `SELECT COUNT(*) AS found FROM (${keys.text} LIMIT ${FEW})`;
    return (this.#db.get<{ found: number }>(counted, ...keys.values)?.found ?? 0) < FEW;
  }

  #isHeld({ projectId, plan }: { projectId: string; plan: string | null }): boolean {
    return plan !== null && this.#held().some((one) => one.projectId === projectId && one.plan === plan);
  }

  #forget(): void {
    this.#known.clear();
    this.#counts.clear();
  }

  /** Keeps the counts that are known up to date, as triggers do in the table. */
  #count(projectId: string, status: TaskStatus, by: 1 | -1): void {
    const known = this.#counts.get(projectId);
    if (known === undefined) return;
    const counts = new Map(known).set(status, (known.get(status) ?? 0) + by);
    if (counts.get(status) === 0) counts.delete(status);
    this.#counts.set(projectId, counts);
  }

  #putRow(task: TaskRecord): void {
    const key = keyOf(task.projectId, task.id);
    const before = this.#known.get(key);
    if (before !== undefined) this.#count(task.projectId, before.status, -1);
    this.#count(task.projectId, task.status, 1);
    const row = rowOf(task);
    if (this.#db.isFilling) this.#known.drop(key);
    else this.#known.keep(key, recordOf(row));
    this.#db.replaceRow(PUT_TASK, key, Object.values(row));
  }
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\0${id}`;
}
