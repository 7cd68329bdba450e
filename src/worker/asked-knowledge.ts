import type { KnowledgePort } from "../agent/tools/knowledge-tools.ts";
import type { HallProxy } from "./hall-proxy.ts";

/** Asks the daemon. */
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
