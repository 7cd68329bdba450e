import type { GateReview, HeldApproval } from "../../contract/documents/quality/review.ts";
import type { Actor, EventType } from "../../contract/event.ts";
import type { ReviewComment } from "../../contract/runs/review-comment.ts";
import type { ReviewFinding } from "../../contract/runs/run-review.ts";
import type { GateVerdict } from "../../contract/words/gate-words.ts";
import type { Moved } from "../../runs/results/lifecycle-events.ts";

/** A result that is handed in, and the tree that is judged. */
export interface HandedIn {
  runId: string;
  base: string;
  head: string;
}

/** What a worker is told of a gate. */
export interface Feedback {
  feedback: string;
  comments: ReviewComment[];
}

/** A gate that came to an end. */
export interface Judged extends Feedback {
  type: "judged";
  gateId: string;
  verdict: GateVerdict;
  score: number | null;
  findings: ReviewFinding[];
  /** Requirements that were found missing. */
  missing: string[];
  reason?: string | undefined;
  /** The id of the run that may follow. */
  nextRunId: string;
  /** What the one try after the worker's is made with; undefined where no such model can be asked. */
  escalation: { model?: string | undefined } | undefined;
}

export const REVIEW_ANSWERS = ["approve", "request-changes", "give-up", "retry", "none"] as const;
export type ReviewAnswer = (typeof REVIEW_ANSWERS)[number];

export type ReviewEvent =
  /** The next cycle's result. */
  | ({ type: "handed-in" } & HandedIn)
  /** There was no place for it. */
  | { type: "queue-full"; reason: string }
  /** It is its turn; with a target that moved, it is judged as it would be merged into `onto`. */
  | { type: "start"; gateId: string; onto?: string }
  | Judged
  /** An effect was carried out. */
  | { type: "done"; escalationId?: string | undefined }
  /** Its branch or its target has other commits by now than those that were judged. */
  | ({ type: "moved" } & Moved)
  /** A person approved what passed, and its branch or its target has moved since. */
  | ({ type: "approved"; approval: HeldApproval } & Moved)
  /** What was decided can't be carried out. */
  | { type: "not-settled"; reason: string }
  /** The rework could not be started, or changed nothing. */
  | { type: "not-reworked"; reason: string }
  /** A person stopped what it waits for, or its task is gone. */
  | { type: "stopped"; reason: string }
  /** A person, or another run, decided about the result. */
  | { type: "decided"; reason: string }
  /** `nextRunId`: of the run that may follow. `none`: the person does not want to answer. */
  | ({ type: "answered"; answer: ReviewAnswer; nextRunId: string; actor: Actor } & Feedback);

/** What the log is told. */
export interface ToldStep {
  type: Extract<EventType, `review.${string}`>;
  after: Record<string, unknown>;
}

export interface ReviewStep {
  review: GateReview;
  told: ToldStep[];
}
