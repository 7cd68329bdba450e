import type { RouteQuery, RouteResponse } from "../../contract/routes/routes.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { GateSummary } from "../../workspace/gates/gate-file.ts";
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
      firstVerdicts(hall.gates.finished(projectId, MOST_GATES))
        .filter(({ at }) => at >= since)
        .map((verdict) => ({ projectId, ...verdict })),
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

/** Of each result once, although it is judged again when its target moved. A pass that took a waiver is the person's. */
export function firstVerdicts(newestFirst: readonly GateSummary[]): { at: string; isPassed: boolean }[] {
  const first = new Map<string, { at: string; isPassed: boolean }>();
  for (const { line, findings } of newestFirst) {
    const { runId, cycle, verdict, endedAt: at = "" } = line;
    if (runId === undefined || cycle !== 1 || (verdict !== "pass" && verdict !== "fail")) continue;
    first.set(runId, { at, isPassed: verdict === "pass" && !Object.values(findings).includes("waived") });
  }
  return [...first.values()];
}

type Question = Pick<StoredEscalation, "projectId" | "createdAt" | "status" | "outcome" | "resolvedBy" | "askers">;

/** A draft has not come to the person yet; what was withdrawn has no answer. */
export function questionOf({ projectId = "", createdAt: at, status, outcome, resolvedBy, askers }: Question) {
  const isAsked = status === "pending" || resolvedBy === "person";
  const isAnsweredWithout = !isAsked && (outcome === "answered" || outcome === "expired");
  const others = outcome === "withdrawn" ? 0 : Math.max(0, askers.length - 1);
  return { projectId, at, isAsked, avoided: others + (isAnsweredWithout ? 1 : 0) };
}
