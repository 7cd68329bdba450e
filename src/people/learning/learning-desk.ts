import type { Statement } from "../../contract/documents/knowledge.ts";
import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { StatementRef } from "../../workspace/knowledge/knowledge.ts";
import { contradictionsIn } from "./contradictions.ts";
import { type UsesParts, usesOf } from "./statement-uses.ts";

const MOST_STATEMENTS = 10_000;

/** What is known of knowledge beyond its pages. */
export function learningDesk(parts: UsesParts) {
  const accepted = (project: string | undefined): Statement[] =>
    parts.hall.knowledge.list({ project, scope: "all", status: "accepted", limit: MOST_STATEMENTS }).statements;
  return {
    contradictions: (project: string | undefined): RouteResponse<"listContradictions"> => ({
      contradictions: contradictionsIn(accepted(project)),
    }),
    uses: (statement: StatementRef): RouteResponse<"getKnowledgeUses"> => usesOf(parts, statement),
  };
}
