import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { Run } from "../contract/run.ts";
import type { TaskStatus } from "../contract/task.ts";
import { BY_DAEMON, type Core, commit } from "../workspace/core.ts";
import type { Change, Hall } from "../workspace/hall.ts";
import { standingIn, type Verdict } from "./book-line.ts";
import type { RunBook } from "./run-book.ts";
import { reviewedEvent } from "./run-events.ts";
import { planIn } from "./run-facts.ts";
import type { RunProgress } from "./run-progress.ts";

interface Parts {
  core: Core;
  hall: Hall;
  book: RunBook;
  progress: RunProgress;
  /** Takes away what a run whose result is merged needs no more; never rejects. */
  cleanUp: (run: Run) => Promise<void>;
}

interface Decided {
  verdict: Verdict["verdict"];
  actor: Actor;
  /** True: a crash may have come between two steps. */
  isResumed?: boolean;
}

const ALL = Number.MAX_SAFE_INTEGER;

/** The statuses that a task takes, one after the other, unless it has another one than the first. */
const PATHS: Record<Verdict["verdict"], TaskStatus[]> = {
  approved: ["review", "done"],
  // What was taken back is to be done again, by nobody yet.
  reverted: ["done", "in-progress", "pending"],
  rejected: [],
};

/** What people decided about results, made durable, and what follows from it. */
export class Verdicts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The book, then what follows, then the log: of a decision that the log does not tell, a start does the rest. */
  async record({ id }: Run, verdict: Verdict, change: Change): Promise<Run> {
    const { core, hall, book, progress, cleanUp } = this.#parts;
    const known = progress.find(id);
    const by = { actor: change.actor, request: change.request };
    const show = await book.reviewed(known, { ...verdict, by, at: core.clock().toISOString() });
    await moveDecidedTask(hall, known.run, { verdict: verdict.verdict, actor: change.actor });
    if (verdict.verdict === "approved") await cleanUp({ ...known.run, ...standingIn(verdict) });
    await commit(core, reviewedEvent(known.run, verdict, by), show);
    return progress.find(id).run;
  }

  /** A crash may have come between the run that goes on with a result and the word that it was sent back. */
  async recordSentBack(): Promise<void> {
    const { core, book } = this.#parts;
    for (const known of core.index.runs.unsettled()) {
      const sentBack = planIn(book.journalOf(known))?.continues;
      const before = sentBack && core.index.runs.get(sentBack.runId)?.run;
      if (before === undefined || (before.branch ?? before.changes)?.state !== "review") continue;
      const after = { state: "rejected" as const, next: known.run.id };
      const { branch, changes } = before;
      const standing = branch ? { branch: { ...branch, ...after } } : { changes: { ...changes, ...after } };
      const verdict: Verdict = { verdict: "rejected", ...standing, feedback: sentBack?.feedback };
      await this.record(before, verdict, { actor: this.#starterOf(known.run) });
    }
  }

  #starterOf({ id, projectId }: Run): Actor {
    const created = this.#parts.core.events.read({ after: 0, limit: ALL, type: "run.created", project: projectId });
    return created.find(({ subject }) => subject.id === id)?.actor ?? BY_DAEMON;
  }
}

export async function moveDecidedTask(
  { tasks }: Pick<Hall, "tasks">,
  { projectId, taskId, id }: Run,
  { verdict, actor, isResumed = false }: Decided,
): Promise<void> {
  try {
    const task = await tasks.get(projectId, taskId);
    const at = PATHS[verdict].indexOf(task.status);
    if (task.assignedSubAgentId !== id || at === -1 || (at > 0 && !isResumed)) return;
    for (const status of PATHS[verdict].slice(at + 1)) await tasks.update(projectId, taskId, { status }, { actor });
  } catch (error) {
    // The person may have moved or removed the task: what they decided about the result stands.
    if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
  }
}
