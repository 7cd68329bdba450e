import { z } from "zod";
import { errorTable } from "./errors.ts";

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorTable) as [string, ...string[]]),
    message: z.string(),
    file: z.string().optional(),
    line: z.int().optional(),
    hint: z.string().optional(),
    requestId: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
