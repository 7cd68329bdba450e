import type { CriterionState, Team, TeamMember, TeamPhase, TeamTask } from "../../contract/documents/teams/team.ts";
import type { RunStatus } from "../../contract/runs/run.ts";
import { autonomyView } from "./autonomy/autonomy-view.ts";
import type { MemberState, TaskState, TeamState } from "./team-state.ts";

/** What a state does not know of itself. */
export interface Seen {
  costUsd: number;
  costKnown: boolean;
  etag: string;
  now: string;
  /** Money, a quota or the project; a question to the person is known without. */
  waitingFor?: Team["waitingFor"] | undefined;
  runStatus: (runId: string) => RunStatus | undefined;
}

export function teamView(state: TeamState, { waitingFor, runStatus, now, ...figures }: Seen): Team {
  const { document, status, pausedFrom, strategy, question, check, deliveryRunId, endedAt } = state;
  const { strategy: _, ...known } = document;
  const waits = waitingFor ?? (question === undefined ? undefined : "person");
  const autonomy = autonomyView(state, now);
  const reason = state.reason ?? question?.reason;
  return {
    ...known,
    budgetUsd: state.budgetUsd,
    status,
    ...(pausedFrom === undefined ? {} : { pausedFrom }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(autonomy === undefined ? {} : { autonomy }),
    ...(waits === undefined ? {} : { waitingFor: waits }),
    ...(question?.escalationId === undefined ? {} : { escalation: { id: question.escalationId, kind: question.kind } }),
    phases: phaseViews(state),
    members: [...state.members.values()].map((member) => memberView(member, runStatus)),
    tasks: { ...state.index.counts },
    requirements: requirementsOf(state),
    rounds: state.rounds,
    ...figures,
    ...(check === undefined ? {} : { checkId: check.id }),
    ...(deliveryRunId === undefined ? {} : { deliveryRunId }),
    ...(reason === undefined ? {} : { reason }),
    updatedAt: state.updatedAt,
    ...(endedAt === undefined ? {} : { endedAt }),
  };
}

/** With the keys of their tasks on the board, as far as they have one. */
function phaseViews({ phases, tasks }: TeamState): TeamPhase[] {
  const byPhase = new Map<string, string[]>(phases.map(({ id }) => [id, []]));
  for (const { plan, taskId } of tasks.values()) if (taskId !== undefined) byPhase.get(plan.phase)?.push(taskId);
  return phases.map(({ id, name, order, status }) => ({ id, name, order, status, taskIds: byPhase.get(id) ?? [] }));
}

/** By phase, and in the order of the plan. */
export function taskViews({ phases, tasks }: TeamState): TeamTask[] {
  const order = new Map(phases.map((phase) => [phase.id, phase.order]));
  const place = (task: TaskState) => order.get(task.plan.phase) ?? 0;
  return [...tasks.values()].sort((a, b) => place(a) - place(b)).map(taskView);
}

function taskView(task: TaskState): TeamTask {
  const { plan, taskId, member, gate, checks, round, reason } = task;
  const { description: _, role: _role, ...planned } = plan;
  return {
    ...planned,
    ...(taskId === undefined ? {} : { taskId }),
    roleId: task.roleId,
    rank: task.rank,
    prefix: task.prefix,
    state: task.state,
    ...(member === undefined ? {} : { member }),
    runIds: [...task.runIds],
    ...(gate === undefined ? {} : { gate }),
    ...(checks === undefined ? {} : { checks }),
    attempts: task.runIds.length,
    ...(round === undefined ? {} : { round }),
    ...(reason === undefined ? {} : { reason }),
  };
}

export function criteria(state: TeamState): CriterionState[] {
  return Array.from(state.criteria.values(), (criterion) => ({ ...criterion }));
}

function memberView(member: MemberState, runStatus: Seen["runStatus"]): TeamMember {
  const { name, rank, roleId, model, runId, task, runs, failures } = member;
  return {
    name,
    rank,
    roleId,
    ...(model === undefined ? {} : { model }),
    status: memberStatus(member, runStatus),
    ...(runId === undefined ? {} : { runId }),
    ...(task === undefined ? {} : { task }),
    runs,
    failures,
  };
}

/** One whose result is judged waits for the verdict. */
function memberStatus({ isStopped, runId, task }: MemberState, runStatus: Seen["runStatus"]): TeamMember["status"] {
  if (isStopped) return "stopped";
  if (runId === undefined) return task === undefined ? "idle" : "waiting";
  const status = runStatus(runId);
  if (status === "running") return "working";
  return status === undefined || status === "pending" ? "waiting" : "idle";
}

/** A requirement is met when each of its criteria is. */
function requirementsOf(state: TeamState): Team["requirements"] {
  const unmet = new Set<string>();
  for (const { requirement, state: standing } of state.criteria.values())
    if (standing !== "met") unmet.add(requirement);
  const all = state.spec?.requirements ?? [];
  return { total: all.length, met: all.filter(({ id }) => !unmet.has(id)).length };
}
