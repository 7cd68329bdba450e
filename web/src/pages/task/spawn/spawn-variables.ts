import type { Role } from "../../../../../src/contract/documents/role.ts";
import type { ProjectView } from "../../../../../src/contract/routes/project-routes.ts";

interface Known {
  role: Pick<Role, "description" | "specialty" | "variables">;
  project: { description: string; config: Pick<ProjectView["config"], "techStack"> } | undefined;
  /** Undefined: it is not known yet, or there is no task. */
  taskDescription: string | undefined;
}

/** The hall always has a word for these. */
const FILLED = new Set(["roleName", "projectName", "projectPath", "workDir", "task", "taskTitle", "taskType"]);

/** All that the hall fills in by itself, with what it knows of the role, the project and the task. */
export const BUILT_IN: ReadonlySet<string> = new Set([
  ...FILLED,
  ...["roleDescription", "specialty", "projectDescription", "techStack", "taskDescription"],
]);

/** The gaps of a role's prompt that the hall has nothing to put into: the person is asked for these. */
export function openVariables({ role, project, taskDescription }: Known): string[] {
  const values: Record<string, string | undefined> = {
    roleDescription: role.description,
    specialty: role.specialty.join(", "),
    projectDescription: project?.description,
    techStack: project?.config.techStack.languages.join(", "),
    taskDescription,
  };
  return role.variables.filter((name) => !FILLED.has(name) && (values[name] ?? "") === "");
}
