import type { KnowledgePort } from "../../agent/tools/knowledge-tools.ts";
import type { Actor } from "../../contract/event.ts";
import type { Change } from "../../workspace/change.ts";
import type { Hall } from "../../workspace/hall/hall.ts";

/**
 * The main agent's. The table of rights lets it write for all projects only what the person's message says word for word, or
 * promote what it names: that is the person's decision, and needs no confirmation. What it writes for one project does.
 */
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
    add: (callId, statement) => {
      const isSaid = statement.project === undefined;
      return told(() => knowledge.add({ ...statement, origin: "main agent" }, by(callId), { isSaid }));
    },
    search: ({ query: q, ...rest }) => told(() => knowledge.list({ q, scope: "all", status: "current", ...rest })),
    promote: (callId, promotion) => told(() => knowledge.promote(promotion, by(callId), { isSaid: true })),
  };
}
