import { HallError } from "../../contract/errors.ts";
import type { RouteBody } from "../../contract/routes/routes.ts";
import type { Rollback } from "../../contract/runs/checkpoint.ts";
import type { Delivery, Discard } from "../../contract/runs/delivery.ts";
import type { ReviewComment } from "../../contract/runs/review-comment.ts";
import type { Run, RunDiff, SpawnResponse } from "../../contract/runs/run.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { isGateCode } from "../../contract/words/gate-words.ts";
import type { Change } from "../../workspace/change.ts";
import type { Core } from "../../workspace/core.ts";
import { assertMayDecide } from "../../workspace/own-work.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import type { SpawnedHow } from "../plan/spawning.ts";
import type { RunBook } from "../record/run-book.ts";
import { responseOf } from "../record/run-facts.ts";
import type { RunProgress } from "../record/run-progress.ts";
import type { Runs } from "../runs.ts";
import type { Approval, Delivered, DeliveryPlaces } from "./delivery-place.ts";
import type { Gatekeeper } from "./gatekeeper.ts";
import { decide } from "./lifecycle.ts";
import type { Decision, Moved, Passed, ResultPolicy } from "./lifecycle-events.ts";
import type { LiveDiffs } from "./live-diffs.ts";
import { returnResult } from "./returned-result.ts";
import { noResult, notDecidable } from "./review-refusals.ts";
import { unlessRefused } from "./settlement.ts";
import type { Verdicts } from "./verdicts.ts";
import type { WorkLog, WorkVerdict } from "./work-log.ts";

interface Parts {
  core: Core;
  book: Pick<RunBook, "returned">;
  progress: Pick<RunProgress, "find">;
  verdicts: Verdicts;
  runs: Pick<Runs, "again">;
  places: DeliveryPlaces;
  live: LiveDiffs;
  policyOf: (run: Run) => ResultPolicy;
  gates: Pick<Gatekeeper, "passed" | "judgeAgain">;
  workLog: Pick<WorkLog, "note">;
  secrets: Pick<ProjectSecrets, "of">;
  /** How long a discard can be undone. */
  undoMs: number;
}

type Reviewed = Delivered<"branch" | "folder">;

/** `withTask`: because its task was cancelled or deleted. */
interface DiscardOrder extends Pick<Discard, "task"> {
  withTask?: true;
  /** The status of the task before it was cancelled. */
  taskFrom?: Discard["taskFrom"];
}

/** `overrides`: of the request of the run before, such as another model. `onto`: a commit of the target that it does not work with. */
interface Rework extends Pick<SpawnedHow, "overrides"> {
  onto?: string | undefined;
  runId: string;
  feedback: string;
  comments: ReviewComment[];
}

interface Continuing extends Pick<SpawnedHow, "overrides" | "answers">, Pick<Rework, "onto"> {
  runId: string;
  feedback: string;
  comments?: ReviewComment[];
  /** What the event says. */
  told: string;
}

/** A run after its result was reverted or discarded; in a folder, with what was restored there and what was not. */
interface Reverted {
  run: Run;
  rollback?: Rollback;
}

/** What a person decides about the result of a run. Every decision is an event with that person as its actor. */
export class Review {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async diff(id: string): Promise<RunDiff> {
    const run = this.#find(id);
    const make = () => this.#parts.places.of(run).diff(run);
    return isOver(run) ? make() : this.#parts.live.of(id, make);
  }

  /**
   * Merges what was shown; anything else than what the hash was taken of must be looked at first. Where the quality gates judged
   * something else than what would come into the target by now, they judge that, and it is merged once it passes.
   */
  async approve(id: string, approval: Approval, change: Change): Promise<Run> {
    const { gates } = this.#parts;
    const approved = await this.approvePassed(id, { approval, passed: gates.passed(this.#find(id)) }, change);
    if (!("moved" in approved)) return approved;
    await gates.judgeAgain(this.#find(id), { approval, ...approved }, change);
    return this.#find(id);
  }

  /** As approve, unless something else than what passed would be merged. */
  approvePassed(
    id: string,
    { approval, passed }: { approval: Approval; passed: Passed | undefined },
    change: Change,
  ): Promise<Run | { moved: Moved }> {
    const { places, verdicts } = this.#parts;
    return this.#decide(id, { decision: "approve", change }, async (run) => {
      if (isUnproven(run.delivery)) assertActorMay(change.actor, "waive");
      const event = await places.of(run).deliver(run, approval, passed);
      return "moved" in event ? event : verdicts.record(run, { event, hash: approval.hash }, change);
    });
  }

  /** A new run goes on with the branch, or the folder as it is, and is told what the person said. */
  reject(id: string, asked: RouteBody<"requestChanges">, change: Change): Promise<SpawnResponse> {
    const { places, runs, verdicts, policyOf } = this.#parts;
    const comments = asked.comments.map((comment, at) => ({ id: `C${at + 1}`, ...comment }));
    const feedback = asked.feedback.trim() === "" ? countWords(comments.length) : asked.feedback;
    if (feedback === "") throw new HallError("invalid", "feedback: is required unless there are comments");
    return this.#decide(id, { decision: "reject", change }, async (run) => {
      if (policyOf(run).author === "team") return this.#returnToTeam(run, withComments(feedback, comments), change);
      const next = await places.of(run).forNext(run);
      const response = await runs.again(id, change, { continues: { runId: id, feedback, comments, ...next } });
      const { sessionId } = response;
      await this.#remember(run, "changes requested", feedback);
      // The key of the request is recorded with the run it started.
      await verdicts.record(run, { event: { type: "rejected", next: sessionId }, feedback }, { actor: change.actor });
      await this.#unlessNotContinued(id, sessionId);
      return response;
    });
  }

  /** What a team delivers goes back to it, without a person. */
  async takeBack(id: string, feedback: string, change: Change): Promise<void> {
    await this.#alone(id, "reject", (run) => this.#returnToTeam(run, feedback, change));
  }

  /** The team reads in the log what the person said, and makes a task of it. */
  async #returnToTeam(run: Reviewed, feedback: string, change: Change): Promise<SpawnResponse> {
    await this.#remember(run, "changes requested", feedback);
    return responseOf(await this.#parts.verdicts.record(run, { event: { type: "rejected" }, feedback }, change));
  }

  /**
   * A new run continues what waits for review, because a question of the run was answered. Where it changes nothing, the result
   * waits for review again.
   */
  resume(id: string, { runId, answers }: { runId: string; answers: string }, change: Change): Promise<void> {
    return this.#continue(id, { runId, feedback: "", told: answers, answers }, change);
  }

  /** A new run, whose id is known before, continues what waits for review with what the quality gates found. */
  async rework(id: string, { runId, feedback, ...more }: Rework, change: Change): Promise<void> {
    await this.#continue(id, { runId, feedback, told: feedback, ...more }, change);
    await this.#remember(this.#find(id), "changes requested", feedback);
  }

  #continue(id: string, { runId, feedback, comments, told, onto, ...how }: Continuing, change: Change): Promise<void> {
    const { places, runs, verdicts } = this.#parts;
    return this.#alone(id, "reject", async (run) => {
      const next = await places.of(run).forNext(run);
      const continues = { runId: id, feedback, ...(comments === undefined ? {} : { comments }), onto, ...next };
      await runs.again(id, change, { runId, continues, ...how });
      const event = { type: "rejected" as const, next: runId };
      await verdicts.record(run, { event, feedback: told }, { actor: change.actor });
      await this.#unlessNotContinued(id, runId);
    });
  }

  /** The run that is to continue it may have been cancelled before it was written down that it was sent back. */
  async #unlessNotContinued(id: string, next: string): Promise<void> {
    const { progress, policyOf } = this.#parts;
    const before = progress.find(id).run;
    const { run } = progress.find(next);
    if (!isOver(run)) return;
    const { effects } = decide({ run }, { type: "ended", before }, policyOf(run));
    if (effects.includes("give-back")) await returnResult(this.#parts, id, run);
  }

  /** Before it is noted: after a crash in between it is done again, and not twice. */
  #remember(run: Run, verdict: WorkVerdict, words = ""): Promise<unknown> {
    const { workLog, secrets, core } = this.#parts;
    const text = words === "" ? "" : secrets.of(run.projectId).text(words);
    return unlessRefused(workLog.note(run, { verdict, words: text, at: core.clock().toISOString() }));
  }

  revert(id: string, change: Change): Promise<Reverted> {
    const { places, verdicts } = this.#parts;
    return this.#decide(id, { decision: "revert", change }, async (known) => {
      const { event, ...told } = await places.of(known).takeBack(known, change);
      if (event === undefined) return { run: known, ...told };
      await this.#remember(known, "reverted");
      return { run: await verdicts.record(known, { event }, change), ...told };
    });
  }

  /** Deletes the branch with what waits on it, or rolls the folder back. Can be undone for a while. */
  discard(id: string, { task, withTask, ...order }: DiscardOrder, change: Change): Promise<Reverted> {
    const { places, verdicts, core, undoMs } = this.#parts;
    return this.#decide(id, { decision: "discard", change }, async (known) => {
      const { reason, rollback, ...found } = await places.of(known).discard(known, change);
      const at = core.clock();
      const own = this.#ownTask(known);
      const taskFrom = own && (order.taskFrom ?? own.status);
      const discard = {
        at: at.toISOString(),
        ...(undoMs === 0 ? {} : { until: new Date(at.getTime() + undoMs).toISOString() }),
        ...{ task, ...found },
        ...(withTask ? { withTask } : {}),
        ...(taskFrom === undefined ? {} : { taskFrom }),
      };
      await this.#remember(known, "discarded");
      const run = await verdicts.record(known, { event: { type: "discarded", discard, reason } }, change);
      return { run, ...(rollback === undefined ? {} : { rollback }) };
    });
  }

  /** Undoes a discard. Where another run has the task by now, the result is kept beside that. */
  restore(id: string, change: Change): Promise<Run> {
    const { places, verdicts, core } = this.#parts;
    return this.#decide(id, { decision: "restore", change }, async (known) => {
      await places.of(known).assertRestorable(known);
      const { discard } = known.delivery;
      const task = core.tasks.record(known.projectId, known.taskId);
      const by = task === undefined || task.assignedSubAgentId === id ? undefined : task.assignedSubAgentId;
      await this.#remember(known, "restored");
      // A person may have reopened the task themselves, on the way to where it was.
      const isResumed = discard?.withTask === true;
      return verdicts.record(known, { event: { type: "restored", by, discard, isResumed }, discard }, change);
    });
  }

  /** Undefined where another run has it. */
  #ownTask({ id, projectId, taskId }: Run) {
    const task = this.#parts.core.tasks.record(projectId, taskId);
    return task?.assignedSubAgentId === id ? task : undefined;
  }

  #find(id: string): Reviewed {
    const { run } = this.#parts.progress.find(id);
    const { delivery } = run;
    if (delivery === undefined) throw noResult(run);
    return { ...run, delivery };
  }

  /** Nobody decides about their own work. */
  async #decide<Result>(
    id: string,
    { decision, change }: { decision: Decision; change: Change },
    carryOut: (run: Reviewed) => Promise<Result>,
  ): Promise<Result> {
    assertMayDecide(change.actor, this.#parts.progress.find(id).run, this.#parts.core.runs);
    return this.#alone(id, decision, carryOut);
  }

  /** One decision about a run at a time. */
  #alone<Result>(id: string, decision: Decision, carryOut: (run: Reviewed) => Promise<Result>): Promise<Result> {
    const { core } = this.#parts;
    return core.locks.run(`review ${id}`, async () => {
      const run = this.#find(id);
      const { refused } = decide({ run }, { type: decision, at: core.clock().toISOString() });
      if (refused !== undefined) throw notDecidable(run, decision, refused);
      return carryOut(run);
    });
  }
}

/** Whether quality gates have it, and it did not pass them. */
function isUnproven({ reasonCode, gate }: Delivery): boolean {
  return isGateCode(reasonCode) || (gate !== undefined && gate.verdict !== "pass" && gate.verdict !== "skipped");
}

function withComments(feedback: string, comments: readonly ReviewComment[]): string {
  const lines = comments.map(({ file, line, text }) => `- ${file}:${line}: ${text.replaceAll("\n", "\n  ")}`);
  return [feedback, ...lines].join("\n");
}

/** What feedback says that is comments alone. */
function countWords(comments: number): string {
  if (comments === 0) return "";
  return comments === 1 ? "See the comment." : `See the ${comments} comments.`;
}
