import type { MergeMethod } from "../contract/documents/merge-method.ts";
import type { ProjectRow } from "../store/index/project-table.ts";

/** What a project asks of results before they count, and how they are merged: the one place that reads `requireReview`. */
export function resultPolicyOf(project: Pick<ProjectRow, "status" | "config"> | undefined): {
  requiresReview: boolean;
  mergeMethod: MergeMethod;
} {
  // What a project that cannot be read asks for, nobody knows.
  const isKnown = project !== undefined && project.status !== "invalid";
  return {
    requiresReview: !isKnown || project.config.constraints.requireReview === true,
    mergeMethod: (isKnown ? project.config.mergeMethod : undefined) ?? "merge",
  };
}
