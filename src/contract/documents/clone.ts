import { z } from "zod";
import { hintFields } from "../words/hint-schema.ts";
import { line } from "../words/text.ts";
import { AbsolutePath } from "./project.ts";

/** Why a clone failed, for programs; `message` and `hint` say it to people. */
export const CloneFailureCode = z.enum([
  "auth",
  "not_found",
  "network",
  "certificate",
  "host_key",
  "folder",
  "disk",
  "git",
]);
export type CloneFailureCode = z.infer<typeof CloneFailureCode>;

/** A repository on its way into a folder of this machine. Kept in memory until the daemon stops. */
export const Clone = z.strictObject({
  id: z.string(),
  /** Without credentials. */
  url: z.string(),
  folder: z.string(),
  state: z.enum(["running", "done", "failed", "cancelled"]),
  phase: z.enum(["connecting", "receiving", "resolving", "checkout"]),
  percent: z.int().min(0).max(100),
  /** Of a finished clone: the repository has no commit yet. */
  isEmpty: z.boolean().optional(),
  failure: z.strictObject({ code: CloneFailureCode, message: z.string(), ...hintFields }).optional(),
  startedAt: z.string(),
});
export type Clone = z.infer<typeof Clone>;

/** An address to clone from; see `contract/words/repository-address.ts` for what is accepted. */
export const RepositoryUrl = line(2_000);

export const CloneStart = z.strictObject({
  url: RepositoryUrl,
  /** Must be missing or empty; a folder named after the repository unless given. */
  folder: AbsolutePath.optional(),
});
export type CloneStart = z.infer<typeof CloneStart>;
