import { z } from "zod";
import type { KnowledgePort } from "../agent/tools/knowledge-tools.ts";
import type { Actor } from "../contract/event.ts";
import { PROJECT_TOPICS, StatementText, Topic } from "../contract/knowledge.ts";
import type { Change, Hall } from "../workspace/hall.ts";
import type { HallProxy } from "./hall-proxy.ts";
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
        return knowledge.list({ q, topic, limit, project, scope: "all" });
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

/** In a project's process: asks the daemon. */
export function askedKnowledge(hall: Pick<HallProxy, "ask">): KnowledgePort {
  const ask = async <Value>(what: string, of: { callId?: string; input: unknown }, signal: AbortSignal) => {
    const reply = await hall.ask({ what, ...of }, signal);
    return reply.ok ? (reply.value as Value) : reply.message;
  };
  return {
    add: (callId, input, signal) => ask("knowledge_add", { callId, input }, signal),
    search: (input, signal) => ask("knowledge_search", { input }, signal),
  };
}

/** In the daemon: the main agent's, which reads and writes all of it, as far as its tools are let. */
export function mainKnowledge(knowledge: Hall["knowledge"]): Required<KnowledgePort> {
  const actor: Actor = { kind: "agent", id: "main", via: "daemon" };
  const by = (callId: string): Change => ({ actor, request: { key: `call main ${callId}`, fingerprint: "" } });
  const told = async <Value>(work: () => Promise<Value> | Value): Promise<Value | string> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error) return error.message;
      throw error;
    }
  };
  return {
    add: (callId, statement) => told(() => knowledge.add({ ...statement, origin: "main agent" }, by(callId))),
    search: ({ query: q, ...rest }) => told(() => knowledge.list({ q, scope: "all", ...rest })),
    promote: (callId, promotion) => told(() => knowledge.promote(promotion, by(callId))),
  };
}
