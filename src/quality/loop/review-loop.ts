import { backoffMs } from "../../contract/backoff.ts";
import type { GateReport } from "../../contract/documents/quality/gate.ts";
import type { GateReview } from "../../contract/documents/quality/review.ts";
import type { Actor, HallEvent } from "../../contract/event.ts";
import { isOver } from "../../contract/runs/run-status.ts";
import { errorText } from "../../contract/words/error-text.ts";
import { wordsBeside } from "../../people/rules/offered-answers.ts";
import { LEFT } from "../../runs/plan/gate-reviews.ts";
import type { JudgedResults } from "../../runs/results/judged-results.ts";
import { unlessRefused } from "../../runs/results/settlement.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { feedbackOf, feedbackWith, missingIn, shownFindings } from "./feedback.ts";
import type { GateEngine } from "./gate-engine.ts";
import type { ReviewCheckpoints } from "./review-checkpoints.ts";
import { gateOf, type ReviewEffects } from "./review-effects.ts";
import type { Judged, ReviewEvent } from "./review-events.ts";
import { answerIn } from "./review-questions.ts";
import { standingOf } from "./review-standing.ts";
import { reviewStep } from "./review-step.ts";
import { MOST_QUEUED, QUEUE_LOCK, type ReviewStore } from "./review-store.ts";

interface Parts {
  core: Core;
  hall: Pick<Hall, "escalations">;
  store: ReviewStore;
  effects: ReviewEffects;
  engine: GateEngine;
  judged: Pick<JudgedResults, "judging" | "targetOf">;
  checkpoints: Pick<ReviewCheckpoints, "before" | "after">;
  /** What the one try after the worker's is made with; undefined where no such model can be asked. */
  escalationOf: (projectId: string) => Judged["escalation"];
  onTrouble: (what: string, error: unknown) => void;
}

/** Gates that run at the same time. */
const MOST_RUNNING = 2;
const RETRY = { firstMs: 1_000, longestMs: 60_000 };
/** Events after which a review may go on, or have been overtaken. */
const CONCERNING: readonly HallEvent["type"][] = [
  "run.created",
  "run.ended",
  "run.approved",
  "run.rejected",
  "run.discarded",
  "run.restored",
  "task.moved",
  "task.removed",
  "project.moved",
  "escalation.resolved",
];

/**
 * Takes results through the gates: judges each, has a worker improve what failed, and asks the person where that comes to no
 * end. What it decides is on disk before it is done, so that it continues after a crash where it was.
 */
export class ReviewLoop {
  readonly #parts: Parts;
  readonly #running = new Map<string, AbortController>();
  /** Whose turn has come, until their documents say so. */
  readonly #starting = new Set<string>();
  readonly #atWork = new Set<Promise<void>>();
  #failures = 0;
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Continues what a restart interrupted. */
  start(): void {
    this.#lookAll();
  }

  /** Must not throw. */
  heed({ type, subject, projectId, after }: HallEvent): void {
    if (!CONCERNING.includes(type)) return;
    const isAbout = (review: GateReview) =>
      review.projectId === projectId &&
      (subject.id === review.runId ||
        subject.id === review.nextRunId ||
        subject.id === review.taskId ||
        subject.id === review.escalationId ||
        subject.kind === "project" ||
        after?.taskId === review.taskId ||
        type === "escalation.resolved");
    for (const review of this.#parts.store.open()) if (isAbout(review)) this.look(review.id);
  }

  /** Does what can be done for a review. Does not wait. */
  look(id: string): void {
    if (this.#isClosed) return;
    const advance = () => this.#advance(id).finally(() => this.#starting.delete(id));
    const work = this.#alone(id, advance).then(
      () => undefined,
      (error) => this.#failed(id, error),
    );
    this.#atWork.add(work);
    void work.then(() => this.#atWork.delete(work));
  }

  /** Gates under way are given up; the next start judges again under the same id. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    for (const controller of this.#running.values()) controller.abort(LEFT);
    await Promise.all(this.#atWork);
  }

  #lookAll(): void {
    for (const { id } of this.#parts.store.open()) this.look(id);
  }

  /** As on a full disk: tried again later. */
  #failed(id: string, error: unknown): void {
    if (this.#isClosed) return;
    this.#parts.onTrouble(`the review ${id} could not continue yet`, error);
    clearTimeout(this.#again);
    this.#failures += 1;
    this.#again = setTimeout(
      () => this.#lookAll(),
      backoffMs(RETRY, this.#failures, () => 1),
    ).unref();
  }

  /** One step after the other, until the review waits for something. */
  async #advance(id: string): Promise<void> {
    const { core, store, effects, checkpoints } = this.#parts;
    await core.shown.caughtUp();
    let last = store.get(id);
    for (let review = store.get(id); review !== undefined && !this.#isClosed; review = store.get(id)) {
      last = review;
      const [effect] = review.todo;
      const next = await (effect === undefined ? this.#due(review) : effects.carryOut(review, effect));
      if (next === "saved") continue;
      if (next === "waits" || next === undefined) break;
      const isSaved = await this.#take(review, next);
      if (!isSaved) break;
    }
    this.#failures = 0;
    const review = store.get(id);
    // The last that was known of it says where its commits are.
    if (review === undefined && last !== undefined) {
      await checkpoints.after(last);
      // Its target is free for the next one.
      this.#lookAll();
    }
    if (review?.state === "running") this.#judge(review);
    else this.#running.get(id)?.abort();
  }

  /** What happened to its run, its task or its question since. */
  async #due(review: GateReview): Promise<ReviewEvent | undefined> {
    const { core, judged } = this.#parts;
    const event = standingOf(review, {
      run: (runId) => core.runs.get(runId)?.run,
      task: core.tasks.record(review.projectId, review.taskId)?.status,
    });
    if (event !== undefined) return event;
    if (review.state === "escalated") return this.#answerTo(review);
    const run = core.runs.get(review.runId)?.run;
    // Reviewers can't be started in a project that is suspended.
    const isHeld = core.projects.status(review.projectId) === "suspended";
    const isReady = review.state === "pending" && run !== undefined && isOver(run) && !isHeld;
    if (!isReady || !this.#isItsTurn(review)) return undefined;
    this.#starting.add(review.id);
    // The target may have moved on while it waited for its turn.
    const onto = review.onto === undefined ? undefined : await judged.targetOf(run);
    return { type: "start", gateId: `gate-${core.nextId()}`, ...(onto === undefined ? {} : { onto }) };
  }

  /** Results that are judged together with a target that moved take turns, because each moves it again. */
  #isItsTurn({ projectId, onto }: GateReview): boolean {
    const open = this.#parts.store.open();
    const isRunning = ({ id, state }: GateReview) => state === "running" || this.#starting.has(id);
    const isAhead = (other: GateReview) =>
      other.projectId === projectId &&
      other.onto !== undefined &&
      (isRunning(other) || (other.state === "passed" && other.todo.length > 0));
    return open.filter(isRunning).length < MOST_RUNNING && !(onto !== undefined && open.some(isAhead));
  }

  async #answerTo({ escalationId = "", cycles }: GateReview): Promise<ReviewEvent | undefined> {
    const { core, hall, engine } = this.#parts;
    const found = await unlessRefused(hall.escalations.get(escalationId));
    // A document that the person removed is no answer: the result waits for them.
    if (found !== undefined && found.status !== "resolved") return undefined;
    if (found === undefined && hall.escalations.isUnreadable(escalationId)) return undefined;
    const actor: Actor = { kind: "person", via: "http" };
    const report = engine.report(cycles.at(-1)?.gateId ?? "");
    return {
      type: "answered",
      answer: found === undefined ? "none" : answerIn(found),
      nextRunId: `run-${core.nextId()}`,
      actor,
      ...feedbackWith(found === undefined ? "" : wordsBeside(found), report),
    };
  }

  #take(review: GateReview, event: ReviewEvent): Promise<boolean> {
    if (event.type === "start") return this.#begin(review, event);
    return event.type === "answered" && event.answer === "retry"
      ? this.#queue(review, event)
      : this.#save(review, event);
  }

  /** Waits for a place where there is none. */
  #queue(review: GateReview, event: ReviewEvent): Promise<boolean> {
    const { core, store } = this.#parts;
    return core.locks.run(QUEUE_LOCK, async () => store.queued() < MOST_QUEUED && this.#save(review, event));
  }

  async #save(review: GateReview, event: ReviewEvent): Promise<boolean> {
    const step = reviewStep(review, event, this.#now());
    if (step === undefined) return false;
    await this.#parts.store.save(step);
    return true;
  }

  /** That it is judged, and under which id, is on disk before it begins. */
  async #begin(review: GateReview, event: Extract<ReviewEvent, { type: "start" }>): Promise<boolean> {
    const { judged, store } = this.#parts;
    const step = reviewStep(review, event, this.#now());
    if (step === undefined) return false;
    const about = { gate: gateOf(step.review), isApproved: review.approval !== undefined };
    const begun = await judged.judging(review.runId, about, () => store.together(step));
    if (begun !== undefined) return true;
    return this.#save(review, { type: "decided", reason: "a person decided about the result" });
  }

  #judge(review: GateReview): void {
    const { core, engine, checkpoints } = this.#parts;
    const { id, gateId = "", runId, cycle, base, head, onto, cycles } = review;
    const run = core.runs.get(runId)?.run;
    if (this.#running.has(id) || run === undefined || this.#isClosed) return;
    const controller = new AbortController();
    this.#running.set(id, controller);
    // What was judged together with a target is no cycle of its own: nothing in it was reviewed.
    const own = cycles.filter((one) => one.onto === undefined);
    const passed = onto === undefined ? undefined : own.findLast(({ verdict }) => verdict === "pass")?.gateId;
    const order = { gateId, run, base, head, onto, passed, cycle, earlier: own.map((one) => one.gateId) };
    const work = checkpoints
      .before(review)
      .then(() => engine.judge(order, controller.signal))
      .catch((error: unknown) => ({ error }))
      .then((report) => this.#judged(id, { gateId, report, isStopped: controller.signal.aborted }))
      .catch((error) => this.#failed(id, error))
      .finally(() => {
        this.#running.delete(id);
        // A place is free, and this one may go on.
        this.#lookAll();
      });
    this.#atWork.add(work);
    void work.then(() => this.#atWork.delete(work));
  }

  async #judged(
    id: string,
    { gateId, report, isStopped }: { gateId: string; report: GateReport | { error: unknown }; isStopped: boolean },
  ): Promise<void> {
    // What was stopped has no verdict.
    if (isStopped || this.#isClosed) return;
    await this.#alone(id, async () => {
      const review = this.#parts.store.get(id);
      if (review !== undefined) await this.#save(review, this.#eventOf(review, gateId, report));
    });
  }

  /** A gate that threw, or that has no verdict, has not judged. */
  #eventOf({ projectId }: GateReview, gateId: string, report: GateReport | { error: unknown }): Judged {
    const { core, escalationOf } = this.#parts;
    const common = { type: "judged" as const, gateId, nextRunId: `run-${core.nextId()}` };
    const nothing = { score: null, findings: [], missing: [], feedback: "", comments: [], escalation: undefined };
    if ("error" in report) return { ...common, ...nothing, verdict: "unable", reason: errorText(report.error) };
    const { verdict = "unable", score, reason } = report;
    return {
      ...common,
      verdict,
      score,
      findings: shownFindings(report),
      missing: missingIn(report),
      ...feedbackOf(report),
      ...(reason === undefined ? {} : { reason: reason.text }),
      escalation: verdict === "fail" ? escalationOf(projectId) : undefined,
    };
  }

  #alone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    return this.#parts.core.locks.run(reviewLock(id), work);
  }

  #now(): string {
    return this.#parts.core.clock().toISOString();
  }
}

/** Held by whoever changes the document of a review. */
export function reviewLock(id: string): string {
  return `gate review ${id}`;
}
