import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Delta, Finish, ModelAnswer, Thought, ToolCall, Usage } from "../contract/runs/model-call.ts";

type ThinkingPart = Extract<LanguageModelV4StreamPart, { type: `reasoning-${string}`; id: string }>;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: "finish" }>;

export type Gathered = Pick<ModelAnswer, "text" | "thinking" | "calls" | "finish"> & {
  /** Undefined: the provider did not say. */
  usage: Usage | undefined;
};

/** Gathers a stream into an answer and tells of its parts as they come. */
export class AnswerBuilder {
  readonly #onDelta: (delta: Delta) => void;
  readonly #thoughts = new Map<string, Thought>();
  readonly #calls: ToolCall[] = [];
  #text = "";
  #finish: Finish | undefined;
  #usage: Usage | undefined;

  constructor(onDelta: (delta: Delta) => void) {
    this.#onDelta = onDelta;
  }

  /** Throws what the provider reports as an error in the middle of its stream. */
  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case "text-delta":
        if (part.delta === "") break;
        this.#text += part.delta;
        this.#onDelta({ kind: "text", text: part.delta });
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        this.#think(part);
        break;
      case "tool-input-start":
        this.#onDelta({ kind: "call", id: part.id, name: part.toolName });
        break;
      case "tool-call":
        this.#calls.push({
          id: this.#ownId(part.toolCallId),
          name: part.toolName,
          input: part.input,
          ...(part.providerMetadata === undefined ? {} : { opaque: part.providerMetadata }),
        });
        break;
      case "finish":
        this.#finish = finishOf(part.finishReason.unified);
        this.#usage = usageOf(part.usage);
        break;
      case "error":
        throw part.error;
    }
  }

  /** What was gathered; undefined when the stream ended before it was finished. */
  answer(): Gathered | undefined {
    if (this.#finish === undefined || this.#finish === "interrupted") return undefined;
    const ended = this.#finish === "end" || this.#finish === "other";
    const finish = this.#calls.length > 0 && ended ? "calls" : this.#finish;
    return { text: this.#text, thinking: [...this.#thoughts.values()], calls: this.#calls, finish, usage: this.#usage };
  }

  #think(part: ThinkingPart): void {
    const thought = this.#thoughts.get(part.id) ?? { text: "", ...this.#place() };
    const opaque = merged(thought.opaque, part.providerMetadata);
    const delta = part.type === "reasoning-delta" ? part.delta : "";
    this.#thoughts.set(part.id, {
      ...thought,
      text: thought.text + delta,
      ...(opaque === undefined ? {} : { opaque }),
    });
    if (delta !== "") this.#onDelta({ kind: "thinking", text: delta });
  }

  #place(): Pick<Thought, "after"> {
    const after = { text: this.#text.length, calls: this.#calls.length };
    return after.text + after.calls === 0 ? {} : { after };
  }

  /** Results are told apart by id, and some servers give every call the same. */
  #ownId(id: string): string {
    const isTaken = (candidate: string) => this.#calls.some((call) => call.id === candidate);
    let own = id;
    for (let n = 2; isTaken(own); n++) own = `${id}-${n}`;
    return own;
  }
}

/** Later words of a provider about the same thing win, key by key. */
function merged(
  before: Thought["opaque"],
  added: Record<string, Record<string, unknown>> | undefined,
): Thought["opaque"] {
  if (added === undefined) return before;
  const entries = Object.entries(added).map(([provider, values]) => [
    provider,
    { ...(before?.[provider] ?? {}), ...values },
  ]);
  return { ...before, ...Object.fromEntries(entries) };
}

function finishOf(reason: FinishPart["finishReason"]["unified"]): Finish {
  switch (reason) {
    case "stop":
      return "end";
    case "tool-calls":
      return "calls";
    case "length":
      return "length";
    case "content-filter":
      return "refused";
    case "interrupted":
    case "error":
      return "interrupted";
    default:
      return "other";
  }
}

/** Providers differ in whether cached tokens are part of the input; the packages have put them in. */
function usageOf({ inputTokens, outputTokens }: FinishPart["usage"]): Usage | undefined {
  // Nothing is read and written for nothing: a server that says so does not count.
  if (count(inputTokens.total) + count(outputTokens.total) === 0) return undefined;
  return {
    input: count(inputTokens.total),
    output: count(outputTokens.total),
    cacheRead: count(inputTokens.cacheRead),
    cacheWrite: count(inputTokens.cacheWrite),
    reasoning: count(outputTokens.reasoning),
  };
}

function count(tokens: number | undefined): number {
  return tokens === undefined || !Number.isFinite(tokens) ? 0 : Math.max(0, Math.round(tokens));
}
