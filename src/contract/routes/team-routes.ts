import { z } from "zod";
import { Assignment, AssignmentCreate, AssignmentUpdate } from "../documents/project.ts";
import { byId, success } from "./route-parts.ts";

const assignmentParams = z.strictObject({ id: z.string(), assignmentId: z.string() });

export const teamRoutes = {
  listAssignments: {
    summary: "Roles assigned to a project.",
    group: "Team",
    params: byId,
    response: z.strictObject({ assignments: z.array(Assignment) }),
  },
  createAssignment: {
    summary: "Assign a role to a project.",
    group: "Team",
    params: byId,
    body: AssignmentCreate,
    response: z.strictObject({ ...success, assignment: Assignment }),
    status: 201,
  },
  updateAssignment: {
    summary: "Pause, resume or override an assignment.",
    group: "Team",
    params: assignmentParams,
    body: AssignmentUpdate,
    document: Assignment,
    response: z.strictObject({ ...success, assignment: Assignment }),
  },
  deleteAssignment: {
    summary: "Unassign a role from a project.",
    group: "Team",
    params: assignmentParams,
    response: z.strictObject(success),
  },
} as const;
