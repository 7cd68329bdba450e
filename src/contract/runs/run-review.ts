import { z } from "zod";
import { FINDING_SEVERITIES, REVIEW_VERDICTS } from "../words/review-words.ts";

/** One problem that a reviewer found. */
export const ReviewFinding = z.strictObject({
  severity: z.enum(FINDING_SEVERITIES),
  /** Relative to the working folder. */
  file: z.string().min(1).max(1_000).optional(),
  line: z.int().min(1).optional(),
  message: z.string().min(1).max(2_000),
  /** How to fix it. */
  suggestion: z.string().min(1).max(2_000).optional(),
});
export type ReviewFinding = z.infer<typeof ReviewFinding>;

/**
 * What a review comes to, as the reviewer reported it; never read out of its words. A run that ends without a verdict has
 * `unable`.
 */
export const RunReview = z.strictObject({
  verdict: z
    .enum(REVIEW_VERDICTS)
    .describe("approve: ready to use; request_changes: must be changed first; unable: you can't tell"),
  findings: z.array(ReviewFinding).max(100).describe("Each problem once, worst first."),
});
export type RunReview = z.infer<typeof RunReview>;
