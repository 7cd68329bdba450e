import { type ErrorCode, HallError } from "../../contract/errors.ts";
import type { Actor, EventDraft } from "../../contract/event.ts";
import type { Discard } from "../../contract/runs/delivery.ts";
import type { Run } from "../../contract/runs/run.ts";
import type { Verdict } from "../../contract/runs/run-book.ts";
import type { Change } from "../../workspace/change.ts";
import { BY_DAEMON, type Core, commit } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { RunBook } from "../record/run-book.ts";
import { reviewedEvent } from "../record/run-events.ts";
import type { RunProgress } from "../record/run-progress.ts";
import { decide } from "./lifecycle.ts";
import type { PlainEvent } from "./lifecycle-events.ts";

interface Parts {
  core: Core;
  hall: Hall;
  book: RunBook;
  progress: RunProgress;
  /** Takes away what a run whose result is merged needs no more; never rejects. */
  cleanUp: (run: Run) => Promise<void>;
  /** Brings back what was discarded. */
  restore: (run: Run, discard: Discard) => Promise<void>;
  /** Has what an undo needs removed when the time for it is over. */
  expireLater: (run: Run) => void;
}

export type DecidedEvent = Extract<
  PlainEvent,
  { type: "approved" | "rejected" | "reverted" | "discarded" | "restored" }
>;

const ALL = Number.MAX_SAFE_INTEGER;

/** What people decided about results, made durable, and what follows from it. */
export class Verdicts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The book, then what follows, then the log: of a decision that the log does not tell, a start does the rest. */
  async record(
    { id }: Run,
    { event, ...told }: Pick<Verdict, "hash" | "feedback" | "discard"> & { event: DecidedEvent },
    change: Change,
  ): Promise<Run> {
    const { core, hall, book, progress, cleanUp, restore, expireLater } = this.#parts;
    const known = progress.find(id);
    const { delivery, effects } = decide(known, event);
    if (delivery === undefined) return known.run;
    const verdict: Verdict = { verdict: event.type, delivery, ...told };
    const by = { actor: change.actor, request: change.request };
    const show = await book.reviewed(known, { ...verdict, by, at: core.clock().toISOString() });
    const notMoved = await moveDecidedTask(hall, known.run, { event, actor: change.actor });
    const run = { ...known.run, delivery };
    if (effects.includes("clean-up")) await cleanUp(run);
    if (effects.includes("restore") && told.discard !== undefined) await restore(run, told.discard);
    if (delivery.discard?.until !== undefined) expireLater(run);
    await commit(core, withTaskNotMoved(reviewedEvent(known.run, verdict, by), notMoved), show);
    return progress.find(id).run;
  }

  /** A crash may have come between the run that goes on with a result and the word that it was sent back. */
  async recordSentBack(): Promise<void> {
    const { core, book } = this.#parts;
    for (const known of core.runs.unsettled()) {
      const sentBack = book.planOf(known)?.continues;
      const before = sentBack && core.runs.get(sentBack.runId)?.run;
      if (before === undefined || decide({ run: before }, { type: "reject" }).refused !== undefined) continue;
      const event = { type: "rejected" as const, next: known.run.id };
      const actor = this.#starterOf(known.run);
      await this.record(before, { event, feedback: sentBack?.feedback }, { actor });
    }
  }

  #starterOf({ id, projectId }: Run): Actor {
    const created = this.#parts.core.events.read({ after: 0, limit: ALL, type: "run.created", project: projectId });
    return created.find(({ subject }) => subject.id === id)?.actor ?? BY_DAEMON;
  }
}

/** Why the task of a result that was decided about is not where the decision puts it. */
interface TaskNotMoved {
  code: ErrorCode;
  reason: string;
}

/** Answers why the task stays where it is; of one that is gone, or that another run has, there is nothing to say. */
export async function moveDecidedTask(
  { tasks }: Pick<Hall, "tasks">,
  run: Run,
  { event, actor }: { event: DecidedEvent; actor: Actor },
): Promise<TaskNotMoved | undefined> {
  const { projectId, taskId } = run;
  try {
    const { status, assignedSubAgentId } = await tasks.get(projectId, taskId);
    if (assignedSubAgentId !== run.id) return undefined;
    // Approving a part of the work does not make it the whole.
    const outcome = event.type === "approved" ? run.result?.outcome : undefined;
    for (const next of decide({ run, task: status }, event).moves) {
      const told = next === "done" && outcome !== undefined ? { outcome } : {};
      await tasks.update(projectId, taskId, { status: next, ...told }, { actor, isChecked: true });
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
    // What was decided about the result applies all the same.
    return error.code === "task_not_found" ? undefined : { code: error.code, reason: error.message };
  }
}

/** The event of a decision, which also tells that its task could not follow. */
export function withTaskNotMoved(draft: EventDraft, notMoved: TaskNotMoved | undefined): EventDraft {
  return notMoved === undefined ? draft : { ...draft, after: { ...draft.after, taskNotMoved: notMoved } };
}
