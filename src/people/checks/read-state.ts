import type { Task } from "../../contract/documents/task.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { MEMORY_FOLDER } from "../../workspace/knowledge/memory-rules.ts";
import { projectRoot } from "../../workspace/layout.ts";
import type { CheckedTask, IdleState } from "./idle-rules.ts";
import type { ShutdownState } from "./shutdown-rules.ts";

/** So many tasks of each kind are looked at. */
const MOST_TASKS = 200;
const MOST_RUNS = 100;

export interface StateParts {
  core: Pick<Core, "runs" | "followed" | "files">;
  hall: Pick<Hall, "tasks" | "documents" | "escalations" | "memory">;
  /** Runs whose end the project's agent has not dealt with. */
  unreadResults: (projectId: string) => string[];
}

/** What only the turn knows. */
export type Turn = Pick<IdleState, "since" | "answer" | "hasTold" | "lead">;

export function idleState(parts: StateParts, projectId: string, turn: Turn): IdleState {
  const { core, hall } = parts;
  const { tasks } = hall.tasks.list(projectId, { sort: "updated", order: "desc", limit: MOST_TASKS });
  const changed = tasks.filter(({ updatedAt }) => updatedAt > turn.since);
  const plans = hall.documents.initiatives(projectId).map(({ slug, path, tasks: progress }) => ({
    slug,
    ...progress,
    editedAt: core.files.stamp(path)?.mtime ?? 0,
  }));
  const { since, answer, hasTold, lead } = turn;
  return {
    ...{ since, answer, hasTold, lead },
    plans,
    learnedAt: learnedAt(parts, projectId),
    tasks: checked(parts, projectId, changed),
  };
}

export function shutdownState(parts: StateParts, projectId: string): ShutdownState {
  const { core, hall, unreadResults } = parts;
  const drafts = hall.escalations.open().filter((open) => open.status === "draft" && open.projectId === projectId);
  const inReview = core.runs.list({ projectId, review: true, limit: MOST_RUNS });
  return {
    drafts: drafts.map(({ id }) => id),
    tasks: checked(parts, projectId, []),
    unread: unreadResults(projectId),
    inReview: inReview.map(({ run }) => ({ runId: run.id, taskId: run.taskId })),
  };
}

/** With those that are in progress or blocked. */
function checked({ core, hall }: StateParts, projectId: string, changed: readonly Task[]): CheckedTask[] {
  const atWork = new Set(core.runs.unsettled(projectId).map(({ run }) => run.taskId));
  const open = (["in-progress", "blocked"] as const).flatMap(
    (status) => hall.tasks.list(projectId, { status, sort: "id", limit: MOST_TASKS }).tasks,
  );
  const all = new Map([...changed, ...open].map((task) => [task.id, task]));
  return [...all.values()].map((task) => checkedTask(task, atWork.has(task.id)));
}

export function checkedTask(task: Task, hasRun: boolean): CheckedTask {
  const { id, status, plan, createdAt, history, escalations = [], waitingOn, acceptanceCriteria, outcome } = task;
  const moved = history.at(-1);
  return {
    createdBy: history[0]?.by ?? "person",
    hasMoved: history.length > 1,
    ...{ id, status, plan, createdAt, hasRun },
    movedAt: moved?.at ?? createdAt,
    movedBy: moved?.by ?? "person",
    questions: escalations.length,
    waitingOn: waitingOn.length,
    unmet: acceptanceCriteria.filter(({ done }) => !done).length,
    isPartial: outcome === "partial",
  };
}

function learnedAt({ core, hall }: StateParts, projectId: string): number {
  const root = projectRoot(projectId);
  const memories = hall.memory.list(projectId).map(({ updatedAt }) => Date.parse(updatedAt));
  const known = ["knowledge", MEMORY_FOLDER].map((folder) => core.followed.newestBelow(`${root}/${folder}`) ?? 0);
  return Math.max(0, ...known, ...memories);
}
