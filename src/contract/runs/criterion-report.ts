import { z } from "zod";

/** What an agent says of one acceptance criterion of its task. */
export const CriterionReport = z.strictObject({
  criterion: z.int().min(1).max(200).describe("Its number in the list, from 1."),
  met: z.boolean(),
  note: z.string().max(2_000).optional().describe("How it was verified, or why it isn't met."),
});
export type CriterionReport = z.infer<typeof CriterionReport>;
