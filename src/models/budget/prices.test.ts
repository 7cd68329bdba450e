import { describe, expect, it } from "vitest";
import { Config } from "../../contract/documents/config.ts";
import { contextWindowOf } from "../context-windows.ts";
import { costOf, priceOf } from "./prices.ts";

const usage = { input: 1_000_000, output: 1_000_000, cacheRead: 0, cacheWrite: 0, reasoning: 500_000 };
const plain = Config.parse({});

describe("a price", () => {
  it("holds for a model and its dated versions, never for a relative with a similar name", () => {
    const sonnet = priceOf("anthropic/claude-sonnet-4-5", plain);
    expect(sonnet).toMatchObject({ input: 3, output: 15 });
    expect(priceOf("anthropic/claude-sonnet-4-5-20250929", plain)).toBe(sonnet);
    expect(priceOf("openai/gpt-5-2025-08-07", plain)).toMatchObject({ input: 1.25 });
    expect(priceOf("openai/gpt-5-mini", plain)).toMatchObject({ input: 0.25 });
    expect(priceOf("anthropic/claude-opus-4-1", plain)).toMatchObject({ input: 15 });
    expect(priceOf("anthropic/claude-opus-4-5", plain)).toMatchObject({ input: 5 });
    for (const stranger of [
      "openai/gpt-5-something",
      "openai/gpt-50",
      "anthropic/claude-sonnet-9",
      "own/m",
      "__proto__/x",
    ])
      expect(priceOf(stranger, plain)).toBeUndefined();
  });

  it("is nothing for models that run here", () => {
    expect(costOf(usage, priceOf("offline/rehearsal", plain))).toBe(0);
    expect(costOf(usage, priceOf("ollama/qwen3:8b", plain))).toBe(0);
  });

  it("is the vendor's under whatever name the vendor is configured, but not behind another address", () => {
    const providers = {
      claude: { kind: "anthropic" },
      proxy: { kind: "anthropic", baseUrl: "https://proxy.example" },
    };
    const config = Config.parse({ providers });
    expect(priceOf("claude/claude-sonnet-4-5", config)).toMatchObject({ input: 3 });
    expect(priceOf("proxy/claude-sonnet-4-5", config)).toBeUndefined();
  });

  it("can be added and overridden, for a model or for all that begin alike", () => {
    const prices = {
      "own/*": { input: 1, output: 1 },
      "own/big*": { input: 2, output: 2 },
      "own/big-one": { input: 3, output: 3 },
      "anthropic/claude-sonnet-4-5": { input: 4, output: 4 },
    };
    const config = Config.parse({ models: { prices } });
    const inputs = ["own/small", "own/big-two", "own/big-one", "anthropic/claude-sonnet-4-5-20250929"];
    expect(inputs.map((model) => priceOf(model, config)?.input)).toEqual([1, 2, 3, 4]);
  });
});

describe("a cost", () => {
  it("prices each token once, as what it is", () => {
    const price = { input: 10, output: 100, cacheRead: 1, cacheWrite: 20 };
    const mixed = { ...usage, input: 1_000_000, cacheRead: 700_000, cacheWrite: 200_000 };
    expect(costOf(mixed, price)).toBeCloseTo(0.1 * 10 + 0.7 * 1 + 0.2 * 20 + 100);
    expect(costOf(mixed, { input: 10, output: 100 })).toBeCloseTo(10 + 100);
    expect(costOf({ ...mixed, cacheRead: 5_000_000 }, { input: 10, output: 0, cacheRead: 0, cacheWrite: 0 })).toBe(0);
  });

  it("is null without a price", () => {
    expect(costOf(usage, undefined)).toBeNull();
  });
});

describe("a context window", () => {
  it("is known for the usual models, guessed for others, and set by config.yml", () => {
    const config = Config.parse({ models: { contextWindow: { "own/*": 9_000, "openai/gpt-5": 50_000 } } });
    const windows = ["anthropic/claude-sonnet-4-5", "google/gemini-2.5-pro", "nobody/knows", "own/m", "openai/gpt-5"];
    expect(windows.map((model) => contextWindowOf(model, config))).toEqual([
      200_000, 1_048_576, 128_000, 9_000, 50_000,
    ]);
    expect(contextWindowOf("openai/gpt-5", plain)).toBe(400_000);
    expect(contextWindowOf("offline/rehearsal", plain)).toBeGreaterThan(10_000_000);
  });
});
