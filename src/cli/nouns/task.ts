import type { Task } from "../../contract/documents/task.ts";
import type { TaskPriority, TaskStatus } from "../../contract/documents/task-status.ts";
import { REHEARSED, TASK_PRIORITIES, TASK_STATUSES, TASK_TYPES } from "../../contract/documents/task-status.ts";
import type { TaskQuery } from "../../contract/routes/task-routes.ts";
import { command } from "../command.ts";
import type { ArgumentSpec, CommandSpec, InputOf } from "../command-spec.ts";
import { chosenProject } from "../context.ts";
import { moreLines, readPages } from "../http/paging.ts";
import { taskPlace } from "../references.ts";
import { onlyProject, paging, project } from "../shared-options.ts";
import { agentLines } from "../text/agent-words.ts";
import type { Paint, Style } from "../text/paint.ts";
import { oneLine } from "../text/plain-text.ts";
import { someProblems } from "../text/problem-lines.ts";
import { type Field, fieldLines, localTime, proseLines } from "../text/text-card.ts";
import { type Column, type TableSpace, textTable } from "../text/text-table.ts";
import { wrapProse } from "../text/text-wrap.ts";
import { showHits } from "./search.ts";

const statusStyles: Partial<Record<TaskStatus, Style>> = {
  "in-progress": "cyan",
  review: "blue",
  blocked: "red",
  done: "green",
  failed: "red",
  cancelled: "dim",
};

const task = { kind: "one", help: "TASK-007, 7, or project/TASK-007" } as const satisfies ArgumentSpec;

const taskList = {
  summary: "List tasks",
  options: {
    project: onlyProject,
    status: {
      kind: "text",
      short: "s",
      value: "STATUS",
      help: "Filter by status; 'todo' matches all tasks that are not started",
      words: ["todo", ...TASK_STATUSES],
    },
    priority: { kind: "text", value: "PRIORITY", help: "Filter by priority", words: TASK_PRIORITIES },
    type: { kind: "text", short: "t", value: "TYPE", help: "Filter by type", words: TASK_TYPES },
    role: { kind: "text", value: "ROLE", help: "Filter by role" },
    label: { kind: "text", value: "LABEL", help: "Filter by label" },
    plan: { kind: "text", value: "INITIATIVE", help: "Filter by initiative" },
    ready: { kind: "toggle", help: "Only tasks that can be started now" },
    query: { kind: "text", short: "q", value: "TEXT", help: "Text to search for" },
    sort: { kind: "text", value: "BY", help: "Sort by id, updated or priority", words: ["id", "updated", "priority"] },
    order: { kind: "text", value: "ORDER", help: "Sort order: asc or desc", words: ["asc", "desc"] },
    ...paging,
  },
  examples: ["task list -p shop --status todo --ready", "task list --all --json"],
} as const satisfies CommandSpec;

export const commands = {
  "task list": command(taskList, async ({ project, limit, cursor, all, ...filters }, context) => {
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
      const hint = waits ? [`Results in review: ${output.calledAs} run list --review`] : [];
      return [list, ...hint, ...someProblems(answer.invalid, output), ...moreLines(answer.nextCursor)].join("\n");
    });
    return 0;
  }),

  "task show": command(
    {
      summary: "Show a task",
      args: { task },
      options: { project },
      examples: ["task show TASK-007 -p shop", "task show shop/7"],
    },
    async ({ task, project }, context) => {
      const answer = await context.call("getTask", { params: taskPlace(task, project, context) });
      context.output.answer(answer, () => taskCard(answer.task, context.output));
      return 0;
    },
  ),

  "task search": command(
    {
      summary: "Search tasks, best match first",
      args: { query: { kind: "rest", help: "Search terms" } },
      options: {
        project: onlyProject,
        limit: { kind: "number", value: "N", help: "Maximum number of results (1 to 100, default 20)" },
      },
      examples: ["task search login timeout", "task search refund -p shop"],
    },
    async (input, context) => {
      await showHits({ ...input, kind: "task" }, context);
      return 0;
    },
  ),
};

type Filters = Omit<InputOf<typeof taskList>, "project" | "limit" | "cursor" | "all">;

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
  if (filtered) return "No tasks match these filters.";
  return `No tasks yet. Add one: ${calledAs} task add TITLE -p ${project ?? "PROJECT"}`;
}

const projectColumn: Column<Task> = { title: "PROJECT", text: ({ projectId }) => projectId, style: () => "dim" };

const taskColumns: Column<Task>[] = [
  { title: "ID", text: ({ id }) => id, style: () => "bold" },
  { title: "STATUS", text: standing, style: ({ status }) => statusStyle(status) },
  { title: "PRIORITY", text: ({ priority }) => priority, style: ({ priority }) => priorityStyle(priority), spare: 1 },
  { title: "TYPE", text: ({ type }) => type, spare: 4 },
  { title: "ROLE", text: ({ assignedRoleId }) => assignedRoleId ?? "", spare: 3 },
  { title: "BLOCKED BY", text: ({ waitingOn }) => waitingOn.join(", "), flexible: true, spare: 2 },
  { title: "TITLE", text: ({ title }) => title, flexible: true },
];

export function taskCard(task: Task, space: TableSpace & { calledAs: string }): string {
  const { paint } = space;
  const state = [
    paint(statusStyle(task.status), standing(task)),
    paint(priorityStyle(task.priority), task.priority),
    task.type,
    ...(task.ready ? [paint("green", "ready")] : []),
  ];
  return [
    `${paint("bold", `${task.projectId}/${task.id}`)}  ${paint("bold", oneLine(task.title))}`,
    state.join(" · "),
    "",
    ...fieldLines(taskFields(task, space.calledAs), paint),
    ...proseLines("Description", task.description, space),
    ...criteriaLines(task, space),
    ...proseLines("Notes", task.notes, space),
    ...proseLines("Completion notes", task.completionNotes, space),
    ...agentLines("Result", task.result?.summary, space),
    ...historyLines(task, paint),
  ].join("\n");
}

function taskFields(task: Task, calledAs: string): Field[] {
  return [
    ["role", task.assignedRoleId],
    ["agent", task.assignedSubAgentId],
    ["review", reviewHint(task, calledAs)],
    ["labels", task.labels.join(", ")],
    ["initiative", task.plan],
    ["domain", task.domain],
    ["blocked by", task.blockedBy.map((id) => (task.waitingOn.includes(id) ? `${id} (open)` : id)).join(", ")],
    ["blocks", task.blocks.join(", ")],
    ["escalations", task.escalations?.join(", ")],
    ["files", task.context.files.join(", ")],
    ["code", task.context.codeRefs.join(", ")],
    ["related", task.context.dependencies.join(", ")],
    ["outcome", task.outcome],
    ["created", localTime(task.createdAt)],
    ["updated", localTime(task.updatedAt)],
    ["started", localTime(task.startedAt)],
    ["completed", localTime(task.completedAt)],
    ["file", task.path],
    ["etag", task.etag],
  ];
}

function reviewHint({ status, assignedSubAgentId: agent }: Task, calledAs: string): string | undefined {
  if (status !== "review" || agent?.startsWith("run-") !== true) return undefined;
  return `view the changes: ${calledAs} run diff ${agent}`;
}

function criteriaLines({ acceptanceCriteria: criteria }: Task, { paint, width }: TableSpace): string[] {
  if (criteria.length === 0) return [];
  const done = criteria.filter((criterion) => criterion.done).length;
  const lines = criteria.map((each, index) => `  [${each.done ? "x" : " "}] ${index + 1}. ${oneLine(each.text)}`);
  const title = `${paint("bold", "Acceptance criteria")} ${paint("dim", `(${done} of ${criteria.length})`)}`;
  return ["", title, wrapProse(lines.join("\n"), width)];
}

function historyLines({ history }: Task, paint: Paint): string[] {
  if (history.length === 0) return [];
  const lines = history.map(
    ({ at, from, to, by }) =>
      `  ${localTime(at)}  ${from === null ? to : `${from} → ${to}`}  ${paint("dim", oneLine(by))}`,
  );
  return ["", paint("bold", "History"), ...lines];
}

/** With what the status alone hides: the task was only rehearsed, or criteria of a task that is done are not met. */
function standing({ status, outcome, acceptanceCriteria }: Task): string {
  if (status === "pending" && outcome === REHEARSED) return `${status} (${REHEARSED})`;
  const met = acceptanceCriteria.filter(({ done }) => done).length;
  const isOpen = status === "done" && met < acceptanceCriteria.length;
  return isOpen ? `${status} (${met}/${acceptanceCriteria.length} criteria)` : status;
}

function statusStyle(status: TaskStatus): Style | undefined {
  return statusStyles[status];
}

function priorityStyle(priority: TaskPriority): Style | undefined {
  if (priority === "urgent") return "red";
  return priority === "high" ? "yellow" : undefined;
}
