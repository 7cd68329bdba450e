import type { KnowledgePort } from "../../agent/tools/knowledge-tools.ts";
import type { Actor } from "../../contract/event.ts";
import type { Change } from "../../workspace/change.ts";
import type { Hall } from "../../workspace/hall/hall.ts";

/** The main agent's, which reads and writes all of it, as far as its tools are let. */
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
