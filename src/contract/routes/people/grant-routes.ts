import { z } from "zod";
import { Grant, PermissionRule } from "../../documents/permission.ts";
import { Slug, Timestamp } from "../../words/text.ts";
import { byId, flag, success } from "../route-parts.ts";

const call = {
  runId: z.string(),
  taskId: z.string(),
  tool: z.string(),
  /** What the call is about: its command, file or address. */
  subject: z.string(),
  at: Timestamp,
};

/** One call that a grant allowed. */
export const GrantUse = z.strictObject({ ...call, callId: z.string() });
export type GrantUse = z.infer<typeof GrantUse>;

export const ShownGrant = z.strictObject({
  ...Grant.shape,
  /** What it allows, for people to read. */
  text: z.string(),
  /** `open`: it allows calls. `used`: it allowed the one call it was for. `expired`: its time or its run is over. */
  state: z.enum(["open", "used", "expired", "revoked"]),
  /** Calls that it allowed, and how many of them in the last 30 days. */
  uses: z.int(),
  recentUses: z.int(),
  lastUsedAt: Timestamp.optional(),
});
export type ShownGrant = z.infer<typeof ShownGrant>;

const group = "Permissions";

export const grantRoutes = {
  listGrants: {
    summary: "Permissions that were given to agents: open ones, the newest first. `all`: also those that ended.",
    group,
    query: z.strictObject({ project: Slug.optional(), all: flag.optional() }),
    response: z.strictObject({ grants: z.array(ShownGrant) }),
  },
  getGrant: {
    summary: "A permission, with the calls that it allowed, the newest first.",
    group,
    params: byId,
    response: z.strictObject({ grant: ShownGrant, uses: z.array(GrantUse) }),
  },
  revokeGrant: {
    summary: "Revoke a permission. The next call that it would have allowed asks again.",
    group,
    params: byId,
    response: z.strictObject({ ...success, grant: ShownGrant }),
  },
  previewPermission: {
    summary: "What the answer `always` would allow: the exact rule, and calls of the last 30 days that it matches.",
    group,
    params: byId,
    response: z.strictObject({
      rule: PermissionRule,
      text: z.string(),
      since: Timestamp,
      total: z.int(),
      /** The newest, at most 100. */
      calls: z.array(z.strictObject({ ...call, projectId: Slug })),
    }),
  },
} as const;
