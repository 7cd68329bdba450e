import { autonomyOf } from "./autonomy/autonomy-phase.ts";
import { canWorkTogether } from "./file-overlap.ts";
import { joined, memberFor } from "./members.ts";
import { needsTopModel } from "./routing.ts";
import type { TeamFact } from "./team-facts.ts";
import type { MemberState, TaskState, TeamState } from "./team-state.ts";
import type { World } from "./world.ts";

/**
 * Starts tasks of a phase that wait for nothing but their turn. A task whose result is judged keeps its place and its files:
 * the review may send it back to work at any time.
 */
export function assign(state: TeamState, world: World, phase: string): TeamFact[] {
  const { index, tasks } = state;
  const writers = autonomyOf(state)?.limits.maxConcurrency ?? world.settings.maxWriters;
  const most = state.strategy?.value === "single" ? 1 : writers;
  let free = most - index.atWork.size;
  const ready = index.ready.get(phase);
  if (free <= 0 || ready === undefined || ready.size === 0) return [];
  const atWork = Array.from(index.atWork, (key) => tasks.get(key)?.plan.files ?? []);
  const busy = new Set<string>();
  const facts: TeamFact[] = [];
  for (const key of ready) {
    const task = tasks.get(key);
    if (task === undefined || !atWork.every((files) => canWorkTogether(files, task.plan.files))) continue;
    facts.push(...start(state, task, { world, busy }));
    atWork.push(task.plan.files);
    if (--free === 0) break;
  }
  return facts;
}

interface Crew {
  world: World;
  /** Names that are taken in this decision. */
  busy: Set<string>;
}

function start(state: TeamState, task: TaskState, { world, busy }: Crew): TeamFact[] {
  const { key } = task.plan;
  const escalated = escalationOf(task, world);
  const rank = escalated === undefined ? task.rank : "escalation";
  const known = memberFor(state, { ...task, rank }, busy);
  const member = known ?? joined(state, { rank, roleId: task.roleId, also: [...busy] });
  busy.add(member.name);
  const facts: TeamFact[] = known === undefined ? [member as TeamFact] : [];
  if (escalated !== undefined && known?.model !== escalated) {
    const reason = `${task.plan.title}: ${task.failures} failed attempts.`;
    facts.push({ type: "model-swapped", member: member.name, model: escalated, by: "hall", reason });
  }
  const top = needsTopModel(task.plan.domain) ? world.settings.topModel : undefined;
  const model = top ?? escalated ?? known?.model;
  const roleSpec = world.roleSpec(key);
  const after = afterOf(state, task, known);
  const given = {
    ...(model === undefined ? {} : { model }),
    ...(roleSpec === undefined ? {} : { roleSpec }),
    ...(after === undefined ? {} : { after }),
  };
  return [...facts, { type: "task-started", key, runId: world.nextRunId(), member: member.name, ...given }];
}

type Started = Extract<TeamFact, { type: "task-started" }>;

/** The hall starts what became ready: no member does, and no lead is asked. */
function afterOf({ tasks }: TeamState, { plan }: TaskState, member: MemberState | undefined): Started["after"] {
  const last = member?.loop.at(-1);
  if (last !== undefined && last !== plan.key) return { key: last, as: "loop" };
  const before = plan.dependsOn.findLast((key) => tasks.get(key)?.state === "merged");
  return before === undefined ? undefined : { key: before, as: "successor" };
}

/** The model of the rank that takes over a task which failed too often; undefined where it has not, or no such model can be asked. */
function escalationOf({ failures }: TaskState, { settings }: World): string | undefined {
  return failures >= settings.autoEscalationThreshold ? settings.escalationModel : undefined;
}
