import type { ReviewEscalation } from "../../contract/documents/escalation-status.ts";
import type { GateReview, ReviewEffect } from "../../contract/documents/quality/review.ts";
import type { Moved } from "../../runs/results/lifecycle-events.ts";
import { BY_DAEMON } from "../../workspace/core.ts";
import type { Feedback, HandedIn, Judged, ReviewEvent, ReviewStep, ToldStep } from "./review-events.ts";

interface Begun extends HandedIn, Pick<GateReview, "id" | "projectId" | "taskId" | "maxCycles"> {
  teamId?: string | undefined;
}

/** The first cycle of a result. */
export function beginReview({ teamId, ...begun }: Begun, at: string): GateReview {
  return {
    ...begun,
    ...(teamId === undefined ? {} : { teamId }),
    state: "pending",
    cycle: 1,
    by: "worker",
    cycles: [],
    asked: 0,
    todo: [],
    createdAt: at,
    updatedAt: at,
  };
}

export function isOpen({ state, todo, escalationId }: GateReview): boolean {
  if (todo.length > 0) return true;
  return state === "escalated" ? escalationId !== undefined : !ENDS.has(state);
}

/** Whether it was never judged, nor waited for that. */
export function isUnqueued({ state, cycles }: GateReview): boolean {
  return state === "escalated" && cycles.length === 0;
}

/**
 * A branch or a target that moves on and on is for the person to look at. Not the branch of a team: each of its moves is another
 * result that was merged.
 */
const MOST_MOVES = 3;
const KEPT_MOVING = "The branch or its target kept moving while it was judged.";
const ENDS: ReadonlySet<GateReview["state"]> = new Set(["passed", "failed", "superseded", "cancelled"]);

/** What becomes of a review. Undefined: the event does not concern it, or not any more. */
export function reviewStep(review: GateReview, event: ReviewEvent, at: string): ReviewStep | undefined {
  const step = stepOf(review, event, at);
  return step && { ...step, review: { ...step.review, updatedAt: at } };
}

function stepOf(review: GateReview, event: ReviewEvent, at: string): ReviewStep | undefined {
  const { state, todo } = review;
  switch (event.type) {
    case "handed-in":
      return state === "awaiting-rework" ? nextCycle(review, event) : undefined;
    case "start":
      return state === "pending" ? started(review, event) : undefined;
    case "queue-full":
      return state === "pending" ? toPerson(review, { kind: "unable", reason: event.reason }) : undefined;
    case "judged":
      return state === "running" && review.gateId === event.gateId ? judged(review, event, at) : undefined;
    case "done": {
      if (todo.length === 0) return undefined;
      return carriedOut(review, event.escalationId);
    }
    case "moved":
      return moved(review, event);
    case "approved":
      return state === "passed" && todo.length === 0 ? heldBack(review, event) : undefined;
    case "not-settled":
      return notSettled(review, event.reason);
    case "not-reworked":
      return state === "awaiting-rework" ? notReworked(review, event.reason) : undefined;
    case "stopped":
      return isOpen(review) ? ended(review, "cancelled", event.reason) : undefined;
    case "decided":
      return isOpen(review) ? ended(review, "superseded", event.reason) : undefined;
    case "answered":
      return state === "escalated" && todo.length === 0 ? answered(review, event) : undefined;
  }
}

function quiet(review: GateReview): ReviewStep {
  return { review, told: [] };
}

function carriedOut(review: GateReview, escalationId: string | undefined): ReviewStep {
  const [effect, ...todo] = review.todo;
  const next = { ...review, ...(escalationId === undefined ? {} : { escalationId }), todo };
  // It has passed only now: until it is where it goes, its branch or its target may have moved.
  const isPassed = review.state === "passed" && effect?.do === "settle";
  return isPassed ? { review: next, told: [toldPassed(next, effect.judgement)] } : quiet(next);
}

function toldPassed(review: GateReview, { verdict, score, findings, reason }: SettledBy): ToldStep {
  const about = { verdict, score, findings: findings.length, ...(reason === undefined ? {} : { reason }) };
  return told(verdict === "pass" ? "review.passed" : "review.skipped", review, about);
}

type SettledBy = Extract<ReviewEffect, { do: "settle" }>["judgement"];

/** Judged again as it is now. Whoever approved it anyway was asked about something else, and is asked once more. */
function moved(
  review: GateReview,
  { type: _, ...to }: Extract<ReviewEvent, { type: "moved" }>,
): ReviewStep | undefined {
  const [effect] = review.todo;
  const now = asJudged(review);
  const isAtNewHead = "head" in to;
  if (effect?.do === "approve" && isAtNewHead)
    return toPerson({ ...now, ...to }, { kind: "moved", reason: `The branch is at ${to.head.slice(0, 12)} now.` });
  // What was approved is what was seen: a branch that moved is another diff, which waits for the person.
  if (effect?.do === "merge" && isAtNewHead) return quiet({ ...review, todo: [] });
  const next = { ...movedTo(now, to), moved: (review.moved ?? 0) + 1 };
  const isOver = next.moved > MOST_MOVES && (isAtNewHead || review.teamId === undefined);
  switch (effect?.do) {
    case "settle":
      return isOver ? notJudged(next, KEPT_MOVING) : quiet({ ...next, state: "pending", todo: [] });
    case "merge":
      return isOver
        ? toPerson(next, { kind: "unable", reason: KEPT_MOVING })
        : quiet({ ...next, approval: effect.approval, state: "pending", todo: [] });
    default:
      return undefined;
  }
}

function heldBack(
  review: GateReview,
  { type: _, approval, ...to }: Extract<ReviewEvent, { type: "approved" }>,
): ReviewStep {
  return quiet({ ...movedTo(asJudged(review), to), approval, moved: 1, state: "pending", todo: [] });
}

/** Another commit of the branch is judged as it is. */
function movedTo(review: GateReview, to: Moved): GateReview {
  const { onto: _, ...rest } = review;
  return { ...("head" in to ? rest : review), ...to };
}

function notSettled(review: GateReview, reason: string): ReviewStep | undefined {
  const [effect] = review.todo;
  if (effect?.do === "approve") return toPerson(asJudged(review), { kind: "unable", reason });
  return effect?.do === "settle" ? notJudged(asJudged(review), reason) : undefined;
}

function notJudged(review: GateReview, reason: string): ReviewStep {
  const settle: ReviewEffect = { do: "settle", judgement: { verdict: "unable", score: null, findings: [], reason } };
  return toPerson(review, { kind: "unable", reason, first: [settle] });
}

/** As it was before its gate ended: what was to follow does not. */
function asJudged(review: GateReview): GateReview {
  const { gateId: _, nextRunId: _next, escalationId: _asked, reason: _why, ...rest } = review;
  return { ...rest, by: review.cycles.at(-1)?.by ?? review.by };
}

function nextCycle(review: GateReview, { runId, base, head }: HandedIn): ReviewStep {
  const { gateId: _, nextRunId: _next, onto: _onto, moved: _moved, ...rest } = review;
  return quiet({ ...rest, state: "pending", cycle: review.cycle + 1, runId, base, head, todo: [] });
}

function started(review: GateReview, { type: _, ...begun }: Extract<ReviewEvent, { type: "start" }>): ReviewStep {
  const running: GateReview = { ...review, ...begun, state: "running" };
  return { review: running, told: [told("review.started", running)] };
}

/** What did not pass is not merged, whoever approved it before. */
function judged({ approval, ...before }: GateReview, event: Judged, at: string): ReviewStep {
  const { verdict, score, gateId, findings, reason } = event;
  const { cycle: number, runId, by, onto } = before;
  const cycle = { cycle: number, runId, gateId, by, verdict, score, at, ...(onto === undefined ? {} : { onto }) };
  const merge: ReviewEffect[] = approval === undefined ? [] : [{ do: "merge", approval }];
  const review = { ...before, cycles: [...before.cycles, cycle] };
  const settle: ReviewEffect = {
    do: "settle",
    judgement: { verdict, score, findings, ...(reason === undefined ? {} : { reason }) },
  };
  const about = { verdict, score, findings: findings.length, ...(reason === undefined ? {} : { reason }) };
  switch (verdict) {
    case "pass":
    case "skipped":
      return quiet({ ...review, state: "passed", todo: [settle, ...merge, { do: "close" }] });
    case "unable": {
      const why = reason ?? "The gates could not run.";
      const next = asking(review, { kind: "unable", reason: why, first: [settle] });
      return { review: next, told: [told("review.escalated", next, { ...about, to: "person" })] };
    }
    case "fail":
      return failed(review, event, { settle, about });
  }
}

function failed(
  review: GateReview,
  event: Judged,
  { settle, about }: { settle: ReviewEffect; about: Record<string, unknown> },
): ReviewStep {
  const { missing, nextRunId, escalation, feedback, comments } = event;
  const remediation = (of: GateReview) =>
    missing.length === 0 ? [] : [told("review.remediation_needed", of, { requirements: missing })];
  const isExhausted = review.by !== "worker" || review.cycle >= review.maxCycles;
  if (isExhausted && (review.by !== "worker" || escalation === undefined)) {
    const next = asking(review, { kind: "exhausted", reason: feedback, first: [settle], more: [{ do: "block" }] });
    const steps = [told("review.failed", next, about), ...remediation(next)];
    return { review: next, told: [...steps, told("review.escalated", next, { to: "person", ...about })] };
  }
  const by = isExhausted ? "escalation" : "worker";
  const model = isExhausted ? escalation?.model : undefined;
  const next = reworking(review, {
    rework: { runId: nextRunId, feedback, comments, by, actor: BY_DAEMON, ...(model === undefined ? {} : { model }) },
    first: [settle],
  });
  const sent = told("review.failed", next, { ...about, nextRunId, comments: comments.length });
  const passedOn = isExhausted ? [told("review.escalated", next, { to: "escalation", model, nextRunId })] : [];
  return { review: next, told: [sent, ...remediation(next), ...passedOn] };
}

type Rework = Omit<Extract<ReviewEffect, { do: "rework" }>, "do">;

function reworking(
  review: GateReview,
  { rework, first = [] }: { rework: Rework; first?: readonly ReviewEffect[] },
): GateReview {
  const { escalationId: _, ...rest } = review;
  const todo: ReviewEffect[] = [...first, { do: "rework", ...rework }];
  return { ...rest, state: "awaiting-rework", by: rework.by, nextRunId: rework.runId, todo };
}

interface Asking {
  kind: ReviewEscalation;
  reason: string;
  first?: readonly ReviewEffect[];
  more?: readonly ReviewEffect[];
}

function asking(review: GateReview, { kind, reason, first = [], more = [] }: Asking): GateReview {
  const { escalationId: _, ...rest } = review;
  const todo: ReviewEffect[] = [...first, { do: "ask", kind, reason }, ...more];
  return { ...rest, state: "escalated", asked: review.asked + 1, todo };
}

/** The result is back, and waits for the person. */
function notReworked(review: GateReview, reason: string): ReviewStep {
  return toPerson(review, { kind: "not-reworked", reason, more: [{ do: "block" }] });
}

function toPerson(review: GateReview, asked: Asking): ReviewStep {
  const next = asking(review, asked);
  return { review: next, told: [told("review.escalated", next, { to: "person", reason: asked.reason })] };
}

function ended(review: GateReview, state: "superseded" | "cancelled", reason: string): ReviewStep {
  const { escalationId, ...rest } = review;
  const todo: ReviewEffect[] = review.state === "escalated" ? [{ do: "withdraw", reason }] : [];
  const kept = todo.length === 0 || escalationId === undefined ? {} : { escalationId };
  return quiet({ ...rest, ...kept, state, reason, todo });
}

type Answered = Extract<ReviewEvent, { type: "answered" }>;

function answered(review: GateReview, event: Answered): ReviewStep {
  const { answer, actor, nextRunId, feedback, comments } = event;
  const { escalationId: _, ...rest } = review;
  switch (answer) {
    case "approve":
      return quiet({ ...rest, reason: "approved by the person", todo: [{ do: "approve", actor }] });
    case "give-up": {
      const given: GateReview = { ...rest, state: "failed", reason: "given up", todo: [{ do: "give-up", actor }] };
      return { review: given, told: [told("review.failed", given, { reason: "given up" })] };
    }
    case "retry": {
      const { gateId: _gate, moved: _moved, ...again } = rest;
      return quiet({ ...again, state: "pending", todo: [] });
    }
    case "request-changes": {
      const rework: Rework = { runId: nextRunId, by: "person", actor, ...changes({ feedback, comments }) };
      const next = reworking(review, { rework });
      return { review: next, told: [told("review.failed", next, { nextRunId, comments: comments.length })] };
    }
    case "none":
      return quiet({ ...rest, reason: "not answered", todo: [] });
  }
}

function changes({ feedback, comments }: Feedback): Feedback {
  return { feedback: feedback.trim() === "" ? "See the findings." : feedback, comments };
}

function told(type: ToldStep["type"], review: GateReview, more: Record<string, unknown> = {}): ToldStep {
  const { id, taskId, runId, gateId, cycle, maxCycles, by, onto } = review;
  return { type, after: { reviewId: id, taskId, runId, gateId, cycle, maxCycles, by, onto, ...more } };
}
