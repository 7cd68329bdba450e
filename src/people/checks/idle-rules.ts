import type { TaskStatus } from "../../contract/documents/task-status.ts";
import type { Finding } from "./findings.ts";

/** A task as the checks see it. */
export interface CheckedTask {
  id: string;
  status: TaskStatus;
  plan?: string | undefined;
  createdAt: string;
  createdBy: string;
  /** Its status changed since it was created. */
  hasMoved: boolean;
  /** When and by whom its status was last set. */
  movedAt: string;
  movedBy: string;
  /** A run is working on it, or about to. */
  hasRun: boolean;
  /** Open questions that block it. */
  questions: number;
  /** Unfinished tasks that it waits for. */
  waitingOn: number;
  /** Acceptance criteria that are not met. */
  unmet: number;
  isPartial: boolean;
}

/** What there is to see when a project's agent ends a turn in which it did something. */
export interface IdleState {
  /** The end of its turn before. */
  since: string;
  /** In progress, blocked, or changed since then. */
  tasks: readonly CheckedTask[];
  plans: readonly { slug: string; editedAt: number; done: number; total: number }[];
  /** When the project's knowledge or memory was last written, in milliseconds since 1970; 0: never. */
  learnedAt: number;
  /** Whether its answer goes to a person or an agent, and whether it has one. */
  answer: { isAwaited: boolean; isEmpty: boolean };
  /** Whether it told the main agent or the person something since then. */
  hasTold: boolean;
  /** Where the turn is about an initiative: what it could take now, and whether it has reported. */
  lead?: { initiative: string; ready: readonly string[]; hasReported: boolean } | undefined;
}

type IdleRule = (state: IdleState) => Finding[];

/** A person's own tasks are theirs to move. */
function isPersons({ movedBy }: Pick<CheckedTask, "movedBy">): boolean {
  return movedBy === "person" || movedBy === "client";
}

export function orphanedTasks(tasks: readonly CheckedTask[]): Extract<Finding, { code: "task_without_run" }>[] {
  return tasks
    .filter((task) => task.status === "in-progress" && !task.hasRun && !isPersons(task))
    .map(({ id }) => ({ code: "task_without_run", taskId: id }));
}

/** Tasks that agents finished since the turn before. */
function finishedIn({ tasks, since }: IdleState): CheckedTask[] {
  return tasks.filter(
    (task) => (task.status === "done" || task.status === "review") && task.movedAt > since && !isPersons(task),
  );
}

const followUps: IdleRule = (state) => {
  const isFollowUp = ({ createdAt, createdBy }: CheckedTask) =>
    createdAt > state.since && !isPersons({ movedBy: createdBy });
  if (state.tasks.some(isFollowUp)) return [];
  return finishedIn(state)
    .filter(({ unmet, isPartial, questions }) => (unmet > 0 || isPartial) && questions === 0)
    .map(({ id, unmet }) => ({ code: "no_follow_up", taskId: id, unmet }));
};

const plans: IdleRule = ({ plans: all, tasks, since }) =>
  all.flatMap(({ slug, editedAt, done, total }) => {
    const moved = tasks.filter((task) => task.plan === slug && task.hasMoved && task.movedAt > since);
    if (moved.length === 0 || editedAt > Date.parse(since)) return [];
    return [{ code: "plan_outdated" as const, slug, taskIds: idsOf(moved), isComplete: done === total }];
  });

const learnings: IdleRule = (state) => {
  const finished = finishedIn(state);
  if (finished.length === 0 || state.learnedAt > Date.parse(state.since)) return [];
  return [{ code: "no_learnings", taskIds: idsOf(finished) }];
};

const reports: IdleRule = (state) => {
  // What a lead reports is checked apart.
  if (state.lead !== undefined) return [];
  if (state.answer.isAwaited) return state.answer.isEmpty ? [{ code: "not_reported", to: "sender" }] : [];
  return finishedIn(state).length > 0 && !state.hasTold ? [{ code: "not_reported", to: "main" }] : [];
};

const blockers: IdleRule = ({ tasks }) =>
  tasks
    .filter((task) => task.status === "blocked" && task.questions === 0 && task.waitingOn === 0 && !isPersons(task))
    .map(({ id }) => ({ code: "blocked_without_question", taskId: id }));

const leads: IdleRule = ({ lead }) => {
  if (lead === undefined || lead.hasReported) return [];
  const { initiative: slug, ready } = lead;
  return [
    ready.length > 0
      ? { code: "lead_has_ready_tasks", slug, taskIds: [...ready] }
      : { code: "lead_not_reported", slug },
  ];
};

function idsOf(tasks: readonly CheckedTask[]): string[] {
  return tasks.map(({ id }) => id);
}

export const IDLE_RULES = {
  "tasks-updated": ({ tasks }) => orphanedTasks(tasks),
  "follow-ups-created": followUps,
  "plan-updated": plans,
  "learnings-saved": learnings,
  "results-reported": reports,
  "blockers-escalated": blockers,
  "initiative-reported": leads,
} as const satisfies Record<string, IdleRule>;
