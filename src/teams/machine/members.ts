import type { Rank } from "../../contract/documents/rank.ts";
import { codename } from "./codenames.ts";
import type { TeamFact } from "./team-facts.ts";
import type { MemberState, TaskState, TeamState } from "./team-state.ts";

export function leadOf(state: TeamState): MemberState | undefined {
  return firstOf(state, "lead");
}

/** Who looks at criteria: a reviewer that has no task. */
export function checkerOf(state: TeamState): MemberState | undefined {
  return firstOf(state, "reviewer");
}

function firstOf({ members }: TeamState, rank: Rank): MemberState | undefined {
  for (const member of members.values())
    if (member.rank === rank && !member.isStopped && member.task === undefined) return member;
  return undefined;
}

type Joined = Extract<TeamFact, { type: "member-joined" }>;

export function joined(
  state: TeamState,
  { rank, roleId, also = [] }: { rank: Rank; roleId: string; also?: readonly string[] },
): Joined {
  const taken = new Set([...state.members.keys(), ...also]);
  return { type: "member-joined", name: codename(rank, { seed: state.document.id, taken }), rank, roleId };
}

/**
 * Who takes a task: the member that had it or should have it, else any that is free. Members keep to the prefix of their tasks, and
 * where several work at a time, also to their role. Undefined: another member has to join.
 */
export function memberFor(state: TeamState, task: TaskState, busy: ReadonlySet<string>): MemberState | undefined {
  const isFree = (member: MemberState) =>
    !member.isStopped &&
    member.task === undefined &&
    member.runId === undefined &&
    !busy.has(member.name) &&
    (member.prefix ?? task.prefix) === task.prefix;
  const own = task.member === undefined ? undefined : state.members.get(task.member);
  if (own !== undefined && own.rank === task.rank && isFree(own)) return own;
  const keepsRole = state.strategy?.value !== "single";
  for (const member of state.members.values())
    if (member.rank === task.rank && isFree(member) && (!keepsRole || member.roleId === task.roleId)) return member;
  return undefined;
}

/** Members whose turn is over: each has no more tasks of its prefix, or does one task only. */
export function finished({ members, tasks, index }: TeamState): TeamFact[] {
  return [...members.values()].flatMap(({ name, prefix = "", loop, task, isStopped }): TeamFact[] => {
    const last = loop.at(-1);
    if (last === undefined || task !== undefined || isStopped) return [];
    const isLooping = tasks.get(last)?.roleSpec?.innerLoop === true && (index.left.get(prefix) ?? 0) > 0;
    return isLooping ? [] : [{ type: "member-finished", name, prefix, tasks: [...loop] }];
  });
}
