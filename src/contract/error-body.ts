import { z } from "zod";
import { errorTable } from "./errors.ts";
import { hintFields } from "./words/hint-schema.ts";

export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorTable) as [string, ...string[]]),
    message: z.string(),
    file: z.string().optional(),
    line: z.int().optional(),
    /** What to do about it, in words; and as data, so that a client may offer it in its own way. */
    ...hintFields,
    /** Of a failure of the storage: "no" when nothing was changed, "unknown" when the change may have been kept. */
    changed: z.enum(["no", "unknown"]).optional(),
    /** The daemon is recovering: the same request will work in a moment. */
    retryable: z.literal(true).optional(),
    requestId: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
