import type { Assignment } from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/words/hint.ts";
import { command } from "../command.ts";
import type { ArgumentSpec } from "../command-spec.ts";
import { type Context, requiredProject } from "../context.ts";
import { given } from "../input.ts";
import { modelOverride, modelSettings, project } from "../shared-options.ts";

const role = { kind: "one", help: "Role id" } as const satisfies ArgumentSpec;

export const commands = {
  "role assign": command(
    {
      summary: "Assign a role to a project",
      args: { role },
      options: {
        project,
        auto: { kind: "flag", help: "Start it automatically (default: on demand)" },
        paused: { kind: "flag", help: "Assign it as paused" },
        ...modelSettings,
        skills: { kind: "list", value: "NAMES", help: "Allowed tools and skills in this project, comma-separated" },
        ask: { kind: "list", value: "TOOLS", help: "More tools that ask you before each call, comma-separated" },
      },
      examples: ["role assign backend -p shop --auto", "role assign backend -p shop --timeout 900"],
    },
    async ({ role, project, auto, paused, skills, ask, ...model }, context) => {
      const id = requiredProject(project, context);
      const body = {
        roleId: role,
        modelConfig: given(modelOverride(model)),
        skills,
        ask,
        mode: auto === true ? ("auto" as const) : undefined,
        status: paused === true ? ("paused" as const) : undefined,
      };
      const answer = await context.call("createAssignment", { params: { id }, body });
      const { mode, status } = answer.assignment;
      context.output.answer(answer, () => `Assigned ${role} to ${id} (${mode}, ${status}).`);
      return 0;
    },
  ),

  "role unassign": command(
    {
      summary: "Remove a role from a project",
      args: { role },
      options: { project },
      examples: ["role unassign backend -p shop"],
    },
    async ({ role, project }, context) => {
      const id = requiredProject(project, context);
      const assignment = await findAssignment(id, role, context);
      const answer = await context.call("deleteAssignment", { params: { id, assignmentId: assignment.id } });
      context.output.answer(answer, () => `Removed ${role} from ${id}.`);
      return 0;
    },
  ),

  "role pause": command(
    {
      summary: "Pause a role in a project",
      args: { role },
      options: { project },
      examples: ["role pause backend -p shop"],
    },
    async (input, context) => setStatus(input, "paused", context),
  ),

  "role resume": command(
    {
      summary: "Resume a paused role in a project",
      args: { role },
      options: { project },
      examples: ["role resume backend -p shop"],
    },
    async (input, context) => setStatus(input, "active", context),
  ),
};

async function setStatus(
  input: { role: string; project?: string | undefined },
  status: Assignment["status"],
  context: Context,
): Promise<number> {
  const { role, project } = input;
  const id = requiredProject(project, context);
  const assignment = await findAssignment(id, role, context);
  const answer = await context.call("updateAssignment", {
    params: { id, assignmentId: assignment.id },
    body: { status },
  });
  context.output.answer(answer, () => `${role} is ${status} in ${id}.`);
  return 0;
}

/** By the role's id, or by the assignment's own. */
async function findAssignment(projectId: string, role: string, { call }: Context): Promise<Assignment> {
  const { assignments } = await call("listAssignments", { params: { id: projectId } });
  const found = assignments.find(({ roleId, id }) => roleId === role || id === role);
  if (found !== undefined) return found;
  throw new HallError("assignment_not_found", `${role} is not assigned to ${projectId}.`, {
    hint: hint("project-team", { project: projectId }),
  });
}
