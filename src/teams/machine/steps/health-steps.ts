import { HEALTH_LIMITS } from "../../../contract/words/teams/health-words.ts";
import type { MemberHealthState, TeamState } from "../team-state.ts";
import { type FactSteps, settleQuestion } from "./fact-steps.ts";
import { putDown } from "./task-steps.ts";

export const healthSteps: Pick<FactSteps, "health-issue" | "health-acted" | "health-cleared" | "member-resolved"> = {
  "health-issue": (state, { type: _, ...found }) => {
    const { health, updatedAt: at } = state;
    const own = healthOf(state, found.member);
    const record = { ...found, at };
    health.last = Math.max(health.last, found.number);
    own.issues = [...own.issues, record].slice(-HEALTH_LIMITS.issues);
    if (found.action === "restart") own.restartedFor.add(found.issue);
    health.open.set(found.number, record);
  },
  "health-acted": (state, { number, outcome }) => {
    const record = state.health.open.get(number);
    if (record !== undefined) Object.assign(record, { outcome, actedAt: state.updatedAt });
  },
  "health-cleared": (state, { number, isOver }) => {
    const record = state.health.open.get(number);
    if (record !== undefined) Object.assign(record, { clearedAt: state.updatedAt, isOver });
    state.health.open.delete(number);
    settleQuestion(state, ({ issue }) => issue === number);
  },
  "member-resolved": (state, { member: name, restart, remarks }) => {
    const { health, members, tasks } = state;
    const own = healthOf(state, name);
    own.resolvedThrough = health.last;
    for (const record of [...health.open.values()].filter(({ member }) => member === name)) {
      record.clearedAt = state.updatedAt;
      health.open.delete(record.number);
    }
    settleQuestion(
      state,
      ({ kind, issue }) => kind === "member-stuck" && own.issues.some((one) => one.number === issue),
    );
    const member = members.get(name);
    if (member === undefined || !restart) return;
    const task = member.task === undefined ? undefined : tasks.get(member.task);
    putDown(state, member, undefined);
    if (task === undefined) state.remarks = remarks ?? state.remarks;
    else Object.assign(task, { remarks, isRetried: true });
  },
};

function healthOf({ health }: TeamState, name: string): MemberHealthState {
  const known = health.members.get(name);
  if (known !== undefined) return known;
  const own: MemberHealthState = { issues: [], restartedFor: new Set(), resolvedThrough: 0 };
  health.members.set(name, own);
  return own;
}
