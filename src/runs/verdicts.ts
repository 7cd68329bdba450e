import { HallError } from "../contract/errors.ts";
import type { Actor } from "../contract/event.ts";
import type { Run } from "../contract/run.ts";
import type { Verdict } from "../contract/run-book.ts";
import { BY_DAEMON, type Core, commit } from "../workspace/core.ts";
import type { Change, Hall } from "../workspace/hall.ts";
import { standingIn } from "./book-line.ts";
import { canDecide, taskPathsAfter } from "./lifecycle.ts";
import type { RunBook } from "./run-book.ts";
import { reviewedEvent } from "./run-events.ts";
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
      const sentBack = book.planOf(known)?.continues;
      const before = sentBack && core.index.runs.get(sentBack.runId)?.run;
      const standing = before?.branch ?? before?.changes;
      const place = before?.branch === undefined ? "folder" : "branch";
      if (before === undefined || standing === undefined || !canDecide("rejected", { place, ...standing })) continue;
      const after = { state: "rejected" as const, next: known.run.id };
      const { branch, changes } = before;
      const sent = branch ? { branch: { ...branch, ...after } } : { changes: { ...changes, ...after } };
      const verdict: Verdict = { verdict: "rejected", ...sent, feedback: sentBack?.feedback };
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
  run: Run,
  { verdict, actor, isResumed = false }: Decided,
): Promise<void> {
  const { projectId, taskId } = run;
  try {
    const { status, assignedSubAgentId } = await tasks.get(projectId, taskId);
    if (assignedSubAgentId !== run.id) return;
    const paths = taskPathsAfter(verdict, run);
    const path =
      paths.find(([first]) => first === status) ?? (isResumed ? paths.find((one) => one.includes(status)) : undefined);
    if (path === undefined) return;
    // Approving a part of the work does not make it the whole.
    const outcome = verdict === "approved" ? run.result?.outcome : undefined;
    for (const next of path.slice(path.indexOf(status) + 1)) {
      const told = next === "done" && outcome !== undefined ? { outcome } : {};
      await tasks.update(projectId, taskId, { status: next, ...told }, { actor });
    }
  } catch (error) {
    // The person may have moved or removed the task: what they decided about the result stands.
    if (!(error instanceof HallError) || error.code === "storage_failed") throw error;
  }
}
