import { z } from "zod";

/** The most that one page of an answer holds. */
export const MAX_LIMIT = 1_000;

export const page = {
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(100),
  cursor: z.string().max(500).optional(),
};
export const paged = { nextCursor: z.string().optional() };
export const success = { success: z.literal(true) };
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
export const byId = z.strictObject({ id: z.string() });
