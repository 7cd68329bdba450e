import type { z } from "zod";

/**
 * A value from a file or another process, if it has the shape; undefined if not. Keys that the schema does not know are let
 * pass: a program of the same format may have added them. Answers the value itself, which costs no copy.
 */
export function knownShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> | undefined {
  const { success, error } = schema.safeParse(value);
  const isKnown = success || error.issues.every(({ code }) => code === "unrecognized_keys");
  return isKnown ? (value as z.infer<Schema>) : undefined;
}
