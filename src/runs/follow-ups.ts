import { HallError } from "../contract/errors.ts";
import type { Run } from "../contract/runs/run.ts";
import { isOver } from "../contract/runs/run-status.ts";
import type { Change } from "../workspace/change.ts";
import type { Core } from "../workspace/core.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import type { RunBook } from "./record/run-book.ts";
import type { Review } from "./results/review.ts";
import type { Runs } from "./runs.ts";
import type { Waits } from "./schedule/waits.ts";

interface Parts {
  core: Core;
  hall: Hall;
  runs: Pick<Runs, "again" | "enqueue" | "message" | "journal">;
  waits: Pick<Waits, "answerTo" | "resume">;
  review: Pick<Review, "resume">;
  book: Pick<RunBook, "catchUp">;
  /** Resolves when models and sandbox are known. */
  settle: () => Promise<unknown>;
}

/** An answer on its way to the run that asked. Bringing it again under the same id brings it once. */
export interface RunAnswer {
  /** Of the answer, for this asker. */
  id: string;
  text: string;
  /** The tool call that waits for it. */
  callId?: string | undefined;
}

/** A call that a run waits for an answer to. */
export interface WaitingCall {
  run: Run;
  callId: string;
  /** Undefined for a run that waits since before this was recorded. */
  escalationId: string | undefined;
  since: string;
}

interface FollowUpAnswer extends RunAnswer {
  followUpRunId: string;
  /** Whether it was attempted before under that id. */
  isAgain: boolean;
}

/** `over`: the run has ended without it. */
export type Brought = "brought" | "over";

/** `later`: the project or the task can't take a run now. `gone`: there is nobody left to take it. */
export type FollowUpState = "ready" | "later" | "gone";

/** Before the id of a message that was sent under a key. */
const ENDED_BY_ITSELF: readonly Run["status"][] = ["completed", "failed"];
const KEYED = "key-";

/** Brings answers to runs, or to a run that continues where one is over. */
export class FollowUps {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** As the result of the call that waits for it, or as a message in its next model request. Durable when it resolves. */
  async bring(runId: string, { id, text, callId }: RunAnswer, change: Change): Promise<Brought> {
    const { core, waits } = this.#parts;
    const known = core.runs.get(runId);
    if (known === undefined) return "over";
    if (callId !== undefined) {
      if (waits.answerTo(runId, callId) !== undefined) return "brought";
      return (await waits.resume(runId, { callId, answer: { output: text } })) ? "brought" : "over";
    }
    if (isOver(known.run)) return this.#hasMessage(runId, id) ? "brought" : "over";
    return this.#message(runId, { id, text }, change);
  }

  /** Answers that a run was given as messages, and that its model was never sent; none of a run that was stopped. */
  unheard(runId: string, isAnswer: (id: string) => boolean): string[] {
    const known = this.#parts.core.runs.get(runId);
    if (known === undefined || !ENDED_BY_ITSELF.includes(known.run.status)) return [];
    const ids = known.messages.flatMap(({ id }) => (id.startsWith(KEYED) ? [id.slice(KEYED.length)] : []));
    return ids.filter((id) => isAnswer(id) && !this.#hasMessage(runId, id));
  }

  waiting(): WaitingCall[] {
    return this.#parts.core.runs.unsettled(undefined).flatMap(({ run, waiting }) => {
      if (waiting?.reason !== "answer" || waiting.callId === undefined) return [];
      const { callId, escalationId, since } = waiting;
      return [{ run, callId, escalationId, since }];
    });
  }

  /** Whether a run can take an answer to what this one asked. */
  stateOf(runId: string, followUpRunId: string | undefined): FollowUpState {
    const { core } = this.#parts;
    if (followUpRunId !== undefined && core.runs.get(followUpRunId) !== undefined) return "ready";
    const run = core.runs.get(runId)?.run;
    const status = run && core.projects.status(run.projectId);
    if (run === undefined || status === undefined || status === "archived") return "gone";
    const task = core.tasks.record(run.projectId, run.taskId);
    if (task === undefined || task.status === "cancelled") return "gone";
    return status !== "active" || task.status === "blocked" ? "later" : "ready";
  }

  /**
   * A run takes the answer on the task of one that is over: the one that is at work on it, or a new one. Under one run id it starts
   * once. False: not now.
   */
  async start(runId: string, answer: FollowUpAnswer, change: Change): Promise<boolean> {
    const { core, hall, runs, review, settle } = this.#parts;
    const { followUpRunId, isAgain, text: answers } = answer;
    const run = this.#rootOf(runId);
    if (isAgain && core.runs.get(followUpRunId) === undefined) await this.#catchUp(run.projectId);
    const made = core.runs.get(followUpRunId)?.run;
    if (made !== undefined) {
      // It may have been recorded on a full disk just when the attempt failed, and then nothing has started it.
      if (made.status === "pending") await runs.enqueue(made);
      return true;
    }
    const { assignedSubAgentId: assigned = "" } = await hall.tasks.get(run.projectId, run.taskId);
    const active = core.runs.get(assigned)?.run;
    if (active !== undefined && !isOver(active)) return (await this.#message(active.id, answer, change)) === "brought";
    await settle();
    const how = { runId: followUpRunId, answers };
    if (assigned === run.id && run.delivery?.state === "review") await review.resume(run.id, how, change);
    else await runs.again(run.id, change, how);
    return true;
  }

  /** On a full disk an earlier attempt may have been refused, and recorded all the same. */
  async #catchUp(projectId: string): Promise<void> {
    await this.#parts.core.changes.checkpoint();
    this.#parts.book.catchUp(projectId);
  }

  /** What another run started is a part of that one's work. */
  #rootOf(runId: string): Run {
    const run = this.#parts.core.runs.get(runId)?.run;
    if (run === undefined) throw new HallError("run_not_found", `There is no run '${runId}'.`);
    return run.parentRunId === undefined ? run : this.#rootOf(run.parentRunId);
  }

  async #message(runId: string, { id, text }: RunAnswer, change: Change): Promise<Brought> {
    try {
      await this.#parts.runs.message(runId, text, { ...change, request: { key: id, fingerprint: "" } });
      return "brought";
    } catch (error) {
      if (!(error instanceof HallError) || error.code !== "run_ended") throw error;
      return this.#hasMessage(runId, id) ? "brought" : "over";
    }
  }

  /** Whether the model of a run that is over was sent it. */
  #hasMessage(runId: string, id: string): boolean {
    return this.#parts.runs.journal(runId).some((entry) => entry.type === "message" && entry.id === `${KEYED}${id}`);
  }
}
