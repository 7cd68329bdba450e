import { z } from "zod";
import { Role, RoleCreate, RoleSuggestion, RoleTemplate, RoleUpdate } from "../documents/role.ts";
import { Problem } from "../problem.ts";
import { line, Slug } from "../words/text.ts";
import { byId, page, paged, success } from "./route-parts.ts";

const RoleEnvelope = z.strictObject({ role: Role.extend({ etag: z.string() }) });

export const roleRoutes = {
  listRoles: {
    summary: "All roles.",
    group: "Roles",
    query: z.strictObject({ ...page, q: line(200).optional() }),
    response: z.strictObject({ roles: z.array(Role), invalid: z.array(Problem), ...paged }),
  },
  createRole: {
    summary: "Create a role, from scratch or from a template.",
    group: "Roles",
    body: RoleCreate,
    /** A template's base role can be sent as it was read. */
    document: RoleTemplate.shape.baseRole,
    response: z.strictObject({ ...success, ...RoleEnvelope.shape }),
    status: 201,
  },
  listRoleTemplates: {
    summary: "Built-in role templates.",
    group: "Roles",
    response: z.strictObject({ templates: z.array(RoleTemplate) }),
  },
  suggestRoles: {
    summary: "Roles whose specialty matches a text, best first.",
    group: "Roles",
    query: z.strictObject({
      text: line(5_000).optional(),
      project: Slug.optional(),
      task: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(50).default(5),
    }),
    response: z.strictObject({ suggestions: z.array(RoleSuggestion) }),
  },
  getRole: { summary: "A role.", group: "Roles", params: byId, response: RoleEnvelope },
  updateRole: {
    summary: "Change a role; its version increases by one.",
    group: "Roles",
    params: byId,
    body: RoleUpdate,
    document: RoleEnvelope.shape.role,
    response: z.strictObject({ ...success, ...RoleEnvelope.shape }),
  },
  deleteRole: {
    summary: "Delete a role that no project uses.",
    group: "Roles",
    params: byId,
    response: z.strictObject(success),
  },
} as const;
