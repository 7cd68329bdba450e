import { z } from "zod";
import { Slug, Timestamp } from "../words/text.ts";

/** The answers to a request for permission, as they are recorded. */
export const PERMISSION_ANSWERS = ["once", "run", "hour", "always", "no"] as const;
export type PermissionAnswer = (typeof PERMISSION_ANSWERS)[number];

export const GRANT_ID = /^grant-(?:\d{3}|[1-9]\d{3,11})$/;

/** Tools whose rule names a file, and any content of it. */
export const FILE_TOOLS: readonly string[] = ["write", "edit"];

/**
 * Which calls are allowed. One kind of limit applies to each tool, and it is exact: nothing that it does not name is allowed,
 * and without a limit nothing is.
 */
export const PermissionRule = z.strictObject({
  tool: z.string().max(100),
  /** Of exec: a command is allowed when each of its parts is one of these. */
  commands: z.array(z.string().max(20_000)).min(1).max(50).optional(),
  /** Of write and edit: that file as the call names it, whatever is written. */
  path: z.string().max(4_000).optional(),
  /** Of web_fetch: pages of this origin, such as https://example.com. */
  origin: z.string().max(300).optional(),
  /** Of every other tool: the input as JSON with sorted keys. */
  input: z.string().max(20_000).optional(),
  /** Of a call that is too long to be kept: SHA-256 of its input. */
  digest: z.string().max(64).optional(),
});
export type PermissionRule = z.infer<typeof PermissionRule>;

/** Characters of a file that a request shows what would be replaced of. */
export const LONGEST_REPLACED = 20_000;

/** The call that an escalation asks about. */
export const PermissionRequest = z.strictObject({
  runId: z.string().max(200),
  roleId: z.string().max(200),
  callId: z.string().max(300),
  tool: z.string().max(100),
  /** As the model wrote it, without secrets; shortened where it is long. */
  input: z.string().max(21_000),
  /** Of write: the file that it would replace, as it was when the run asked, without secrets; its text unless it is long. */
  replaces: z.strictObject({ bytes: z.int(), text: z.string().max(LONGEST_REPLACED).optional() }).optional(),
  /** What `run`, `hour` and `always` would allow. */
  rule: PermissionRule,
  /** The same in words. */
  text: z.string().max(5_000),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const MOST_HOURS = 8;
export const PermissionHours = z.number().min(1).max(MOST_HOURS);

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

/** policies/permissions.yml */
export const Grants = z.strictObject({
  /** The number of the last grant; ids are never given twice. */
  lastId: z.int().min(0).optional(),
  grants: z
    .array(Grant)
    .max(2_000)
    .refine((grants) => new Set(grants.map(({ id }) => id)).size === grants.length, "two of them have the same id")
    .default([]),
});
