import { z } from "zod";
import { RoleCreate, RoleUpdate } from "../documents/role.ts";
import { Slug } from "../words/text.ts";

/** A role that is being written. One with the id of a role that is there is that one with these changes. */
export const RolePreview = z.strictObject({
  role: z.strictObject({ ...RoleUpdate.shape, id: Slug.optional(), template: RoleCreate.shape.template }),
  /** An example stands for a project or a task that is not given. */
  projectId: Slug.optional(),
  taskId: z.string().max(100).optional(),
});
export type RolePreview = z.infer<typeof RolePreview>;

const Names = z.array(z.string());
export const RolePreviewed = z.strictObject({
  /** What an agent of this role would be told first. */
  system: z.string(),
  /** Variables in the prompt that nothing fills by itself: a spawn has to, or they stay as they stand there. */
  unknown: Names,
  /** Variables that the role asks for and its prompt does not have. */
  unused: Names,
  tools: Names,
  /** Those of its tools whose calls need the person's consent. */
  ask: Names,
  /** Why an agent of this role would not be started, or would get less than the role says. */
  problems: Names,
});
export type RolePreviewed = z.infer<typeof RolePreviewed>;

export const rolePreviewRoutes = {
  previewRole: {
    summary: "Preview the prompt and tools of a draft role. Nothing is saved.",
    group: "Roles",
    body: RolePreview,
    response: RolePreviewed,
  },
} as const;
