import type { Statement } from "../../contract/documents/knowledge.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { RunPlan } from "../../contract/runs/run.ts";
import type { Core } from "../../workspace/core.ts";
import type { StoredEscalation } from "../../workspace/escalations/escalations.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { StatementRef } from "../../workspace/knowledge/knowledge.ts";
import { escalationOf } from "../../workspace/knowledge/statement-rules.ts";
import type { IndexedRun } from "../../workspace/records.ts";

export interface UsesParts {
  core: Pick<Core, "runs">;
  hall: Pick<Hall, "escalations" | "knowledge">;
  planOf: (run: IndexedRun) => RunPlan | undefined;
}

/** How far back it looks: a plan is a line of a file. */
const NEWEST_RUNS = 500;
const NEWEST_ANSWERS = 1_000;

/** Where a statement was used: runs that had it in their prompt, and answers that rest on it. */
export function usesOf(
  { core, hall, planOf }: UsesParts,
  { id, project }: StatementRef,
): RouteResponse<"getKnowledgeUses"> {
  const statement = hall.knowledge.get(project, { id });
  const name = project === undefined ? id : `${project}/${id}`;
  const searched = core.runs.list({ projectId: project, limit: NEWEST_RUNS });
  const used = searched.filter((known) => planOf(known)?.knowledge?.used.includes(name));
  const answers = hall.escalations.list({ status: "resolved", limit: NEWEST_ANSWERS }).escalations;
  return {
    statement,
    runs: used.map(({ run: { id, projectId, taskId, title, status, createdAt } }) => {
      return { id, projectId, taskId, title, status, createdAt };
    }),
    escalations: answers
      .filter((answer) => restsOn(answer, statement))
      .map(({ id, projectId, question, resolvedAt }) => ({ id, projectId, question, resolvedAt })),
    searchedRuns: searched.length,
  };
}

/** On the statement itself, or on the answer that it came from. */
function restsOn({ id, sources }: StoredEscalation, statement: Statement): boolean {
  const origin = escalationOf(statement);
  return sources.some((source) =>
    source.kind === "knowledge"
      ? source.id === statement.id && source.projectId === statement.projectId
      : source.kind === "escalation" && source.id === origin && origin !== id,
  );
}
