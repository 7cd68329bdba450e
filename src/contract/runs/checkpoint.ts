import { z } from "zod";

/**
 * `run-start`, `merge` and `revert` are taken before, the others after; `rollback` before a rollback, to undo it. `pre-work` and
 * `pre-review` are commits of a result in review: what its work began with, and what a quality gate judged.
 */
const CHECKPOINT_REASONS = [
  "run-start",
  "run-end",
  "merge",
  "merged",
  "revert",
  "reverted",
  "rollback",
  "pre-work",
  "pre-review",
] as const;

const How = z.enum(["created", "changed", "removed"]);
const ChangedPath = z.strictObject({ path: z.string(), how: How });
const LeftPath = z.strictObject({ path: z.string(), reason: z.string() });
/** A file that several runs changed. */
const SharedPath = z.strictObject({ path: z.string(), runs: z.array(z.string()) });

export const Checkpoint = z.strictObject({
  id: z.string(),
  at: z.string(),
  reason: z.enum(CHECKPOINT_REASONS),
  runId: z.string().optional(),
  /** What the run was about, as long as it is known. */
  task: z.strictObject({ id: z.string(), title: z.string() }).optional(),
  workdir: z.string(),
  files: z.int(),
  bytes: z.int(),
  /** What could not be kept, and why. */
  notKept: z.array(LeftPath),
  /** What the run, the merge or the rollback that began here changed: as many as fit into a list. */
  changed: z.array(ChangedPath),
  changedCount: z.int(),
  /** Of a result in review: a rollback sets this branch back to the commit, and leaves the folder as it is. */
  branch: z.strictObject({ name: z.string(), commit: z.string() }).optional(),
  /** The disk has lost what tells of it: nothing can be taken back over it. */
  damaged: z.literal(true).optional(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

export const CheckpointList = z.strictObject({
  checkpoints: z.array(Checkpoint),
  conflicts: z.array(SharedPath),
});
export type CheckpointList = z.infer<typeof CheckpointList>;

export const Rollback = z.strictObject({
  to: z.string(),
  dryRun: z.boolean(),
  /** The checkpoint that was taken first: rolling back to it undoes this. */
  checkpointId: z.string().optional(),
  /** What was done to each path, or would be. */
  restored: z.array(ChangedPath),
  /** What agents changed and what is left as it is, with the reason. */
  left: z.array(LeftPath),
  /** The runs whose changes are concerned. */
  runs: z.array(z.string()),
  conflicts: z.array(SharedPath),
  /** What a person should know besides: what becomes of commits. */
  note: z.string().optional(),
});
export type Rollback = z.infer<typeof Rollback>;

export const RollbackRequest = z.strictObject({
  dryRun: z.boolean().default(false),
  /** Only what this run, and those it started, changed. */
  runId: z.string().max(200).optional(),
});
export type RollbackRequest = z.infer<typeof RollbackRequest>;
