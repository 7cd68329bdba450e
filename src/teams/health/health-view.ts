import type { HealthIssue, MemberHealth } from "../../contract/documents/teams/team-health.ts";
import type { HealthState, Liveness } from "../../contract/words/teams/health-words.ts";
import { hasEnded } from "../../contract/words/teams/team-words.ts";
import type { HealthRecord, MemberState, TeamState } from "../machine/team-state.ts";
import type { HealthMonitor } from "./health-monitor.ts";

type Activity = ReturnType<HealthMonitor["activityOf"]>;

/** How the members of a team do. */
export function teamHealth(state: TeamState, monitor: Pick<HealthMonitor, "activityOf">, now: number): MemberHealth[] {
  const isOver = hasEnded(state.status);
  return [...state.members.values()].map((member): MemberHealth => {
    const { name, rank, task, runId } = member;
    const activity = isOver || runId === undefined ? undefined : monitor.activityOf(runId);
    const history = (state.health.members.get(name)?.issues ?? []).map((record) => issueView(state, record));
    const open = history.filter(({ state: standing }) => standing === "acting" || standing === "open");
    const model = activity?.run.model ?? member.model;
    return {
      name,
      rank,
      ...(task === undefined ? {} : { task }),
      ...(runId === undefined ? {} : { runId }),
      ...(model === undefined ? {} : { model }),
      liveness: isOver ? "stopped" : livenessOf(member, activity, open),
      ...(activity === undefined
        ? {}
        : { inactiveSeconds: Math.max(0, Math.round((now - activity.activeAt) / 1_000)) }),
      ...(activity?.context === undefined ? {} : { context: activity.context }),
      calls: (activity?.calls ?? []).map(({ tool, failed }) => ({ tool, failed })),
      open,
      history,
    };
  });
}

function livenessOf({ isStopped, task }: MemberState, activity: Activity, open: readonly HealthIssue[]): Liveness {
  if (isStopped) return "stopped";
  // A result that is judged keeps its task.
  if (activity === undefined) return task === undefined ? "idle" : "waiting";
  if (activity.isWaiting) return "waiting";
  return open.some(({ issue }) => issue === "stall") ? "stalled" : "active";
}

function issueView(team: TeamState, record: HealthRecord): HealthIssue {
  const { member: _, epoch: _epoch, mark: _mark, isOver: _over, ...shown } = record;
  const known = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
  return { ...(known as Omit<HealthIssue, "state">), state: stateOf(team, record) };
}

function stateOf({ status, health }: TeamState, { number, outcome, clearedAt, isOver }: HealthRecord): HealthState {
  if (clearedAt !== undefined) return isOver === true ? "ended" : "cleared";
  if (hasEnded(status) || !health.open.has(number)) return "ended";
  return outcome === undefined ? "acting" : "open";
}
