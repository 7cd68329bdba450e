import { z } from "zod";
import { AnswerRule, AnswerRuleCreate, AnswerRuleUpdate } from "../../documents/answer-rule.ts";
import { Slug } from "../../words/text.ts";
import { byId, success } from "../route-parts.ts";

const group = "Escalations";
const one = z.strictObject({ ...success, rule: AnswerRule });

export const answerRuleRoutes = {
  listAnswerRules: {
    summary:
      "Questions that are always answered the same way. With a project: its own rules and those for all projects.",
    group,
    query: z.strictObject({ project: Slug.optional() }),
    response: z.strictObject({ rules: z.array(AnswerRule) }),
  },
  createAnswerRule: {
    summary: "Always answer a question this way.",
    group,
    body: AnswerRuleCreate,
    response: one,
    status: 201,
  },
  updateAnswerRule: {
    summary: "Change an answer rule.",
    group,
    params: byId,
    body: AnswerRuleUpdate,
    response: one,
  },
  removeAnswerRule: {
    summary: "Remove an answer rule. Answers that it already gave stay as they are.",
    group,
    params: byId,
    response: z.strictObject(success),
  },
} as const;
