import type { AnswerSource } from "../../contract/documents/escalation.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { KnownAnswers } from "../known/known-answers.ts";
import { questionKey } from "../rules/new-escalation.ts";

/** Finds the same question among the open ones, and facts by their words. */
export function plainKnown(hall: Pick<Hall, "knowledge" | "escalations">): KnownAnswers {
  return {
    lookup: async () => undefined,
    facts: async ({ text, projectId }, limit) => {
      const query = { q: text.slice(0, 500), scope: "all" as const, status: "accepted" as const, limit };
      const { statements } = hall.knowledge.list(projectId === undefined ? query : { ...query, project: projectId });
      return statements.map(
        (statement): AnswerSource => ({
          kind: "knowledge",
          id: statement.id,
          text: statement.text,
          fingerprint: statement.etag,
          ...(statement.projectId === undefined ? {} : { projectId: statement.projectId }),
        }),
      );
    },
    sameOpen: ({ text, projectId }) => {
      const key = questionKey(text);
      return hall.escalations.open().find((one) => one.projectId === projectId && questionKey(one.question) === key);
    },
  };
}
