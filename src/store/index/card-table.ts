import type { TaskCard } from "../../contract/documents/card.ts";
import type { Criterion } from "../../contract/documents/task.ts";
import type { Database } from "./database.ts";
import { isReady } from "./task-edges.ts";
import type { HeldPlans } from "./task-filter.ts";

interface CardRow {
  id: string;
  title: string;
  type: TaskCard["type"];
  priority: TaskCard["priority"];
  status: TaskCard["status"];
  role: string | null;
  plan: string | null;
  updatedAt: string;
  /** JSON of all four: one look into the row's JSON costs less than one for each. */
  lists: string;
}

const NONE: string[] = [];

/** Whole boards in one answer: what is long in a task, or has to be looked up for each, is left in its place. */
export class CardTable {
  readonly #db: Database;
  readonly #held: HeldPlans;

  constructor(db: Database, held: HeldPlans) {
    this.#db = db;
    this.#held = held;
  }

  /** All tasks of a project, in the order of their numbers. */
  of(projectId: string): TaskCard[] {
    const waiting = this.#waiting(projectId);
    const rows = this.#db.iterate<CardRow>(
      `SELECT id, title, type, priority, status, assigned_role_id AS role, plan, updated_at AS updatedAt,
         json_extract(extra, '$.labels', '$.acceptanceCriteria', '$.outcome', '$.escalations') AS lists
       FROM tasks INDEXED BY idx_tasks_project WHERE project_id = ? ORDER BY number`,
      projectId,
    );
    const held = new Set(this.#held().flatMap((one) => (one.projectId === projectId ? [one.plan] : [])));
    const isHeld = (plan: string | null) => plan !== null && held.has(plan);
    return Array.from(rows, (row) => cardOf(row, waiting.get(row.id) ?? NONE, isHeld));
  }

  /** Which tasks wait for which others. */
  #waiting(projectId: string): Map<string, string[]> {
    const waiting = new Map<string, string[]>();
    const edges = this.#db.iterate<{ blocked: string; blocker: string }>(
      `SELECT DISTINCT edge.blocked AS blocked, edge.blocker AS blocker FROM task_edges edge
       LEFT JOIN tasks other ON other.project_id = edge.project_id AND other.id = edge.blocker
       WHERE edge.project_id = ? AND (other.status IS NULL OR other.status NOT IN ('done', 'cancelled'))
       ORDER BY edge.blocked, edge.blocker`,
      projectId,
    );
    for (const { blocked, blocker } of edges) {
      const known = waiting.get(blocked);
      if (known === undefined) waiting.set(blocked, [blocker]);
      else known.push(blocker);
    }
    return waiting;
  }
}

type Lists = [string[], Criterion[], TaskCard["outcome"] | null, string[] | null];

function cardOf(row: CardRow, waitingOn: string[], isHeld: (plan: string | null) => boolean): TaskCard {
  const { id, title, type, priority, status, role, plan, updatedAt, lists } = row;
  const [labels, criteria, outcome, escalations] = JSON.parse(lists) as Lists;
  return {
    id,
    title,
    type,
    priority,
    status,
    ...(role === null ? {} : { assignedRoleId: role }),
    labels,
    ...(plan === null ? {} : { plan }),
    ...(outcome == null ? {} : { outcome }),
    ...(escalations == null ? {} : { escalations }),
    ready: !isHeld(plan) && isReady(status, waitingOn),
    waitingOn,
    updatedAt,
    ...criteriaOf(criteria),
  };
}

function criteriaOf(criteria: readonly Criterion[]): Pick<TaskCard, "criteria"> {
  if (criteria.length === 0) return {};
  return { criteria: { done: criteria.filter(({ done }) => done).length, total: criteria.length } };
}
