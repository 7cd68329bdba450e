import { TASK_STATUSES, type TaskFolder, type TaskStatus } from "../../src/contract/documents/task-status.ts";

/** What must be true of a hall, kept beside it in the plainest way there is. */
export interface Model {
  roles: Map<string, { name: string; version: number }>;
  projects: Map<string, ProjectModel>;
}

export interface ProjectModel {
  status: "active" | "suspended" | "completed" | "archived";
  team: Set<string>;
  tasks: Map<string, TaskModel>;
  /** The highest number a task ever had. */
  highest: number;
  /** Set while PROJECT.md cannot be read: its text before. */
  whole?: string | undefined;
}

export interface TaskModel {
  title: string;
  priority: string;
  status: TaskStatus;
  /** What its own file declares. */
  blockedBy: Set<string>;
  /** Set while its file cannot be read: its text before. */
  whole?: string | undefined;
}

/** The table of C2, written down a second time. */
const MOVES: Record<TaskStatus, string> = {
  pending: "assigned in-progress blocked cancelled failed",
  assigned: "pending in-progress blocked cancelled failed",
  "in-progress": "review done blocked failed cancelled pending",
  review: "done in-progress failed cancelled",
  blocked: "pending in-progress failed cancelled",
  done: "in-progress",
  failed: "pending in-progress cancelled",
  cancelled: "pending",
};
const PROJECT_MOVES = {
  active: "suspended completed",
  suspended: "active completed",
  completed: "active archived",
  archived: "",
};

export function mayMove(from: TaskStatus, to: TaskStatus): boolean {
  return MOVES[from].split(" ").includes(to);
}

export function mayBecome(from: ProjectModel["status"], to: ProjectModel["status"]): boolean {
  return PROJECT_MOVES[from].split(" ").includes(to);
}

export function folderOf(status: TaskStatus): TaskFolder {
  return status === "pending" || status === "assigned" || status === "blocked" ? "todo" : status;
}

export function statusIn(folder: TaskFolder): TaskStatus {
  return folder === "todo" ? "pending" : folder;
}

export function isOpen(project: ProjectModel): boolean {
  return project.whole === undefined && (project.status === "active" || project.status === "suspended");
}

export function taskId(number: number): string {
  return `TASK-${String(number).padStart(3, "0")}`;
}

/** Whether `blocker` waits, over any number of steps, for `task`. */
export function waitsFor(project: ProjectModel, blocker: string, task: string, seen = new Set<string>()): boolean {
  if (blocker === task) return true;
  if (seen.has(blocker)) return false;
  seen.add(blocker);
  return [...(readable(project, blocker)?.blockedBy ?? [])].some((next) => waitsFor(project, next, task, seen));
}

function readable(project: ProjectModel, id: string): TaskModel | undefined {
  const task = project.tasks.get(id);
  return task?.whole === undefined ? task : undefined;
}

/** What the API must answer, in the form in which `observe` puts its answers. */
export function expected(model: Model) {
  const projects = [...model.projects].sort(byKey).map(([id, project]) => ({
    id,
    status: project.whole === undefined ? project.status : "invalid",
    teamSize: project.whole === undefined ? project.team.size : 0,
    taskCount: countsOf(project),
  }));
  const tasks = [...model.projects].sort(byKey).flatMap(([id, project]) => tasksOf(id, project));
  const broken = [...model.projects].flatMap(([id, project]) =>
    [...project.tasks].filter(([, task]) => task.whole !== undefined).map(([taskId]) => `${id} ${taskId}`),
  );
  const roles = [...model.roles].sort(byKey).map(([id, role]) => ({ id, ...role }));
  return { projects, tasks, broken: broken.sort(), roles };
}

function countsOf(project: ProjectModel): Record<string, number> {
  const names = {
    todo: "todo",
    "in-progress": "inProgress",
    review: "review",
    done: "done",
    failed: "failed",
    cancelled: "cancelled",
  };
  const counts = Object.fromEntries(Object.values(names).map((name) => [name, 0]));
  for (const task of project.tasks.values())
    if (task.whole === undefined)
      counts[names[folderOf(task.status)]] = (counts[names[folderOf(task.status)]] ?? 0) + 1;
  return counts;
}

function tasksOf(projectId: string, project: ProjectModel) {
  const tasks = [...project.tasks].filter(([, task]) => task.whole === undefined).sort(byKey);
  return tasks.map(([id, task]) => {
    const waitingOn = [...task.blockedBy].filter((other) => !isSettled(readable(project, other))).sort();
    return {
      projectId,
      id,
      title: task.title,
      priority: task.priority,
      status: task.status,
      path: `projects/${projectId}/TASKS/${folderOf(task.status)}/${id}.md`,
      blockedBy: [...task.blockedBy].sort(),
      blocks: tasks.filter(([, other]) => other.blockedBy.has(id)).map(([other]) => other),
      waitingOn,
      ready: waitingOn.length === 0 && (task.status === "pending" || task.status === "assigned"),
    };
  });
}

function isSettled(task: TaskModel | undefined): boolean {
  return task?.status === "done" || task?.status === "cancelled";
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

export const statuses = TASK_STATUSES;
