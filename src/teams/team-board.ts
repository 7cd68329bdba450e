import type { TaskStatus } from "../contract/documents/task-status.ts";
import { hasEnded, type TeamStatus } from "../contract/words/teams/team-words.ts";
import { unlessRefused } from "../runs/results/settlement.ts";
import { BY_DAEMON, type Core } from "../workspace/core.ts";
import type { Hall, NewTask } from "../workspace/hall/hall.ts";
import type { TeamFact } from "./machine/team-facts.ts";
import type { TaskState, TeamState } from "./machine/team-state.ts";
import { teamPaths } from "./team-files.ts";

/** By which a person finds the tasks of teams on the board. */
const TEAM_LABEL = "team";

/** The task on the board for one of the plan. */
export function boardTask(state: TeamState, { plan }: TaskState, blockedBy: string[]): NewTask {
  const criteria = (state.spec?.requirements ?? [])
    .flatMap(({ acceptance }) => acceptance)
    .filter(({ id }) => plan.criteria.includes(id))
    .map((criterion) => ({ text: boardText(criterion), done: false }));
  const covered = plan.requirements.length === 0 ? "" : `\n\nRequirements: ${plan.requirements.join(", ")}.`;
  return {
    title: plan.title,
    description: `${plan.description}${covered}\n\nTeam folder: ${teamPaths(state.document).folder}`,
    type: plan.type,
    priority: "medium",
    labels: [TEAM_LABEL, plan.domain, `team:${state.document.name}`.slice(0, 60)],
    domain: plan.domain,
    context: { files: plan.files, codeRefs: [], dependencies: [] },
    acceptanceCriteria: criteria,
    blocks: [],
    blockedBy,
    status: "pending",
    notes: "",
  };
}

function boardText({ id, text }: { id: string; text: string }): string {
  return `${id}: ${text}`.slice(0, 2_000);
}

/** The task that stands for the goal, where a person named none. */
export function goalTask(goal: string, name: string): NewTask {
  return {
    title: name.slice(0, 500),
    description: goal,
    type: "planning",
    priority: "medium",
    labels: [TEAM_LABEL],
    context: { files: [], codeRefs: [], dependencies: [] },
    acceptanceCriteria: [],
    blocks: [],
    blockedBy: [],
    status: "pending",
    notes: "",
  };
}

/** Whoever cancels the goal's task stops its team. */
export function goalFact(
  { core }: { core: Pick<Core, "tasks"> },
  { document, status }: TeamState,
): TeamFact | undefined {
  const { projectId, taskId } = document;
  if (hasEnded(status) || core.tasks.record(projectId, taskId)?.status !== "cancelled") return undefined;
  return { type: "stopped", by: "person", reason: `${taskId} was cancelled.` };
}

const OPEN: readonly TaskStatus[] = ["pending", "assigned", "in-progress", "blocked", "review"];

/** Where the goal's task belongs; undefined: it stays where it is. */
function goalStatus(status: TeamStatus): TaskStatus {
  switch (status) {
    case "completed":
      return "done";
    case "failed":
      return "failed";
    case "stopped":
      return "pending";
    default:
      return "in-progress";
  }
}

/** The goal's task follows its team. One that is done or failed already, or gone, is left alone. */
export async function settleGoal({ core, hall }: { core: Core; hall: Hall }, state: TeamState): Promise<void> {
  const { document, status } = state;
  const { projectId, taskId, id } = document;
  const now = core.tasks.record(projectId, taskId)?.status;
  const to = goalStatus(status);
  if (now === undefined || now === to || !OPEN.includes(now)) return;
  const isBlocked = now === "blocked" || now === "review";
  // What a person blocked, or has in review, is not for the team to move while it works.
  if (isBlocked && to === "in-progress") return;
  if (to === "done") await checkCriteria(hall, state);
  const move = (next: TaskStatus) =>
    unlessRefused(
      hall.tasks.update(
        projectId,
        taskId,
        { status: next, ...(next === "done" ? { outcome: "full" as const } : {}) },
        { actor: BY_DAEMON, why: `team ${id} is ${status}`, isChecked: true },
      ),
    );
  if (to !== "in-progress" && to !== "pending" && (now === "pending" || now === "assigned")) await move("in-progress");
  await move(to);
}

/** The tasks of a team that is done say of each criterion what its proof says. Before the goal is done, so that it happens once. */
async function checkCriteria(hall: Hall, { document, criteria, tasks }: TeamState): Promise<void> {
  const proven = new Map<string, boolean>();
  for (const criterion of criteria.values())
    if (criterion.state === "met" || criterion.state === "unmet")
      proven.set(boardText(criterion), criterion.state === "met");
  for (const { taskId } of tasks.values()) {
    const task = taskId === undefined ? undefined : await unlessRefused(hall.tasks.get(document.projectId, taskId));
    if (task === undefined) continue;
    const checked = task.acceptanceCriteria.map((one) => ({ ...one, done: proven.get(one.text) ?? one.done }));
    if (checked.every(({ done }, index) => done === task.acceptanceCriteria[index]?.done)) continue;
    const order = { actor: BY_DAEMON, why: `checked by team ${document.id}`, isChecked: true as const };
    await unlessRefused(hall.tasks.update(document.projectId, task.id, { acceptanceCriteria: checked }, order));
  }
}
