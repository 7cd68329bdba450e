import { z } from "zod";
import { Slug, Timestamp } from "../words/text.ts";

/** The answers to a request for permission, as they are recorded. */
export const PERMISSION_ANSWERS = ["once", "run", "hour", "always", "no"] as const;
export type PermissionAnswer = (typeof PERMISSION_ANSWERS)[number];

export const GRANT_ID = /^grant-(?:\d{3}|[1-9]\d{3,11})$/;

/**
 * Which calls are allowed. Of each tool one kind of limit applies, and it is exact: nothing that it does not name is allowed.
 * Without a limit, only a call with this very input is.
 */
export const PermissionRule = z.strictObject({
  tool: z.string().max(100),
  /** Of exec: a command is allowed when each of its parts is one of these. */
  commands: z.array(z.string().max(20_000)).min(1).max(50).optional(),
  /** Of tools that change a file: that file, relative to the working folder. */
  path: z.string().max(4_000).optional(),
  /** Of web_fetch: pages of this host. */
  host: z.string().max(300).optional(),
  /** Of every other tool: the input as JSON with sorted keys. */
  input: z.string().max(100_000).optional(),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

/** A permission that the person gave. */
export const Grant = z.strictObject({
  id: z.string().regex(GRANT_ID, "must look like grant-001"),
  /** `once`: one call. `run`: calls of one run. `hour`: until `expiresAt`. `always`: until it is revoked. */
  scope: z.enum(["once", "run", "hour", "always"]),
  rule: PermissionRule,
  projectId: Slug,
  roleId: Slug,
  /** The run that asked; of `once` and `run`, the only one it is for. */
  runId: z.string().max(200),
  /** The call that asked; of `once`, the only one it is for. */
  callId: z.string().max(300),
  /** The escalation that was answered. */
  from: z.string().max(100),
  createdAt: Timestamp,
  expiresAt: Timestamp.optional(),
});
export type Grant = z.infer<typeof Grant>;
