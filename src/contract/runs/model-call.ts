import { z } from "zod";

/** What goes to a language model and what comes back, in the house's own words. models/ translates to each provider. */

/** Belongs to the provider and has to be sent back unchanged. */
const Opaque = z.record(z.string(), z.unknown());

export const ToolSpec = z.strictObject({
  name: z.string(),
  description: z.string(),
  /** JSON Schema of the input. */
  inputSchema: z.record(z.string(), z.unknown()),
});
export type ToolSpec = z.infer<typeof ToolSpec>;

export const ToolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** JSON as the model wrote it; it may be broken. */
  input: z.string(),
  opaque: Opaque.optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

const ToolResult = z.strictObject({ id: z.string(), name: z.string(), output: z.string(), failed: z.boolean() });
export type ToolResult = z.infer<typeof ToolResult>;

/** What the model thought. */
export const Thought = z.strictObject({
  text: z.string(),
  opaque: Opaque.optional(),
  /** How much of the answer came before it, where providers mind the order; absent when nothing did. */
  after: z.strictObject({ text: z.number(), calls: z.number() }).optional(),
});
export type Thought = z.infer<typeof Thought>;

export const Message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("user"), text: z.string() }),
  z.strictObject({
    role: z.literal("assistant"),
    text: z.string(),
    thinking: z.array(Thought),
    calls: z.array(ToolCall),
  }),
  z.strictObject({ role: z.literal("tool"), results: z.array(ToolResult) }),
]);
export type Message = z.infer<typeof Message>;

export const ModelSettings = z.strictObject({
  /** `provider/model`. */
  model: z.string(),
  thinking: z.enum(["off", "low", "medium", "high"]),
  temperature: z.number().optional(),
  maxTokens: z.number().optional(),
});
export type ModelSettings = z.infer<typeof ModelSettings>;

/** Ordered for the providers' caches: what never changes in a run comes first. */
export interface ModelRequest extends ModelSettings {
  system: string;
  tools: ToolSpec[];
  messages: Message[];
}

export const Usage = z.strictObject({
  input: z.number(),
  output: z.number(),
  /** Part of `input` that was read from the provider's cache. */
  cacheRead: z.number(),
  /** Part of `input` that was written to the provider's cache. */
  cacheWrite: z.number(),
  /** Part of `output` that was thinking. */
  reasoning: z.number(),
});
export type Usage = z.infer<typeof Usage>;

export const Finish = z.enum(["end", "calls", "length", "refused", "interrupted", "other"]);
export type Finish = z.infer<typeof Finish>;

export const ModelAnswer = z.strictObject({
  model: z.string(),
  text: z.string(),
  thinking: z.array(Thought),
  calls: z.array(ToolCall),
  finish: Finish,
  usage: Usage,
  /** null: the price of this model is not known; its tokens are counted all the same. */
  costUsd: z.number().nullable(),
  /** The offline model did this without a playbook: it looked around and did nothing. */
  rehearsed: z.literal(true).optional(),
});
export type ModelAnswer = z.infer<typeof ModelAnswer>;

/** `restart`: the stream broke off and what came so far is void. */
export const Delta = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("restart"), reason: z.string(), waitMs: z.number() }),
  z.strictObject({ kind: z.enum(["text", "thinking"]), text: z.string() }),
  z.strictObject({ kind: z.literal("call"), id: z.string(), name: z.string() }),
  /** What a command says while it runs, not all of it when it says much. */
  z.strictObject({ kind: z.literal("output"), id: z.string(), text: z.string() }),
]);
export type Delta = z.infer<typeof Delta>;

/** Why a model call ended without an answer. Only `busy`, `broken`, `unreachable` and `timeout` are worth another try later. */
export const ModelFailureKind = z.enum([
  "unknown_model",
  "no_key",
  "refused",
  "too_long",
  "quota",
  /** It was never sent: a limit has no room for it. */
  "budget",
  "busy",
  "broken",
  /** There was no connection: nothing was sent. */
  "unreachable",
  "cancelled",
  "timeout",
]);
export type ModelFailureKind = z.infer<typeof ModelFailureKind>;

export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  readonly retryAfterMs: number | undefined;

  constructor(kind: ModelFailureKind, message: string, retryAfterMs?: number) {
    super(message);
    this.name = "ModelFailure";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * What keeps a provider from answering calls that nothing is wrong with. `overloaded`: it refuses them for now.
 * `unreachable`: there was no connection, so nothing was sent or paid. `failing`: it had the call, and then came an error of
 * its own, a broken connection or silence.
 */
export type Outage = "overloaded" | "unreachable" | "failing";

const KIND_OF_OUTAGE = { overloaded: "busy", unreachable: "unreachable", failing: "broken" } as const;

/** The provider would have taken the call at another time: a run waits for that. */
export class PassingFailure extends ModelFailure {
  readonly outage: Outage;

  constructor(
    outage: Outage,
    message: string,
    { kind, retryAfterMs }: { kind?: ModelFailureKind; retryAfterMs?: number | undefined } = {},
  ) {
    super(kind ?? KIND_OF_OUTAGE[outage], message, retryAfterMs);
    this.outage = outage;
  }

  /** Whether nobody can want money for the call. */
  get isUnsent(): boolean {
    return this.outage === "unreachable";
  }
}
