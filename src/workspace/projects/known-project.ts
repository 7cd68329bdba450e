import type { Project } from "../../contract/documents/project.ts";
import type { ProjectRecords } from "../records.ts";

/** Undefined of a project that is not there, or cannot be read. */
export function projectOf(
  { projects }: { projects: Pick<ProjectRecords, "get"> },
  projectId: string,
): Project | undefined {
  const project = projects.get(projectId);
  return project === undefined || project.status === "invalid" ? undefined : { ...project, status: project.status };
}
