import { setImmediate as nextTurn } from "node:timers/promises";
import { TASK_STATUSES } from "../../contract/documents/task-status.ts";
import type { HallEvent } from "../../contract/event.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Core } from "../../workspace/core.ts";
import type { BranchArchive } from "../git/branch-archive.ts";
import type { Review } from "./review.ts";
import { unlessRefused } from "./settlement.ts";

const MOST_RUNS = 50;
const MOST_WAITING = 1_000;
const MOST_MOVES = 1_000;

interface Parts {
  core: Core;
  review: Pick<Review, "discard" | "restore">;
  archive: Pick<BranchArchive, "archive">;
  onTrouble: (what: string, error: unknown) => void;
}

/**
 * Results follow their task: a person who cancels it discards the result in review, and has it back by reopening the task in time.
 * When an agent cancels a task, its result stays in review: agents do not decide about results.
 */
export class TaskFollower {
  readonly #parts: Parts;
  #unsubscribe: () => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** With what a crash kept an earlier daemon from doing. */
  async start(): Promise<void> {
    const { core } = this.#parts;
    this.#unsubscribe = core.events.subscribe((event) => this.#heed(event));
    for (const { run } of core.runs.list({ review: true, limit: MOST_WAITING })) {
      const task = core.tasks.record(run.projectId, run.taskId);
      const event = task?.status === "cancelled" ? this.#lastMove(run) : undefined;
      if (event !== undefined) await this.#follow(event);
    }
  }

  close(): void {
    this.#unsubscribe();
  }

  #lastMove({ projectId, taskId }: Run): HallEvent | undefined {
    const moves = this.#parts.core.events.tail({ type: "task.moved", project: projectId, count: MOST_MOVES });
    return moves.findLast(({ subject }) => subject.id === taskId);
  }

  #heed(event: HallEvent): void {
    if (event.type !== "task.moved" && event.type !== "task.removed") return;
    this.#follow(event).catch((error) =>
      this.#parts.onTrouble(`the result of task ${event.subject.id} could not be updated`, error),
    );
  }

  async #follow(event: HallEvent): Promise<void> {
    const { type, actor, projectId, subject, before, after } = event;
    if (projectId === undefined) return;
    const { archive, review } = this.#parts;
    // The index shows a change only after the log has told of it.
    await nextTurn();
    if (type === "task.removed") {
      for (const { id } of this.#waiting(projectId, subject.id)) await archive.archive(id, "its task was deleted");
      return;
    }
    if (after?.status === "cancelled")
      for (const { id } of this.#waiting(projectId, subject.id)) {
        const taskFrom = TASK_STATUSES.find((status) => status === before?.status);
        await unlessRefused(review.discard(id, { task: "cancelled", withTask: true, taskFrom }, { actor }));
      }
    else if (before?.status === "cancelled")
      for (const { id } of this.#discarded(projectId, subject.id)) await unlessRefused(review.restore(id, { actor }));
  }

  #waiting(projectId: string, taskId: string): Run[] {
    return this.#parts.core.runs.list({ projectId, taskId, review: true, limit: MOST_RUNS }).map(({ run }) => run);
  }

  #discarded(projectId: string, taskId: string): Run[] {
    const runs = this.#parts.core.runs.list({ projectId, taskId, limit: MOST_RUNS });
    return runs.flatMap(({ run }) => (run.delivery?.discard?.withTask === true ? [run] : []));
  }
}
