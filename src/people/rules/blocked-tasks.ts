import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { EscalationFields } from "../../workspace/escalations/escalations.ts";

/** The tasks of its project that can't continue while it is open: the one it names, and those of runs that wait for it. */
export function tasksBlockedBy({ blocksTask, askers, projectId }: EscalationFields): string[] {
  if (projectId === undefined) return [];
  const waiting = askers.flatMap(({ waits, taskId }) => (waits && taskId !== undefined ? [taskId] : []));
  return [...new Set([...(blocksTask === null ? [] : [blocksTask]), ...waiting])];
}

interface Standing {
  status: TaskStatus;
  /** Those that its document names. */
  escalations: readonly string[];
  /** Where it came from when it was blocked. */
  from: TaskStatus | null | undefined;
  /** Open ones that block it. */
  open: readonly string[];
  /** What its run makes of it, once that has ended. `isDecided`: its result was approved, discarded or reverted. */
  run: { state: "working" } | { state: "none" } | { state: "ended"; goes: TaskStatus; isDecided: boolean };
}

/** Statuses of a task that a question can block. One in review waits for a person already, and a finished one stays finished. */
const BLOCKABLE: readonly TaskStatus[] = ["pending", "assigned", "in-progress"];

export function canBlock(status: TaskStatus): boolean {
  return status === "blocked" || BLOCKABLE.includes(status);
}

/** What has to change so that a task is blocked exactly while an open escalation blocks it; undefined when nothing has to. */
export function taskStanding(task: Standing): { status?: TaskStatus; escalations?: string[] } | undefined {
  const open = [...task.open].sort();
  const names = sameList(open, task.escalations) ? {} : { escalations: open };
  const next = { ...names, ...(statusOf(task) === task.status ? {} : { status: statusOf(task) }) };
  return Object.keys(next).length === 0 ? undefined : next;
}

function statusOf({ status, open, escalations, from, run }: Standing): TaskStatus {
  // What names an escalation and is not blocked was moved by a person.
  const isNew = open.some((id) => !escalations.includes(id));
  if (open.length > 0) return isNew && BLOCKABLE.includes(status) ? "blocked" : status;
  // Blocked by hand, without an escalation: it is the person's to free.
  if (status !== "blocked" || escalations.length === 0) return status;
  if (run.state === "working") return "in-progress";
  const isDecided = run.state === "ended" && run.isDecided;
  if (from === "review" && !isDecided) return "review";
  if ((from === "in-progress" || from === "review") && run.state === "ended") return run.goes;
  return "pending";
}

function sameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id));
}
