import type { LeadReport } from "../../contract/documents/autonomy/lead.ts";
import type { Statement } from "../../contract/documents/knowledge.ts";
import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { openQuestions } from "./lead-briefing.ts";
import type { LeadState } from "./lead-state.ts";
import type { Place } from "./lead-store.ts";
import type { Work } from "./lead-world.ts";

const MOST_TASKS = 1_000;

type Records = Pick<Hall, "documents" | "tasks" | "escalations">;

/** Why a lead can't report yet: something is left that it can do. */
export function assertReportable(
  { hall }: { hall: Records },
  { place, work, ready, complete }: { place: Place; work: Work; ready: readonly string[]; complete: boolean },
): void {
  const active = work.atWork.filter((id) => !work.parked.includes(id));
  if (active.length > 0)
    throw refused(`${active.join(", ")} is still running. End your turn; you get a message when it ends.`);
  if (ready.length > 0)
    throw refused(`Tasks are ready: ${ready.slice(0, 10).join(", ")}. Take the next one, or escalate with blocksTask.`);
  const tasks = tasksOf(hall, place);
  const mute = tasks.filter((task) => task.status === "blocked" && isMute(task)).map(({ id }) => id);
  if (mute.length > 0)
    throw refused(
      `${mute.join(", ")} is blocked, but no open question says why. Use escalate with blocksTask, or change its status.`,
    );
  const counted = tasks.filter(({ status }) => status !== "cancelled");
  const open = counted.filter(({ status }) => status !== "done").map(({ id }) => id);
  if (complete && open.length > 0) throw refused(`Not complete: ${open.slice(0, 10).join(", ")} is not done.`);
  if (complete && counted.length === 0) throw refused("Not complete: the initiative has no tasks.");
  if (complete || open.length > 0 || openQuestions(hall, place).length > 0) return;
  throw refused(
    counted.length === 0
      ? "The initiative has no tasks: write the plan and create its tasks, or escalate what keeps you from it."
      : "All tasks are done: report complete, create the tasks that are missing, or escalate what is unclear.",
  );
}

/** By the records: the agent's own words are the summary and the next steps only. */
export function reportOf(
  { core, hall }: { core: Pick<Core, "clock">; hall: Records & Pick<Hall, "knowledge"> },
  {
    lead,
    place,
    input,
  }: { lead: LeadState; place: Place; input: { summary: string; complete: boolean; nextSteps: string } },
): LeadReport {
  const since = lead.started.at;
  const tasks = tasksOf(hall, place);
  const named = ({ id, title }: Task) => ({ id, title });
  const doneSince = ({ status, history }: Task) => status === "done" && (history.at(-1)?.at ?? "") >= since;
  const byAgents = ({ createdAt, history }: Task) => createdAt >= since && history[0]?.by !== "person";
  return {
    at: core.clock().toISOString(),
    summary: input.summary,
    nextSteps: input.nextSteps,
    isComplete: input.complete,
    tasksDone: tasks.filter(doneSince).map(named),
    tasksCreated: tasks.filter(byAgents).map(named),
    knowledge: statementsOf(hall, place.projectId).flatMap(({ id, text }) =>
      lead.started.statements.includes(id) ? [] : [text],
    ),
    escalations: openQuestions(hall, place)
      .filter(({ createdAt }) => createdAt >= since)
      .map(({ id, question }) => ({ id, question })),
    tasks: hall.documents.initiative(place.projectId, place.initiative).tasks,
  };
}

/** Of a project, that count. */
export function statementsOf({ knowledge }: Pick<Hall, "knowledge">, project: string): Statement[] {
  return knowledge.list({ project, scope: "project", status: "current", limit: MOST_TASKS }).statements;
}

function tasksOf(hall: Pick<Hall, "tasks">, { projectId, initiative }: Place): Task[] {
  return hall.tasks.list(projectId, { plan: initiative, sort: "id", limit: MOST_TASKS }).tasks;
}

function isMute({ escalations = [], waitingOn }: Task): boolean {
  return escalations.length === 0 && waitingOn.length === 0;
}

function refused(message: string): HallError {
  return new HallError("lead_refused", message, { hint: "" });
}
