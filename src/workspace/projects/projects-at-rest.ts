import { ProjectJson } from "../../contract/documents/project.ts";
import type { Files } from "../../store/files/files.ts";
import { PROJECTS_FOLDER } from "../layout.ts";
import type { KnownProject } from "./project-beginning.ts";

/** The projects of a workspace that nobody has open, from their files alone; nothing is written. */
export function projectsAtRest(files: Files): KnownProject[] {
  return files.folders(PROJECTS_FOLDER).map((id) => {
    const workdir = workdirIn(files, `${PROJECTS_FOLDER}/${id}/PROJECT.json`);
    return workdir === undefined ? { id } : { id, workdir };
  });
}

/** Of a file that cannot be read, nothing is known. */
function workdirIn(files: Files, path: string): string | undefined {
  try {
    return ProjectJson.safeParse(JSON.parse(files.text(path))).data?.workdir ?? undefined;
  } catch {
    return undefined;
  }
}
