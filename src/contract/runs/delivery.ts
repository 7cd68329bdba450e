import { z } from "zod";
import { ControlFile } from "../documents/control-file.ts";
import { TASK_STATUSES } from "../documents/task-status.ts";
import { GATE_VERDICTS } from "../words/gate-words.ts";
import { ReviewFinding } from "./run-review.ts";

/**
 * The same for results on a branch and in a folder. `delivered`: merged into its target, or in the folder and waiting for nobody.
 * `kept`: the run did not complete, or its task was started again, and what it did stays where it is. `discarded`: its branch is
 * deleted, or its changes are rolled back in the folder, before they were approved. In `review` with no files: it changed nothing,
 * and an older version asked for a review of that.
 */
const DELIVERY_STATES = [
  "working",
  "unchanged",
  "delivered",
  "review",
  "kept",
  "rejected",
  "reverted",
  "discarded",
] as const;
export const DeliveryState = z.enum(DELIVERY_STATES);
export type DeliveryState = z.infer<typeof DeliveryState>;

/**
 * Why a result waits for review: the project asks for one; it changes files that steer the person's tools; the quality gates
 * are judging it, failed, or could not judge it; checkpoints are missing, so what it changed in the folder is not known; it changed nothing; the
 * run that was to continue it did not; it could not be merged, or conflicts with its target; it could not be saved; the repository is
 * damaged.
 */
export const ReviewCode = z.enum([
  "required",
  "control-files",
  "gate-running",
  "gate-failed",
  "gate-unable",
  "changes-unknown",
  "no-changes",
  "not-continued",
  "merge-blocked",
  "merge-conflict",
  "not-saved",
  "repository-damaged",
]);
export type ReviewCode = z.infer<typeof ReviewCode>;

/** What happens to the task of a discarded result; `keep`: nothing. */
const DISCARD_TASK = ["pending", "cancelled", "keep"] as const;

/** What an undo needs to know. */
export const Discard = z.strictObject({
  at: z.string(),
  /** When the undo expires; absent where it cannot be undone. */
  until: z.string().optional(),
  task: z.enum(DISCARD_TASK),
  /** Discarded because its task was cancelled or deleted. */
  withTask: z.literal(true).optional(),
  /** The result before. */
  from: z.strictObject({ state: DeliveryState, reason: z.string().optional(), reasonCode: ReviewCode.optional() }),
  /** The status of the task before, if it was the run's own. */
  taskFrom: z.enum(TASK_STATUSES).optional(),
  /** The newest commit of the branch. */
  commit: z.string().optional(),
  /** The checkpoints taken before the files in the folder were rolled back. */
  checkpoints: z.array(z.string()).optional(),
});
export type Discard = z.infer<typeof Discard>;

/** What keeps a result from being merged: the person's uncommitted changes, or a conflict with the target, in these paths. */
export const MergeBlocker = z.strictObject({
  code: z.enum(["uncommitted", "conflict"]),
  paths: z.array(z.string()),
});
export type MergeBlocker = z.infer<typeof MergeBlocker>;

/** The newest gate of a result. Without a verdict it has not finished. */
export const DeliveryGate = z.strictObject({
  /** Of the review that the gate is a part of. */
  reviewId: z.string(),
  /** Absent while it waits for its turn. */
  id: z.string().optional(),
  cycle: z.int().min(1),
  verdict: z.enum(GATE_VERDICTS).optional(),
  score: z.number().nullable().optional(),
});
export type DeliveryGate = z.infer<typeof DeliveryGate>;

const standing = {
  state: DeliveryState,
  /** Why it is in this state, where the state alone does not tell. */
  reason: z.string().optional(),
  /** Of a result in `review`. */
  reasonCode: ReviewCode.optional(),
  /** What it changed that steers the person's tools, the first of them; `controlFileCount` counts all. */
  controlFiles: z.array(ControlFile).optional(),
  controlFileCount: z.int().optional(),
  /** What the quality gates found. */
  findings: z.array(ReviewFinding).optional(),
  gate: DeliveryGate.optional(),
  /** The run that continues it after it was rejected. */
  next: z.string().optional(),
  /** Of a discarded result. */
  discard: Discard.optional(),
  files: z.int().optional(),
  additions: z.int().optional(),
  deletions: z.int().optional(),
};

/** On a branch of its own: it reaches the person's branch, the target, by a merge. */
const BranchDelivery = z.strictObject({
  kind: z.literal("branch"),
  name: z.string(),
  target: z.string(),
  /** The commits that brought it into the target, and took it back. */
  merge: z.string().optional(),
  revert: z.string().optional(),
  /** The commit of the branch that was squashed into `merge`; absent after a merge commit. */
  squashed: z.string().optional(),
  /** The branch stays after the merge. */
  keepsBranch: z.literal(true).optional(),
  ...standing,
});
export type BranchDelivery = z.infer<typeof BranchDelivery>;

/** In the project's folder itself: what it changed is there at once. */
const FolderDelivery = z.strictObject({ kind: z.literal("folder"), ...standing });
export type FolderDelivery = z.infer<typeof FolderDelivery>;

/** What a run changed, where that is, and what has become of it. */
export const Delivery = z.discriminatedUnion("kind", [BranchDelivery, FolderDelivery]);
export type Delivery = z.infer<typeof Delivery>;
