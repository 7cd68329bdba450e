import type { Message, ToolSpec } from "../contract/model-call.ts";
import type { FromProcess } from "../contract/protocol.ts";

interface Kept {
  system: string;
  tools: ToolSpec[];
  messages: Message[];
}

/** The daemon's copy of what each run has said so far, so that only new messages have to travel. */
export class Conversations {
  readonly #kept = new Map<string, Kept>();

  /** The whole conversation, or undefined when the process has to send it anew. */
  extend(request: Extract<FromProcess, { type: "llm_request" }>): Kept | undefined {
    const { runId, opening, known, messages, aside } = request;
    const kept = opening === undefined ? this.#kept.get(runId) : { ...opening, messages: [] };
    if (kept === undefined || kept.messages.length < known) return undefined;
    kept.messages.length = known;
    kept.messages.push(...messages);
    if (aside !== true) this.#kept.set(runId, kept);
    return kept;
  }

  forget(runId: string): void {
    this.#kept.delete(runId);
  }
}
