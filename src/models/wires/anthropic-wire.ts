import type { LanguageModelV4Prompt, LanguageModelV4StreamPart, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { Message } from "../../contract/runs/model-call.ts";
import { toMessage } from "../call-options.ts";
import { growing } from "../growing.ts";
import { GrowingBytes } from "./growing-bytes.ts";
import { type AnswerReader, fieldsOf, nonsense, numberOf, textOf, type WireFormat } from "./wire-format.ts";

type Emit = (part: LanguageModelV4StreamPart) => void;
type FinishReason = Extract<LanguageModelV4StreamPart, { type: "finish" }>["finishReason"]["unified"];
type Block = { type: string; text?: string };

interface Grown {
  settled: GrowingBytes;
  /** The newest turn. What one side says in a row is one turn, so it may still get longer. */
  role: "user" | "assistant";
  blocks: Block[];
}

/** What the provider keeps in its cache ends with the newest block. */
const CACHE_HERE = { cache_control: { type: "ephemeral" } };

/** Anthropic's Messages. */
export function anthropicFormat(): WireFormat {
  const grown = growing<Message, Grown>(
    () => ({ settled: new GrowingBytes(), role: "user", blocks: [] }),
    (turns, message) => {
      const role = message.role === "assistant" ? "assistant" : "user";
      const blocks = blocksOf(toMessage(message));
      if (blocks.length === 0) return turns;
      if (turns.blocks.length > 0 && turns.role !== role) {
        turns.settled.addItem(JSON.stringify({ role: turns.role, content: turns.blocks }));
        turns.blocks = [];
      }
      turns.role = role;
      turns.blocks.push(...blocks);
      return turns;
    },
  );
  return {
    messages: (messages) => {
      const { settled, role, blocks } = grown(messages);
      return { settled, open: blocks.length === 0 ? "" : JSON.stringify({ role, content: marked(role, blocks) }) };
    },
    reader: (emit) => new AnthropicReader(emit),
  };
}

/** An answer that is to be gone on with must not end with blanks. */
function marked(role: Grown["role"], blocks: readonly Block[]): Block[] {
  const last = blocks.at(-1);
  if (last === undefined) return [];
  const words = role === "assistant" && last.text !== undefined ? { text: last.text.trim() } : {};
  return [...blocks.slice(0, -1), { ...last, ...words, ...CACHE_HERE }];
}

function blocksOf({ role, content }: LanguageModelV4Prompt[number]): Block[] {
  if (role === "system") return [];
  return content.flatMap((part): Block[] => {
    switch (part.type) {
      case "text":
        return [{ type: "text", text: part.text }];
      case "reasoning":
        return thoughtBlocks(part.text, part.providerOptions);
      case "tool-call": {
        const call = { id: part.toolCallId, name: part.toolName, input: part.input };
        return [{ type: "tool_use", ...call }];
      }
      case "tool-result": {
        if (!("value" in part.output)) return [];
        const { type, value } = part.output;
        const failed = type === "error-text" ? { is_error: true } : {};
        const result = { tool_use_id: part.toolCallId, content: value, ...failed };
        return [{ type: "tool_result", ...result }];
      }
      default:
        return [];
    }
  });
}

/** Thinking goes back under its seal or not at all: that of another provider would be refused. */
function thoughtBlocks(thinking: string, options: SharedV4ProviderOptions | undefined): Block[] {
  const { signature, redactedData: data } = options?.anthropic ?? {};
  if (typeof signature === "string") return [{ type: "thinking", ...{ thinking, signature } }];
  return typeof data === "string" ? [{ type: "redacted_thinking", ...{ data } }] : [];
}

type OpenBlock = { type: "thinking" } | { type: "call"; id: string; name: string; input: string };

class AnthropicReader implements AnswerReader {
  readonly #emit: Emit;
  readonly #blocks = new Map<unknown, OpenBlock>();
  #usage: Record<string, unknown> = {};
  #finish: string | undefined;
  #messageId: unknown;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  read(event: Record<string, unknown>): void {
    switch (event.type) {
      case "message_start":
        this.#begin(fieldsOf(event.message));
        break;
      case "content_block_start":
        this.#open(event.index, fieldsOf(event.content_block));
        break;
      case "content_block_delta":
        this.#add(event.index, fieldsOf(event.delta));
        break;
      case "content_block_stop":
        this.#close(event.index);
        break;
      case "message_delta":
        this.#use(event.usage);
        this.#finish = textOf(fieldsOf(event.delta).stop_reason);
        break;
      case "message_stop":
        this.#emit({ type: "finish", ...this.#end() });
        break;
      case "error":
        throw reported(fieldsOf(event.error));
    }
  }

  /** Without `message_stop` the answer is not whole. */
  end(): void {}

  #begin({ id, usage, stop_reason: reason }: Record<string, unknown>): void {
    if (this.#messageId !== undefined && this.#messageId !== id)
      throw nonsense("A second message began before the first one ended");
    this.#messageId = id;
    this.#use(usage);
    if (typeof reason === "string") this.#finish = reason;
  }

  /** Later counts replace earlier ones. */
  #use(usage: unknown): void {
    for (const [name, value] of Object.entries(fieldsOf(usage))) if (value !== null) this.#usage[name] = value;
  }

  #open(index: unknown, block: Record<string, unknown>): void {
    const id = String(index);
    switch (block.type) {
      case "thinking":
        this.#blocks.set(index, { type: "thinking" });
        this.#emit({ type: "reasoning-start", id });
        break;
      case "redacted_thinking":
        this.#emit({
          type: "reasoning-start",
          id,
          providerMetadata: { anthropic: { redactedData: textOf(block.data) } },
        });
        break;
      case "tool_use": {
        const call = { id: textOf(block.id), name: textOf(block.name) };
        const given = Object.keys(fieldsOf(block.input)).length > 0 ? JSON.stringify(block.input) : "";
        this.#blocks.set(index, { type: "call", ...call, input: given });
        this.#emit({ type: "tool-input-start", id: call.id, toolName: call.name });
      }
    }
  }

  #add(index: unknown, delta: Record<string, unknown>): void {
    const id = String(index);
    const block = this.#blocks.get(index);
    switch (delta.type) {
      case "text_delta":
        this.#emit({ type: "text-delta", id, delta: textOf(delta.text) });
        break;
      case "thinking_delta":
        this.#emit({ type: "reasoning-delta", id, delta: textOf(delta.thinking) });
        break;
      case "signature_delta": {
        const providerMetadata = { anthropic: { signature: textOf(delta.signature) } };
        if (block?.type === "thinking") this.#emit({ type: "reasoning-delta", id, delta: "", providerMetadata });
        break;
      }
      case "input_json_delta":
        if (block?.type === "call") block.input += textOf(delta.partial_json);
    }
  }

  #close(index: unknown): void {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    if (block?.type !== "call") return;
    const { id: toolCallId, name: toolName, input } = block;
    this.#emit({ type: "tool-call", toolCallId, toolName, input: input === "" ? "{}" : input });
  }

  #end() {
    const count = (name: string) => numberOf(this.#usage[name]) ?? 0;
    const [cacheRead, cacheWrite] = [count("cache_read_input_tokens"), count("cache_creation_input_tokens")];
    const noCache = count("input_tokens");
    const details = fieldsOf(this.#usage.output_tokens_details);
    return {
      finishReason: { unified: finishOf(this.#finish), raw: this.#finish },
      usage: {
        inputTokens: { total: noCache + cacheRead + cacheWrite, noCache, cacheRead, cacheWrite },
        outputTokens: {
          total: count("output_tokens"),
          text: undefined,
          reasoning: numberOf(details.thinking_tokens),
        },
      },
    };
  }
}

function finishOf(reason: string | undefined): FinishReason {
  switch (reason) {
    case "end_turn":
    case "stop_sequence":
    case "pause_turn":
      return "stop";
    case "tool_use":
      return "tool-calls";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "content-filter";
    default:
      return "other";
  }
}

/** An error within a stream says by its type what a status would have said before it. */
const STATUS_OF: Record<string, number> = {
  api_error: 500,
  overloaded_error: 529,
  rate_limit_error: 429,
  request_too_large: 413,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  billing_error: 400,
  invalid_request_error: 400,
};

function reported(error: Record<string, unknown>): object {
  const type = textOf(error.type);
  const status = Object.hasOwn(STATUS_OF, type) ? { statusCode: STATUS_OF[type] } : {};
  return { ...status, type, message: textOf(error.message), data: error };
}
