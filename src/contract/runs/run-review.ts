import { z } from "zod";
import { REVIEWED_STAGES } from "../words/gate-words.ts";
import { FINDING_SEVERITIES, REVIEW_VERDICTS } from "../words/review-words.ts";

/** One problem that a reviewer found. */
const Finding = z.strictObject({
  severity: z.enum(FINDING_SEVERITIES),
  /** Relative to the working folder. */
  file: z.string().min(1).max(1_000).optional(),
  line: z.int().min(1).optional(),
  message: z.string().min(1).max(2_000),
  fix: z.string().min(1).max(2_000).optional().describe("How to fix it."),
});

/** Lines that were written when a fix was a `suggestion` are read as what they mean. */
export const ReviewFinding = z.preprocess(withFix, Finding);
export type ReviewFinding = z.infer<typeof ReviewFinding>;

/** What a reviewer of a quality gate says of a finding of the cycle before. */
export const EarlierFinding = z.strictObject({
  id: z.string().min(1).max(100),
  status: z.enum(["fixed", "still", "wrong"]).describe("wrong: the finding was a mistake"),
  reason: z.string().max(2_000).optional(),
});
export type EarlierFinding = z.infer<typeof EarlierFinding>;

/**
 * What a review comes to, as the reviewer reported it; never read out of its words. A run that ends without a verdict has
 * `unable`.
 */
export const RunReview = z.strictObject({
  verdict: z
    .enum(REVIEW_VERDICTS)
    .describe("approve: ready to use; request_changes: must be changed first; unable: you can't tell"),
  findings: z.array(ReviewFinding).max(100).describe("Each problem once, worst first."),
  /** Of a review for a quality gate. */
  stages: z.array(z.strictObject({ name: z.enum(REVIEWED_STAGES), score: z.number().min(0).max(100) })).optional(),
});
export type RunReview = z.infer<typeof RunReview>;

/** A finding as it is written today. */
export function withFix(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("suggestion" in value)) return value;
  const { suggestion, ...finding } = value;
  return { fix: suggestion, ...finding };
}
