import { z } from "zod";
import { PROBLEM_KINDS } from "./problem-kind.ts";
import { hintFields } from "./words/hint-schema.ts";

/** A file that could not be read as what it should be. It is left as it is until a person mends it. */
export const Problem = z.strictObject({
  file: z.string(),
  line: z.int().optional(),
  kind: z.enum(PROBLEM_KINDS),
  projectId: z.string().optional(),
  id: z.string().optional(),
  severity: z.enum(["invalid", "warning"]),
  reason: z.string(),
  ...hintFields,
});
export type Problem = z.infer<typeof Problem>;
