import { describe, expect, it } from "vitest";
import { inferProvider, vendorOf } from "./infer-provider.ts";

describe("the provider of a model", () => {
  it.each([
    ["claude-opus-4-6", "anthropic/claude-opus-4-6"],
    ["claude-haiku-4-5", "anthropic/claude-haiku-4-5"],
    ["gpt-5.1", "openai/gpt-5.1"],
    ["gpt-5.1-codex", "openai/gpt-5.1-codex"],
    ["codex-mini", "openai/codex-mini"],
    ["o3", "openai/o3"],
    ["o4-mini", "openai/o4-mini"],
    ["gemini-2.5-pro", "google/gemini-2.5-pro"],
    ["kimi-k2-0905-preview", "moonshot/kimi-k2-0905-preview"],
    ["moonshot-v1-128k", "moonshot/moonshot-v1-128k"],
    ["k2p5", "kimi-coding/k2p5"],
    ["deepseek-chat", "deepseek/deepseek-chat"],
    ["grok-4", "xai/grok-4"],
    ["mistral-large-latest", "mistral/mistral-large-latest"],
    ["Claude-Opus-4-6", "anthropic/Claude-Opus-4-6"],
    [" claude-opus-4-6 ", "anthropic/claude-opus-4-6"],
    ["openrouter/anthropic/claude-sonnet-4.5", "openrouter/anthropic/claude-sonnet-4.5"],
    ["own/claude-like", "own/claude-like"],
  ])("[S1-QG-24] [S1-MOD-09] is inferred from the name: %s", (model, named) => {
    expect(inferProvider(model)).toBe(named);
  });

  it.each(["", "house-model", "orca-2", "octo", "my-claude"])("[S1-MOD-09] is unknown of '%s'", (model) => {
    expect(inferProvider(model)).toBeUndefined();
  });

  it("is told apart from who made the model", () => {
    expect(vendorOf("openrouter/anthropic/claude-sonnet-4.5")).toBe("anthropic");
    expect(vendorOf("own/gpt-5.1")).toBe("openai");
    expect(vendorOf("own/house-model")).toBe("own");
    expect(vendorOf("offline/rehearsal")).toBe("offline");
  });
});
