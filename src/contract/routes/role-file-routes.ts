import { z } from "zod";
import { Role } from "../documents/role.ts";
import { fileText, NOT_BLANK, Slug } from "../words/text.ts";
import { byId, success } from "./route-parts.ts";

/** A role as other tools keep it: the text of a file of `.claude/agents`. */
export const RoleImport = z.strictObject({
  text: fileText(200_000).meta({ pattern: NOT_BLANK }),
  /** Made from the file's name field, unless given. */
  id: Slug.optional(),
  /** Change a role that is there already. */
  replace: z.boolean().default(false),
});
export type RoleImport = z.infer<typeof RoleImport>;

const Notes = z.array(z.string());

export const roleFileRoutes = {
  importRole: {
    summary: "Create a role from a .claude/agents file; notes list what could not be imported.",
    group: "Roles",
    body: RoleImport,
    response: z.strictObject({
      ...success,
      role: Role.extend({ etag: z.string() }),
      notes: Notes,
    }),
    status: 201,
  },
  exportRole: {
    summary: "Export a role as a .claude/agents file; notes list what other tools don't support.",
    group: "Roles",
    params: byId,
    response: z.strictObject({ name: z.string(), text: z.string(), notes: Notes }),
  },
} as const;
