import { HallError } from "../contract/errors.ts";
import type { Run } from "../contract/run.ts";
import type { TaskStatus } from "../contract/task.ts";
import type { Change, Hall } from "../workspace/hall.ts";

type Paths = Partial<Record<TaskStatus, readonly TaskStatus[]>>;

/** By the status a task has: those that it takes, one after the other. */
export const ACCEPTED: Paths = { review: ["done"] };
/** Taken as it is, though its run failed or was cancelled. */
export const ACCEPTED_UNFINISHED: Paths = { failed: ["in-progress", "done"], pending: ["in-progress", "done"] };
/** What was taken back is to be done again, by nobody yet. */
export const TAKEN_BACK: Paths = { done: ["in-progress", "pending"], review: ["in-progress", "pending"] };

/** Moves the task of a run whose result was decided about, if it is still that run's. */
export async function moveTask(
  { tasks }: Hall,
  run: Run,
  how: { paths: Paths; actor: Change["actor"] },
): Promise<void> {
  const { projectId, taskId, id } = run;
  const { paths, actor } = how;
  try {
    const task = await tasks.get(projectId, taskId);
    if (task.assignedSubAgentId !== id) return;
    for (const status of paths[task.status] ?? []) await tasks.update(projectId, taskId, { status }, { actor });
  } catch (error) {
    // The person may have moved or removed the task: what they decided about the result stands.
    if (!(error instanceof HallError)) throw error;
  }
}
