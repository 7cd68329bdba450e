import type { Hall } from "../../workspace/hall/hall.ts";
import { assertActorMay } from "../../workspace/rights.ts";
import type { HandlersOf } from "../handler.ts";

const success = true as const;

export const answerRuleHandlers = ({
  answerRules,
}: Hall): HandlersOf<"listAnswerRules" | "createAnswerRule" | "updateAnswerRule" | "removeAnswerRule"> => ({
  listAnswerRules: ({ query: { project } }) => ({
    rules: answerRules
      .list()
      .filter(({ scope, projectId }) => project === undefined || scope === "hall" || projectId === project),
  }),
  createAnswerRule: async ({ body, change }) => {
    assertActorMay(change.actor, "answer");
    return { success, rule: await answerRules.add(body, change) };
  },
  updateAnswerRule: async ({ params: { id }, body, change }) => {
    assertActorMay(change.actor, "answer");
    return { success, rule: await answerRules.update(id, body, change) };
  },
  removeAnswerRule: async ({ params: { id }, change }) => {
    assertActorMay(change.actor, "answer");
    await answerRules.remove(id, change);
    return { success };
  },
});
