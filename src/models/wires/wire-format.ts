import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Message } from "../../contract/runs/model-call.ts";
import type { GrowingBytes } from "./growing-bytes.ts";

/** A conversation as its provider wants it: JSON objects with commas between them. */
export interface WireMessages {
  /** Those that no later message changes. It grows with the conversation, so that a turn costs only what is new. */
  readonly settled: GrowingBytes;
  /** The rest, which is written for each request. */
  readonly open: string;
}

/** Makes parts of an answer from the events of a stream. Throws what the provider reports as an error. */
export interface AnswerReader {
  /** Takes one event. */
  read(event: Record<string, unknown>): void;
  /** Takes the end of the stream. */
  end(): void;
}

/** How conversations and answers look on the wire of one kind of API. Everything else of a request is the package's. */
export interface WireFormat {
  messages(messages: readonly Message[]): WireMessages;
  reader(emit: (part: LanguageModelV4StreamPart) => void): AnswerReader;
}

/** What a stream says that makes no sense, in the shape of an error that a provider reports within its stream. */
export function nonsense(message: string): object {
  return { message };
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
