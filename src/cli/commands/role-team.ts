import { HallError } from "../../contract/errors.ts";
import { hint } from "../../contract/hint.ts";
import type { Assignment } from "../../contract/project.ts";
import { type Action, type Context, requiredProject } from "../context.ts";
import { given } from "../input.ts";
import { modelOverride } from "../model-override.ts";
import type { CommandInput } from "../table/all.ts";

export const roleAssign: Action<"role assign"> = async ({ role, project, auto, paused, skills, ...model }, context) => {
  const id = requiredProject(project, context);
  const body = {
    roleId: role,
    modelConfig: given(modelOverride(model)),
    skills,
    mode: auto === true ? ("auto" as const) : undefined,
    status: paused === true ? ("paused" as const) : undefined,
  };
  const answer = await context.call("createAssignment", { params: { id }, body });
  const { mode, status } = answer.assignment;
  context.output.answer(answer, () => `Assigned ${role} to ${id} (${mode}, ${status}).`);
  return 0;
};

export const roleUnassign: Action<"role unassign"> = async ({ role, project }, context) => {
  const id = requiredProject(project, context);
  const assignment = await findAssignment(id, role, context);
  const answer = await context.call("deleteAssignment", { params: { id, assignmentId: assignment.id } });
  context.output.answer(answer, () => `Took ${role} off ${id}.`);
  return 0;
};

export const rolePause: Action<"role pause"> = async (input, context) => setStatus(input, "paused", context);

export const roleResume: Action<"role resume"> = async (input, context) => setStatus(input, "active", context);

async function setStatus(
  input: CommandInput<"role pause">,
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
