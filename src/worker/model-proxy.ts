import type { ModelWait } from "../contract/documents/budget.ts";
import {
  type Message,
  type ModelAnswer,
  ModelFailure,
  type ModelSettings,
  type ToolSpec,
} from "../contract/runs/model-call.ts";
import type { FromProcess, ToProcess } from "../contract/runs/protocol.ts";
import type { NextId } from "../store/ids.ts";

interface Pending {
  onRetry: (reason: string) => void;
  onWait: (wait: ModelWait | undefined) => void;
  resolve: (answer: ModelAnswer) => void;
  reject: (error: ModelFailure | "resync") => void;
}

/** What one agent has said so far, and how much of it the daemon has. */
export interface Conversation {
  readonly orderId: string;
  readonly settings: ModelSettings;
  readonly system: string;
  readonly signal: AbortSignal;
  /** A try failed, and the model is asked again. */
  readonly onRetry: (reason: string) => void;
  /** The call may not be sent for now; undefined when it may. */
  readonly onWait: (wait: ModelWait | undefined) => void;
  /** How many messages the daemon has; 0 to send everything anew, as after the history was rewritten. */
  known: number;
}

export interface Question {
  messages: Message[];
  tools: ToolSpec[];
  /** Beside the conversation: it leaves no trace there. */
  aside?: boolean | undefined;
}

/** Asks the daemon's gate for answers. Only what is new in a conversation travels. */
export class ModelProxy {
  readonly #send: (message: FromProcess) => void;
  readonly #nextId: NextId;
  readonly #pending = new Map<string, Pending>();

  constructor(send: (message: FromProcess) => void, nextId: NextId) {
    this.#send = send;
    this.#nextId = nextId;
  }

  hear(message: Extract<ToProcess, { type: `llm_${string}` }>): void {
    const pending = this.#pending.get(message.requestId);
    if (message.type === "llm_retry") {
      pending?.onRetry(message.reason);
      return;
    }
    if (message.type === "llm_wait") {
      pending?.onWait(message.wait);
      return;
    }
    this.#pending.delete(message.requestId);
    if (message.type === "llm_response") pending?.resolve(message.answer);
    else pending?.reject(message.kind === "resync" ? "resync" : new ModelFailure(message.kind, message.message));
  }

  /** Rejects with ModelFailure only. */
  async ask(conversation: Conversation, question: Question): Promise<ModelAnswer> {
    try {
      return await this.#ask(conversation, question);
    } catch (error) {
      if (error !== "resync") throw error;
      conversation.known = 0;
      return this.#ask(conversation, question);
    }
  }

  async #ask(conversation: Conversation, question: Question): Promise<ModelAnswer> {
    const { messages, tools, aside } = question;
    const known = aside === true || messages.length < conversation.known ? 0 : conversation.known;
    const answer = await this.#request(conversation, {
      requestId: this.#nextId(),
      orderId: conversation.orderId,
      settings: conversation.settings,
      opening: known > 0 ? undefined : { system: conversation.system, tools },
      known,
      messages: messages.slice(known),
      ...(aside === true ? { aside } : {}),
    });
    if (aside !== true) conversation.known = messages.length;
    return answer;
  }

  #request(
    { signal, onRetry, onWait }: Conversation,
    request: Omit<Extract<FromProcess, { type: "llm_request" }>, "type">,
  ): Promise<ModelAnswer> {
    const cancelled = () => new ModelFailure("cancelled", "The call was cancelled.");
    if (signal.aborted) return Promise.reject(cancelled());
    const { requestId } = request;
    const { promise, resolve, reject } = Promise.withResolvers<ModelAnswer>();
    const cancel = () => {
      this.#pending.delete(requestId);
      this.#send({ type: "llm_cancel", requestId });
      reject(cancelled());
    };
    signal.addEventListener("abort", cancel, { once: true });
    this.#pending.set(requestId, { resolve, reject, onRetry, onWait });
    this.#send({ type: "llm_request", ...request });
    return promise.finally(() => signal.removeEventListener("abort", cancel));
  }
}
