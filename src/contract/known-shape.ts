import type { z } from "zod";

/**
 * Limits are for requests: a text that was within them may be longer once secrets in it are replaced, and a program of the
 * same format may have other limits, or have added keys. What was written is not lost for that.
 */
const PASSING: ReadonlySet<string> = new Set(["unrecognized_keys", "too_big", "too_small"]);

/** A value from a file or another process, if it has the shape; undefined if not. Answers the value itself, which costs no copy. */
export function knownShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> | undefined {
  const { success, error } = schema.safeParse(value);
  return success || error.issues.every(({ code }) => PASSING.has(code)) ? (value as z.infer<Schema>) : undefined;
}
