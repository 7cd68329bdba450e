import { z } from "zod";
import { CONTROL_KINDS, DEFAULT_CONTROL_PATTERNS } from "./control-patterns.ts";

/** A changed file that steers the person's tools: it reaches their branch only by an approval. */
export const ControlFile = z.strictObject({
  path: z.string(),
  kind: z.enum(CONTROL_KINDS),
  change: z.enum(["added", "changed", "removed"]),
});
export type ControlFile = z.infer<typeof ControlFile>;

const KNOWN = new Set(DEFAULT_CONTROL_PATTERNS.map(({ pattern }) => pattern));

const PatternText = z
  .string()
  .max(200)
  .regex(/^\/?(?:[^/\\\p{Cc}]+\/?)+$/u, "must be a name or a path with '/', without '\\'")
  .refine((text) => !text.split("/").some((part) => part === "." || part === ".."), "must not have '.' or '..' in it")
  .refine((text) => (text.match(/\*/g)?.length ?? 0) <= 3, "must have at most 3 '*'");

/** Which files wait for a review: the built-in list, changed by this. */
export const ControlSettings = z.strictObject({
  add: z
    .array(z.strictObject({ pattern: PatternText, kind: z.enum(CONTROL_KINDS) }))
    .max(200)
    .default([]),
  remove: z
    .array(z.string().refine((text) => KNOWN.has(text), "is not one of the built-in patterns"))
    .max(200)
    .default([]),
});
export type ControlSettings = z.infer<typeof ControlSettings>;
