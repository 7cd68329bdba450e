import type { ModelWait } from "../contract/documents/budget.ts";
import { type Delta, type ModelAnswer, ModelFailure } from "../contract/runs/model-call.ts";
import type { FromProcess, ToProcess } from "../contract/runs/protocol.ts";
import type { ModelGate } from "../models/gate.ts";
import { Conversations } from "./conversations.ts";

type Request = Extract<FromProcess, { type: "llm_request" }>;

/** What a model is asked for, as far as the desk has to know. */
interface Asking {
  /** The run that its calls belong to; the project's agent has none. */
  readonly runId?: string | undefined;
}

export interface DeskOptions<Work extends Asking> {
  projectId: string;
  gate: Pick<ModelGate, "ask">;
  send: (message: ToProcess) => void;
  onDelta: (work: Work, delta: Delta) => void;
  /** The next call may not be sent for now; undefined when it may. */
  onWait: (work: Work, wait: ModelWait | undefined) => void;
}

/** Where the agents of one process have their model calls made. */
export class ModelDesk<Work extends Asking> {
  readonly #options: DeskOptions<Work>;
  readonly #conversations = new Conversations();
  readonly #calls = new Map<string, { orderId: string; abort: AbortController }>();

  constructor(options: DeskOptions<Work>) {
    this.#options = options;
  }

  /** Always answers the request, with what the model said or why there is nothing. */
  async ask(work: Work, request: Request, { isPatient }: { isPatient: boolean }): Promise<void> {
    const { projectId, gate, send, onDelta, onWait } = this.#options;
    const { requestId, orderId, settings, aside } = request;
    const conversation = this.#conversations.extend(request);
    if (conversation === undefined) return send({ type: "llm_error", requestId, kind: "resync", message: "" });
    const abort = new AbortController();
    this.#calls.set(requestId, { orderId, abort });
    const tell = (delta: Delta) => {
      if (delta.kind === "restart") send({ type: "llm_retry", requestId, reason: delta.reason });
      if (aside !== true) onDelta(work, delta);
    };
    const tellWait = (wait: ModelWait | undefined) => {
      send({ type: "llm_wait", requestId, wait });
      onWait(work, wait);
    };
    // The process goes on while the daemon writes down what the answer cost.
    const onAnswer = (answer: ModelAnswer) => send({ type: "llm_response", requestId, answer });
    try {
      await gate.ask(
        { ...settings, ...conversation },
        { projectId, runId: work.runId, isPatient, signal: abort.signal, onDelta: tell, onWait: tellWait, onAnswer },
      );
    } catch (error) {
      const failure = error instanceof ModelFailure ? error : new ModelFailure("broken", String(error));
      send({ type: "llm_error", requestId, kind: failure.kind, message: failure.message });
    } finally {
      this.#calls.delete(requestId);
    }
  }

  refuse(requestId: string, message: string, kind: "refused" | "budget" = "refused"): void {
    this.#options.send({ type: "llm_error", requestId, kind, message });
  }

  cancel(requestId: string): void {
    this.#calls.get(requestId)?.abort.abort(new ModelFailure("cancelled", "The call was cancelled."));
  }

  /** The order was taken from the process: its calls are cancelled before they can cost anything. */
  forget(orderId: string): void {
    this.#conversations.forget(orderId);
    for (const [requestId, call] of [...this.#calls]) if (call.orderId === orderId) this.cancel(requestId);
  }

  /** Nobody is there any more to hear an answer: what is under way would cost money for nothing. */
  close(): void {
    for (const requestId of [...this.#calls.keys()]) this.cancel(requestId);
  }
}
