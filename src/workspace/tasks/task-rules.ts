import type { StatusChange } from "../../contract/documents/task.ts";
import { LEGAL_MOVES, REHEARSED, type TaskFolder, type TaskStatus } from "../../contract/documents/task-status.ts";
import { HallError } from "../../contract/errors.ts";
import type { TaskRecord } from "../../store/index/task-row.ts";
import { folderOf } from "../layout.ts";

/** Statuses in which work is over, for now. */
const FINISHED: readonly TaskStatus[] = ["done", "failed", "cancelled"];

/** The outcome of a task that was finished without naming one. What a failed task achieved is not ours to guess. */
const USUAL_OUTCOME: Partial<Record<TaskStatus, NonNullable<TaskRecord["outcome"]>>> = {
  done: "full",
  cancelled: "skipped",
};

export function assertLegalMove(task: Pick<TaskRecord, "id" | "status">, to: TaskStatus): void {
  const legal = LEGAL_MOVES[task.status];
  if (legal.includes(to)) return;
  const already =
    task.status === to ? `${task.id} is already ${to}` : `${task.id} is ${task.status} and cannot become ${to}`;
  throw new HallError("illegal_move", `${already}. From ${task.status} it can become ${legal.join(", ")}.`);
}

export function isLegalMove(from: TaskStatus, to: TaskStatus): boolean {
  return LEGAL_MOVES[from].includes(to);
}

/** What a change of status writes into the task besides the status itself. */
export function statusFields(task: TaskRecord, change: StatusChange): Partial<TaskRecord> {
  const { to, at } = change;
  return {
    status: to,
    history: [...task.history, change],
    startedAt: to === "in-progress" ? (task.startedAt ?? at) : task.startedAt,
    completedAt: FINISHED.includes(to) ? at : undefined,
    outcome: outcomeAt(task, to),
  } as Partial<TaskRecord>;
}

/** An outcome belongs to a finished task, to one that was only rehearsed, or to one with an exhausted review; work that starts again has none yet. */
function outcomeAt({ outcome }: TaskRecord, to: TaskStatus): TaskRecord["outcome"] {
  // The review of its result came to no end without a person.
  if (to === "blocked" && outcome === "escalated") return outcome;
  if (outcome === REHEARSED) return to === "pending" ? REHEARSED : USUAL_OUTCOME[to];
  return FINISHED.includes(to) ? (outcome ?? USUAL_OUTCOME[to]) : undefined;
}

/**
 * Folder and frontmatter of one file disagree: a move was interrupted, or a person dragged the file or edited it.
 * The one that differs from what the hall last knew wins; with nothing known, or both changed, the frontmatter.
 */
export function settleStatus(
  found: { status: TaskStatus | undefined; folder: TaskFolder },
  known: TaskStatus | undefined,
): TaskStatus {
  if (found.status === undefined) return statusOfFolder(found.folder);
  if (folderOf(found.status) === found.folder) return found.status;
  const dragged = known !== undefined && found.status === known && folderOf(known) !== found.folder;
  return dragged ? statusOfFolder(found.folder) : found.status;
}

function statusOfFolder(folder: TaskFolder): TaskStatus {
  return folder === "todo" ? "pending" : folder;
}

/** The way round from `start` over its blockers back to itself, or undefined. */
export function findCycle(start: string, blockersOf: (id: string) => readonly string[]): string[] | undefined {
  const seen = new Set<string>();
  const stack: string[][] = [[start]];
  for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
    for (const blocker of blockersOf(path.at(-1) ?? start)) {
      if (blocker === start) return [...path, start];
      if (seen.has(blocker)) continue;
      seen.add(blocker);
      stack.push([...path, blocker]);
    }
  }
  return undefined;
}
