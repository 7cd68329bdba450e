import { z } from "zod";
import { Actor } from "../../event.ts";
import { ReviewComment } from "../../runs/review-comment.ts";
import { ReviewFinding } from "../../runs/run-review.ts";
import { GATE_VERDICTS } from "../../words/gate-words.ts";
import { Timestamp } from "../../words/text.ts";
import { REVIEW_ESCALATIONS } from "../escalation-status.ts";
import { MERGE_METHODS } from "../merge-method.ts";

/**
 * `pending`: it waits for its turn. `running`: a gate judges. `awaiting-rework`: a run works on the findings. The others are ends:
 * `escalated` until and unless a person has it improved or judged again. `superseded`: a person, or another run, decided first.
 */
export const REVIEW_STATES = [
  "pending",
  "running",
  "awaiting-rework",
  "passed",
  "escalated",
  "failed",
  "superseded",
  "cancelled",
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

/** Who works on the findings: the worker, once the escalation model, or a run that a person asked for. */
const ReworkBy = z.enum(["worker", "escalation", "person"]);

const Judgement = z.strictObject({
  verdict: z.enum(GATE_VERDICTS),
  score: z.number().nullable(),
  findings: z.array(ReviewFinding),
  reason: z.string().optional(),
});

/** A person's approval of a result that has to be judged again before it is merged. `hash`: of the diff that they saw. */
const HeldApproval = z.strictObject({
  actor: Actor,
  hash: z.string(),
  mergeMethod: z.enum(MERGE_METHODS).optional(),
  keepBranch: z.boolean().optional(),
});
export type HeldApproval = z.infer<typeof HeldApproval>;

/** What is still to be done. Each is done once, also when it is begun again after a crash. */
const ReviewEffect = z.discriminatedUnion("do", [
  /** Carries out what the gate said about the result. */
  z.strictObject({ do: z.literal("settle"), judgement: Judgement }),
  /** Closes the task of a result that was merged. */
  z.strictObject({ do: z.literal("close") }),
  /** Starts the run that works on the findings. */
  z.strictObject({
    do: z.literal("rework"),
    runId: z.string(),
    feedback: z.string(),
    comments: z.array(ReviewComment),
    by: ReworkBy,
    model: z.string().optional(),
    actor: Actor,
  }),
  /** Asks the person. */
  z.strictObject({ do: z.literal("ask"), kind: z.enum(REVIEW_ESCALATIONS), reason: z.string() }),
  z.strictObject({ do: z.literal("block") }),
  z.strictObject({ do: z.literal("withdraw"), reason: z.string() }),
  /** What the person answered. */
  z.strictObject({ do: z.literal("approve"), actor: Actor }),
  /** What the person approved is merged, if it is still what was judged. */
  z.strictObject({ do: z.literal("merge"), approval: HeldApproval }),
  z.strictObject({ do: z.literal("give-up"), actor: Actor }),
]);
export type ReviewEffect = z.infer<typeof ReviewEffect>;

const ReviewCycle = z.strictObject({
  cycle: z.int().min(1),
  runId: z.string(),
  gateId: z.string(),
  /** The commit of the target that it was judged together with, if so. */
  onto: z.string().optional(),
  by: ReworkBy,
  verdict: z.enum(GATE_VERDICTS),
  score: z.number().nullable(),
  at: Timestamp,
});

/** projects/<id>/gates/reviews/<review-id>.json: the way of a result through the gates, over all its cycles. */
export const GateReview = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  taskId: z.string(),
  teamId: z.string().optional(),
  state: z.enum(REVIEW_STATES),
  /** From 1; the run whose result is judged in it, and what that is. */
  cycle: z.int().min(1),
  maxCycles: z.int().min(1),
  by: ReworkBy,
  runId: z.string(),
  base: z.string(),
  head: z.string(),
  /** The commit of the target that it is judged together with; absent where that is still the base. */
  onto: z.string().optional(),
  /** How often its branch or its target moved while it was judged. */
  moved: z.int().min(1).optional(),
  /** What is merged as soon as it passes. */
  approval: HeldApproval.optional(),
  /** The gate of this cycle, known before it begins: nothing is judged twice. */
  gateId: z.string().optional(),
  /** The run that works on the findings. */
  nextRunId: z.string().optional(),
  /** Gates that came to an end, the oldest first. */
  cycles: z.array(ReviewCycle),
  /** How many times the person was asked, and the open question. */
  asked: z.int().min(0),
  escalationId: z.string().optional(),
  todo: z.array(ReviewEffect),
  /** Why it ended, where the state alone does not tell. */
  reason: z.string().optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type GateReview = z.infer<typeof GateReview>;
