import { TASK_STATUSES, type TaskStatus } from "../../../../src/contract/documents/task-status.ts";

/** Columns that the person opened or closed; the others are open as far as there is room. */
export type ChosenColumns = Partial<Record<TaskStatus, boolean>>;

interface Room {
  counts: Record<TaskStatus, number>;
  /** Of the board, in pixels; undefined: not measured yet. */
  width: number | undefined;
  chosen: ChosenColumns;
}

const OPEN = 196;
const CLOSED = 36;
const GAP = 8;

/** Where room is scarce, what needs a person comes first, and what is over comes last. */
const IMPORTANCE: readonly TaskStatus[] = [
  ...(["pending", "failed", "blocked", "review", "in-progress"] as const),
  ...(["assigned", "done", "cancelled"] as const),
];

/**
 * The columns that show their cards, such that all of them, open or closed, fit side by side. A column without tasks is closed,
 * except the first, in which tasks are added. What the person opened stays open, even if the board has to scroll then.
 */
export function openColumns({ counts, width = Number.POSITIVE_INFINITY, chosen }: Room): ReadonlySet<TaskStatus> {
  const used = IMPORTANCE.filter((status) => status === "pending" || counts[status] > 0);
  const open = new Set(used.filter((status) => chosen[status] === true));
  const rest = used.filter((status) => chosen[status] === undefined);
  const all = TASK_STATUSES.length;
  let room = width - all * CLOSED - (all - 1) * GAP - open.size * (OPEN - CLOSED);
  for (const status of rest) {
    room -= OPEN - CLOSED;
    if (room < 0 && open.size > 0) break;
    open.add(status);
  }
  return open;
}
