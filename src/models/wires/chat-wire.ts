import type { LanguageModelV4Prompt, LanguageModelV4StreamPart, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { StreamingToolCallTracker } from "@ai-sdk/provider-utils";
import type { Message } from "../../contract/runs/model-call.ts";
import { toMessage } from "../call-options.ts";
import { growing } from "../growing.ts";
import { GrowingBytes } from "./growing-bytes.ts";
import { type AnswerReader, fieldsOf, nonsense, numberOf, textOf, type WireFormat } from "./wire-format.ts";

type Emit = (part: LanguageModelV4StreamPart) => void;
type ToolCallDelta = Parameters<StreamingToolCallTracker["processDelta"]>[0];
type FinishReason = Extract<LanguageModelV4StreamPart, { type: "finish" }>["finishReason"]["unified"];

interface Dialect {
  /** Whether the server takes the thinking of earlier answers back. */
  takesThinking: boolean;
  /** Whether the output of a tool that failed is put into an object that says so. */
  wrapsFailures: boolean;
}

/** Chat Completions, as OpenAI and all who imitate it speak it. */
export function chatFormat(dialect: Dialect): WireFormat {
  const settled = growing<Message, GrowingBytes>(
    () => new GrowingBytes(),
    (bytes, message) => {
      for (const object of objectsOf(toMessage(message), dialect)) bytes.addItem(JSON.stringify(object));
      return bytes;
    },
  );
  return {
    messages: (messages) => ({ settled: settled(messages), open: "" }),
    reader: (emit) => new ChatReader(emit),
  };
}

function objectsOf({ role, content }: LanguageModelV4Prompt[number], dialect: Dialect): object[] {
  switch (role) {
    case "system":
      return [{ role, content }];
    case "user":
      return content.flatMap((part) => (part.type === "text" ? { role, content: part.text } : []));
    case "assistant":
      return content.length === 0 ? [] : [answerObject(content, dialect)];
    case "tool":
      return content.flatMap((part) => {
        if (part.type !== "tool-result" || !("value" in part.output)) return [];
        const { type, value } = part.output;
        const output = type === "error-text" && dialect.wrapsFailures ? JSON.stringify({ error: value }) : value;
        return { role, tool_call_id: part.toolCallId, content: output };
      });
  }
}

type AssistantContent = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"];

function answerObject(content: AssistantContent, { takesThinking }: Dialect): object {
  let [text, thinking] = ["", ""];
  const calls: object[] = [];
  for (const part of content) {
    if (part.type === "text") text += part.text;
    else if (part.type === "reasoning") thinking += part.text;
    else if (part.type === "tool-call")
      calls.push({
        id: part.toolCallId,
        type: "function",
        function: { name: part.toolName, arguments: JSON.stringify(part.input) },
        ...signatureOf(part.providerOptions),
      });
  }
  return {
    role: "assistant",
    content: calls.length > 0 && text === "" ? null : text,
    ...(takesThinking && thinking !== "" ? { reasoning_content: thinking } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** Google's models behind such a server want the signature of a thought back with the call that followed it. */
function signatureOf(options: SharedV4ProviderOptions | undefined): object {
  const signature = Object.values(options ?? {}).find((values) => values.thoughtSignature !== undefined);
  return signature === undefined
    ? {}
    : { extra_content: { google: { thought_signature: String(signature.thoughtSignature) } } };
}

class ChatReader implements AnswerReader {
  readonly #emit: Emit;
  readonly #calls: ChatCalls;
  #finish: string | undefined;
  #usage: Record<string, unknown> | undefined;
  #isRefused = false;

  constructor(emit: Emit) {
    this.#emit = emit;
    this.#calls = new ChatCalls(emit);
  }

  read(event: Record<string, unknown>): void {
    if (event.error !== undefined && event.error !== null) throw event.error;
    if (event.usage !== undefined && event.usage !== null) this.#usage = fieldsOf(event.usage);
    const choice = fieldsOf(Array.isArray(event.choices) ? event.choices[0] : undefined);
    if (typeof choice.finish_reason === "string") this.#finish = choice.finish_reason;
    const delta = fieldsOf(choice.delta);
    this.#think(textOf(delta.reasoning_content ?? delta.reasoning));
    this.#say(delta.content);
    const refusal = textOf(delta.refusal);
    if (refusal !== "") this.#isRefused = true;
    this.#say(refusal);
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) this.#calls.add(fieldsOf(call));
  }

  end(): void {
    if (this.#finish === undefined) throw nonsense("The stream ended without saying why");
    this.#calls.end();
    const unified = finishOf(this.#finish, this.#isRefused);
    this.#emit({ type: "finish", finishReason: { unified, raw: this.#finish }, usage: usageOf(this.#usage ?? {}) });
  }

  /** Some servers send a list of parts. */
  #say(content: unknown): void {
    if (Array.isArray(content)) {
      for (const part of content.map(fieldsOf)) {
        if (part.type === "text") this.#say(textOf(part.text));
        else if (part.type === "thinking" && Array.isArray(part.thinking))
          this.#think(part.thinking.map((each) => textOf(fieldsOf(each).text)).join(""));
      }
    } else if (textOf(content) !== "") this.#emit({ type: "text-delta", id: "text", delta: textOf(content) });
  }

  #think(delta: string): void {
    if (delta !== "") this.#emit({ type: "reasoning-delta", id: "thinking", delta });
  }
}

/** Calls come in pieces, which servers number and name in many ways; the packages' own tracker knows them. */
class ChatCalls {
  readonly #tracker: StreamingToolCallTracker;
  /** Calls whose name has not come yet, by number. */
  readonly #nameless = new Map<number, { id: string | null; given: string; extra: unknown }>();
  readonly #named = new Set<number>();

  constructor(emit: Emit) {
    this.#tracker = new StreamingToolCallTracker(
      { enqueue: emit } as ConstructorParameters<typeof StreamingToolCallTracker>[0],
      {
        extractMetadata: (delta) => {
          const { extra_content: extra } = delta as { extra_content?: unknown };
          const signature = fieldsOf(fieldsOf(extra).google).thought_signature;
          return typeof signature === "string" ? { google: { thoughtSignature: signature } } : undefined;
        },
        buildToolCallProviderMetadata: (metadata) => metadata,
      },
    );
  }

  add(call: Record<string, unknown>): void {
    const { name, arguments: given } = fieldsOf(call.function);
    const index = numberOf(call.index);
    if (index === undefined || this.#named.has(index)) {
      this.#track(call as ToolCallDelta);
      return;
    }
    const begun = this.#nameless.get(index) ?? { id: null, given: "", extra: undefined };
    begun.id ??= typeof call.id === "string" ? call.id : null;
    begun.extra ??= call.extra_content;
    begun.given += textOf(given);
    this.#nameless.set(index, begun);
    if (typeof name !== "string") return;
    this.#nameless.delete(index);
    this.#named.add(index);
    this.#track({ index, id: begun.id, function: { name, arguments: begun.given }, extra_content: begun.extra });
  }

  end(): void {
    for (const [index, { id, given }] of this.#nameless) this.#track({ index, id, function: { arguments: given } });
    this.#tracker.flush();
  }

  #track(delta: ToolCallDelta & { extra_content?: unknown }): void {
    this.#tracker.processDelta(delta);
  }
}

function finishOf(reason: string, isRefused: boolean): FinishReason {
  switch (reason) {
    case "stop":
      return isRefused ? "content-filter" : "stop";
    case "length":
      return "length";
    case "content_filter":
      return "content-filter";
    case "function_call":
    case "tool_calls":
      return "tool-calls";
    default:
      return "other";
  }
}

function usageOf(usage: Record<string, unknown>): Extract<LanguageModelV4StreamPart, { type: "finish" }>["usage"] {
  const read = fieldsOf(usage.prompt_tokens_details);
  const written = fieldsOf(usage.completion_tokens_details);
  return {
    inputTokens: {
      total: numberOf(usage.prompt_tokens),
      noCache: undefined,
      cacheRead: numberOf(read.cached_tokens),
      cacheWrite: undefined,
    },
    outputTokens: {
      total: numberOf(usage.completion_tokens),
      text: undefined,
      reasoning: numberOf(written.reasoning_tokens),
    },
  };
}
