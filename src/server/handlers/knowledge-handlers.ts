import type { Hall } from "../../workspace/hall/hall.ts";
import type { HandlersOf } from "../handler.ts";

const success = true as const;

export const knowledgeHandlers = ({
  knowledge,
}: Hall): HandlersOf<
  "listKnowledge" | "addKnowledge" | "promoteKnowledge" | "acceptKnowledge" | "updateKnowledge" | "removeKnowledge"
> => ({
  listKnowledge: ({ query }) => knowledge.list(query),
  addKnowledge: async ({ body, change }) => ({ success, ...(await knowledge.add(body, change)) }),
  promoteKnowledge: async ({ body, change }) => ({ success, statement: await knowledge.promote(body, change) }),
  acceptKnowledge: async ({ params: { id }, query: { project }, change }) => ({
    success,
    statement: await knowledge.accept({ id, project }, change),
  }),
  updateKnowledge: async ({ params: { id }, query: { project }, body, change }) => ({
    success,
    statement: await knowledge.update({ id, project }, body.text, change),
  }),
  removeKnowledge: async ({ params: { id }, query: { project }, change }) => {
    await knowledge.remove({ id, project }, change);
    return { success };
  },
});
