import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Message, ModelRequest } from "../contract/runs/model-call.ts";
import { growing } from "./growing.ts";
import type { Provider } from "./providers.ts";

type AssistantPart = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"][number];

/** A setting that some models refuse to be given at all. */
export type RefusableSetting = "thinking" | "temperature";

export interface Target {
  provider: Pick<Provider, "kind" | "api">;
  model: string;
  /** What this model has refused before. */
  without: ReadonlySet<RefusableSetting>;
}

/** Marks the end of what a provider may keep in its cache; only Anthropic has to be told. */
const CACHE_HERE: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Models known to think; the others of these vendors refuse to be asked how much. */
const OPENAI_THINKERS = /^(?:o\d|gpt-(?:[5-9]|\d\d)(?!-chat))/;
const GOOGLE_THINKERS = /gemini-(?:2\.5|[3-9]|[\w-]*latest)/;

export function toCallOptions(
  request: ModelRequest,
  target: Target,
  abortSignal: AbortSignal,
): LanguageModelV4CallOptions {
  const { kind } = target.provider;
  const reasoning = target.without.has("thinking") ? undefined : reasoningOf(request.thinking, target);
  const temperature = target.without.has("temperature") ? undefined : request.temperature;
  const providerOptions = optionsOf(target, reasoning);
  return {
    prompt: toPrompt(request, kind === "anthropic"),
    tools: request.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      inputSchema,
    })),
    abortSignal,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(request.maxTokens === undefined ? {} : { maxOutputTokens: request.maxTokens }),
  };
}

/** Some models think unless told not to, some cannot be told, and an unknown endpoint may refuse any word about it. */
function reasoningOf(
  thinking: ModelRequest["thinking"],
  { provider, model }: Target,
): LanguageModelV4CallOptions["reasoning"] {
  const level = thinking === "off" ? "none" : thinking;
  switch (provider.kind) {
    case "anthropic":
      return level;
    case "openai":
      return provider.api === "responses" || OPENAI_THINKERS.test(model) ? level : undefined;
    case "google":
      return GOOGLE_THINKERS.test(model) ? level : undefined;
    case "openai-compatible":
      return thinking === "off" ? undefined : level;
  }
}

function optionsOf(
  { provider }: Target,
  reasoning: LanguageModelV4CallOptions["reasoning"],
): SharedV4ProviderOptions | undefined {
  switch (provider.kind) {
    case "anthropic":
      // Inputs streamed eagerly are not checked to be JSON by the provider, and nobody here waits for their pieces.
      return { anthropic: { toolStreaming: false } };
    case "openai":
      // Without a copy on the vendor's side the thinking comes back sealed, and a journal suffices to go on from.
      return provider.api === "responses" ? { openai: { store: false } } : undefined;
    case "google":
      return reasoning === undefined || reasoning === "none"
        ? undefined
        : { google: { thinkingConfig: { includeThoughts: true } } };
    case "openai-compatible":
      return undefined;
  }
}

/** Ordered for the providers' caches: the fixed part first, marked at its end, and a second mark on the newest message. */
function toPrompt(request: ModelRequest, marked: boolean): LanguageModelV4Prompt {
  const marker = marked ? { providerOptions: CACHE_HERE } : {};
  const messages = translated(request.messages);
  const last = messages.at(-1);
  const newest = last === undefined ? [] : [{ ...last, ...marker }];
  const system = { role: "system" as const, content: request.system.toWellFormed(), ...marker };
  return [system, ...messages.slice(0, -1), ...newest];
}

/** A conversation is sent with every turn of a run, and its messages do not change any more. */
const translated = growing<Message, LanguageModelV4Prompt>(
  () => [],
  (prompt, message) => {
    const made = toMessage(message);
    if (made.content.length > 0) prompt.push(made);
    return prompt;
  },
);

export function toMessage(message: Message): LanguageModelV4Prompt[number] {
  switch (message.role) {
    case "user":
      return { role: "user", content: [textPart(message.text.trim() === "" ? "(empty message)" : message.text)] };
    case "tool":
      return {
        role: "tool",
        content: message.results.map(({ id, name, output, failed }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: failed ? "error-text" : "text", value: output.toWellFormed() },
        })),
      };
    case "assistant":
      return { role: "assistant", content: spoken(message) };
  }
}

/** The parts of an answer in the order in which they came. Blank text is left out: some providers refuse it. */
function spoken({ text, thinking, calls }: Extract<Message, { role: "assistant" }>): AssistantPart[] {
  const parts: AssistantPart[] = [];
  let told = { text: 0, calls: 0 };
  const tellUpTo = (end: typeof told) => {
    const piece = text.slice(told.text, end.text);
    if (piece.trim() !== "") parts.push(textPart(piece));
    for (const { id, name, input, opaque } of calls.slice(told.calls, end.calls))
      parts.push({ type: "tool-call", toolCallId: id, toolName: name, input: parsedOrEmpty(input), ...sealed(opaque) });
    told = end;
  };
  for (const thought of thinking) {
    if (thought.after !== undefined) tellUpTo(thought.after);
    parts.push({ type: "reasoning", text: thought.text, ...sealed(thought.opaque) });
  }
  tellUpTo({ text: text.length, calls: calls.length });
  // Cut off before anything came of them: providers refuse an answer that ends so.
  while (parts.at(-1)?.type === "reasoning") parts.pop();
  return parts;
}

function textPart(text: string): LanguageModelV4TextPart {
  return { type: "text", text: text.toWellFormed() };
}

function sealed(opaque: Record<string, unknown> | undefined): { providerOptions?: SharedV4ProviderOptions } {
  return opaque === undefined ? {} : { providerOptions: opaque as SharedV4ProviderOptions };
}

/** A provider wants an object back even where its model wrote broken JSON; the tool result says what was wrong with it. */
function parsedOrEmpty(input: string): unknown {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
