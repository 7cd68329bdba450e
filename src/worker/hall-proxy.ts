import type { ChildAnswer } from "../contract/hall-questions.ts";
import type { FromProcess, ToProcess } from "../contract/protocol.ts";
import type { SearchHit } from "../contract/web.ts";
import type { NextId } from "../store/ids.ts";

type Reply = Extract<ToProcess, { type: "reply" }>;

export interface ChildRequest {
  runId: string;
  epoch: number;
  callId: string;
  roleId: string;
  title: string;
  description: string;
}

export interface NoteRequest {
  runId: string;
  epoch: number;
  callId: string;
  text: string;
}

export interface SearchRequest {
  runId: string;
  epoch: number;
  query: string;
  count: number;
}

/** Anything that hall-questions.ts has an answer for. */
export type HallQuestion = Omit<Extract<FromProcess, { type: "ask_hall" }>, "type" | "requestId">;

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

  /** Resolves when the person is sure to be told, or with the reason why not. */
  async notify(request: NoteRequest, signal: AbortSignal): Promise<string | undefined> {
    const reply = await this.#ask((requestId) => ({ type: "notify", requestId, ...request }), signal);
    return reply.ok ? undefined : reply.message;
  }

  /** Resolves with the child's answer; rejects with the signal's reason when nobody wants it any more. */
  async spawn(request: ChildRequest, signal: AbortSignal): Promise<ChildAnswer> {
    const reply = await this.#ask((requestId) => ({ type: "spawn", requestId, ...request }), signal);
    return reply.ok ? (reply.value as ChildAnswer) : { output: reply.message, failed: true, files: [] };
  }

  /** Resolves with what was found, or with the reason why nothing could be looked for. */
  async search(request: SearchRequest, signal: AbortSignal): Promise<SearchHit[] | string> {
    const reply = await this.#ask((requestId) => ({ type: "web_search", requestId, ...request }), signal);
    return reply.ok ? (reply.value as SearchHit[]) : reply.message;
  }

  ask(question: HallQuestion, signal: AbortSignal): Promise<Reply> {
    return this.#ask((requestId) => ({ type: "ask_hall", requestId, ...question }), signal);
  }

  #ask(messageOf: (requestId: string) => FromProcess, signal: AbortSignal): Promise<Reply> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const requestId = this.#nextId();
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const giveUp = () => {
      this.#pending.delete(requestId);
      reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#pending.set(requestId, resolve);
    this.#send(messageOf(requestId));
    return promise.finally(() => signal.removeEventListener("abort", giveUp));
  }
}
