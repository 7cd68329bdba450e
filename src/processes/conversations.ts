import type { Message, ToolSpec } from "../contract/runs/model-call.ts";
import type { FromProcess } from "../contract/runs/protocol.ts";

interface Kept {
  system: string;
  tools: ToolSpec[];
  messages: Message[];
}

/** The daemon's copy of what each agent has said so far, so that only new messages have to travel. */
export class Conversations {
  readonly #kept = new Map<string, Kept>();

  /** The whole conversation, or undefined when the process has to send it anew. */
  extend(request: Extract<FromProcess, { type: "llm_request" }>): Kept | undefined {
    const { orderId, opening, known, messages, aside } = request;
    const kept = opening === undefined ? this.#kept.get(orderId) : { ...opening, messages: [] };
    if (kept === undefined || kept.messages.length < known) return undefined;
    kept.messages.length = known;
    kept.messages.push(...messages);
    if (aside !== true) this.#kept.set(orderId, kept);
    return kept;
  }

  forget(orderId: string): void {
    this.#kept.delete(orderId);
  }
}
