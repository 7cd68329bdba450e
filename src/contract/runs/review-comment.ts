import { z } from "zod";
import { line, prose } from "../words/text.ts";

/** What a person says about one line of a result. */
export const NewComment = z.strictObject({ file: line(1_000), line: z.int().min(1), text: prose(10_000) });

/** With the id by which the next run answers it. */
export const ReviewComment = NewComment.extend({ id: z.string() });
export type ReviewComment = z.infer<typeof ReviewComment>;

/** What a run did about a comment, or why it did nothing. */
export const CommentAnswer = z.strictObject({
  comment: z.string().min(1).max(60).describe("The id of the comment."),
  answer: z.string().min(1).max(2_000),
  disputed: z
    .literal(true)
    .optional()
    .describe("The comment is wrong: nothing was changed, and another reviewer decides."),
});
export type CommentAnswer = z.infer<typeof CommentAnswer>;
