import type { Config } from "../contract/documents/config.ts";
import { hintText } from "../contract/words/hint.ts";
import { isFolder, realPlaceOf } from "../store/files/folders.ts";
import type { Core } from "../workspace/core.ts";
import { projectRoot } from "../workspace/layout.ts";
import type { ProjectFolders, Refusal } from "./project-folders.ts";

const MOST_PROJECTS = 100_000;

interface Parts {
  core: Core;
  config: Config;
  fingerprints: () => NonNullable<ProjectFolders["fingerprints"]>;
}

/** Where the agents of a project work and what they may reach there, or why they cannot work now. */
export function projectPlaces({ core, config, fingerprints }: Parts) {
  return (projectId: string): ProjectFolders | Refusal => {
    const project = core.projects.get(projectId);
    const projectPath = `${core.files.root}/${projectRoot(projectId)}`;
    if (project === undefined || !isFolder(projectPath))
      return { cause: "project", error: "The project no longer exists." };
    if (project.status === "invalid") return { cause: "project", error: "The project's files cannot be read." };
    const workdir = core.workdirRecords.placeOf(project);
    if (typeof workdir !== "string") return { cause: "folder", error: `${workdir.message} ${hintText(workdir.hint)}` };
    const { envFiles = [] } = project.config;
    return {
      projectPath,
      workdir,
      envFiles,
      agentFolders: agentFoldersOf(core),
      web: fetchRules(config),
      fingerprints: fingerprints(),
    };
  };
}

/** Without the search, whose settings are nothing to a project's process. */
function fetchRules({ web: { userAgent, ports, allow } }: Config): ProjectFolders["web"] {
  return { userAgent, ports, allow };
}

/** The workspace, and every folder in which a project's agents work. */
export function agentFoldersOf(core: Core): string[] {
  const projects = core.projects.list({ after: "", limit: MOST_PROJECTS });
  return [core.files.root, ...projects.flatMap(({ workdir }) => (workdir === undefined ? [] : realPlaceOf(workdir)))];
}
