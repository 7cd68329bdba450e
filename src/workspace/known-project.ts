import type { Project } from "../contract/project.ts";
import type { Core } from "./core.ts";

/** Undefined of a project that is not there, or cannot be read. */
export function projectOf({ index }: Pick<Core, "index">, projectId: string): Project | undefined {
  const project = index.projects.get(projectId);
  return project === undefined || project.status === "invalid" ? undefined : { ...project, status: project.status };
}
