import type { RouteResponse } from "../../contract/routes/routes.ts";
import type { Hall } from "../../workspace/hall/hall.ts";
import type { HandlersOf } from "../handler.ts";

/** What is known of knowledge beyond its pages. */
export interface LearningDesk {
  contradictions(project: string | undefined): RouteResponse<"listContradictions">;
  uses(statement: { id: string; project?: string | undefined }): RouteResponse<"getKnowledgeUses">;
}

type KnowledgeEndpoint =
  | "listKnowledge"
  | "addKnowledge"
  | "promoteKnowledge"
  | "acceptKnowledge"
  | "supersedeKnowledge"
  | "listContradictions"
  | "getKnowledgeUses"
  | "updateKnowledge"
  | "removeKnowledge";

const success = true as const;

export const knowledgeHandlers = ({ knowledge }: Hall, learning: LearningDesk): HandlersOf<KnowledgeEndpoint> => ({
  listKnowledge: ({ query }) => knowledge.list(query),
  addKnowledge: async ({ body, change }) => ({ success, ...(await knowledge.add(body, change)) }),
  promoteKnowledge: async ({ body, change }) => ({ success, statement: await knowledge.promote(body, change) }),
  acceptKnowledge: async ({ params: { id }, query: { project }, change }) => ({
    success,
    statement: await knowledge.accept({ id, project }, change),
  }),
  supersedeKnowledge: async ({ params: { id }, query: { project }, body, change }) => ({
    success,
    statement: await knowledge.supersede({ id, project }, body.by, change),
  }),
  listContradictions: ({ query: { project } }) => learning.contradictions(project),
  getKnowledgeUses: ({ params: { id }, query: { project } }) => learning.uses({ id, project }),
  updateKnowledge: async ({ params: { id }, query: { project }, body, change }) => ({
    success,
    statement: await knowledge.update({ id, project }, body.text, change),
  }),
  removeKnowledge: async ({ params: { id }, query: { project }, change }) => {
    await knowledge.remove({ id, project }, change);
    return { success };
  },
});
