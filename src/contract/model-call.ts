import { z } from "zod";

/** What goes to a language model and what comes back, in the house's own words. models/ translates to each provider. */

export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the input. */
  inputSchema: Record<string, unknown>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON as the model wrote it; it may be broken. */
  input: string;
  /** Belongs to the provider and has to be sent back unchanged, as with a thought. */
  opaque?: Record<string, unknown> | undefined;
}

export interface ToolResult {
  id: string;
  name: string;
  output: string;
  failed: boolean;
}

/** What the model thought. `opaque` belongs to its provider and has to be sent back unchanged. */
export interface Thought {
  text: string;
  opaque?: Record<string, unknown> | undefined;
  /** How much of the answer came before it, where providers mind the order; absent when nothing did. */
  after?: { text: number; calls: number } | undefined;
}

export type Message =
  | { role: "user"; text: string }
  | { role: "assistant"; text: string; thinking: Thought[]; calls: ToolCall[] }
  | { role: "tool"; results: ToolResult[] };

export interface ModelSettings {
  /** `provider/model`. */
  model: string;
  thinking: "off" | "low" | "medium" | "high";
  temperature?: number | undefined;
  maxTokens?: number | undefined;
}

/** Ordered for the providers' caches: what never changes in a run comes first. */
export interface ModelRequest extends ModelSettings {
  system: string;
  tools: ToolSpec[];
  messages: Message[];
}

export interface Usage {
  input: number;
  output: number;
  /** Part of `input` that was read from the provider's cache. */
  cacheRead: number;
  /** Part of `input` that was written to the provider's cache. */
  cacheWrite: number;
  /** Part of `output` that was thinking. */
  reasoning: number;
}

export type Finish = "end" | "calls" | "length" | "refused" | "interrupted" | "other";

export interface ModelAnswer {
  model: string;
  text: string;
  thinking: Thought[];
  calls: ToolCall[];
  finish: Finish;
  usage: Usage;
  /** null: the price of this model is not known; its tokens are counted all the same. */
  costUsd: number | null;
}

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
export type ModelFailureKind =
  | "unknown_model"
  | "no_key"
  | "refused"
  | "too_long"
  | "quota"
  /** It was never sent: a limit has no room for it. */
  | "budget"
  | "busy"
  | "broken"
  /** There was no connection: nothing was sent. */
  | "unreachable"
  | "cancelled"
  | "timeout";

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
