import { describe, expect, it } from "vitest";
import type { Message, ModelAnswer, ModelRequest } from "../contract/runs/model-call.ts";
import { ModelFailure } from "../contract/runs/model-call.ts";
import type { ToProcess } from "../contract/runs/protocol.ts";
import type { Caller } from "../models/budget/admission.ts";
import { type Conversation, ModelProxy } from "../worker/model-proxy.ts";
import { ModelDesk } from "./model-desk.ts";
import type { Work } from "./place.ts";

const user = (text: string): Message => ({ role: "user", text });
const TOOLS = [{ name: "read", description: "", inputSchema: {} }];
const settings = { model: "m", thinking: "off" } as const;

function answered(text: string): ModelAnswer {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
  return { model: "m", text, thinking: [], calls: [], finish: "end", usage, costUsd: 0 };
}

/** A proxy and a desk that talk to each other as they do across the channel; `ask` stands for the gate. */
function connected(ask: (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>) {
  const sent: { known: number; messages: number; opening: boolean }[] = [];
  const deltas: string[] = [];
  let number = 0;
  const proxy = new ModelProxy(
    (message) => {
      const said = structuredClone(message);
      if (said.type === "llm_cancel") return desk.cancel(said.requestId);
      if (said.type !== "llm_request") throw new Error(`unexpected ${said.type}`);
      sent.push({ known: said.known, messages: said.messages.length, opening: said.opening !== undefined });
      void desk.ask({ id: said.orderId, runId: "run-1" } as Work, said, { isPatient: true });
    },
    () => `request-${number++}`,
  );
  const hear = (message: ToProcess) =>
    proxy.hear(structuredClone(message) as Extract<ToProcess, { type: "llm_response" | "llm_error" }>);
  const gate = {
    ask: async (request: ModelRequest, { signal, onDelta, onAnswer }: Caller) => {
      onDelta({ kind: "text", text: "…" });
      const answer = await ask(structuredClone(request), signal);
      onAnswer?.(answer);
      return answer;
    },
  };
  const desk = new ModelDesk<Work>({
    projectId: "shop",
    gate,
    send: hear,
    onDelta: ({ id }) => deltas.push(id),
    onWait: () => undefined,
  });
  return { proxy, desk, sent, deltas };
}

function conversationOf(signal = new AbortController().signal): Conversation {
  return {
    orderId: "run-1.1",
    settings,
    system: "You are.",
    signal,
    onRetry: () => undefined,
    onWait: () => undefined,
    known: 0,
  };
}

describe("a model call across the channel", () => {
  it("answers before the gate has written down what the answer cost, and once", async () => {
    const heard: string[] = [];
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    const desk = new ModelDesk<Work>({
      projectId: "shop",
      gate: {
        ask: async (_, { onAnswer }) => {
          onAnswer?.(answered("Done."));
          await written;
          return answered("Done.");
        },
      },
      send: ({ type }) => heard.push(type),
      onDelta: () => undefined,
      onWait: () => undefined,
    });
    const request = {
      type: "llm_request" as const,
      requestId: "q",
      orderId: "run-1.1",
      settings,
      known: 0,
      messages: [],
    };
    const asked = desk.ask(
      { id: "run-1.1" } as Work,
      { ...request, opening: { system: "", tools: [] } },
      { isPatient: true },
    );
    expect(heard).toEqual(["llm_response"]);
    write();
    await asked;
    expect(heard).toEqual(["llm_response"]);
  });

  it("answers whoever asked, and only that one [S3-LLM-01 S3-LLM-03 S3-BOOT-03 S3-BOOT-09]", async () => {
    const { proxy } = connected(async (request) =>
      answered(`to ${(request.messages.at(-1) as { text: string }).text}`),
    );
    const asked = ["a", "b"].map((text) =>
      proxy.ask({ ...conversationOf(), orderId: text }, { messages: [user(text)], tools: [] }),
    );
    expect((await Promise.all(asked)).map((answer) => answer.text)).toEqual(["to a", "to b"]);
  });

  it("sends only what is new, and the gate sees the whole conversation", async () => {
    const seen: ModelRequest[] = [];
    const { proxy, sent } = connected(async (request) => {
      seen.push(request);
      return answered("yes");
    });
    const conversation = conversationOf();
    await proxy.ask(conversation, { messages: [user("1")], tools: TOOLS });
    await proxy.ask(conversation, { messages: [user("1"), user("2"), user("3")], tools: TOOLS });
    expect(sent).toEqual([
      { known: 0, messages: 1, opening: true },
      { known: 1, messages: 2, opening: false },
    ]);
    expect(seen[1]).toMatchObject({
      ...settings,
      system: "You are.",
      tools: TOOLS,
      messages: [user("1"), user("2"), user("3")],
    });
  });

  it("sends everything anew when the history was rewritten, be it shorter or longer", async () => {
    const seen: ModelRequest[] = [];
    const { proxy } = connected(async (request) => {
      seen.push(request);
      return answered("yes");
    });
    const conversation = conversationOf();
    await proxy.ask(conversation, { messages: [user("1"), user("2")], tools: [] });
    await proxy.ask(conversation, { messages: [user("short")], tools: [] });
    conversation.known = 0;
    await proxy.ask(conversation, { messages: [user("a"), user("b"), user("c")], tools: [] });
    expect(seen.slice(1).map((request) => request.messages)).toEqual([
      [user("short")],
      [user("a"), user("b"), user("c")],
    ]);
  });

  it("leaves no trace of a question that was asked aside", async () => {
    const seen: ModelRequest[] = [];
    const { proxy, deltas } = connected(async (request) => {
      seen.push(request);
      return answered("yes");
    });
    const conversation = conversationOf();
    await proxy.ask(conversation, { messages: [user("1")], tools: TOOLS });
    await proxy.ask(conversation, { messages: [user("sum up")], tools: [], aside: true });
    await proxy.ask(conversation, { messages: [user("1"), user("2")], tools: TOOLS });
    expect(seen.map((request) => request.messages.length)).toEqual([1, 1, 2]);
    expect(deltas).toEqual(["run-1.1", "run-1.1"]);
  });

  it("sends the whole conversation once more when the daemon has forgotten it", async () => {
    const { proxy, desk, sent } = connected(async () => answered("yes"));
    const conversation = conversationOf();
    await proxy.ask(conversation, { messages: [user("1")], tools: TOOLS });
    desk.forget("run-1.1");
    expect((await proxy.ask(conversation, { messages: [user("1"), user("2")], tools: TOOLS })).text).toBe("yes");
    expect(sent.at(-1)).toEqual({ known: 0, messages: 2, opening: true });
  });

  it("is cancelled at the gate when its order was taken from the process", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const { proxy, desk } = connected((_, signal) => {
      begun.resolve(signal);
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const asked = proxy.ask(conversationOf(), { messages: [user("1")], tools: [] });
    const signal = await begun.promise;
    desk.forget("run-2.1");
    expect(signal.aborted).toBe(false);
    desk.forget("run-1.1");
    await expect(asked).rejects.toMatchObject({ kind: "cancelled" });
  });

  it("fails with the kind the gate gave [S3-BOOT-09]", async () => {
    const { proxy } = connected(async () => {
      throw new ModelFailure("quota", "No money left.");
    });
    const asked = proxy.ask(conversationOf(), { messages: [user("1")], tools: [] });
    await expect(asked).rejects.toMatchObject({ name: "ModelFailure", kind: "quota", message: "No money left." });
  });

  it("is ended at the gate when whoever asked gives up, and is not even begun after that", async () => {
    const abort = new AbortController();
    let wasAborted = false;
    const { proxy, sent } = connected((_, signal) => {
      const { promise, reject } = Promise.withResolvers<ModelAnswer>();
      signal.addEventListener("abort", () => {
        wasAborted = true;
        reject(signal.reason);
      });
      return promise;
    });
    const conversation = conversationOf(abort.signal);
    const asked = proxy.ask(conversation, { messages: [user("1")], tools: [] });
    abort.abort();
    await expect(asked).rejects.toMatchObject({ kind: "cancelled" });
    expect(wasAborted).toBe(true);
    await expect(proxy.ask(conversation, { messages: [user("1")], tools: [] })).rejects.toMatchObject({
      kind: "cancelled",
    });
    expect(sent).toHaveLength(1);
  });

  it("is ended at the gate when the process is gone", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const { proxy, desk } = connected((_, signal) => {
      signal.addEventListener("abort", () => resolve("aborted"));
      return new Promise(() => undefined);
    });
    void proxy.ask(conversationOf(), { messages: [user("1")], tools: [] });
    desk.close();
    expect(await promise).toBe("aborted");
  });
});
