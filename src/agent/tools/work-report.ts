import { z } from "zod";
import { TASK_OUTCOMES } from "../../contract/documents/task-status.ts";
import { CriterionReport } from "../../contract/runs/criterion-report.ts";
import { CommentAnswer } from "../../contract/runs/review-comment.ts";

export const reportSummary = z.string().min(1).max(100_000);

/** What a run says of the work that it did. */
export const WorkReport = z.strictObject({
  summary: reportSummary,
  outcome: z
    .enum(TASK_OUTCOMES)
    .default("full")
    .describe("full: done; partial: partly done; escalated: needs a decision; skipped: nothing to do"),
  artifacts: z
    .array(z.string().max(1_000))
    .max(100)
    .default([])
    .describe("Result files, relative to the working folder."),
  criteria: z
    .array(CriterionReport)
    .max(200)
    .default([])
    .describe("One for each acceptance criterion, if there are any."),
  answers: z.array(CommentAnswer).max(200).default([]).describe("One for each review comment, if there are any."),
});
export type WorkReport = z.infer<typeof WorkReport>;

export const REPORT_SAVED = "Report saved. End your turn now.";
