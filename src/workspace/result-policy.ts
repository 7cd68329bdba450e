import type { MergeMethod } from "../contract/documents/merge-method.ts";
import type { Project } from "../contract/documents/project.ts";
import type { ProjectRow } from "../store/index/project-table.ts";

/**
 * What a project asks of results before they count, and how they are merged: the one place that reads `requireReview`. Where nothing is set, results
 * in a person's own folder wait for review.
 */
export function resultPolicyOf(project: Pick<ProjectRow, "status" | "config" | "workdir"> | undefined): {
  requiresReview: boolean;
  mergeMethod: MergeMethod;
} {
  // The settings of a project that cannot be read are unknown.
  if (project === undefined || project.status === "invalid") return { requiresReview: true, mergeMethod: "merge" };
  const { constraints, mergeMethod = "merge" } = project.config;
  return { requiresReview: constraints.requireReview ?? project.workdir !== undefined, mergeMethod };
}

/**
 * The project with its review setting written out where it has a working folder: a program from before the default changed
 * takes a missing setting for automatic merge.
 */
export function withReviewStated<P extends Pick<Project, "config" | "workdir">>(project: P, value = true): P {
  const { config, workdir } = project;
  if (workdir === undefined || config.constraints.requireReview !== undefined) return project;
  return { ...project, config: { ...config, constraints: { ...config.constraints, requireReview: value } } };
}

/** The setting as it is written, or undefined. */
export function statedReview({ config }: Pick<Project, "config">): boolean | undefined {
  return config.constraints.requireReview;
}
