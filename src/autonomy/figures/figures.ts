import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { lastWeeks, type WorkRecords, weeklyFigures } from "./weekly.ts";

/** Of each project and of all questions, the newest of them. */
const MOST_GATES = 5_000;
const MOST_QUESTIONS = 1_000;

interface Parts {
  core: Pick<Core, "clock" | "tasks" | "uses" | "projects" | "shown">;
  hall: Pick<Hall, "gates" | "escalations">;
}

/** How work goes over the weeks, from the records. */
export async function figuresFor(
  { core, hall }: Parts,
  { weeks: count, project }: RouteQuery<"getFigures">,
): Promise<RouteResponse<"getFigures">> {
  await core.shown.caughtUp();
  const weeks = lastWeeks(core.clock(), count);
  const since = weeks[0] ?? "";
  const ids = project === undefined ? core.projects.ids() : [project];
  const isWanted = (one: { projectId?: string | undefined }) => project === undefined || one.projectId === project;
  const records: WorkRecords = {
    tasks: core.tasks
      .finishedSince(since)
      .filter(isWanted)
      .map(({ projectId, createdAt, startedAt = createdAt, completedAt = "", history }) => {
        const isReworked = history.some(({ from, to }) => from === "review" && to !== "done" && to !== "cancelled");
        return { projectId, startedAt, completedAt, isReworked };
      }),
    gates: [...ids].flatMap((projectId) =>
      hall.gates.finished(projectId, MOST_GATES).flatMap(({ line: { runId, cycle, verdict, endedAt: at = "" } }) => {
        const isFirst = runId !== undefined && cycle === 1 && (verdict === "pass" || verdict === "fail");
        return isFirst && at >= since ? [{ projectId, at, isPassed: verdict === "pass" }] : [];
      }),
    ),
    questions: [
      ...hall.escalations.open(),
      ...hall.escalations.list({ status: "resolved", limit: MOST_QUESTIONS }).escalations,
    ]
      .filter((one) => one.createdAt >= since && isWanted(one))
      .map(questionOf),
    costs: core.uses.weekly(since).filter(isWanted),
  };
  return { weeks, ...weeklyFigures(records, weeks) };
}

function questionOf({ projectId = "", createdAt: at, status, resolvedBy, askers }: StoredEscalation) {
  const isAsked = status !== "resolved" || resolvedBy === "person";
  return { projectId, at, isAsked, avoided: Math.max(0, askers.length - 1) + (isAsked ? 0 : 1) };
}
