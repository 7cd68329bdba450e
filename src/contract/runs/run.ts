import { z } from "zod";
import { ChannelAddress, Speaker } from "../documents/channel.ts";
import { ControlFile } from "../documents/control-file.ts";
import { ModelPreset, Rank, Resolved } from "../documents/rank.ts";
import { AskTools, Thinking } from "../documents/role.ts";
import { RunSandbox, SandboxName } from "../documents/sandbox.ts";
import { TaskContext, TaskOutcome, TaskPriorityInput, TaskTypeInput } from "../documents/task.ts";
import { MemberReturn } from "../documents/teams/member-return.ts";
import { RUN_PURPOSES, SPAWN_PURPOSES } from "../words/review-words.ts";
import { RESPONSIBILITY_TYPES } from "../words/teams/role-spec-words.ts";
import { line, prose, Slug } from "../words/text.ts";
import { Activity, WaitCode } from "./activity.ts";
import { CriterionReport } from "./criterion-report.ts";
import { Delivery, MergeBlocker } from "./delivery.ts";
import { END_CAUSES } from "./end-cause.ts";
import { HandedIn, HandInOrder, RunTeam } from "./hand-in.ts";
import { CommentAnswer, ReviewComment } from "./review-comment.ts";
import { RunReview } from "./run-review.ts";
import { RUN_STATUSES } from "./run-status.ts";

export const RunStatus = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof RunStatus>;

const EndCause = z.enum(END_CAUSES);

export const RunLimits = z.strictObject({
  turns: z.int(),
  seconds: z.int(),
  tokens: z.int().optional(),
  /** Calls of tools, all together. */
  toolCalls: z.int().optional(),
  /** Identical tool calls in a row before the run is stopped. */
  repeats: z.int(),
});
export type RunLimits = z.infer<typeof RunLimits>;

/** Where a run works that may write in a git repository: a worktree of its own, on a branch of its own. */
export const Workplace = z.strictObject({
  /** The run whose worktree it is; runs that it starts share it. */
  owner: z.string(),
  branch: z.string(),
  /** The person's branch that the result goes into. */
  target: z.string(),
  /** What all checkouts of the repository share. */
  repository: z.string(),
  worktree: z.string(),
  /** The working folder in the worktree. */
  workdir: z.string(),
  /** The state of that branch that is only looked at: the worktree is on no branch and is thrown away with all it holds. */
  commit: z.string().optional(),
  /** A commit of the target that the branch gets before the run starts: the result was found not to work with it. */
  onto: z.string().optional(),
});
export type Workplace = z.infer<typeof Workplace>;

const ChangedFile = z.strictObject({
  path: z.string(),
  additions: z.int(),
  deletions: z.int(),
  binary: z.boolean(),
  /** Too large, or not kept: the diff only names it. */
  unshown: z.boolean().optional(),
});
export type ChangedFile = z.infer<typeof ChangedFile>;

export const RunDiff = z.strictObject({
  runId: z.string(),
  delivery: Delivery,
  /** Commits; of changes in a folder, checkpoints. `head` is empty where there is none. */
  base: z.string(),
  head: z.string(),
  /** Of all that is shown and all that was cut off; an approval names it. */
  hash: z.string(),
  files: z.array(ChangedFile),
  /** Those that steer the person's tools: they reach the person's branch only by an approval. */
  controlFiles: z.array(ControlFile),
  /** Unified, with binary files. */
  diff: z.string(),
  truncated: z.boolean(),
  /** Files of a folder that are no longer as the run left them. */
  changedSince: z.array(z.string()).optional(),
  /** Checkpoints are missing: the run may have changed more than is shown. */
  incomplete: z.literal(true).optional(),
  /** The run is not over: this is what it has changed so far. */
  isLive: z.literal(true).optional(),
  /** What keeps it from being merged now; absent where nothing does. */
  blockers: z.array(MergeBlocker).optional(),
  /** Where the person would push the target to, by the repository's settings. Guildhall itself never pushes. */
  remote: z.strictObject({ name: z.string(), branch: z.string() }).optional(),
  /** The subject of a squashed commit, or of a pull request. */
  subject: z.string().optional(),
});
export type RunDiff = z.infer<typeof RunDiff>;

/** The main agent or a project's agent that had the run started, and in answer to what. It is told how the run ended. */
export const RunAsker = z.strictObject({
  agent: z.enum(["main", "project"]),
  /** As a message of its channel has them. */
  root: z.string().optional(),
  hops: z.int().optional(),
  answerTo: Speaker.optional(),
  channel: ChannelAddress,
});
export type RunAsker = z.infer<typeof RunAsker>;

/** The trigger that started it. `outside`: it was given words from outside, and can only read. */
export const RunTrigger = z.strictObject({
  name: z.string(),
  firingId: z.string(),
  outside: z.literal(true).optional(),
});
export type RunTrigger = z.infer<typeof RunTrigger>;

/** What a run is for: `work` does its task, any other leaves the task as it is. */
const RunPurpose = z.enum(RUN_PURPOSES);
export type RunPurpose = z.infer<typeof RunPurpose>;

/** Everything an agent is started with; the first line of its journal. */
export const RunPlan = z.strictObject({
  runId: z.string(),
  projectId: z.string(),
  taskId: z.string(),
  roleId: z.string(),
  rank: Rank,
  parentRunId: z.string().optional(),
  asker: RunAsker.optional(),
  depth: z.int(),
  title: z.string(),
  system: z.string(),
  prompt: z.string(),
  model: Resolved(z.string()),
  thinking: Resolved(Thinking),
  timeout: Resolved(z.int()),
  tools: Resolved(z.array(z.string())),
  /** Tools whose calls need the person's consent; absent when there are none. */
  ask: z.array(z.string()).optional(),
  /** The skill packs it may use; absent when there are none. */
  skills: z.array(z.string()).optional(),
  /** Those among them that its team added. */
  standards: z.array(z.string()).optional(),
  /** How its commands are kept in; absent when it runs none. */
  sandbox: RunSandbox.optional(),
  temperature: z.number().optional(),
  maxTokens: z.int().optional(),
  limits: RunLimits,
  /** Tokens that fit into one request and its answer; older turns are summarised before it is full. */
  contextWindow: z.int(),
  /** Who decides what, for the description of `escalate`; absent of runs that were planned before there was such a tool. */
  tiers: z.string().optional(),
  /** Keys of the acceptance criteria that it reports on, in the order of their numbers; absent when there are none. */
  criteria: z.array(z.string()).optional(),
  /** The same criteria in words, as the run was given them; absent of runs that were planned before this was kept. */
  criteriaTexts: z.array(z.string()).optional(),
  /** What the prompt left out, for length or because it may hold secrets. */
  cut: z.array(z.string()),
  /** The statements that the prompt holds, the nearest first: `<topic>-…` of the hall, `<project>/<topic>-…` of a project. */
  knowledge: z.strictObject({ used: z.array(z.string()), of: z.int() }).optional(),
  options: z.strictObject({ notifyOnComplete: z.boolean(), createArtifact: z.boolean() }),
  workplace: Workplace.optional(),
  /** The run that was sent back, with whose work this one goes on. */
  continues: z
    .strictObject({
      runId: z.string(),
      feedback: z.string(),
      comments: z.array(ReviewComment).optional(),
      conflict: z.string().optional(),
    })
    .optional(),
  purpose: RunPurpose,
  /** The run whose result it reviews; absent where no run handed one in. */
  reviewOf: z.string().optional(),
  /** It reviews for a quality gate; with the findings of the cycle before that it has to answer. */
  gateReview: z.strictObject({ earlier: z.array(z.string()) }).optional(),
  /** What it has to hand in, of a run with the purpose `lead` or `check`. */
  handIn: HandInOrder.optional(),
  /** What it is responsible for, of a member that works on a task of its team: its report has the fields of that. */
  returns: z.enum(RESPONSIBILITY_TYPES).optional(),
  team: RunTeam.optional(),
  trigger: RunTrigger.optional(),
  /** What its team added to its prompt; a run that continues its result is given it again. */
  brief: z.string().optional(),
  createdAt: z.string(),
});
export type RunPlan = z.infer<typeof RunPlan>;

export const RunUsage = z.strictObject({
  turns: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cacheReadTokens: z.int(),
  cacheWriteTokens: z.int(),
  /** With estimates. */
  costUsd: z.number(),
  /** False when the price of a model is unknown: the cost is then an estimate. */
  costKnown: z.boolean(),
  /** The part of the cost that is estimated. */
  estimatedUsd: z.number().optional(),
});
export type RunUsage = z.infer<typeof RunUsage>;

/** How the hall looked back on a run, and what that took; part of the run's usage, but for its turns. */
export const RunReflection = z.strictObject({
  at: z.string(),
  /** Model calls. */
  rounds: z.int(),
  /** Files of the project's memory that it wrote. */
  wrote: z.array(z.string()),
  ...RunUsage.omit({ turns: true }).shape,
  error: z.string().optional(),
});
export type RunReflection = z.infer<typeof RunReflection>;

/** Tokens of a run's last request and answer, of those that fit. */
export const RunContext = z.strictObject({ used: z.int(), window: z.int() });
export type RunContext = z.infer<typeof RunContext>;

/** Calls of tools that came to an end, by what the hall itself saw of them. */
const RunCalls = z.strictObject({ total: z.int(), failed: z.int() });

export const RunResult = z.strictObject({
  output: z.string(),
  outcome: TaskOutcome.optional(),
  artifacts: z.array(z.string()),
  filesChanged: z.array(z.string()),
  /** Of a run with the purpose `review`; absent of those that ended before reviews had fields. */
  review: RunReview.optional(),
  /** What it said of the acceptance criteria, by their numbers in the list that it was given. */
  criteria: z.array(CriterionReport).optional(),
  /** What it handed in, of a run with the purpose `lead` or `check`. */
  handIn: HandedIn.optional(),
  /** What a member of a team returned, by what it is responsible for. */
  returned: MemberReturn.optional(),
  /** To the comments of the person, of a run that continues a result. */
  answers: z.array(CommentAnswer).optional(),
  /** Seconds from its start to its end, by a clock that never jumps and without the time in which no process had it. */
  duration: z.number(),
});
export type RunResult = z.infer<typeof RunResult>;

export const Run = z.strictObject({
  id: z.string(),
  projectId: z.string(),
  taskId: z.string(),
  roleId: z.string(),
  rank: Rank,
  parentRunId: z.string().optional(),
  purpose: RunPurpose,
  title: z.string(),
  status: RunStatus,
  /** What it does or waits for now. */
  activity: Activity.optional(),
  /**
   * It waits for money, for a provider's quota, for a provider that does not answer (`network`), for a disk that cannot be
   * written, for an answer to what its agent asked, or for its turn in a folder. `activity` says why. Time spent waiting does not count against its time limit.
   */
  waitingFor: WaitCode.optional(),
  /** Since when; absent while it waits for its turn. */
  waitingSince: z.string().optional(),
  /** The run that has the turn it waits for. */
  waitingForRun: z.string().optional(),
  /** 0 to 1, by the turns used of those allowed. */
  progress: z.number(),
  model: z.string(),
  /** What it was started with, where a person gave it another model since. */
  firstModel: z.string().optional(),
  /** Absent before the first answer. */
  context: RunContext.optional(),
  /** What its commands run in; absent when it runs none. */
  sandbox: SandboxName.optional(),
  attempt: z.int(),
  createdAt: z.string(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  usage: RunUsage,
  /** Absent of runs that ended before they were counted. */
  calls: RunCalls.optional(),
  result: RunResult.optional(),
  /** What became of what it changed: only where it may write, or its answer waits for review. */
  delivery: Delivery.optional(),
  /** The run whose result it reviews; absent where no run handed one in. */
  reviewOf: z.string().optional(),
  reflection: RunReflection.optional(),
  team: RunTeam.optional(),
  trigger: RunTrigger.optional(),
  /** Why it ended without completing; absent of runs that ended before causes were recorded. */
  cause: EndCause.optional(),
  /** The same for people to read. */
  error: z.string().optional(),
});
export type Run = z.infer<typeof Run>;

const SpawnTask = z.strictObject({
  title: line(500),
  description: prose(1_000_000).default(""),
  type: TaskTypeInput.default("other"),
  priority: TaskPriorityInput.default("medium"),
  context: TaskContext.prefault({}),
});

export const SpawnRequest = z
  .strictObject({
    projectId: Slug.optional(),
    roleId: Slug,
    taskId: z.string().optional(),
    task: SpawnTask.optional(),
    /** Unless given: `review` on a task in review or done for a role that cannot change files, else `work`. */
    purpose: z.enum(SPAWN_PURPOSES).optional(),
    overrides: z
      .strictObject({
        model: line(200).optional(),
        /** The place in a team: its model comes before the role's own. */
        rank: Rank.optional(),
        preset: ModelPreset.optional(),
        thinking: Thinking.optional(),
        timeout: z.int().min(1).max(86_400).optional(),
        skills: z.array(Slug).optional(),
        /** Beside those of the role and the assignment. */
        ask: AskTools.optional(),
      })
      .refine(({ rank, preset }) => preset === undefined || rank !== undefined, {
        path: ["preset"],
        error: "needs a rank: a preset has a model for each rank",
      })
      .meta({ dependentRequired: { preset: ["rank"] } })
      .prefault({}),
    variables: z.record(z.string(), z.string()).default({}),
    contextFiles: z.array(z.string().max(1_000)).max(100).default([]),
    options: z
      .strictObject({
        waitForCompletion: z.boolean().default(false),
        notifyOnComplete: z.boolean().default(true),
        createArtifact: z.boolean().default(true),
      })
      .prefault({}),
  })
  .refine((body) => body.taskId !== undefined || body.task !== undefined, {
    path: ["task"],
    error: "is required, unless a taskId is given",
  })
  .refine((body) => body.purpose !== "review" || body.taskId !== undefined, {
    path: ["purpose"],
    error: "is required for a review: it reviews the result of a task",
  })
  .meta({
    anyOf: [{ required: ["taskId"] }, { required: ["task"], properties: { purpose: { const: "work" } } }],
  });
export type SpawnRequest = z.infer<typeof SpawnRequest>;

export const SpawnResponse = z.strictObject({
  success: z.boolean(),
  sessionId: z.string(),
  taskId: z.string(),
  status: RunStatus,
  result: z.strictObject({ output: z.string(), artifacts: z.array(z.string()), duration: z.number() }).optional(),
  cause: EndCause.optional(),
  error: z.string().optional(),
});
export type SpawnResponse = z.infer<typeof SpawnResponse>;
