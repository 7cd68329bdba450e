import type { ProjectRow } from "../store/index/project-table.ts";

/** What a project asks of results before they count: the one place that reads `requireReview`. */
export function resultPolicyOf(project: Pick<ProjectRow, "status" | "config"> | undefined): {
  requiresReview: boolean;
} {
  // What a project that cannot be read asks for, nobody knows.
  const isKnown = project !== undefined && project.status !== "invalid";
  return { requiresReview: !isKnown || project.config.constraints.requireReview === true };
}
