import { z } from "zod";
import { PROJECT_TOPICS, StatementText, Topic } from "../contract/documents/knowledge.ts";
import type { Actor } from "../contract/event.ts";
import type { Change } from "../workspace/change.ts";
import type { Hall } from "../workspace/hall/hall.ts";
import { type Asking, checkedInput, type HallQuestions } from "./hall-questions.ts";

const Added = z.object({ text: StatementText, topic: z.enum(PROJECT_TOPICS) });
const Search = z.object({
  query: z.string().min(1).max(500),
  topic: Topic.optional(),
  limit: z.int().min(1).max(50),
});

interface Parts {
  knowledge: Hall["knowledge"];
  /** The task of a run. */
  taskOf: (runId: string) => string | undefined;
}

/** Agents of a project add to its own knowledge and search it with the hall's; they write nothing that holds for all. */
export function knowledgeQuestions({ knowledge, taskOf }: Parts): HallQuestions {
  return {
    knowledge_add: {
      action: "writeProjectKnowledge",
      answer: async (input, asking) => {
        const { runId, projectId: project } = asking;
        const origin = (runId === undefined ? undefined : taskOf(runId)) ?? "project agent";
        return knowledge.add({ ...checkedInput(Added, input), project, origin }, changeOf(asking));
      },
    },
    knowledge_search: {
      action: "readProject",
      answer: async (input, { projectId: project }) => {
        const { query: q, topic, limit } = checkedInput(Search, input);
        return knowledge.list({ q, topic, limit, project, scope: "all", status: "current" });
      },
    },
  };
}

function changeOf({ projectId, runId, callId }: Asking): Change {
  const id = runId ?? projectId;
  const actor: Actor = { kind: "agent", id: runId ?? `project:${projectId}`, via: "daemon" };
  // A key of a request over HTTP has no blanks.
  return { actor, ...(callId === undefined ? {} : { request: { key: `call ${id} ${callId}`, fingerprint: "" } }) };
}
