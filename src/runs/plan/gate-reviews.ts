import type { Role } from "../../contract/documents/role.ts";
import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { JournalEntry } from "../../contract/runs/journal.ts";
import type { Run, SpawnRequest, Workplace } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { WORKTREES_FOLDER } from "../../workspace/layout.ts";
import { templateOf } from "../../workspace/roles/role-rules.ts";
import { lookingAt } from "../git/workplace-choice.ts";
import { draftTask } from "./spawned-task.ts";
import type { Spawning } from "./spawning.ts";

/** The role that plays it where the hall has one of that id; else the template. */
const REVIEWER = "reviewer";
const STOPPED = "The quality gate was stopped.";

interface Parts {
  core: Core;
  hall: Pick<Hall, "tasks">;
  spawning: Pick<Spawning, "plan">;
  /** Where a run works, if it has a workplace of its own. */
  placeOf: (runId: string) => Workplace | undefined;
  enter: Spawning["enter"];
  ended: (runId: string) => Promise<Run>;
  cancel: (runId: string, reason: string) => Promise<unknown>;
  journal: (runId: string) => readonly JournalEntry[];
}

export interface GateReviewOrder {
  /** Who asks again under the same id finds the same run. */
  runId: string;
  /** The run whose result is judged, and the commit that stands for it. */
  of: Run;
  commit: string;
  model: string;
  timeoutSeconds: number;
  /** What the prompt says of the change. */
  part: string;
  /** Findings of the cycle before that it has to answer. */
  earlier: readonly string[];
  signal: AbortSignal;
}

/** The reason of a signal that ends the wait for a review, and not the review. */
export const LEFT = Symbol("left");

/** Runs that review a result for a quality gate: children of the run that handed it in, which is over by then. */
export class GateReviews {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  known(runId: string): Run | undefined {
    return this.#parts.core.runs.get(runId)?.run;
  }

  journal(runId: string): readonly JournalEntry[] {
    return this.#parts.journal(runId);
  }

  /** Whether a result can be looked at in a worktree of its own. */
  canReview(of: Run): boolean {
    return this.#parts.placeOf(of.id) !== undefined;
  }

  /** The run when it is over. Refuses with HallError what can't be started. */
  async review(order: GateReviewOrder): Promise<Run> {
    const { core, ended, cancel } = this.#parts;
    const { runId, signal } = order;
    const run = await core.locks.run(
      `gate review ${runId}`,
      async () => this.known(runId) ?? (await this.#start(order)),
    );
    if (isOver(run)) return run;
    const left = Promise.withResolvers<never>();
    const stop = () => {
      if (signal.reason === LEFT) left.reject(new HallError("gate_refused", "The review continues later."));
      else void cancel(runId, STOPPED).catch(() => undefined);
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
    try {
      return await Promise.race([ended(runId), left.promise]);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async #start({ runId, of, commit, model, timeoutSeconds, part, earlier }: GateReviewOrder): Promise<Run> {
    const { core, spawning, placeOf, enter } = this.#parts;
    const place = placeOf(of.id);
    if (place === undefined) throw new HallError("gate_refused", `Run '${of.id}' has no branch to look at.`);
    const folder = `${core.files.root}/${WORKTREES_FOLDER}`;
    const workplace = lookingAt({ ...place, commit }, { runId, folder });
    const request: SpawnRequest & { projectId: string } = {
      projectId: of.projectId,
      roleId: REVIEWER,
      taskId: of.taskId,
      purpose: "review",
      overrides: { rank: "reviewer", model, timeout: timeoutSeconds },
      variables: {},
      contextFiles: [],
      options: { waitForCompletion: false, notifyOnComplete: false, createArtifact: false },
    };
    const plan = spawning.plan(request, await this.#taskOf(of, request), {
      runId,
      role: this.#role(),
      parent: { runId: of.id, depth: 0, workplace, team: of.team },
      submitted: { isDone: false, run: of, gate: { part, earlier: [...earlier] } },
    });
    return enter(plan, { request, change: { actor: BY_DAEMON } });
  }

  #role(): Role {
    return this.#parts.core.roles.get(REVIEWER) ?? templateOf(REVIEWER);
  }

  /** The person may have removed the task meanwhile: the change can be reviewed all the same. */
  async #taskOf({ projectId, taskId, title }: Run, request: SpawnRequest & { projectId: string }): Promise<Task> {
    try {
      return await this.#parts.hall.tasks.get(projectId, taskId);
    } catch (error) {
      if (!(error instanceof HallError) || error.code !== "task_not_found") throw error;
      return { ...draftTask(request, taskId), title };
    }
  }
}
