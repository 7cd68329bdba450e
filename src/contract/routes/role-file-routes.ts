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
    summary: "Make a role from the text of a .claude/agents file; notes say what could not be taken over.",
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
    summary: "A role as the text of a .claude/agents file; notes say what other tools do not understand.",
    group: "Roles",
    params: byId,
    response: z.strictObject({ name: z.string(), text: z.string(), notes: Notes }),
  },
} as const;
