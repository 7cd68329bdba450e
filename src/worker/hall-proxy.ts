import type { FromProcess, ToProcess } from "../contract/runs/protocol.ts";
import type { NextId } from "../store/ids.ts";

type Reply = Extract<ToProcess, { type: "reply" }>;

type Question = Omit<Extract<FromProcess, { type: "ask_hall" }>, "type" | "requestId">;

/** Asks the daemon for what an agent may ask of the hall. */
export class HallProxy {
  readonly #send: (message: FromProcess) => void;
  readonly #nextId: NextId;
  readonly #pending = new Map<string, (reply: Reply) => void>();

  constructor(send: (message: FromProcess) => void, nextId: NextId) {
    this.#send = send;
    this.#nextId = nextId;
  }

  hear(reply: Reply): void {
    this.#pending.get(reply.requestId)?.(reply);
    this.#pending.delete(reply.requestId);
  }

  /** Rejects with the signal's reason when nobody wants the answer any more. */
  ask(question: Question, signal: AbortSignal): Promise<Reply> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const requestId = this.#nextId();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const giveUp = () => {
      this.#pending.delete(requestId);
      reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#pending.set(requestId, resolve);
    this.#send({ type: "ask_hall", requestId, ...question });
    return promise.finally(() => signal.removeEventListener("abort", giveUp));
  }
}
