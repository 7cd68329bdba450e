import { type Project, ProjectCreate } from "../../contract/documents/project.ts";
import type { Role } from "../../contract/documents/role.ts";
import type { Task } from "../../contract/documents/task.ts";
import { HallError } from "../../contract/errors.ts";
import type { RolePreview, RolePreviewed } from "../../contract/routes/role-preview-routes.ts";
import type { Core } from "../../workspace/core.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import { newProject } from "../../workspace/projects/project-rules.ts";
import type { ProjectSecrets } from "../../workspace/projects/project-secrets.ts";
import { toRole } from "../../workspace/roles/role-file.ts";
import { changedRole, newRole, roleIdFrom, templateOf } from "../../workspace/roles/role-rules.ts";
import type { Planning } from "./planning.ts";
import { systemPrompt } from "./prompt.ts";
import { draftTask } from "./spawned-task.ts";

const EXAMPLE_PROJECT = {
  id: "example",
  name: "Example project",
  description: "The project's description.",
  config: { techStack: { languages: ["TypeScript"] } },
};
const EXAMPLE_TASK = {
  title: "An example task",
  description: "The task's description.",
  type: "feature" as const,
  priority: "medium" as const,
  context: { files: [], codeRefs: [], dependencies: [] },
};

interface Parts {
  core: Pick<Core, "clock" | "roles">;
  hall: Pick<Hall, "roles" | "projects" | "tasks">;
  planning: Pick<Planning, "outfit">;
  secrets: Pick<ProjectSecrets, "read">;
}

/** Everything that a run of such a role would be planned with, and nothing that keeps it from being shown. */
export async function previewRole(parts: Parts, body: RolePreview): Promise<RolePreviewed> {
  const { planning, secrets } = parts;
  const role = roleFrom(parts, body.role);
  const project = projectOf(parts, body.projectId);
  const task = await taskOf(parts, project, body);
  const { tools, ask, workdir, problems } = planning.outfit(role, project);
  const { system, used, empty, unknown } = systemPrompt({ role, project, task, workdir, variables: {} });
  const missing = role.variables.filter((name) => empty.includes(name));
  return {
    system: secrets.read(project).text(system),
    unknown,
    unused: role.variables.filter((name) => !used.includes(name)),
    tools,
    ask,
    problems: [
      ...(role.systemPromptTemplate.trim() === "" ? ["It has no prompt: its agents get only the task."] : []),
      ...(missing.length === 0 ? [] : [`Each spawn needs a value for ${missing.join(", ")}.`]),
      ...problems.map(sentence),
    ],
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

function roleFrom({ core, hall }: Parts, { id, template, ...fields }: RolePreview["role"]): Role {
  const at = core.clock().toISOString();
  if (id !== undefined && core.roles.get(id) !== undefined) {
    const { etag: _, ...before } = hall.roles.get(id);
    return changedRole(before, fields, at) ?? before;
  }
  const { temperature, maxTokens, ...modelConfig } = fields.modelConfig ?? {};
  const given = {
    ...fields,
    name: fields.name ?? (template === undefined ? "New role" : undefined),
    modelConfig: { ...modelConfig, temperature: temperature ?? undefined, maxTokens: maxTokens ?? undefined },
  };
  const base = template === undefined ? undefined : templateOf(template);
  const made = newRole(given, { id: id ?? roleIdFrom(given.name ?? "") ?? "role", base, at, request: undefined });
  const { etag: _, ...role } = toRole(made);
  return role;
}

/** Paused or not: it is looked at, not started. */
function projectOf({ core, hall }: Parts, id: string | undefined): Project {
  if (id === undefined)
    return newProject(EXAMPLE_PROJECT.id, ProjectCreate.parse(EXAMPLE_PROJECT), core.clock().toISOString());
  const project = hall.projects.get(id);
  return { ...project, team: project.team.map((assignment) => ({ ...assignment, status: "active" })) };
}

async function taskOf({ hall }: Parts, { id: projectId }: Project, { taskId, ...body }: RolePreview): Promise<Task> {
  if (taskId !== undefined && body.projectId === undefined)
    throw new HallError("invalid", "taskId: requires projectId.");
  if (taskId !== undefined) return hall.tasks.get(projectId, taskId);
  const options = { waitForCompletion: false, notifyOnComplete: true, createArtifact: true };
  return draftTask({
    ...{ projectId, roleId: "role", task: EXAMPLE_TASK, overrides: {}, variables: {}, contextFiles: [] },
    options,
  });
}
