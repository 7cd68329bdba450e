import type { Task } from "../../contract/task.ts";
import type { TaskQuery } from "../../contract/task-routes.ts";
import { type Action, chosenProject } from "../context.ts";
import { moreLines, readPages } from "../paging.ts";
import { someProblems } from "../problem-lines.ts";
import { priorityStyle, statusStyle } from "../task-style.ts";
import { type Column, textTable } from "../text-table.ts";

export const taskList: Action<"task list"> = async ({ project, limit, cursor, all, ...filters }, context) => {
  const { call, output } = context;
  const id = chosenProject(project, context);
  const filter = taskFilter(filters);
  const answer = await readPages(
    { limit, cursor, all },
    (page) => {
      const query = { ...filter, ...page };
      return id === undefined ? call("listAllTasks", { query }) : call("listTasks", { params: { id }, query });
    },
    (before, next) => ({ ...next, tasks: before.tasks.concat(next.tasks) }),
  );
  output.answer(answer, () => {
    const columns = id === undefined ? [projectColumn, ...taskColumns] : taskColumns;
    const filtered = Object.values(filter).some((value) => value !== undefined);
    const list =
      answer.tasks.length > 0
        ? textTable(columns, answer.tasks, output)
        : emptyText(id, { filtered, calledAs: output.calledAs });
    const waits = answer.tasks.some(({ status }) => status === "review") && filter.status !== undefined;
    const hint = waits ? [`What waits for you: ${output.calledAs} run list --review`] : [];
    return [list, ...hint, ...someProblems(answer.invalid, output), ...moreLines(answer.nextCursor)].join("\n");
  });
  return 0;
};

type Filters = Omit<Parameters<Action<"task list">>[0], "project" | "limit" | "cursor" | "all">;

/** Words are passed on as they are: the daemon knows which it takes, aliases included. */
function taskFilter(filters: Filters): Partial<{ [Key in keyof TaskQuery]: TaskQuery[Key] | undefined }> {
  return {
    status: filters.status as TaskQuery["status"],
    priority: filters.priority as TaskQuery["priority"],
    type: filters.type as TaskQuery["type"],
    role: filters.role,
    label: filters.label,
    plan: filters.plan,
    ready: filters.ready,
    q: filters.query,
    sort: filters.sort as TaskQuery["sort"] | undefined,
    order: filters.order as TaskQuery["order"],
  };
}

function emptyText(
  project: string | undefined,
  { filtered, calledAs }: { filtered: boolean; calledAs: string },
): string {
  if (filtered) return "No task is like that.";
  return `There are no tasks yet. Add one: ${calledAs} task add TITLE -p ${project ?? "PROJECT"}`;
}

const projectColumn: Column<Task> = { title: "PROJECT", text: ({ projectId }) => projectId, style: () => "dim" };

const taskColumns: Column<Task>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "STATUS", text: ({ status }) => status, style: ({ status }) => statusStyle(status) },
  { title: "PRIORITY", text: ({ priority }) => priority, style: ({ priority }) => priorityStyle(priority), spare: 1 },
  { title: "TYPE", text: ({ type }) => type, spare: 4 },
  { title: "ROLE", text: ({ assignedRoleId }) => assignedRoleId ?? "", spare: 3 },
  { title: "WAITS ON", text: ({ waitingOn }) => waitingOn.join(", "), flexible: true, spare: 2 },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
];
