import type { LearningDesk } from "../../src/server/handlers/knowledge-handlers.ts";
import type { Hall } from "../../src/workspace/hall/hall.ts";

export function fakeLearning({ knowledge }: Pick<Hall, "knowledge">): LearningDesk {
  return {
    contradictions: () => ({ contradictions: [] }),
    uses: ({ id, project }) => ({
      statement: knowledge.get(project, { id }),
      runs: [],
      escalations: [],
      searchedRuns: 0,
    }),
  };
}
