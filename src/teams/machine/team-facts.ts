import { z } from "zod";
import { Rank, Resolved } from "../../contract/documents/rank.ts";
import { TaskChecks } from "../../contract/documents/teams/task-checks.ts";
import { LeadReport } from "../../contract/documents/teams/team.ts";
import { PlannedTask, TeamPlan } from "../../contract/documents/teams/team-plan.ts";
import { TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import { END_CAUSES } from "../../contract/runs/end-cause.ts";
import { CheckedCriterion } from "../../contract/runs/hand-in.ts";
import { GATE_VERDICTS } from "../../contract/words/gate-words.ts";
import { PAUSE_REASONS } from "../../contract/words/teams/autonomy-words.ts";
import { HEALTH_ACTIONS, HEALTH_ISSUES } from "../../contract/words/teams/health-words.ts";
import { CONSENSUS_SEVERITIES, CONSENSUS_VERDICTS } from "../../contract/words/teams/role-spec-words.ts";
import { STRATEGIES, TEAM_QUESTIONS } from "../../contract/words/teams/team-words.ts";
import { autonomyFacts } from "./autonomy/autonomy-facts.ts";

const verdict = z.enum(GATE_VERDICTS);
const reason = z.string();
const step = z.enum(["spec", "plan", "report", "evolution"]);
/** Who does a task; `member`: who should, because it knows the matter. */
const route = z.strictObject({
  key: z.string(),
  roleId: z.string(),
  rank: Rank,
  member: z.string().optional(),
  /** Whose role-spec it is done by, where the task itself does not say. */
  prefix: z.string().optional(),
  /** It resolves conflicts with the base, which is merged into the team's branch before. */
  merges: z.boolean().optional(),
});
export type TaskRoute = z.infer<typeof route>;

/** What a run is told of its role-spec, as the file was then: an edit counts from the next run on. */
const roleSpec = z.strictObject({
  name: z.string(),
  prefix: z.string(),
  innerLoop: z.boolean(),
  subagents: z.array(z.string()),
});
export type UsedRoleSpec = z.infer<typeof roleSpec>;

/** What happened, as `state.jsonl` keeps it. Facts are never reinterpreted: a new kind of fact is a new member of this union. */
export const TeamFact = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("formed") }),
  /** A run of the lead, known by its id before it starts. */
  z.strictObject({ type: z.literal("lead-started"), step, runId: z.string() }),
  /** `isFinal`: not tried again before the person says so. */
  z.strictObject({
    type: z.literal("lead-failed"),
    step,
    runId: z.string(),
    reason,
    isFinal: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal("setup-tried"), passed: z.boolean(), reason: reason.optional() }),
  /** The person has a step that failed taken again: the first setup, one of the lead, or the integration check. */
  z.strictObject({
    type: z.literal("step-retried"),
    step: z.enum(["setup", "lead", "check"]),
    by: z.string(),
    remarks: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("spec-submitted"), runId: z.string(), spec: TeamSpec }),
  /** By hand, or by `PUT …/spec`. */
  z.strictObject({ type: z.literal("spec-edited"), spec: TeamSpec, changed: z.array(z.string()), by: z.string() }),
  z.strictObject({
    type: z.literal("plan-submitted"),
    runId: z.string(),
    plan: TeamPlan,
    strategy: Resolved(z.enum(STRATEGIES)),
    routes: z.array(route),
  }),
  /** In place of the lead's spec and plan: a session that was handed over. Tasks find their role-spec by prefix. */
  z.strictObject({
    type: z.literal("session-imported"),
    by: z.string(),
    spec: TeamSpec,
    plan: TeamPlan,
    strategy: Resolved(z.enum(STRATEGIES)),
    routes: z.array(route),
    roleSpecs: z.array(z.strictObject({ name: z.string(), prefix: z.string() })),
  }),
  /** The person asked; `number` makes it the same question after a crash. */
  z.strictObject({
    type: z.literal("asked"),
    number: z.int(),
    kind: z.enum(TEAM_QUESTIONS),
    task: z.string().optional(),
    /** The number of the health issue that it is about. */
    issue: z.int().optional(),
    /** The number of the proposal that it is about. */
    proposal: z.int().optional(),
    reason,
  }),
  z.strictObject({ type: z.literal("question-filed"), number: z.int(), escalationId: z.string() }),
  z.strictObject({ type: z.literal("question-withdrawn"), number: z.int() }),
  z.strictObject({
    type: z.literal("approved"),
    /** `integration`: what the integration check found does not keep the team from delivering. */
    what: z.enum(["spec", "plan", "integration"]),
    by: z.string(),
    /** As the person edited it, with the strategy that suits it. */
    plan: TeamPlan.optional(),
    strategy: Resolved(z.enum(STRATEGIES)).optional(),
    routes: z.array(route).optional(),
  }),
  z.strictObject({ type: z.literal("rejected"), what: z.enum(["spec", "plan"]), by: z.string(), remarks: z.string() }),
  /** Tasks of the board, in the order of the plan. */
  z.strictObject({
    type: z.literal("tasks-created"),
    tasks: z.array(z.strictObject({ key: z.string(), taskId: z.string() })),
  }),
  z.strictObject({
    type: z.literal("member-joined"),
    name: z.string(),
    rank: Rank,
    roleId: z.string(),
    model: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("member-left"), name: z.string(), reason }),
  /** It has no more tasks of its prefix, or does one only: its next task is a new beginning. */
  z.strictObject({
    type: z.literal("member-finished"),
    name: z.string(),
    prefix: z.string(),
    tasks: z.array(z.string()),
  }),
  z.strictObject({
    type: z.literal("task-started"),
    key: z.string(),
    runId: z.string(),
    member: z.string(),
    model: z.string().optional(),
    roleSpec: roleSpec.optional(),
    /** The task whose end made it start: the member's last one of the same prefix, or one that it depends on. */
    after: z.strictObject({ key: z.string(), as: z.enum(["loop", "successor"]) }).optional(),
  }),
  /** What a subagent found, for whoever asks the same about the same files. */
  z.strictObject({ type: z.literal("explored"), key: z.string(), runId: z.string() }),
  /** A member had a proposal judged. */
  z.strictObject({
    type: z.literal("discussed"),
    key: z.string(),
    runId: z.string(),
    verdict: z.enum(CONSENSUS_VERDICTS),
    severity: z.enum(CONSENSUS_SEVERITIES),
    rating: z.number(),
  }),
  /** Its run is gone through no fault of the member. Given again once; the second time it is a failure. */
  z.strictObject({ type: z.literal("task-orphaned"), key: z.string(), runId: z.string(), reason }),
  /** Its run is over with a result that is judged. */
  z.strictObject({ type: z.literal("task-in-review"), key: z.string(), runId: z.string() }),
  /** The review loop sent it back: another run on the same branch. */
  z.strictObject({ type: z.literal("task-reworked"), key: z.string(), runId: z.string() }),
  /** Its result conflicts with what was merged before it: another run on the same branch gets both sides, and resolves that. */
  z.strictObject({ type: z.literal("task-conflicted"), key: z.string(), runId: z.string(), reason }),
  z.strictObject({
    type: z.literal("task-judged"),
    key: z.string(),
    runId: z.string(),
    gateId: z.string(),
    verdict,
    score: z.number().nullable(),
  }),
  /** What its member returned was checked before its run ended. */
  z.strictObject({ type: z.literal("task-checked"), key: z.string(), checks: TaskChecks }),
  /** Without a run: the person moved the task. */
  z.strictObject({ type: z.literal("task-merged"), key: z.string(), runId: z.string().optional() }),
  /** Its run ended without a result, or a person gave its review up. `isFinal`: the person decides what becomes of it. */
  z.strictObject({
    type: z.literal("task-failed"),
    key: z.string(),
    runId: z.string().optional(),
    reason,
    isFinal: z.boolean(),
    cause: z.enum(END_CAUSES).optional(),
  }),
  z.strictObject({
    type: z.literal("task-retried"),
    key: z.string(),
    by: z.string(),
    remarks: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("task-left-out"), key: z.string(), by: z.string(), reason }),
  z.strictObject({ type: z.literal("model-swapped"), member: z.string(), model: z.string(), by: z.string(), reason }),
  /** A member is stuck, and this is done about it. On disk before it is done. */
  z.strictObject({
    type: z.literal("health-issue"),
    number: z.int(),
    member: z.string(),
    issue: z.enum(HEALTH_ISSUES),
    task: z.string().optional(),
    runId: z.string(),
    /** Of the run when it was seen: a later one means that the run was restarted since. */
    epoch: z.int(),
    /** What it was seen by: the same is not told again. */
    mark: z.string().optional(),
    reason,
    action: z.enum(HEALTH_ACTIONS),
    why: z.string(),
    model: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("health-acted"), number: z.int(), outcome: z.enum(["done", "too-late"]) }),
  /** The member works again, or its run is over. */
  z.strictObject({ type: z.literal("health-cleared"), number: z.int(), isOver: z.boolean().optional() }),
  /** The person decided about a member that was stuck: it goes on, or starts its task again. */
  z.strictObject({
    type: z.literal("member-resolved"),
    member: z.string(),
    by: z.string(),
    restart: z.boolean(),
    remarks: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("phase-started"), phase: z.string() }),
  z.strictObject({ type: z.literal("phase-completed"), phase: z.string() }),
  z.strictObject({ type: z.literal("phase-blocked"), phase: z.string(), reason }),
  z.strictObject({ type: z.literal("check-started"), checkId: z.string() }),
  z.strictObject({ type: z.literal("check-ended"), checkId: z.string(), verdict, reason: reason.optional() }),
  z.strictObject({ type: z.literal("checker-started"), runId: z.string() }),
  z.strictObject({
    type: z.literal("criteria-checked"),
    runId: z.string().optional(),
    results: z.array(CheckedCriterion),
  }),
  /** What the whole lacks becomes tasks. */
  z.strictObject({
    type: z.literal("remediation"),
    round: z.int(),
    tasks: z.array(PlannedTask),
    routes: z.array(route),
    /** Who asked for it, of a result that a person sent back. */
    by: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("report-submitted"), runId: z.string(), report: LeadReport }),
  z.strictObject({ type: z.literal("delivering"), runId: z.string() }),
  z.strictObject({ type: z.literal("delivered"), runId: z.string() }),
  /** The base has changed meanwhile, and what the team delivers conflicts with it. */
  z.strictObject({ type: z.literal("delivery-conflicted"), runId: z.string(), reason }),
  z.strictObject({ type: z.literal("cost-warned"), spentUsd: z.number(), budgetUsd: z.number() }),
  /** null: there is no limit any more. */
  z.strictObject({ type: z.literal("budget-changed"), budgetUsd: z.number().nullable(), by: z.string() }),
  z.strictObject({
    type: z.literal("paused"),
    by: z.string(),
    reason: reason.optional(),
    /** Of an autonomous team. */
    code: z.enum(PAUSE_REASONS).optional(),
  }),
  z.strictObject({ type: z.literal("resumed"), by: z.string() }),
  z.strictObject({ type: z.literal("stopped"), by: z.string(), reason: reason.optional() }),
  z.strictObject({ type: z.literal("failed"), reason }),
  ...autonomyFacts,
  /** Something that others did and the feed shows, such as a file conflict or a checkpoint. */
  z.strictObject({
    type: z.literal("noted"),
    activity: z.enum([
      "message-sent",
      "stall-detected",
      "file-conflict",
      "checkpoint-created",
      "checkpoint-rollback",
      "review-feedback-sent",
      "error",
      "escalation",
    ]),
    member: z.string().optional(),
    task: z.string().optional(),
    runId: z.string().optional(),
    /** The number of the event that told of it. */
    event: z.int().optional(),
    data: z.record(z.string(), z.unknown()).optional(),
  }),
]);
export type TeamFact = z.infer<typeof TeamFact>;

/** A line of `state.jsonl`. */
export const TeamLine = z.strictObject({ seq: z.int().min(1), at: z.string(), fact: TeamFact });
export type TeamLine = z.infer<typeof TeamLine>;
