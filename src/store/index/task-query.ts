import { type Condition, conditionsOf, hasStatus, type Sql, type TaskFilter, wantedStatuses } from "./task-filter.ts";

export interface TaskOrder {
  sort: "id" | "updated" | "priority";
  descending: boolean;
  limit: number;
  /** The sort values of the last task of the page before. */
  after?: readonly (string | number)[] | undefined;
}

interface Asked {
  filter: TaskFilter;
  order: TaskOrder;
}

const SORT_COLUMNS = {
  id: ["project_id", "number"],
  updated: ["updated_at", "project_id", "number"],
  priority: ["urgency", "project_id", "number"],
};

/** What a list is sorted by; each place in it is told by as many values. */
export function sortColumns(sort: TaskOrder["sort"], acrossProjects: boolean): readonly string[] {
  const columns = SORT_COLUMNS[sort];
  return acrossProjects ? columns : columns.filter((column) => column !== "project_id");
}

/** The indexes that have tasks in the order of a list: of everything, of a project, of one status in a project. */
const WALKS = {
  id: { all: "idx_tasks_project", project: "idx_tasks_project", status: "idx_tasks_status" },
  updated: { all: "idx_tasks_recent", project: "idx_tasks_updated", status: "idx_tasks_status_updated" },
  priority: { all: "idx_tasks_urgent", project: "idx_tasks_urgency", status: "idx_tasks_status_urgency" },
};

/**
 * The SQL of a list. Its cost must not grow with the number of tasks, and the planner, which knows no numbers, does not
 * see to that. So where a condition leaves few tasks, these are looked up and sorted; otherwise tasks are walked in the
 * order of the list until there are enough, each status by itself. `isFew` answers whether a query gives some hundred
 * keys or less.
 */
export function listQuery(asked: Asked, isFew: (keys: Sql) => boolean): Sql {
  const statuses = wantedStatuses(asked.filter);
  const others = conditionsOf(asked.filter);
  const all = statuses === undefined ? others : [...others, hasStatus(statuses)];
  const few = all.find(({ keys }) => keys !== undefined && isFew(keys));
  if (few !== undefined) return select("NOT INDEXED", [lookedUp(few), ...all.filter((each) => each !== few)], asked);
  if (statuses === undefined || !isWalkedByStatus(asked)) return select(walk(asked, scopeOf(asked)), all, asked);
  return union(
    statuses.map((status) => select(walk(asked, "status"), [hasStatus([status]), ...others], asked)),
    asked,
  );
}

function lookedUp({ keys, ...condition }: Condition): Sql {
  return keys === undefined ? condition : { text: `key IN (${keys.text})`, values: keys.values };
}

function isWalkedByStatus({ filter, order }: Asked): boolean {
  return filter.projectId !== undefined || order.sort === "id";
}

function scopeOf({ filter }: Asked): "all" | "project" {
  return filter.projectId === undefined ? "all" : "project";
}

function walk({ filter, order }: Asked, over: "all" | "project" | "status"): string {
  // In a project, tasks of one priority stand together in the order of their numbers.
  const isOfOne = filter.priority !== undefined && filter.projectId !== undefined && order.sort === "id";
  return `INDEXED BY ${WALKS[isOfOne ? "priority" : order.sort][over]}`;
}

function select(how: string, conditions: readonly Sql[], asked: Asked): Sql {
  const all = [...conditions, ...afterLast(asked)];
  const where = all.map(({ text }) => text).join(" AND ") || "1";
  return {
    text: `SELECT * FROM tasks ${how} WHERE ${where} ORDER BY ${sorted(asked)} LIMIT ?`,
    values: [...all.flatMap(({ values }) => values), asked.order.limit],
  };
}

function union(parts: readonly Sql[], asked: Asked): Sql {
  const [only, second] = parts;
  if (only !== undefined && second === undefined) return only;
  const text = parts.map((part) => `SELECT * FROM (${part.text})`).join(" UNION ALL ");
  const values = [...parts.flatMap((part) => part.values), asked.order.limit];
  return { text: `${text} ORDER BY ${sorted(asked)} LIMIT ?`, values };
}

function sorted(asked: Asked): string {
  const direction = asked.order.descending ? "DESC" : "ASC";
  return columnsOf(asked)
    .map((column) => `${column} ${direction}`)
    .join(", ");
}

function afterLast(asked: Asked): Sql[] {
  const { after, descending } = asked.order;
  if (after === undefined) return [];
  const columns = columnsOf(asked);
  const places = columns.map(() => "?").join(", ");
  return [{ text: `(${columns.join(", ")}) ${descending ? "<" : ">"} (${places})`, values: [...after] }];
}

function columnsOf(asked: Asked): readonly string[] {
  return sortColumns(asked.order.sort, scopeOf(asked) === "all");
}
