import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { asModelFailure } from "../failures.ts";
import { anthropicFormat } from "./anthropic-wire.ts";
import { chatFormat } from "./chat-wire.ts";
import type { WireFormat } from "./wire-format.ts";

function partsOf(format: WireFormat, events: Record<string, unknown>[]): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [];
  const reader = format.reader((part) => parts.push(part));
  for (const event of events) reader.read(event);
  reader.end();
  return parts;
}

const chat = chatFormat({ takesThinking: true, wrapsFailures: false });
const delta = (delta: object, finish_reason: string | null = null) => ({ choices: [{ delta, finish_reason }] });
const calls = (parts: LanguageModelV4StreamPart[]) => parts.filter((part) => part.type === "tool-call");

describe("an answer over Chat Completions", () => {
  it("may name a call after its id and its first words", () => {
    const parts = partsOf(chat, [
      delta({ tool_calls: [{ index: 0, id: "c1", function: { arguments: '{"a"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { name: "read" } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ":1}" } }] }, "tool_calls"),
    ]);
    expect(calls(parts)).toMatchObject([{ toolCallId: "c1", toolName: "read", input: '{"a":1}' }]);
  });

  it("keeps the signature that came with a call, for the way back", () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const call = { index: 0, id: "c1", function: { name: "read", arguments: "{}" }, extra_content };
    expect(calls(partsOf(chat, [delta({ tool_calls: [call] }, "tool_calls")]))).toMatchObject([
      { providerMetadata: { google: { thoughtSignature: "c2ln" } } },
    ]);
    const opaque = { own: { thoughtSignature: "c2ln" } };
    const { settled } = chat.messages([
      { role: "assistant", text: "", thinking: [], calls: [{ id: "c1", name: "read", input: "{}", opaque }] },
    ]);
    expect(JSON.parse(settled.bytes.toString())).toMatchObject({ tool_calls: [{ extra_content }] });
  });

  it("may come as a list of parts, with thinking among them", () => {
    const thinking = [{ type: "text", text: "Hm." }];
    const content = [
      { type: "thinking", thinking },
      { type: "text", text: "Done." },
    ];
    expect(partsOf(chat, [delta({ content }, "stop")])).toMatchObject([
      { type: "reasoning-delta", delta: "Hm." },
      { type: "text-delta", delta: "Done." },
      { type: "finish", finishReason: { unified: "stop" } },
    ]);
  });

  it("that refuses says so, although it ends as any other", () => {
    expect(partsOf(chat, [delta({ refusal: "I will not." }, "stop")])).toMatchObject([
      { type: "text-delta", delta: "I will not." },
      { type: "finish", finishReason: { unified: "content-filter" } },
    ]);
  });

  it("is broken when it ends without a reason, and survives fields of another type", () => {
    expect(() => partsOf(chat, [delta({ content: "So far" })])).toThrow(
      expect.objectContaining({ message: expect.any(String) }),
    );
    const odd = { choices: [{ delta: { content: 7, tool_calls: "none" }, finish_reason: "stop" }], usage: "none" };
    expect(partsOf(chat, [{ choices: 3 }, odd])).toMatchObject([{ type: "finish" }]);
  });
});

describe("an answer over Anthropic's wire", () => {
  const format = anthropicFormat();

  it("keeps sealed thinking, for the way back", () => {
    const parts = partsOf(format, [
      { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "aGlk" } },
      { type: "content_block_stop", index: 0 },
    ]);
    expect(parts).toMatchObject([
      { type: "reasoning-start", providerMetadata: { anthropic: { redactedData: "aGlk" } } },
    ]);
  });

  it.each([
    ["overloaded_error", "busy"],
    ["rate_limit_error", "busy"],
    ["api_error", "busy"],
    ["authentication_error", "no_key"],
    ["not_found_error", "unknown_model"],
    ["request_too_large", "too_long"],
    ["invalid_request_error", "refused"],
    ["an_error_of_tomorrow", "broken"],
  ])("that breaks off with %s fails as %s", (type, kind) => {
    let thrown: unknown;
    try {
      partsOf(format, [{ type: "error", error: { type, message: "Sorry" } }]);
    } catch (error) {
      thrown = error;
    }
    expect(asModelFailure(thrown, () => 0).kind).toBe(kind);
  });

  it("is not two messages", () => {
    const start = (id: string) => ({ type: "message_start", message: { id, usage: {} } });
    expect(() => partsOf(format, [start("a"), start("b")])).toThrow(
      expect.objectContaining({ message: expect.any(String) }),
    );
  });

  it("is not finished without the last event", () => {
    expect(partsOf(format, [{ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} }])).toEqual([]);
  });
});
