import type {
  CriterionState,
  Team,
  TeamMember,
  TeamPhase,
  TeamTask,
} from "../../../../src/contract/documents/teams/team.ts";
import type { TeamSpec } from "../../../../src/contract/documents/teams/team-spec.ts";
import { TEAM_QUESTION_WORDS, TEAM_STATUS_WORDS } from "../../../../src/contract/words/teams/team-phrases.ts";
import { hasEnded, TEAM_TASK_STATES, type TeamTaskState } from "../../../../src/contract/words/teams/team-words.ts";
import { moneyText, plural } from "../../ui/figures.tsx";

export function totalOf(tasks: Team["tasks"]): number {
  return TEAM_TASK_STATES.reduce((sum, state) => sum + (tasks[state] ?? 0), 0);
}

/** Those that are at work first, in the order that they came in. */
export function activeFirst(teams: readonly Team[]): { active: Team[]; ended: Team[] } {
  return {
    active: teams.filter(({ status }) => !hasEnded(status)),
    ended: teams.filter(({ status }) => hasEnded(status)),
  };
}

/** What a team is at or waits for, in one sentence. */
export function standingWords(team: Team): string {
  const { status, pausedFrom, waitingFor, escalation, reason } = team;
  if (escalation !== undefined) return `Waiting for ${TEAM_QUESTION_WORDS[escalation.kind]}.`;
  const why = reason === undefined || reason === "" ? "" : ` ${ended(reason)}`;
  if (status === "paused")
    return `Paused${pausedFrom === undefined ? "" : ` while ${TEAM_STATUS_WORDS[pausedFrom].toLowerCase()}`}. Runs that work finish, nothing new starts.${why}`;
  if (waitingFor === "budget") return `Waiting for budget. ${spentWords(team)}`;
  if (waitingFor === "quota") return "Waiting for a provider's quota. It continues automatically.";
  if (waitingFor === "project") return "Waiting because the project is suspended.";
  if (hasEnded(status)) return `${END_WORDS[status as keyof typeof END_WORDS]}${why}`;
  return `${AT_WORK[status as keyof typeof AT_WORK](team)}${why}`;
}

const END_WORDS = {
  completed: "The work is delivered.",
  failed: "The team gave up.",
  stopped: "Stopped. Its branch is kept.",
} as const;

const AT_WORK = {
  forming: () => "Getting ready.",
  specifying: () => "The lead writes the spec.",
  planning: () => "The lead plans the tasks.",
  "awaiting-approval": () => "Waiting for approval.",
  working: ({ tasks }: Team) => progressWords(tasks),
  integrating: ({ rounds }: Team) =>
    `All tasks are merged. The integration check judges the whole${rounds > 0 ? ` (fix round ${rounds})` : ""}.`,
  synthesizing: () => "The lead writes the report.",
  delivering: ({ waitingFor, baseBranch }: Team) =>
    waitingFor === "person"
      ? "Waiting for your review of the whole change."
      : `Merging the whole change${baseBranch === undefined ? "" : ` into ${baseBranch}`}.`,
} as const;

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** `3 of 7 tasks merged, 2 working, 1 in review.` */
export function progressWords(tasks: Team["tasks"]): string {
  const parts = [
    `${tasks.merged} of ${plural(totalOf(tasks), "task")} merged`,
    tasks.working > 0 && `${tasks.working} working`,
    tasks.review > 0 && `${tasks.review} in review`,
    tasks.blocked > 0 && `${tasks.blocked} blocked`,
    tasks.failed > 0 && `${tasks.failed} failed`,
  ];
  return `${parts.filter(Boolean).join(", ")}.`;
}

export function spentWords({
  costUsd,
  costKnown,
  budgetUsd,
}: Pick<Team, "costUsd" | "costKnown" | "budgetUsd">): string {
  const spent = moneyText(costUsd, costKnown);
  return budgetUsd === null ? `${spent} spent, no limit.` : `${spent} of ${moneyText(budgetUsd)} spent.`;
}

export interface PhaseGroup {
  id: string;
  name: string;
  status: TeamPhase["status"] | undefined;
  tasks: TeamTask[];
  merged: number;
}

/** Tasks by phase in the order of the phases; those of a phase that is not listed come last. */
export function byPhase(
  phases: readonly (Pick<TeamPhase, "id" | "name"> & Partial<TeamPhase>)[],
  tasks: readonly TeamTask[],
): PhaseGroup[] {
  const groups = new Map<string, PhaseGroup>(
    phases.map(({ id, name, status }) => [id, { id, name, status, tasks: [], merged: 0 }]),
  );
  for (const task of tasks) {
    const group = groups.get(task.phase) ?? {
      ...{ id: task.phase, name: task.phase, status: undefined, tasks: [], merged: 0 },
    };
    group.tasks.push(task);
    if (task.state === "merged") group.merged += 1;
    groups.set(task.phase, group);
  }
  return [...groups.values()];
}

export interface TaskFilter {
  text: string;
  state: TeamTaskState | undefined;
}

function fits({ title, key, taskId, member, state }: TeamTask, filter: TaskFilter): boolean {
  if (filter.state !== undefined && state !== filter.state) return false;
  const text = filter.text.trim().toLowerCase();
  return text === "" || [title, key, taskId, member].some((part) => part?.toLowerCase().includes(text));
}

export type TaskListRow = { phase: PhaseGroup } | { task: TeamTask };

/** The phases with their tasks below them, as one list; phases without a fitting task are left out of a filtered one. */
export function listRows(groups: readonly PhaseGroup[], filter: TaskFilter): TaskListRow[] {
  const isFiltered = filter.text.trim() !== "" || filter.state !== undefined;
  return groups.flatMap((phase) => {
    const shown = phase.tasks.filter((task) => fits(task, filter));
    if (shown.length === 0 && isFiltered) return [];
    return [{ phase }, ...shown.map((task) => ({ task }))];
  });
}

export interface MemberNode {
  member: TeamMember;
  /** What it is at now. */
  current: TeamTask | undefined;
  /** What it did before, the newest last. */
  others: TeamTask[];
}

/** The lead above everybody else, each with their tasks. Tasks without a member are not in it. */
export function memberTree(
  members: readonly TeamMember[],
  tasks: readonly TeamTask[],
): { lead: MemberNode | undefined; others: MemberNode[] } {
  const owned = new Map<string, TeamTask[]>();
  for (const task of tasks)
    if (task.member !== undefined) {
      const own = owned.get(task.member);
      if (own === undefined) owned.set(task.member, [task]);
      else own.push(task);
    }
  const nodes = members.map((member): MemberNode => {
    const own = owned.get(member.name) ?? [];
    const current = own.find(({ key }) => key === member.task);
    return { member, current, others: own.filter((task) => task !== current) };
  });
  const lead = nodes.find(({ member }) => member.rank === "lead");
  return { lead, others: nodes.filter((node) => node !== lead) };
}

export interface Coverage {
  requirement: TeamSpec["requirements"][number];
  criteria: CriterionState[];
  met: number;
  /** Titles of the tasks that have to meet it. */
  tasks: TeamTask[];
}

/** Each requirement with its criteria as they stand, and the tasks that cover it. */
export function coverageOf(
  spec: TeamSpec,
  criteria: readonly CriterionState[],
  tasks: readonly TeamTask[],
): Coverage[] {
  return spec.requirements.map((requirement) => {
    const own = criteria.filter((criterion) => criterion.requirement === requirement.id);
    return {
      requirement,
      criteria: own,
      met: own.filter(({ state }) => state === "met").length,
      tasks: tasks.filter(({ requirements }) => requirements.includes(requirement.id)),
    };
  });
}
