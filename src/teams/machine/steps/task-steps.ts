import { moveTask } from "../task-index.ts";
import type { MemberState, TaskState, TeamState } from "../team-state.ts";
import { type FactSteps, settleQuestion } from "./fact-steps.ts";

export const taskSteps: Pick<
  FactSteps,
  | "tasks-created"
  | "member-joined"
  | "member-left"
  | "member-finished"
  | "task-started"
  | "task-in-review"
  | "task-reworked"
  | "task-conflicted"
  | "task-judged"
  | "task-checked"
  | "task-merged"
  | "task-failed"
  | "task-retried"
  | "task-left-out"
  | "task-orphaned"
  | "explored"
  | "discussed"
  | "model-swapped"
> = {
  "tasks-created": (state, { tasks }) => {
    for (const { key, taskId } of tasks) {
      const task = state.tasks.get(key);
      if (task === undefined) continue;
      task.taskId = taskId;
      state.index.byTask.set(taskId, key);
      state.index.unfiled.delete(key);
    }
  },

  "member-joined": (state, { name, rank, roleId, model }) => {
    state.members.set(name, { name, rank, roleId, model, runs: 0, failures: 0, isStopped: false, loop: [] });
  },

  /** Its task goes to another one. */
  "member-left": (state, { name, reason }) => {
    const member = state.members.get(name);
    if (member === undefined) return;
    member.isStopped = true;
    putDown(state, member, reason);
  },

  "member-finished": (state, { name }) => {
    const member = state.members.get(name);
    if (member !== undefined) member.loop = [];
  },

  "task-started": on((state, task, { runId, member: name, model, roleSpec }) => {
    const member = state.members.get(name);
    Object.assign(task, { member: name, roleSpec, ...FIRST_RUN });
    if (member !== undefined) {
      // The run starts with the model that the member has.
      Object.assign(member, { task: task.plan.key, roleId: task.roleId, runs: member.runs + 1, change: undefined });
      if (model !== undefined) member.model = model;
      member.prefix = task.prefix;
    }
    works(state, task, runId);
  }),

  "task-in-review": on((state, task, { runId }) => {
    task.runId = runId;
    const member = memberOf(state, task);
    if (member !== undefined) member.runId = undefined;
    moveTask(state, task, "review");
  }),

  "task-reworked": on((state, task, { runId }) => {
    reworks(state, task, runId);
    task.conflict = undefined;
  }),

  "task-conflicted": on((state, task, { runId, reason }) => {
    reworks(state, task, runId);
    task.conflict = reason;
  }),

  "task-judged": on((_, task, { gateId, verdict, score }) => {
    task.gate = { id: gateId, verdict, score };
  }),

  "task-checked": on((_, task, { checks }) => {
    task.checks = checks;
  }),

  "task-merged": on((state, task, { runId }) => {
    memberOf(state, task)?.loop.push(task.plan.key);
    ends(state, task);
    task.reason = undefined;
    if (runId !== undefined) task.runId = runId;
    moveTask(state, task, "merged");
    settled(state, task);
  }),

  explored: (state, { key, runId }) => {
    state.explorations.set(key, runId);
  },

  discussed: on((_, task, { runId, verdict, severity, rating }) => {
    task.consensus = { runId, verdict, severity, rating };
  }),

  "task-orphaned": on((state, task, { reason }) => {
    release(state, task);
    Object.assign(task, { runId: undefined, member: undefined, orphaned: task.orphaned + 1, reason });
    moveTask(state, task, "waiting");
  }),

  "task-failed": on((state, task, { reason, isFinal, cause }) => {
    const member = memberOf(state, task);
    if (member !== undefined) member.failures++;
    release(state, task);
    Object.assign(task, { runId: undefined, failures: task.failures + 1, reason, cause });
    moveTask(state, task, isFinal ? "blocked" : "waiting");
  }),

  "task-retried": on((state, task, { remarks }) => {
    Object.assign(task, { failures: 0, reason: undefined, cause: undefined, remarks, isRetried: true });
    moveTask(state, task, "waiting");
    settled(state, task);
  }),

  "task-left-out": on((state, task, { reason }) => {
    ends(state, task);
    task.reason = reason;
    moveTask(state, task, "left-out");
    for (const id of task.plan.criteria) {
      const criterion = state.criteria.get(id);
      if (criterion?.task === task.plan.key && criterion.state !== "met") criterion.state = "waived";
    }
    settled(state, task);
  }),

  "model-swapped": (state, { member: name, model }) => {
    const member = state.members.get(name);
    if (member !== undefined) Object.assign(member, { model, change: { model, runId: member.runId } });
  },
};

/** What is known of earlier runs of a task does not concern a run that starts over. */
const FIRST_RUN = { reason: undefined, reworkOf: undefined, conflict: undefined, isRetried: undefined };

/** Its run ends, and whatever it was at is started again. */
export function putDown(state: TeamState, member: MemberState, reason: string | undefined): void {
  const task = member.task === undefined ? undefined : state.tasks.get(member.task);
  if (member.runId !== undefined) state.leftRuns.add(member.runId);
  if (state.lead?.runId === member.runId) state.lead = undefined;
  if (state.checker?.runId === member.runId) state.checker = undefined;
  if (task === undefined) member.runId = undefined;
  else {
    release(state, task);
    Object.assign(task, { member: undefined, runId: undefined, reason });
    moveTask(state, task, "waiting");
  }
}

/** Facts about tasks that a later plan no longer has concern nobody. */
function on<Fact extends { key: string }>(change: (state: TeamState, task: TaskState, fact: Fact) => void) {
  return (state: TeamState, fact: Fact): void => {
    const task = state.tasks.get(fact.key);
    if (task !== undefined) change(state, task, fact);
  };
}

function memberOf(state: TeamState, task: TaskState) {
  const member = task.member === undefined ? undefined : state.members.get(task.member);
  return member?.task === task.plan.key ? member : undefined;
}

/** The run goes on with the result of the one before, and with its model. */
function reworks(state: TeamState, task: TaskState, runId: string): void {
  const member = memberOf(state, task);
  if (member !== undefined) member.runs++;
  if (member?.change !== undefined) member.change.runId ??= runId;
  task.reworkOf = task.runId;
  works(state, task, runId);
}

function works(state: TeamState, task: TaskState, runId: string): void {
  const member = memberOf(state, task);
  if (member !== undefined) member.runId = runId;
  task.runId = runId;
  task.runIds.push(runId);
  state.index.byRun.set(runId, task.plan.key);
  moveTask(state, task, "working");
}

function release(state: TeamState, task: TaskState): void {
  const member = memberOf(state, task);
  if (member !== undefined) Object.assign(member, { runId: undefined, task: undefined });
}

/** A run that is still at it has nothing to do any more. */
function ends(state: TeamState, task: TaskState): void {
  if (task.state === "working" && task.runId !== undefined) state.leftRuns.add(task.runId);
  release(state, task);
}

/** The person has decided, or need not decide any more. */
function settled(state: TeamState, { plan: { key, phase: id } }: TaskState): void {
  settleQuestion(state, ({ task }) => task === key);
  const phase = state.phases.find((one) => one.id === id);
  if (phase?.status === "blocked") phase.status = "in-progress";
}
