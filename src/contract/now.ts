import { z } from "zod";
import { ESCALATION_ORIGINS } from "./documents/escalation-status.ts";
import { DeliveryGate, DeliveryState, ReviewCode } from "./runs/delivery.ts";
import { Run, RunResult, RunUsage } from "./runs/run.ts";
import { RunReview } from "./runs/run-review.ts";
import { hintFields } from "./words/hint-schema.ts";
import { HAND_INS } from "./words/teams/team-words.ts";

/** A run in one line: what it does, how long, at what cost. Without what it wrote, which may be long. */
export const RunLine = Run.pick({
  id: true,
  projectId: true,
  taskId: true,
  roleId: true,
  rank: true,
  parentRunId: true,
  purpose: true,
  reviewOf: true,
  title: true,
  status: true,
  activity: true,
  waitingFor: true,
  waitingSince: true,
  progress: true,
  model: true,
  attempt: true,
  createdAt: true,
  startedAt: true,
  endedAt: true,
  context: true,
  team: true,
  cause: true,
}).extend({
  turns: RunUsage.shape.turns,
  costUsd: RunUsage.shape.costUsd,
  costKnown: RunUsage.shape.costKnown,
  /** What it handed in: a spec, a plan … */
  handIn: z.enum(HAND_INS).optional(),
  /** How much of it the agent says is done. */
  outcome: RunResult.shape.outcome,
  /** Of a review. */
  verdict: RunReview.shape.verdict.optional(),
  /** The first line of it. */
  error: z.string().optional(),
  /** What became of what it changed. */
  delivery: z
    .strictObject({
      kind: z.enum(["branch", "folder"]),
      state: DeliveryState,
      reason: z.string().optional(),
      reasonCode: ReviewCode.optional(),
      gate: DeliveryGate.optional(),
      files: z.int().optional(),
      additions: z.int().optional(),
      deletions: z.int().optional(),
    })
    .optional(),
});
export type RunLine = z.infer<typeof RunLine>;

/** Something that does not go on without the person. */
export const Attention = z.strictObject({
  /**
   * `failed`: a task whose last run failed and that nobody has taken up since. `waiting`: a run that waits for money, a
   * provider or the disk. `suspended`: a project that the hall suspended by itself. `problem`: a file that cannot be read.
   * `skill`: one that was found or changed and is not accepted. `instructions`: an AGENTS.md or CLAUDE.md of which the same is true.
   * `escalation`: a question that an agent asked the person; its title is the question.
   * `folder`: a working folder that is not the one that was named. `damaged`: a git repository that cannot be read.
   */
  kind: z.enum([
    "failed",
    "waiting",
    "suspended",
    "problem",
    "skill",
    "instructions",
    "folder",
    "damaged",
    "escalation",
  ]),
  /** Of the run, the project, the file or the skill; with the kind it is unique. */
  id: z.string(),
  projectId: z.string().optional(),
  title: z.string(),
  /** Why it needs the person. */
  detail: z.string(),
  ...hintFields,
  at: z.string().optional(),
  run: RunLine.optional(),
  /** Of an escalation: what asked. `permission` is a call that needs consent. */
  origin: z.enum(ESCALATION_ORIGINS).optional(),
});
export type Attention = z.infer<typeof Attention>;

/** The hall at a glance, grouped by what the person has to do about it. Lists are cut; `counts` has all. */
export const Now = z.strictObject({
  /** The newest event that this takes into account. */
  seq: z.int(),
  needsMe: z.array(Attention),
  review: z.array(RunLine),
  /** Results that the quality gates judge. They wait for nobody yet. */
  checking: z.array(RunLine),
  working: z.array(RunLine),
  done: z.array(RunLine),
  /** Projects from before review became the default: they merge automatically, and the person may change that at once. */
  reviewOffer: z.array(z.string()),
  counts: z.strictObject({
    needsMe: z.int(),
    review: z.int(),
    /** Without those that wait. */
    running: z.int(),
    pending: z.int(),
    /** For budget, quota, a provider, the disk or an answer; they are in `needsMe`. */
    waiting: z.int(),
    projects: z.int(),
  }),
  today: z.strictObject({
    costUsd: z.number(),
    costKnown: z.boolean(),
    tokens: z.int(),
    runs: z.int(),
    completed: z.int(),
    failed: z.int(),
    stopped: z.int(),
    /** null: no limit. */
    dayUsd: z.number().nullable(),
  }),
});
export type Now = z.infer<typeof Now>;
