import type { Rank } from "../../contract/documents/rank.ts";
import type { TaskChecks } from "../../contract/documents/teams/task-checks.ts";
import type { CriterionState, LeadReport, TeamDocument } from "../../contract/documents/teams/team.ts";
import type { PlannedTask, TeamPlan } from "../../contract/documents/teams/team-plan.ts";
import type { TeamSpec } from "../../contract/documents/teams/team-spec.ts";
import type { EndCause } from "../../contract/runs/end-cause.ts";
import type { GateVerdict } from "../../contract/words/gate-words.ts";
import type { HealthAction, HealthIssueType } from "../../contract/words/teams/health-words.ts";
import type { Strategy, TeamQuestion, TeamStatus, TeamTaskState } from "../../contract/words/teams/team-words.ts";
import type { AutonomyState } from "./autonomy/autonomy-state.ts";
import type { Consensus } from "./consensus.ts";
import type { UsedRoleSpec } from "./team-facts.ts";

/** A step of the lead, by the run that takes it. */
export type LeadStep = "spec" | "plan" | "report" | "evolution";

export interface MemberState {
  name: string;
  rank: Rank;
  roleId: string;
  /** Chosen for it; without one, that of its rank. */
  model?: string | undefined;
  /** A model that was chosen while it worked, for the run that it is at; without one, for the next that it does not start itself. */
  change?: { model: string; runId?: string | undefined } | undefined;
  runId?: string | undefined;
  task?: string | undefined;
  runs: number;
  failures: number;
  isStopped: boolean;
  /** Of the tasks that it takes, once it had one. */
  prefix?: string | undefined;
  /** Keys of the tasks that it did, one after the other; empty when it has finished. */
  loop: string[];
}

export interface TaskState {
  plan: PlannedTask;
  roleId: string;
  rank: Rank;
  /** By which it finds its role-spec, and its member the task. */
  prefix: string;
  /** Of the run at work, or of the last one. */
  roleSpec?: UsedRoleSpec | undefined;
  taskId?: string | undefined;
  state: TeamTaskState;
  member?: string | undefined;
  /** The newest last. A rework of the review loop is one of them. */
  runIds: string[];
  /** Runs that ended without a result. */
  failures: number;
  /** How its member's last proposal was judged. */
  consensus?: (Consensus & { runId: string }) | undefined;
  /** How often its run was gone and the task was given again. */
  orphaned: number;
  gate?: { id: string; verdict: GateVerdict; score: number | null } | undefined;
  /** The newest check of what its member returned. */
  checks?: TaskChecks | undefined;
  round?: number | undefined;
  reason?: string | undefined;
  /** Why its last run ended, by code. */
  cause?: EndCause | undefined;
  /** What the person said when it was to be tried again. */
  remarks?: string | undefined;
  /** The person wants it tried again: that it failed on the board counts no more. */
  isRetried?: boolean | undefined;
  /** The run at work, or whose result is judged. Not always the newest: the result of a failed rework goes back. */
  runId?: string | undefined;
  /** The run whose result the run at work continues; the review loop starts such a run, unless it resolves a conflict. */
  reworkOf?: string | undefined;
  /** What the run at work resolves. */
  conflict?: string | undefined;
  /** It resolves conflicts of the whole with the base. */
  merges?: boolean | undefined;
}

/** A question to the person that is open, or whose answer is not carried out yet. */
export interface OpenQuestion {
  /** From 1; the escalation names it, so that it is asked once. */
  number: number;
  kind: TeamQuestion;
  task?: string | undefined;
  /** The number of the health issue that it is about. */
  issue?: number | undefined;
  /** The number of the proposal that it is about. */
  proposal?: number | undefined;
  reason: string;
  escalationId?: string | undefined;
}

/** Something that was wrong with a member, and what was decided about it. */
export interface HealthRecord {
  number: number;
  at: string;
  member: string;
  issue: HealthIssueType;
  task?: string | undefined;
  runId: string;
  epoch: number;
  mark?: string | undefined;
  reason: string;
  action: HealthAction;
  why: string;
  model?: string | undefined;
  outcome?: "done" | "too-late" | undefined;
  actedAt?: string | undefined;
  clearedAt?: string | undefined;
  /** Its run ended before it recovered. */
  isOver?: boolean | undefined;
}

export interface MemberHealthState {
  /** The newest last. */
  issues: HealthRecord[];
  /** For which kinds of issues it was restarted, ever: none has it restarted twice. */
  restartedFor: Set<HealthIssueType>;
  /** Issues up to this one no longer count: the person decided. */
  resolvedThrough: number;
}

/** What decisions look up, kept with every fact so that none looks at every task. */
export interface TaskIndex {
  /** Neither merged nor left out, by phase. */
  open: Map<string, Map<string, TaskState>>;
  /** Waiting for nothing but its turn, by phase. */
  ready: Map<string, Set<string>>;
  /** How many tasks each still waits for. */
  waitsFor: Map<string, number>;
  dependents: Map<string, string[]>;
  /** A run is at them, or their result is judged. */
  atWork: Set<string>;
  blocked: Set<string>;
  /** How many tasks of each prefix are not settled. */
  left: Map<string, number>;
  /** Without a task on the board. */
  unfiled: Set<string>;
  byRun: Map<string, string>;
  /** By the task on the board. */
  byTask: Map<string, string>;
  counts: Record<TeamTaskState, number>;
}

/** All that a team's log says, folded. Rebuilt from `state.jsonl` at a start. */
export interface TeamState {
  document: TeamDocument;
  seq: number;
  status: TeamStatus;
  pausedFrom?: TeamStatus | undefined;
  reason?: string | undefined;
  /** Whether a worktree could be set up, once that was tried. */
  setup?: { passed: boolean; reason?: string | undefined } | undefined;
  /** Runs of the lead: the one under way, and how often a step failed. */
  lead?: { step: LeadStep; runId: string } | undefined;
  leadFailures: number;
  /** Why the lead's last step failed. */
  leadFailure?: string | undefined;
  spec?: TeamSpec | undefined;
  specVersion: number;
  plan?: TeamPlan | undefined;
  /** Role-specs of a session that was handed over. */
  session?: { roleSpecs: { name: string; prefix: string }[] } | undefined;
  /** Edited after it was handed in: tasks and requirements may not match. */
  isSpecEdited: boolean;
  approved: { spec: boolean; plan: boolean };
  /** Who approved the plan, and who had the team deliver in spite of its integration check. */
  planApprovedBy?: string | undefined;
  approvedAnyway?: { by: string; reason: string } | undefined;
  /** What a person wants changed, for the lead's next hand-in. */
  remarks?: string | undefined;
  strategy?: { value: Strategy; because: string } | undefined;
  phases: { id: string; name: string; order: number; status: "pending" | "in-progress" | "completed" | "blocked" }[];
  tasks: Map<string, TaskState>;
  members: Map<string, MemberState>;
  /** Runs of subagents that explored, by what was asked and about which files. */
  explorations: Map<string, string>;
  criteria: Map<string, CriterionState>;
  question?: OpenQuestion | undefined;
  questions: number;
  /** Questions that are settled. Those without an answer are withdrawn. */
  settledQuestions: OpenQuestion[];
  /** The integration check under way or passed. */
  check?: { id: string; verdict?: GateVerdict | undefined } | undefined;
  /** The run that looks at criteria of the kind `look`. */
  checker?: { runId: string } | undefined;
  /** How often a checker was started for the present check. */
  checkersStarted: number;
  rounds: number;
  /** Those since the person last had a say; only they are limited. */
  roundsAlone: number;
  report?: LeadReport | undefined;
  /** The run that writes the report, and then delivers. */
  reportRunId?: string | undefined;
  deliveryRunId?: string | undefined;
  /** Why what it delivers can't be merged into the base. */
  deliveryConflict?: string | undefined;
  /** Runs whose task went on without them: to be ended. */
  leftRuns: Set<string>;
  /** What its runs may spend together; null: there is no limit. */
  budgetUsd: number | null;
  /** Absent of a team that never worked without a person. */
  autonomy?: AutonomyState | undefined;
  /** How its members do; `open`: issues that are not cleared. */
  health: { last: number; members: Map<string, MemberHealthState>; open: Map<number, HealthRecord> };
  warnedOfCost: boolean;
  /** The newest event of others that was noted. */
  notedEvent: number;
  updatedAt: string;
  endedAt?: string | undefined;
  index: TaskIndex;
}
