import type { GateReview, ReviewEffect } from "../../contract/documents/quality/review.ts";
import { HallError } from "../../contract/errors.ts";
import type { Actor } from "../../contract/event.ts";
import type { DeliveryGate } from "../../contract/runs/delivery.ts";
import type { EscalationChanges } from "../../people/asking/escalation-changes.ts";
import type { JudgedResults } from "../../runs/results/judged-results.ts";
import type { Judgement } from "../../runs/results/lifecycle-events.ts";
import type { Review } from "../../runs/results/review.ts";
import { unlessRefused } from "../../runs/results/settlement.ts";
import { BY_DAEMON, type Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { blockLock } from "../../workspace/tasks/block-lock.ts";
import type { ReviewEvent, ReviewStep } from "./review-events.ts";
import { reviewQuestion } from "./review-questions.ts";
import { reviewStep } from "./review-step.ts";
import type { ReviewStore } from "./review-store.ts";

interface Parts {
  core: Core;
  hall: Hall;
  store: ReviewStore;
  judged: Pick<JudgedResults, "judged" | "giveUp" | "close">;
  review: Pick<Review, "rework" | "approve" | "approvePassed" | "diff">;
  changes: Pick<EscalationChanges, "step">;
  /** Resolves when models are known. */
  settle: () => Promise<unknown>;
}

type EffectOf<Do extends ReviewEffect["do"]> = Extract<ReviewEffect, { do: Do }>;

const DONE: ReviewEvent = { type: "done" };
const DECIDED: ReviewEvent = { type: "decided", reason: "a person decided about the result" };
/** How many answered questions are looked through for one that a crash kept from being noted. */
const MOST_LOOKED_AT = 200;
/** Failures that pass by themselves. */
const PASSING: readonly string[] = ["storage_failed", "stopping", "internal"];

/**
 * Carries out the first thing that a review still has to do. Answers the event that follows, `saved` where it is on disk
 * already, or `waits` where it can't be done now. Throws where it has to be tried again.
 */
export class ReviewEffects {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  carryOut(review: GateReview, effect: ReviewEffect): Promise<ReviewEvent | "saved" | "waits"> {
    switch (effect.do) {
      case "settle":
        return this.#settle(review, effect);
      case "close":
        return this.#parts.judged.close(review.runId).then(() => DONE);
      case "rework":
        return this.#rework(review, effect);
      case "ask":
        return this.#ask(review, effect);
      case "block":
        return this.#block(review).then(() => DONE);
      case "withdraw":
        return this.#withdraw(review, effect.reason).then(() => DONE);
      case "approve":
        return this.#approve(review, effect.actor);
      case "merge":
        return this.#merge(review, effect);
      case "give-up":
        return this.#giveUp(review, effect.actor);
    }
  }

  /** What became of the result and that it is done are one change. */
  async #settle(review: GateReview, { judgement }: EffectOf<"settle">): Promise<ReviewEvent | "saved"> {
    const { judged, store } = this.#parts;
    const { head, onto } = review;
    const late = { judgement: judgementOf(review, judgement), head, onto };
    const became = await judged.judged(review.runId, late, () => store.together(this.#done(review)));
    if (became === undefined) return DECIDED;
    if ("moved" in became) return { type: "moved", ...became.moved };
    return "unable" in became ? { type: "not-settled", reason: became.unable } : "saved";
  }

  #done(review: GateReview): ReviewStep {
    const step = reviewStep(review, DONE, this.#now());
    if (step === undefined) throw new Error(`${review.id} has nothing to do`);
    return step;
  }

  /** Known by its id before it starts, so that it starts once. */
  async #rework(review: GateReview, effect: EffectOf<"rework">): Promise<ReviewEvent | "waits"> {
    const { core, review: results } = this.#parts;
    const { runId, feedback, comments, model, actor } = effect;
    const { projectId, taskId } = review;
    if (core.runs.get(runId) !== undefined) return DONE;
    if (core.runs.get(review.runId)?.run.delivery?.state !== "review") return DECIDED;
    if (core.projects.status(projectId) === "suspended") return "waits";
    await this.#parts.settle();
    await this.#free(review);
    const why = `review ${review.id}, cycle ${review.cycle}`;
    const overrides = model === undefined ? {} : { overrides: { model } };
    try {
      const { onto } = review;
      await results.rework(review.runId, { runId, feedback, comments, onto, ...overrides }, { actor, why });
      return DONE;
    } catch (error) {
      if (!(error instanceof HallError) || PASSING.includes(error.code)) throw error;
      // A later step of the spawn may have been refused.
      if (core.runs.get(runId) !== undefined) return DONE;
      return { type: "not-reworked", reason: `No run could be started on ${taskId}: ${error.message}` };
    }
  }

  async #ask(review: GateReview, { kind, reason }: EffectOf<"ask">): Promise<ReviewEvent> {
    const { core, hall } = this.#parts;
    const known = this.#questionOf(review);
    if (known !== undefined) return { type: "done", escalationId: known.id };
    const { projectId, taskId } = review;
    const task = core.tasks.record(projectId, taskId);
    const title = task?.title ?? taskId;
    const plan = hall.documents.initiatives(projectId).find(({ slug }) => slug === task?.plan)?.slug;
    const asked = reviewQuestion(review, { kind, reason, title, plan, at: this.#now() });
    const { id } = await hall.escalations.create(asked, { actor: BY_DAEMON });
    return { type: "done", escalationId: id };
  }

  /** A crash may have come before its id was noted. */
  #questionOf({ id, asked, projectId: project }: GateReview): StoredEscalation | undefined {
    const { escalations } = this.#parts.hall;
    const isOurs = ({ review }: StoredEscalation) => review?.id === id && review.number === asked;
    return (
      escalations.open().find(isOurs) ??
      escalations
        .list({ status: "resolved", type: "approval", project, limit: MOST_LOOKED_AT })
        .escalations.find(isOurs)
    );
  }

  /** The task goes on when the person has answered. */
  async #block(review: GateReview): Promise<void> {
    const { projectId, taskId, runId, escalationId } = review;
    const isOpen = this.#parts.hall.escalations.open().some(({ id }) => id === escalationId);
    if (escalationId === undefined || !isOpen) return;
    await this.#onTask(review, async ({ status, assignedSubAgentId, escalations = [] }) => {
      if (status !== "review" || assignedSubAgentId !== runId) return;
      const names = [...new Set([...escalations, escalationId])].sort();
      const update = { status: "blocked" as const, outcome: "escalated" as const, escalations: names };
      const why = `blocked by ${escalationId}`;
      await this.#parts.hall.tasks.update(projectId, taskId, update, { actor: BY_DAEMON, why });
    });
  }

  /** Whoever frees tasks of answered questions may not have come to it yet. */
  async #free(review: GateReview): Promise<void> {
    const { projectId, taskId, runId } = review;
    const open = new Set(this.#parts.hall.escalations.open().map(({ id }) => id));
    await this.#onTask(review, async ({ status, assignedSubAgentId, escalations = [] }) => {
      const isOurs = status === "blocked" && assignedSubAgentId === runId;
      if (!isOurs || escalations.some((id) => open.has(id))) return;
      const update = { status: "review" as const, escalations: null };
      await this.#parts.hall.tasks.update(projectId, taskId, update, { actor: BY_DAEMON, why: "answered" });
    });
  }

  /** A task that is gone, or that its person has moved, is left alone. */
  async #onTask(
    { projectId, taskId }: GateReview,
    change: (task: Awaited<ReturnType<Hall["tasks"]["get"]>>) => Promise<void>,
  ): Promise<void> {
    const { core, hall } = this.#parts;
    await core.locks.run(blockLock(projectId, taskId), async () => {
      const task = await unlessRefused(hall.tasks.get(projectId, taskId));
      if (task !== undefined) await unlessRefused(change(task));
    });
  }

  async #withdraw({ escalationId }: GateReview, reason: string): Promise<void> {
    if (escalationId === undefined) return;
    await unlessRefused(this.#parts.changes.step(escalationId, { type: "withdraw", reason }));
  }

  /** What keeps it from being merged is shown with the result, which waits for the person again. */
  async #approve(review: GateReview, actor: Actor): Promise<ReviewEvent> {
    const { core, hall, review: results } = this.#parts;
    const { runId, projectId, taskId } = review;
    const state = core.runs.get(runId)?.run.delivery?.state;
    if (state === "review" || state === "kept") {
      const diff = await unlessRefused(results.diff(runId));
      if (diff === undefined) return { type: "not-settled", reason: "Its changes can't be read." };
      const { head, base, hash } = diff;
      // They were asked about what was judged.
      if (head !== "" && head !== review.head) return { type: "moved", head, base };
      await unlessRefused(results.approve(runId, { hash }, { actor }));
    }
    if (core.runs.get(runId)?.run.delivery?.state !== "delivered") return DONE;
    const task = await unlessRefused(hall.tasks.get(projectId, taskId));
    if (task?.status === "done" && task.assignedSubAgentId === runId)
      await unlessRefused(hall.tasks.update(projectId, taskId, { outcome: "escalated" }, { actor, isChecked: true }));
    return DONE;
  }

  /** What keeps it from being merged, other than that it moved, is shown with the result. */
  async #merge({ runId, head, onto }: GateReview, { approval: held }: EffectOf<"merge">): Promise<ReviewEvent> {
    const { core, review: results } = this.#parts;
    const { actor, ...approval } = held;
    if (core.runs.get(runId)?.run.delivery?.state !== "review") return DONE;
    const order = { approval, passed: { head, onto } };
    const merged = await unlessRefused(results.approvePassed(runId, order, { actor }));
    return merged !== undefined && "moved" in merged ? { type: "moved", ...merged.moved } : DONE;
  }

  async #giveUp(review: GateReview, actor: Actor): Promise<ReviewEvent | "saved"> {
    const { hall, judged, store } = this.#parts;
    const { projectId, taskId, runId } = review;
    await this.#onTask(review, async ({ status, assignedSubAgentId }) => {
      if ((status !== "blocked" && status !== "review") || assignedSubAgentId !== runId) return;
      const update = { status: "failed" as const, outcome: "escalated" as const, escalations: null };
      await hall.tasks.update(projectId, taskId, update, { actor, why: "given up after its review" });
    });
    const delivery = await judged.giveUp(runId, () => store.together(this.#done(review)));
    return delivery === undefined ? DONE : "saved";
  }

  #now(): string {
    return this.#parts.core.clock().toISOString();
  }
}

export function gateOf({ id, gateId, cycle }: GateReview): DeliveryGate {
  return { reviewId: id, cycle, ...(gateId === undefined ? {} : { id: gateId }) };
}

function judgementOf(
  review: GateReview,
  { verdict, score, findings, reason }: EffectOf<"settle">["judgement"],
): Judgement {
  const gate = { ...gateOf(review), verdict, score };
  if (verdict === "fail") return { is: "fail", findings, gate };
  if (verdict === "unable") return { is: "unable", reason: reason ?? "no reason was given", gate };
  return { is: "pass", gate };
}
