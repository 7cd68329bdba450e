import { z } from "zod";
import { GATE_VERDICTS } from "../../words/gate-words.ts";
import {
  ACTIVITY_TYPES,
  DOMAINS,
  PHASE_STATUSES,
  SDD_MODES,
  STRATEGIES,
  TEAM_APPROVALS,
  TEAM_QUESTIONS,
  TEAM_STATUSES,
  TEAM_TASK_STATES,
} from "../../words/teams/team-words.ts";
import { line, prose, Slug, Timestamp } from "../../words/text.ts";
import { ModelPreset, Rank, Resolved } from "../rank.ts";
import { TASK_TYPES } from "../task-status.ts";
import { TaskChecks } from "./task-checks.ts";
import { AutonomyRequest, TeamAutonomy } from "./team-autonomy.ts";
import { AcceptanceCriterion } from "./team-spec.ts";

const sentences = z.array(line(2_000)).max(100);

export const TeamBudget = z.number().gt(0, "must be more than 0").max(1_000_000);

/** What a person asks for. */
export const TeamRequest = z.strictObject({
  goal: prose(20_000).refine((text) => text.trim() !== "", "must not be empty"),
  name: line(100).optional(),
  /** A task of the board that is the goal; without one the team makes it. */
  taskId: z.string().optional(),
  strategy: z.enum(STRATEGIES).optional(),
  preset: ModelPreset.optional(),
  approval: z.enum(TEAM_APPROVALS).optional(),
  budgetUsd: TeamBudget.optional(),
  sdd: z.enum(SDD_MODES).optional(),
  baseBranch: line(250).optional(),
  /** Absent: as `agentTeams.yolo` says, unless `approval` is there. */
  autonomy: AutonomyRequest.optional(),
});
export type TeamRequest = z.infer<typeof TeamRequest>;

/** `team.json`: what a team was formed with. It does not change. */
export const TeamDocument = z.strictObject({
  id: z.string(),
  projectId: Slug,
  name: z.string(),
  goal: z.string(),
  /** The task on the board that stands for the goal. Runs of the lead are about it. */
  taskId: z.string(),
  /** Absent: the hall chooses when there is a plan. */
  strategy: z.enum(STRATEGIES).optional(),
  preset: ModelPreset.optional(),
  approval: z.enum(TEAM_APPROVALS),
  budgetUsd: z.number().nullable(),
  sdd: Resolved(z.enum(SDD_MODES)),
  /** Absent where the project's folder has no git repository. */
  branch: z.string().optional(),
  baseBranch: z.string().optional(),
  createdAt: Timestamp,
  createdBy: z.string(),
  /** The trigger that started it. */
  trigger: z.strictObject({ name: z.string(), firingId: z.string() }).optional(),
  /** Tools that need consent in each of its runs, as in the run whose words had it started. */
  ask: z.array(z.string()).optional(),
});
export type TeamDocument = z.infer<typeof TeamDocument>;

export const TeamPhase = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Lower first. */
  order: z.int(),
  status: z.enum(PHASE_STATUSES),
  taskIds: z.array(z.string()),
});
export type TeamPhase = z.infer<typeof TeamPhase>;

export const TeamMember = z.strictObject({
  /** `head-lisbon`. */
  name: z.string(),
  rank: Rank,
  roleId: z.string(),
  model: z.string().optional(),
  status: z.enum(["working", "waiting", "idle", "stopped"]),
  /** The run it is at now. */
  runId: z.string().optional(),
  /** The key of its task. */
  task: z.string().optional(),
  runs: z.int(),
  failures: z.int(),
});
export type TeamMember = z.infer<typeof TeamMember>;

export const TeamTask = z.strictObject({
  key: z.string(),
  /** Its task on the board, once there is one. */
  taskId: z.string().optional(),
  title: z.string(),
  type: z.enum(TASK_TYPES),
  domain: z.enum(DOMAINS),
  phase: z.string(),
  requirements: z.array(z.string()),
  criteria: z.array(z.string()),
  dependsOn: z.array(z.string()),
  files: z.array(z.string()),
  sections: z.array(z.string()).optional(),
  dimensions: z.array(z.string()).optional(),
  roleId: z.string(),
  rank: Rank,
  /** By which it finds its role-spec, and its member the task. */
  prefix: z.string(),
  state: z.enum(TEAM_TASK_STATES),
  member: z.string().optional(),
  /** All runs that worked on it, the newest last. */
  runIds: z.array(z.string()),
  gate: z.strictObject({ id: z.string(), verdict: z.enum(GATE_VERDICTS), score: z.number().nullable() }).optional(),
  /** How Guildhall last checked what its member returned. */
  checks: TaskChecks.optional(),
  attempts: z.int(),
  /** It repairs what an integration check found, in this round. */
  round: z.int().optional(),
  /** Why it failed, waits or was left out. */
  reason: z.string().optional(),
});
export type TeamTask = z.infer<typeof TeamTask>;

export const TeamActivity = z.strictObject({
  seq: z.int(),
  at: Timestamp,
  type: z.enum(ACTIVITY_TYPES),
  /** The member it is about. */
  member: z.string().optional(),
  task: z.string().optional(),
  runId: z.string().optional(),
  /** What else is known of it, such as a model, a phase, a gate or an escalation. */
  data: z.record(z.string(), z.unknown()).optional(),
});
export type TeamActivity = z.infer<typeof TeamActivity>;

/** `met`: by a test, command or look that is named. */
export const CriterionState = z.strictObject({
  ...AcceptanceCriterion.shape,
  requirement: z.string(),
  /** The key of the task that has to meet it. */
  task: z.string().optional(),
  state: z.enum(["open", "met", "unmet", "waived"]),
  /** The test, the command's exit or what the checker saw. */
  evidence: z.string().optional(),
});
export type CriterionState = z.infer<typeof CriterionState>;

/** What the lead says at the end, beside what the hall recorded. */
export const LeadReport = z.strictObject({
  summary: prose(20_000),
  highlights: sentences.default([]),
  risks: sentences.default([]),
  followUps: sentences.default([]),
});
export type LeadReport = z.infer<typeof LeadReport>;

/** A team as it is now. */
export const Team = z.strictObject({
  ...TeamDocument.omit({ strategy: true }).shape,
  status: z.enum(TEAM_STATUSES),
  /** Where it continues, of one that is paused. */
  pausedFrom: z.enum(TEAM_STATUSES).optional(),
  strategy: Resolved(z.enum(STRATEGIES)).optional(),
  /** Absent of a team that never worked without a person. */
  autonomy: TeamAutonomy.optional(),
  /** What it waits for: a person, money, its turn. */
  waitingFor: z.enum(["person", "budget", "quota", "project"]).optional(),
  /** What a person has to decide now. */
  escalation: z.strictObject({ id: z.string(), kind: z.enum(TEAM_QUESTIONS) }).optional(),
  phases: z.array(TeamPhase),
  members: z.array(TeamMember),
  tasks: z.record(z.enum(TEAM_TASK_STATES), z.int()),
  requirements: z.strictObject({ total: z.int(), met: z.int() }),
  rounds: z.int(),
  costUsd: z.number(),
  costKnown: z.boolean(),
  /** The integration check that judged the whole. */
  checkId: z.string().optional(),
  /** The run whose delivery is the team's branch. */
  deliveryRunId: z.string().optional(),
  /** Why it failed, stopped, paused or waits. */
  reason: z.string().optional(),
  updatedAt: Timestamp,
  endedAt: Timestamp.optional(),
  etag: z.string(),
});
export type Team = z.infer<typeof Team>;
