import type { Task } from "../../contract/documents/task.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Database, Row } from "./database.ts";
import { RowMemory } from "./row-memory.ts";
import { takeInWords } from "./search-table.ts";
import { type Sql, type TaskFilter, URGENCY } from "./task-filter.ts";
import { listQuery, type TaskOrder } from "./task-query.ts";

/** A task as its own file tells it: `blocks` and `blockedBy` are only what this file declares. */
export type TaskRecord = Omit<Task, "ready" | "waitingOn">;

/** So many tasks are looked up and sorted rather than looked for among all. */
const FEW = 500;

/** So many of the tasks that were written or asked for last are kept in memory. */
const MOST_KEPT = 500;

const PUT = `INSERT INTO tasks (id, project_id, number, title, description, type, priority, urgency, assigned_role_id, assigned_sub_agent_id,
  context, status, created_at, updated_at, started_at, completed_at, result, plan, path, etag, extra)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (project_id, id) DO UPDATE SET title = excluded.title, description = excluded.description, type = excluded.type,
  priority = excluded.priority, urgency = excluded.urgency, assigned_role_id = excluded.assigned_role_id,
  assigned_sub_agent_id = excluded.assigned_sub_agent_id, context = excluded.context, status = excluded.status,
  created_at = excluded.created_at, updated_at = excluded.updated_at, started_at = excluded.started_at,
  completed_at = excluded.completed_at, result = excluded.result, plan = excluded.plan, path = excluded.path,
  etag = excluded.etag, extra = excluded.extra`;

/** The tables that answer questions about tasks. */
export class TaskTable {
  readonly #db: Database;
  readonly #known = new RowMemory<Row>(MOST_KEPT);
  /** By project, until one of its tasks changes. */
  readonly #counts = new Map<string, ReadonlyMap<TaskStatus, number>>();
  /** Projects of which it is known whether any of their tasks ever waited for another. Most have none. */
  readonly #edges = new Map<string, boolean>();

  constructor(db: Database) {
    this.#db = db;
    db.onForget({ forget: () => this.#forget() });
  }

  put(task: TaskRecord): void {
    const { projectId, id } = task;
    const before = this.#known.get(keyOf(projectId, id));
    this.#db.transaction(() => {
      if (before === undefined || recordOf(before).labels.length > 0)
        this.#db.run("DELETE FROM task_labels WHERE project_id = ? AND task_id = ?", projectId, id);
      if (this.#edges.get(projectId) !== false)
        this.#db.run("DELETE FROM task_edges WHERE project_id = ? AND declared_by = ?", projectId, id);
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
      for (const blocker of task.blockedBy) this.#putEdge(task, { blocked: task.id, blocker });
      for (const blocked of task.blocks) this.#putEdge(task, { blocked, blocker: task.id });
    });
  }

  remove(projectId: string, id: string): void {
    this.#known.drop(keyOf(projectId, id));
    this.#counts.delete(projectId);
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM tasks WHERE project_id = ? AND id = ?", projectId, id);
      this.#db.run("DELETE FROM task_labels WHERE project_id = ? AND task_id = ?", projectId, id);
      this.#db.run("DELETE FROM task_edges WHERE project_id = ? AND declared_by = ?", projectId, id);
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
    if (known !== undefined) return recordOf(known);
    const row = this.#db.get("SELECT * FROM tasks WHERE project_id = ? AND id = ?", projectId, id);
    return row === undefined ? undefined : recordOf(this.#known.keep(key, row));
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
    if (!this.#hasEdges(record.projectId))
      return { ...record, blocks: [], blockedBy: [], ready: isReady(record.status, []), waitingOn: [] };
    const blockers = this.#db.all<{ id: string; status: TaskStatus | null }>(
      `SELECT DISTINCT edge.blocker AS id, other.status AS status FROM task_edges edge
       LEFT JOIN tasks other ON other.project_id = edge.project_id AND other.id = edge.blocker
       WHERE edge.project_id = ? AND edge.blocked = ? ORDER BY edge.blocker`,
      record.projectId,
      record.id,
    );
    const blocked = this.#db.all<{ id: string }>(
      "SELECT DISTINCT blocked AS id FROM task_edges WHERE project_id = ? AND blocker = ? ORDER BY blocked",
      record.projectId,
      record.id,
    );
    const waitingOn = blockers
      .filter((blocker) => blocker.status !== "done" && blocker.status !== "cancelled")
      .map((blocker) => blocker.id);
    return {
      ...record,
      blocks: blocked.map((edge) => edge.id),
      blockedBy: blockers.map((edge) => edge.id),
      ready: isReady(record.status, waitingOn),
      waitingOn,
    };
  }

  list(filter: TaskFilter, order: TaskOrder): Task[] {
    if (filter.text !== undefined) takeInWords(this.#db);
    const { text, values } = listQuery({ filter, order }, (keys) => this.#isFew(keys));
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

  /** Who blocks whom in a project, as one pair per edge. */
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

  planProgress(projectId: string, plan: string): { done: number; total: number } {
    const row = this.#db.get<{ done: number | null; total: number }>(
      "SELECT SUM(status = 'done') AS done, COUNT(*) AS total FROM tasks WHERE project_id = ? AND plan = ?",
      projectId,
      plan,
    );
    return { done: row?.done ?? 0, total: row?.total ?? 0 };
  }

  #isFew(keys: Sql): boolean {
    const counted = `SELECT COUNT(*) AS found FROM (${keys.text} LIMIT ${FEW})`;
    return (this.#db.get<{ found: number }>(counted, ...keys.values)?.found ?? 0) < FEW;
  }

  #hasEdges(projectId: string): boolean {
    this.#db.assertAvailable();
    const known = this.#edges.get(projectId);
    if (known !== undefined) return known;
    const hasEdges = this.#db.get("SELECT 1 FROM task_edges WHERE project_id = ? LIMIT 1", projectId) !== undefined;
    this.#edges.set(projectId, hasEdges);
    return hasEdges;
  }

  #forget(): void {
    this.#known.clear();
    this.#counts.clear();
    this.#edges.clear();
  }

  /** Keeps the counts that are known up to date, as triggers do in the table. */
  #count(projectId: string, status: TaskStatus, by: 1 | -1): void {
    const known = this.#counts.get(projectId);
    if (known === undefined) return;
    const counts = new Map(known).set(status, (known.get(status) ?? 0) + by);
    if (counts.get(status) === 0) counts.delete(status);
    this.#counts.set(projectId, counts);
  }

  #putEdge(task: TaskRecord, edge: { blocked: string; blocker: string }): void {
    this.#edges.set(task.projectId, true);
    this.#db.run(
      "INSERT OR IGNORE INTO task_edges VALUES (?, ?, ?, ?)",
      task.projectId,
      edge.blocked,
      edge.blocker,
      task.id,
    );
  }

  #putRow(task: TaskRecord): void {
    const key = keyOf(task.projectId, task.id);
    const before = this.#known.get(key);
    if (before !== undefined) this.#count(task.projectId, before.status as TaskStatus, -1);
    this.#count(task.projectId, task.status, 1);
    const row = rowOf(task);
    if (this.#db.isFilling) this.#known.drop(key);
    else this.#known.keep(key, row);
    this.#db.run(PUT, ...Object.values(row));
  }
}

function keyOf(projectId: string, id: string): string {
  return `${projectId}\0${id}`;
}

/** The columns in the order of PUT. */
function rowOf(task: TaskRecord) {
  const { acceptanceCriteria, labels, domain, responsibilityType, blocks, blockedBy } = task;
  const { notes, completionNotes, outcome, history } = task;
  const declared = { acceptanceCriteria, labels, domain, responsibilityType, blocks, blockedBy };
  return {
    id: task.id,
    project_id: task.projectId,
    number: numberOf(task.id),
    title: task.title,
    description: task.description,
    type: task.type,
    priority: task.priority,
    urgency: URGENCY[task.priority],
    assigned_role_id: task.assignedRoleId ?? null,
    assigned_sub_agent_id: task.assignedSubAgentId ?? null,
    context: JSON.stringify(task.context),
    status: task.status,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    started_at: task.startedAt ?? null,
    completed_at: task.completedAt ?? null,
    result: task.result === undefined ? null : JSON.stringify(task.result),
    plan: task.plan ?? null,
    path: task.path,
    etag: task.etag,
    extra: JSON.stringify({ ...declared, notes, completionNotes, outcome, history }),
  };
}

export function isReady(status: TaskStatus, waitingOn: readonly string[]): boolean {
  return waitingOn.length === 0 && (status === "pending" || status === "assigned");
}

export function numberOf(taskId: string): number {
  return Number(taskId.slice("TASK-".length));
}

function recordOf(row: Row): TaskRecord {
  const text = (column: string) => row[column] as string;
  const optional = (name: string, column: string) => (row[column] === null ? {} : { [name]: row[column] });
  return {
    id: text("id"),
    projectId: text("project_id"),
    title: text("title"),
    description: text("description"),
    type: row.type as TaskRecord["type"],
    priority: row.priority as TaskRecord["priority"],
    status: row.status as TaskStatus,
    ...optional("assignedRoleId", "assigned_role_id"),
    ...optional("assignedSubAgentId", "assigned_sub_agent_id"),
    context: JSON.parse(text("context")) as TaskRecord["context"],
    ...optional("plan", "plan"),
    ...(row.result === null ? {} : { result: JSON.parse(text("result")) as NonNullable<TaskRecord["result"]> }),
    createdAt: text("created_at"),
    updatedAt: text("updated_at"),
    ...optional("startedAt", "started_at"),
    ...optional("completedAt", "completed_at"),
    path: text("path"),
    etag: text("etag"),
    ...(JSON.parse(text("extra")) as Pick<
      TaskRecord,
      "acceptanceCriteria" | "labels" | "blocks" | "blockedBy" | "notes" | "history"
    >),
  };
}
