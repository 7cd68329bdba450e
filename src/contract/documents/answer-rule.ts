import { z } from "zod";
import { line, prose, Slug, Timestamp } from "../words/text.ts";

const ID = /^rule-(?:\d{3}|[1-9]\d{3,11})$/;

const fields = {
  /** The question that it answers, in one sentence. */
  question: line(2_000),
  /** A short label, such as one of the suggested answers. */
  answer: line(200).nullable().default(null),
  /** The answer in words, as agents get it. */
  resolution: prose(20_000).refine((text) => text !== "", "must not be empty"),
  scope: z.enum(["project", "hall"]).default("project"),
  /** The project that it holds for; none with the scope `hall`. */
  projectId: Slug.optional(),
};

const isPlaced = ({ scope, projectId }: { scope: string; projectId?: string | undefined }) =>
  (scope === "project") === (projectId !== undefined);
const PLACE = { path: ["projectId"], error: "is required with the scope 'project', and only with it" };
const PLACES = {
  anyOf: [
    { required: ["projectId"], properties: { scope: { const: "project" } } },
    { required: ["scope"], not: { required: ["projectId"] }, properties: { scope: { const: "hall" } } },
  ],
};

/** "Always answer this way": an answer that a person has set for a question. */
export const AnswerRule = z.strictObject({
  id: z.string().regex(ID, "must look like rule-001"),
  ...fields,
  /** The escalation whose answer became the rule. */
  from: z.string().max(100).optional(),
  /** Absent when a person added the rule in the file without it. */
  createdAt: Timestamp.optional(),
});
export type AnswerRule = z.infer<typeof AnswerRule>;

/** policies/answers.yml. */
export const AnswerRules = z.strictObject({
  /** The highest number so far, so that no id is used twice. */
  lastId: z.int().min(0).optional(),
  rules: z
    .array(AnswerRule.refine(isPlaced, PLACE))
    .max(1_000)
    .default([])
    .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, "must not have the same id twice"),
});
export type AnswerRules = z.infer<typeof AnswerRules>;

export const AnswerRuleCreate = z.strictObject(fields).refine(isPlaced, PLACE).meta(PLACES);
export type AnswerRuleCreate = z.infer<typeof AnswerRuleCreate>;

export const AnswerRuleUpdate = z.strictObject({
  question: fields.question.optional(),
  answer: line(200).nullable().optional(),
  resolution: fields.resolution.optional(),
});
export type AnswerRuleUpdate = z.infer<typeof AnswerRuleUpdate>;
