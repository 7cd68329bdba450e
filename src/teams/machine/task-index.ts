import type { PlannedTask } from "../../contract/documents/teams/team-plan.ts";
import { TEAM_TASK_STATES, type TeamTaskState } from "../../contract/words/teams/team-words.ts";
import { prefixOf } from "../role-specs/responsibility.ts";
import { planOrder } from "./plan-graph.ts";
import type { TaskRoute } from "./team-facts.ts";
import type { TaskIndex, TaskState, TeamState } from "./team-state.ts";

export function emptyIndex(): TaskIndex {
  return {
    open: new Map(),
    ready: new Map(),
    waitsFor: new Map(),
    dependents: new Map(),
    atWork: new Set(),
    blocked: new Set(),
    left: new Map(),
    unfiled: new Set(),
    byRun: new Map(),
    byTask: new Map(),
    counts: Object.fromEntries(TEAM_TASK_STATES.map((state) => [state, 0])) as TaskIndex["counts"],
  };
}

/** A task that is done with, one way or the other. Others no longer wait for it. */
export function isSettled(state: TeamTaskState): boolean {
  return state === "merged" || state === "left-out";
}

interface Added {
  tasks: readonly PlannedTask[];
  routes: readonly TaskRoute[];
  round?: number;
}

/**
 * Adds planned tasks, all waiting. Whatever the plan says, nothing waits for itself or for a later phase: a plan that
 * was edited by hand must not bring the team to a halt.
 */
export function addTasks(state: TeamState, { tasks, routes, round }: Added): void {
  const routeOf = new Map(routes.map((route) => [route.key, route]));
  const phaseOf = new Map(state.phases.map(({ id, order }) => [id, order]));
  const place = new Map(planOrder(tasks).map((key, at) => [key, at]));
  const prefixes = state.session?.roleSpecs.map((one) => one.prefix);
  for (const plan of tasks) {
    const { roleId = "", rank = "worker", member, prefix, merges } = routeOf.get(plan.key) ?? {};
    const known = { prefix: prefix ?? prefixOf(plan, prefixes), runIds: [], failures: 0, orphaned: 0 };
    const task: TaskState = { plan, roleId, rank, state: "waiting", ...known };
    if (round !== undefined) task.round = round;
    if (member !== undefined) task.member = member;
    if (merges !== undefined) task.merges = merges;
    state.tasks.set(plan.key, task);
  }
  for (const plan of tasks) {
    const order = phaseOf.get(plan.phase) ?? 0;
    const before = [...new Set(plan.dependsOn)].filter((key) => {
      const other = state.tasks.get(key);
      if (other === undefined || isSettled(other.state)) return false;
      const isEarlier = (place.get(key) ?? -1) < (place.get(plan.key) ?? 0);
      return isEarlier && (phaseOf.get(other.plan.phase) ?? 0) <= order;
    });
    file(state, plan, before);
  }
}

function file({ index, tasks }: TeamState, { key, phase }: PlannedTask, before: readonly string[]): void {
  const task = tasks.get(key);
  if (task !== undefined) {
    openIn(index, phase).set(key, task);
    count(index, task, 1);
  }
  index.waitsFor.set(key, before.length);
  index.unfiled.add(key);
  index.counts.waiting++;
  if (before.length === 0) listOf(index.ready, phase).add(key);
  for (const other of before) {
    const known = index.dependents.get(other);
    if (known === undefined) index.dependents.set(other, [key]);
    else known.push(key);
  }
}

function openIn({ open }: TaskIndex, phase: string): Map<string, TaskState> {
  const known = open.get(phase) ?? new Map<string, TaskState>();
  open.set(phase, known);
  return known;
}

function listOf(lists: Map<string, Set<string>>, phase: string): Set<string> {
  const known = lists.get(phase);
  if (known !== undefined) return known;
  const list = new Set<string>();
  lists.set(phase, list);
  return list;
}

/** The one place where a task changes its state. */
export function moveTask({ index, tasks }: TeamState, task: TaskState, to: TeamTaskState): void {
  const { plan, state: from } = task;
  if (from === to) return;
  const { key, phase } = plan;
  task.state = to;
  index.counts[from]--;
  index.counts[to]++;
  mark(index.atWork, key, to === "working" || to === "review");
  mark(index.blocked, key, to === "blocked");
  if (isSettled(to) !== isSettled(from)) count(index, task, isSettled(to) ? -1 : 1);
  if (isSettled(to)) openIn(index, phase).delete(key);
  else if (isSettled(from)) openIn(index, phase).set(key, task);
  mark(listOf(index.ready, phase), key, to === "waiting" && index.waitsFor.get(key) === 0);
  if (!isSettled(to) || isSettled(from)) return;
  for (const other of index.dependents.get(key) ?? []) {
    const left = (index.waitsFor.get(other) ?? 1) - 1;
    index.waitsFor.set(other, left);
    const waiting = tasks.get(other);
    if (left === 0 && waiting?.state === "waiting") listOf(index.ready, waiting.plan.phase).add(other);
  }
}

function count({ left }: TaskIndex, { prefix }: TaskState, by: number): void {
  left.set(prefix, (left.get(prefix) ?? 0) + by);
}

function mark(keys: Set<string>, key: string, isIn: boolean): void {
  if (isIn) keys.add(key);
  else keys.delete(key);
}
