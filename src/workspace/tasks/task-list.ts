import type { Task } from "../../contract/documents/task.ts";
import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Problem } from "../../contract/problem.ts";
import type { TaskQuery } from "../../contract/routes/task-routes.ts";
import type { HallIndex } from "../../store/index/hall-index.ts";
import type { TaskFilter } from "../../store/index/task-filter.ts";
import { sortColumns } from "../../store/index/task-query.ts";
import { TaskTable } from "../../store/index/task-table.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";

export interface TaskPage {
  tasks: Task[];
  /** Files of the board that could not be read; told with the first page. */
  invalid: Problem[];
  nextCursor?: string;
}

/** One page of the tasks of a project, or of all. */
export function listTasks(index: HallIndex, projectId: string | undefined, query: TaskQuery): TaskPage {
  const across = projectId === undefined;
  const descending = query.order === undefined ? query.sort !== "id" : query.order === "desc";
  const after = decodeCursor(query.cursor, sortColumns(query.sort, across).length);
  const order = { sort: query.sort, descending, limit: query.limit + 1, after };
  const tasks = index.tasks.list(filterOf(projectId, query), order);
  const page = tasks.slice(0, query.limit);
  const last = page.at(-1);
  const invalid = query.cursor === undefined ? index.files.problems({ kind: "task", projectId }) : [];
  if (tasks.length <= query.limit || last === undefined) return { tasks: page, invalid };
  return { tasks: page, invalid, nextCursor: encodeCursor(TaskTable.position(last, query.sort, across)) };
}

function filterOf(projectId: string | undefined, query: TaskQuery): TaskFilter {
  const { priority, type, role, label, plan, ready, q: text } = query;
  return { projectId, statuses: statusesOf(query.status), priority, type, role, label, plan, ready, text };
}

/** A folder of the board stands for every status that lies in it. */
function statusesOf(status: TaskQuery["status"]): readonly TaskStatus[] | undefined {
  switch (status) {
    case undefined:
      return undefined;
    case "todo":
      return ["pending", "assigned", "blocked"];
    case "in_progress":
      return ["in-progress"];
    case "in_review":
      return ["review"];
    case "completed":
      return ["done"];
    default:
      return [status];
  }
}
